internal import AssayCodec

extension VectorKind {
  /// base64url text and its bytes.
  static let base64url = VectorKind(name: "base64url") { (one, _) throws(VectorFileError) in
    let text = try one.text("text").utf8
    return try judgeText(&one, text, decoded: try? Base64URL.decode(text.span)) { Base64URL.encode($0.span).utf8 }
  }

  /// base64 text and its bytes.
  static let base64 = VectorKind(name: "base64") { (one, _) throws(VectorFileError) in
    try judgeLenientText(&one, { (text, leniency) throws(CodecError) in try Base64.decode(text.span, leniency) }) {
      Base64.encode($0.span).utf8
    }
  }

  /// Lower-case hexadecimal text and its bytes.
  static let base16 = VectorKind(name: "base16") { (one, _) throws(VectorFileError) in
    try judgeLenientText(&one, { (text, leniency) throws(CodecError) in try Base16.decode(text.span, leniency) }) {
      Base16.encode($0.span).utf8
    }
  }

  /// base32hex text and its bytes.
  static let base32hex = VectorKind(name: "base32hex") { (one, _) throws(VectorFileError) in
    try judgeLenientText(&one, { (text, leniency) throws(CodecError) in try Base32Hex.decode(text.span, leniency) }) {
      Base32Hex.encode($0.span).utf8
    }
  }

  /// base32 text, under a profile, and its bytes.
  static let base32 = VectorKind(name: "base32") { (one, _) throws(VectorFileError) in
    let text = try one.text("text").utf8
    let profile: Base32.Profile
    switch try one.text("profile") {
    case "padded": profile = .padded
    case "unpadded": profile = .unpadded
    case "typedIn": profile = .typedIn
    default: throw one.fault("unknown profile")
    }
    let decoded = try? Base32.decode(text.span, profile).withSpan { Array(copying: $0) }
    switch profile {
    case .padded: return try judgeText(&one, text, decoded: decoded) { Base32.encode($0.span, padded: true).utf8 }
    case .unpadded: return try judgeText(&one, text, decoded: decoded) { Base32.encode($0.span).utf8 }
    case .typedIn: return try judgeText(&one, text, decoded: decoded, encode: nil)
    }
  }

  /// Text that is read under the leniencies the case names; without any, its bytes give it again.
  private static func judgeLenientText(
    _ one: inout MemberReader, _ decode: ([UInt8], RadixLeniency) throws(CodecError) -> [UInt8],
    encode: @escaping ([UInt8]) -> [UInt8]
  ) throws(VectorFileError) -> CaseOutcome {
    let text = try one.text("text").utf8
    var leniency: RadixLeniency = []
    for name in try one.texts("leniency") {
      switch name {
      case "padding": leniency.insert(.padding)
      case "otherAlphabet": leniency.insert(.otherAlphabet)
      case "anyCase": leniency.insert(.anyCase)
      case "separators": leniency.insert(.separators)
      case "spareBits": leniency.insert(.spareBits)
      default: throw one.fault("unknown leniency")
      }
    }
    let decoded = try? decode(text, leniency)
    return try judgeText(&one, text, decoded: decoded, encode: leniency.isEmpty ? encode : nil)
  }

  private static func judgeText(
    _ one: inout MemberReader, _ text: [UInt8], decoded: [UInt8]?, encode: (([UInt8]) -> [UInt8])?
  ) throws(VectorFileError) -> CaseOutcome {
    let verdict = try one.verdict()
    guard verdict == .valid else {
      return .compare(expected: verdict, actual: decoded == nil ? .invalid : .valid)
    }
    let bytes = try one.hex("bytes")
    guard let decoded else { return .failed(expected: "valid", actual: "invalid") }
    guard decoded == bytes else { return .failed(expected: "the given bytes", actual: "other bytes") }
    if let encode, encode(decoded) != text { return .failed(expected: "the same text again", actual: "another text") }
    return .passed
  }
}
