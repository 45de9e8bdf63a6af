internal import AssayCodec
internal import AssayJOSE

/// Finds the explanation of one refusal.
struct JWTExplainer {
  let error: JWTError
  let token: RereadToken
  let expectation: TokenExpectation

  /// Every code has one: the compiler asks for those of new codes here.
  var explanation: JWTExplanation {
    switch error.code {
    case .tooLarge(let limit): return tooLarge(limit)
    case .notCompact: return notCompact
    case .notJSONForm: return plain("notJSONForm", "give a JWS in flattened or general JSON form")
    case .noSignatures: return plain("noSignatures", "nothing can be said of who made it: ask for a signed one")
    case .tooManySignatures: return plain("tooManySignatures", "ask for a token with the signature that you need")
    case .payloadNotAsExpected: return plain("payloadNotAsExpected", "give what was signed exactly once")
    case .duplicateParameter: return plain("duplicateParameter", Self.tellTheIssuer)
    case .notProtected: return plain("notProtected", Self.tellTheIssuer)
    case .mixedPayloadEncodings: return plain("mixedPayloadEncodings", Self.tellTheIssuer)
    case .encrypted: return plain("encrypted", "have its recipient decrypt it, or ask for a signed one")
    case .malformed(let fault): return malformed(fault)
    case .notAnObject: return notAnObject
    case .missing: return missing
    case .requiredClaimMissing: return plain("requiredClaimMissing", "ask the issuer to set it")
    case .wrongType: return wrongType
    case .unsecured:
      return found("unsecured", "nobody signed this token", "never accept such a token; ask for a signed one")
    case .algorithmUnsupported:
      return algorithm("algorithmUnsupported", "this algorithm is not known here", "have the issuer sign with another")
    case .mlDSAUnsupported:
      return algorithm(
        "mlDSAUnsupported", "ML-DSA is not supported, since OpenSSL before 3.5 has none",
        "have the issuer sign with another algorithm")
    case .algorithmNotAllowed:
      return algorithm(
        "algorithmNotAllowed", "this algorithm is not allowed here",
        isMACWherePublicKeysAre
          ? "who knows a public key must not be able to sign: someone else made the token, or the issuer's secret is needed"
          : "if the issuer does sign with it, give its key for that and --alg; if not, someone else made the token")
    case .extensionNotUnderstood:
      return found(
        "extensionNotUnderstood",
        "the token demands that its reader understand an extension, and it is not understood here",
        "have the issuer leave it out")
    case .wrongTokenType: return wrongTokenType
    case .nested:
      return found("nested", "the token holds another token", "take the inner token out, or ask for a plain one")
    case .unknownKeyID: return unknownKeyID
    case .noKeyForAlgorithm: return noKeyForAlgorithm
    case .tooManyKeys: return plain("tooManyKeys", "have the issuer write the key's kid, or give fewer keys")
    case .tooManyCertificates:
      return plain("tooManyCertificates", "ask for a token with the shortest chain, leaf first")
    case .certificateRefused(let fault): return certificateRefused(fault)
    case .certificateNotForSigning: return certificateNotForSigning
    case .wrongSigner: return wrongSigner
    case .certificateMismatch:
      return found(
        "certificateMismatch", error.code.explanation,
        "have the token's maker write the digest of its certificate, or none")
    case .invalidSignature: return invalidSignature
    case .dateOutOfRange: return dateOutOfRange
    case .expired: return time("expired", "exp", "the token expired", late: true, "ask for a new one")
    case .notYetValid:
      return time("notYetValid", "nbf", "the token becomes valid", late: false, "wait, or compare the clocks")
    case .issuedInFuture:
      return time(
        "issuedInFuture", field, Self.happened(field), late: false,
        "compare the clocks; --leeway S allows a difference")
    case .tooOld: return time("tooOld", field, Self.happened(field), late: true, "ask for a new one")
    case .wrongIssuer:
      return compared(
        "wrongIssuer", "the token is of another issuer", expectation.issuer.map { [$0] } ?? [],
        "give the issuer that you trust, or ask it for a token")
    case .wrongAudience:
      return compared(
        "wrongAudience", "the token is for someone else", expectation.audience,
        "ask the issuer for a token for the expected audience")
    case .unexpectedAudience:
      return found(
        "unexpectedAudience", "the token is for a certain audience, and none was expected",
        "if that is you, say so with --audience")
    case .mismatch:
      return found(
        "mismatch", "it is not the one that is expected here",
        "compare it with what you sent; if that is right, refuse the token"
      )
    case .unexpected:
      return found(
        "unexpected", error.code.explanation, "look whether this is the kind of token that you expect")
    case .invalidValue:
      return found("invalidValue", error.code.explanation, Self.tellTheIssuer)
    case .lifetimeTooLong:
      return found("lifetimeTooLong", error.code.explanation, "have its maker choose an earlier exp")
    case .notOneProof: return plain("notOneProof", "send one DPoP header with one proof")
    case .keyRefused: return plain("keyRefused", "have the client make another key")
    case .reserved: return plain("reserved", "the signer writes it")
    case .payloadNotCarried: return plain("payloadNotCarried", "have the payload encoded")
    case .signingFailed: return plain("signingFailed", "check that the key is whole")
    }
  }

  /// The claim that was judged.
  private var field: UTF8Text { UTF8Text(error.field?.description ?? "") }

  /// What happened at the time in a claim.
  private static func happened(_ claim: UTF8Text) -> String {
    switch claim {
    case "auth_time": "the user signed in"
    case "nbf": "the token became valid"
    default: "the token was issued"
    }
  }

  private static let tellTheIssuer = "whoever made the token must correct that"

  // MARK: - Parts

  /// What the token says in the field of the error.
  var member: JSONValue? {
    error.field.flatMap { token.member(UTF8Text($0.description), error.step == .claims ? .claims : .header) }
  }

  /// The library's own words.
  func plain(_ code: String, _ advice: String) -> JWTExplanation {
    JWTExplanation(code, error.code.explanation, advice: advice)
  }

  /// With what the token says there.
  func found(_ code: String, _ what: String, _ advice: String) -> JWTExplanation {
    var explanation = JWTExplanation(code, what, advice: advice)
    explanation.found = member.map(Shown.value)
    explanation.what += explanation.found.map { " (the token says \($0))" } ?? ""
    return explanation
  }

  /// With what was expected and what the token says there.
  func compared(
    _ code: String, _ what: String, _ expected: [UTF8Text], absent: String = "none", _ advice: String
  ) -> JWTExplanation {
    var explanation = JWTExplanation(code, what, advice: advice)
    explanation.expected = expected.map(Shown.text)
    explanation.found = member.map(Shown.value)
    let said = explanation.found ?? "nothing"
    explanation.what += ": expected \(Self.few(explanation.expected, absent)), the token says \(said)"
    if expected.count == 1, let text = member?.string, let difference = Self.difference(expected[0], text) {
      explanation.what += " (\(difference))"
    }
    return explanation
  }

  /// The first few of several.
  static func few(_ words: [String], _ none: String) -> String {
    guard let first = words.first else { return none }
    guard words.count > 1 else { return first }
    let rest = words.count > 3 ? " and \(words.count - 3) more" : ""
    return "one of \(words.prefix(3).joined(separator: ", "))\(rest)"
  }

  /// What is easily overlooked where two texts are compared by eye.
  private static func difference(_ one: UTF8Text, _ other: UTF8Text) -> String? {
    let slash = UInt8(ascii: "/")
    func folded(_ text: UTF8Text) -> [UInt8] { text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
    func trimmed(_ text: UTF8Text) -> [UInt8] { text.utf8.filter { $0 > 0x20 } }
    if one.utf8 + [slash] == other.utf8 || other.utf8 + [slash] == one.utf8 { return "only the last / differs" }
    if folded(one) == folded(other) { return "only the case of letters differs" }
    if trimmed(one) == trimmed(other) { return "only white space differs" }
    func isASCII(_ text: UTF8Text) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }
    return isASCII(one) && !isASCII(other) ? "letters that are not ASCII may look like others" : nil
  }

  /// The old trick of taking a public key for the secret of a MAC (RFC 8725, 2.1).
  private var isMACWherePublicKeysAre: Bool {
    guard let name = member?.string, case .mac = JWSAlgorithm(joseName: name) else { return false }
    return expectation.algorithms.allSatisfy { if case .signature = $0 { true } else { false } }
  }

  private func algorithm(_ code: String, _ what: String, _ advice: String) -> JWTExplanation {
    compared(code, what, expectation.algorithms.map(\.joseName), advice)
  }
}
