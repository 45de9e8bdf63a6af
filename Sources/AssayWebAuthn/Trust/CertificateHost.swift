internal import AssayCodec

extension X509Certificate {
  /// Whether it was issued to a host: whether a dNSName of its subjectAltName is this name (RFC 5280, 4.2.1.6).
  ///
  /// Letters are compared without regard to case, as in DNS, everything else byte for byte: a pattern names no host here,
  /// and a common name is none (RFC 9525, 6.3).
  /// - Throws: `CodecError` if there is a subjectAltName that cannot be read.
  func isIssued(toHost host: [UInt8]) throws(CodecError) -> Bool {
    guard let `extension` = `extension`(CertificateIdentifier.subjectAltName) else { return false }
    let wanted = host.map(\.lowercasedLetter)
    return try ByteReader.readAll(`extension`.value.span, "subjectAltName") { (reader) throws(CodecError) in
      try reader.readDER(.sequence, "subjectAltName") { (reader) throws(CodecError) in
        var isFound = false
        while reader.remaining > 0 {
          let isDNSName = reader.isNext(.context2String)
          let name = Array(copying: try reader.takeAnyDER("subjectAltName"))
          if isDNSName, name.map(\.lowercasedLetter) == wanted { isFound = true }
        }
        return isFound
      }
    }
  }
}

extension UInt8 {
  fileprivate var lowercasedLetter: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}
