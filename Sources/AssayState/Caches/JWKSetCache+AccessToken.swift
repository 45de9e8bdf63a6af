public import AssayCodec
public import AssayJOSE

extension JWKSetCache {
  /// Verifies an access token of the issuer (RFC 9068, 4), with the keys it publishes at the time.
  ///
  /// Success proves what `AccessTokenVerifier.verify` proves, under the issuer's leeway, maximum age and required claims.
  /// - Parameters:
  ///   - token: The token's compact form.
  ///   - expected: What the request shows and needs.
  ///   - tokens: Where verdicts are remembered, each for the same `expected` only; nil: nowhere.
  ///   - now: The time to judge at.
  /// - Throws: `JWTError`; `KeysUnavailable`; `CancellationError`.
  public nonisolated func verifyAccessToken(
    _ token: [UInt8], expecting expected: AccessTokenVerifier.Expectation = AccessTokenVerifier.Expectation(),
    remembering tokens: VerifiedTokenCache<VerifiedAccessToken>? = nil, at now: UnixTime = .now()
  ) async throws -> VerifiedAccessToken {
    try await verify(at: now) { (keys) throws(JWTError) in
      let rules = keys.issuer.policy
      guard let tokens else { return try Self.accessToken(token, expected, keys.issuer, at: now) }
      return try tokens.verified(
        token, scope: keys.scope, circumstances: expected, maximumAge: rules.maximumAge, at: now
      ) { () throws(JWTError) in try Self.accessToken(token, expected, keys.issuer, at: now) }
    }
  }

  private static func accessToken(
    _ token: [UInt8], _ expected: AccessTokenVerifier.Expectation, _ issuer: TrustedIssuer, at now: UnixTime
  ) throws(JWTError) -> VerifiedAccessToken {
    guard let audience = issuer.audience else { throw JWTError(.unexpectedAudience, .claims, "aud") }
    let rules = issuer.policy
    let verifier = AccessTokenVerifier(
      issuer: issuer.name, audience: audience, keys: issuer.keys, leeway: rules.leeway)
    let verified = try verifier.verify(token.span, expecting: expected, at: now)
    if let maximumAge = rules.maximumAge {
      guard let issuedAt = verified.issuedAt, now <= issuedAt.adding(seconds: maximumAge).adding(seconds: rules.leeway)
      else { throw JWTError(.tooOld, .claims, "iat") }
    }
    for name in rules.requiredClaims where verified.token.claims[name] == nil {
      throw JWTError(.requiredClaimMissing(name), .claims)
    }
    return verified
  }
}
