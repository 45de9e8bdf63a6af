extension X509Certificate {
  /// What every block of a PEM text holds, in order; nothing else than certificates may be there (RFC 7468, 5).
  ///
  /// - Throws: `CodecError`: `missing` if there is no block, `unsupported` for a block of something else, `malformed`.
  package static func contents(ofPEM text: Span<UInt8>) throws(CodecError) -> [[UInt8]] {
    let text = PEMText(text)
    return try text.withSpan { (text) throws(CodecError) in
      let blocks: [PEMBlock]
      do throws(KeyError) {
        blocks = try PEMBlock.all(in: text)
      } catch {
        guard case .malformed(let reason) = error.reason else { throw CodecError(.malformed, "PEM", at: 0) }
        throw reason
      }
      guard !blocks.isEmpty else { throw CodecError(.missing, "PEM (-----BEGIN CERTIFICATE-----)", at: text.count) }
      var contents: [[UInt8]] = []
      for block in blocks {
        let label = text.extracting(block.label)
        guard label.isEqual(to: "CERTIFICATE") || label.isEqual(to: "X509 CERTIFICATE") else {
          throw CodecError(.unsupported, "PEM block that is no CERTIFICATE", at: block.label.lowerBound)
        }
        let field: Field = "PEM body (lines of base64)"
        contents.append(
          try Base64.decode(
            text.extracting(block.body), .separators, field: field, base: block.body.lowerBound))
      }
      return contents
    }
  }
}
