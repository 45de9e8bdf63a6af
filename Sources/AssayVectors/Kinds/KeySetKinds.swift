internal import AssayCodec
internal import AssayCrypto
internal import AssayJOSE

extension VectorKind {
  /// A JWK Set, and tokens under it.
  static let jwkSet = VectorKind(name: "jwk-set") { (one, _) throws(VectorFileError) in
    let text = try one.text("set", orParts: "setParts")
    let algorithms = try one.algorithms()
    let verdict = try one.verdict()
    let mention = verdict == .invalid ? try one.texts("mention") : []
    var tokens: [(token: [UInt8], verdict: Verdict)] = []
    for value in try one.array("tokens") {
      var token = try MemberReader(value, "a token")
      tokens.append((try token.text("token").utf8, try token.verdict()))
      try token.finish()
    }
    let set: JWKSet
    do throws(JWKSetError) { set = try JWKSet(json: text.span) } catch {
      let message = error.description
      guard verdict == .invalid else { return .compare(expected: verdict, actual: .invalid, because: message) }
      guard mention.contains(where: { KeyExpectation.mentions(message, $0.string) }) else {
        return .failed(expected: "a refusal that mentions one of the words", actual: message)
      }
      return .passed
    }
    guard verdict == .valid else { return .failed(expected: "invalid", actual: "valid") }
    // Without a usable key every token is refused.
    let trusted = try? VectorKeys.trusted(set, algorithms)
    for (index, (token, verdict)) in tokens.enumerated() {
      var actual = Verdict.invalid
      if let trusted, (try? JWS.verifyCompact(token.span, keys: trusted)) != nil { actual = .valid }
      guard actual == verdict else {
        return .failed(expected: "token \(index) \(verdict)", actual: "token \(index) \(actual)")
      }
    }
    return .passed
  }
}
