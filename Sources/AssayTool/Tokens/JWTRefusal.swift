internal import AssayCodec
internal import AssayCrypto
internal import AssayJOSE

/// Tells an operator why a token was refused: the library's error, and what the token says in the place where it happened.
///
/// The token is read again for that, so its values are as anyone may have written them: escaped and cut.
struct JWTRefusal {
  private let error: JWTError
  private let token: UnverifiedJWT?
  private let issuer: TrustedIssuer
  private let key: TrustedKeyFile
  private let now: UnixTime

  init(_ error: JWTError, _ token: [UInt8], _ issuer: TrustedIssuer, _ key: TrustedKeyFile, _ now: UnixTime) {
    self.error = error
    self.token = try? UnverifiedJWT.decodeWithoutVerifying(token.span)
    self.issuer = issuer
    self.key = key
    self.now = now
  }

  var failure: Failure {
    let steps = JWTError.Step.allCases
    let number = (steps.firstIndex(of: error.step) ?? 0) + 1
    let detail = detail.map { ": \($0)" } ?? ""
    return .refused(
      "at step \(number), \(name(error.step)): \(error)\(detail)",
      ["step": .string(UTF8Text(name(error.step))), "stepNumber": .number(JSONNumber(Int64(number)))])
  }

  /// The words that `jwt verify` uses for the steps it lists.
  private func name(_ step: JWTError.Step) -> String {
    switch step {
    case .size: "size"
    case .shape: "shape"
    case .header: "header"
    case .algorithm: "algorithm"
    case .key: "key"
    case .signature: "signature"
    case .claims: "claims"
    case .signing: "signing"
    }
  }

  /// What was expected and what the token says.
  private var detail: String? {
    switch error.code {
    case .expired: return times("exp") { "expired \($0) s before the time of judging" }
    case .notYetValid: return times("nbf") { "begins \($0) s after the time of judging" }
    case .issuedInFuture: return times("iat") { "issued \($0) s after the time of judging" }
    case .wrongIssuer: return expected(Shown.text(issuer.name), token?.unverifiedClaims["iss"])
    case .wrongAudience: return expected(issuer.audience.map(Shown.text) ?? "none", token?.unverifiedClaims["aud"])
    case .unexpectedAudience:
      return token?.unverifiedClaims["aud"].map { "it says \(Shown.value($0)), --audience names yours" }
    case .wrongTokenType: return expected(issuer.policy.type.map(Shown.text) ?? "JWT", token?.unverifiedHeader["typ"])
    case .unknownKeyID:
      let kid = token?.unverifiedHeader["kid"]
      if let unusable = key.keys.unusable.first(where: { $0.kid == kid?.string }) {
        return "not used: \(TrustedKeyFile.words(unusable))"
      }
      return expected(names(key.keyIDs), kid)
    case .algorithmNotAllowed, .algorithmUnsupported, .unsecured, .noKeyForAlgorithm:
      let allowed = issuer.keys.algorithms.map(\.joseName.string).joined(separator: ", ")
      return expected(allowed, token?.unverifiedHeader["alg"])
    case .invalidSignature: return "the token was changed, or another key signed it"
    default: return nil
    }
  }

  /// The first few of several names.
  private func names(_ names: [UTF8Text]) -> String {
    guard let first = names.first else { return "none" }
    guard names.count > 1 else { return Shown.text(first) }
    let few = names.prefix(3).map(Shown.text).joined(separator: ", ")
    return "one of \(few)\(names.count > 3 ? " and \(names.count - 3) more" : "")"
  }

  private func expected(_ expected: String, _ actual: JSONValue?) -> String {
    "expected \(expected), the token says \(actual.map(Shown.value) ?? "nothing")"
  }

  /// How far a claimed moment is from the time of judging.
  private func times(_ claim: UTF8Text, _ words: (Int64) -> String) -> String? {
    guard let seconds = token?.unverifiedClaims[claim]?.number?.floor else { return nil }
    let (distance, overflow) = seconds.subtractingReportingOverflow(now.seconds)
    guard !overflow, distance != .min else { return nil }
    let leeway = issuer.policy.leeway > 0 ? ", clocks may differ by \(issuer.policy.leeway) s" : ""
    return "\(words(abs(distance))) (\(Shown.time(UnixTime(seconds))); judged at \(Shown.time(now))\(leeway))"
  }
}
