internal import AssayCodec

/// `codec base64url` and `codec base32`, each to encode and to decode.
enum RadixCommands {
  static let all = [
    Command(
      path: ["codec", "base64url", "encode"], summary: "write bytes as base64url (RFC 4648, 5, without padding)",
      options: [CodecCommands.textOption], operands: CodecCommands.file,
      run: { arguments throws(Failure) in
        let bytes = try CodecCommands.bytes(arguments)
        return encoded(Base64URL.encode(bytes.span))
      }),
    Command(
      path: ["codec", "base64url", "decode"], summary: "read base64url: one canonical text for each byte string",
      options: [CodecCommands.textOption], operands: CodecCommands.file, notes: [output],
      run: { arguments throws(Failure) in
        let text = try CodecCommands.line(arguments)
        return decoded(try decoding { () throws(CodecError) in try Base64URL.decode(text.span) })
      }),
    Command(
      path: ["codec", "base32", "encode"], summary: "write bytes as base32 (RFC 4648, 6)",
      options: [CodecCommands.textOption, .flag("--padded", "fill up with = to whole groups")],
      operands: CodecCommands.file,
      run: { arguments throws(Failure) in
        let bytes = try CodecCommands.bytes(arguments)
        return encoded(Base32.encode(bytes.span, padded: arguments.has("--padded")))
      }),
    Command(
      path: ["codec", "base32", "decode"], summary: "read base32",
      options: [
        CodecCommands.textOption,
        .option(
          "--profile", "PROFILE",
          "padded or unpadded (strict), or typed-in: any case, spaces, hyphens (default: padded)"),
      ], operands: CodecCommands.file, notes: [output],
      run: { arguments throws(Failure) in
        let profiles: KeyValuePairs<UTF8Text, Base32.Profile> = [
          "padded": .padded, "unpadded": .unpadded, "typed-in": .typedIn,
        ]
        let profile = try arguments.choice("--profile", profiles, default: .padded)
        let text = try CodecCommands.line(arguments)
        let secret = try decoding { () throws(CodecError) in try Base32.decode(text.span, profile) }
        return decoded(secret.withSpan { Array(copying: $0) })
      }),
  ]

  private static let output = "The bytes are written as they are; with --json, in hexadecimal."

  private static func encoded(_ text: UTF8Text) -> Report {
    var report = Report.done
    report.fact("text", "text", .string(text))
    report.body(text.string)
    return report
  }

  private static func decoded(_ bytes: [UInt8]) -> Report {
    var report = Report.done
    report.fact("bytes", "bytes", .string(Base16.encode(bytes.span)))
    report.body(bytes)
    return report
  }
}
