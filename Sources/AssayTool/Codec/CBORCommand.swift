internal import AssayCodec

/// `codec cbor`: one data item in diagnostic notation, and whether it is canonical.
enum CBORCommand {
  private enum Encoding { case raw, hexadecimal, base64url }

  static let command = Command(
    path: ["codec", "cbor"], summary: "show a CBOR data item in diagnostic notation and check its form",
    options: [
      CodecCommands.textOption,
      .option("--encoding", "ENCODING", "how the input is written: raw, hex or base64url (default: raw)"),
      .flag("--canonical", "refuse what is not CTAP2 canonical CBOR"),
    ], operands: CodecCommands.file,
    run: { arguments throws(Failure) in
      let encodings: KeyValuePairs<UTF8Text, Encoding> = ["raw": .raw, "hex": .hexadecimal, "base64url": .base64url]
      let encoding = try arguments.choice("--encoding", encodings, default: .raw)
      let input = encoding == .raw ? try CodecCommands.bytes(arguments) : try CodecCommands.line(arguments)
      let bytes = try decoding { () throws(CodecError) in
        switch encoding {
        case .raw: input
        case .hexadecimal: try Base16.decode(input.span, [.anyCase, .separators])
        case .base64url: try Base64URL.decode(input.span)
        }
      }
      return try describe(bytes, mustBeCanonical: arguments.has("--canonical"))
    })

  private static func describe(_ bytes: [UInt8], mustBeCanonical: Bool) throws(Failure) -> Report {
    let limits = CBORLimits(maximumBytes: Input.maximumBytes)
    let value = try decoding { () throws(CodecError) in
      try CBORValue.decode(bytes.span, form: .wellFormed, limits: limits)
    }
    var departure: CodecError?
    do throws(CodecError) {
      _ = try CBORValue.decode(bytes.span, form: .ctap2Canonical, limits: limits)
    } catch { departure = error }
    if mustBeCanonical, let departure { throw .refused("not CTAP2 canonical: \(departure)") }
    var report = Report.done
    report.fact("diagnostic", "item", .string(UTF8Text(value.diagnostic)), shown: value.diagnostic)
    report.fact("byteCount", "bytes", number(bytes.count))
    report.fact(
      "ctap2Canonical", "CTAP2 canonical", .bool(departure == nil), shown: departure.map { "no: \($0)" } ?? "yes")
    return report
  }
}
