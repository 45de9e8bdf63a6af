internal import AssayCodec

extension VectorKind {
  /// base64url text and its bytes.
  static let base64url = VectorKind(name: "base64url") { (one, _) throws(VectorFileError) in
    let text = try one.text("text").utf8
    return try judgeText(&one, text, decoded: try? Base64URL.decode(text.span)) { Base64URL.encode($0.span).utf8 }
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
