public import AssayCodec
public import AssayJOSE

/// A `JWTVerifier` that remembers its verdicts.
public struct CachingJWTVerifier: Sendable {
  private let verifier: JWTVerifier
  private let tokens: VerifiedTokenCache<VerifiedJWT>
  private let maximumAge: Int64?
  private let scope = VerificationScope()

  /// Verifies by the rules and keys of `issuer`; what it remembers is told to no other verifier that shares `tokens`.
  public init(_ issuer: TrustedIssuer, remembering tokens: VerifiedTokenCache<VerifiedJWT>) {
    verifier = JWTVerifier(issuer)
    maximumAge = issuer.policy.maximumAge
    self.tokens = tokens
  }

  /// Verifies a compact token at a moment, as `JWTVerifier.verify` does.
  ///
  /// Success proves the same; that the token was accepted before says nothing about how often it was shown.
  public func verify(_ token: [UInt8], at now: UnixTime = .now()) throws(JWTError) -> VerifiedJWT {
    try tokens.verified(token, scope: scope, maximumAge: maximumAge, at: now) { () throws(JWTError) in
      try verifier.verify(token, at: now)
    }
  }
}
