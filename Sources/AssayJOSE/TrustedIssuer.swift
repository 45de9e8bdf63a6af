public import AssayCodec
public import AssayCrypto

/// Someone whose tokens are accepted: a name, the keys it signs with, the algorithms, the audience and the rules,
/// together.
///
/// Keeping them together is what stops one issuer's key from signing for another (RFC 8725, 3.8).
public struct TrustedIssuer: Sendable {
  /// The issuer's name: the `iss` of its tokens, byte for byte.
  public let name: UTF8Text
  /// The keys it signs with; none if certificates are trusted.
  public let keys: TrustedKeys
  /// The certificates whose keys it signs with, if its tokens bring those.
  public let certificates: TrustedCertificates?
  /// Who we are in its tokens' `aud`. Nil: its tokens name no audience, and one that does is refused.
  public let audience: UTF8Text?
  /// What else its tokens must satisfy.
  public let policy: JWTPolicy

  /// Trusts an issuer whose keys were checked before.
  public init(_ name: UTF8Text, keys: TrustedKeys, audience: UTF8Text?, policy: JWTPolicy = JWTPolicy()) {
    self.name = name
    self.keys = keys
    certificates = nil
    self.audience = audience
    self.policy = policy
  }

  /// Trusts an issuer whose tokens bring the certificate of the key that signed them (`x5c`), if that certificate is the
  /// issuer's by `certificates` at the moment for which the token is verified.
  public init(
    _ name: UTF8Text, certificates: TrustedCertificates, audience: UTF8Text?, policy: JWTPolicy = JWTPolicy()
  ) {
    self.name = name
    keys = TrustedKeys(noneFor: certificates.algorithms)
    self.certificates = certificates
    self.audience = audience
    self.policy = policy
  }

  /// Trusts an issuer. Its keys are checked as by `TrustedKeys`.
  public init(
    _ name: UTF8Text, keys: [JWK], algorithms: [SignatureAlgorithm], audience: UTF8Text?,
    policy: JWTPolicy = JWTPolicy()
  ) throws(TrustedIssuerError) {
    self.init(
      name, keys: try TrustedKeys(keys, algorithms: algorithms), audience: audience, policy: policy)
  }

  /// Trusts an issuer that publishes its keys as a set. Keys of it that cannot be used are set aside: see `keys.unusable`.
  public init(
    _ name: UTF8Text, keys: JWKSet, algorithms: [SignatureAlgorithm], audience: UTF8Text?,
    policy: JWTPolicy = JWTPolicy()
  ) throws(TrustedIssuerError) {
    self.init(
      name, keys: try TrustedKeys(keys, algorithms: algorithms), audience: audience, policy: policy)
  }

  /// Trusts an issuer with whom secrets are shared.
  public init(
    _ name: UTF8Text, secrets: [SharedSecret], audience: UTF8Text?, policy: JWTPolicy = JWTPolicy()
  ) throws(TrustedIssuerError) {
    self.init(name, keys: try TrustedKeys(secrets: secrets), audience: audience, policy: policy)
  }

  /// The keys that may have made a token with this header.
  func candidates(for header: JWSHeader, at now: UnixTime) throws(JWTError) -> [TrustedKey] {
    guard let certificates else { return try keys.candidates(for: header) }
    return try certificates.candidates(for: header, at: now)
  }

  /// Checks everything about the claims of a token that one of the issuer's keys signed: first whose and for whom they
  /// are, then the rest of the policy.
  func check(_ claims: RegisteredClaims, _ object: JSONObject, at now: UnixTime) throws(JWTError) {
    if let issuer = claims.issuer {
      guard issuer == name else { throw JWTError(.wrongIssuer, .claims, "iss") }
    } else if !policy.allowMissingIssuer {
      throw JWTError(.missing, .claims, "iss")
    }
    if let audience {
      guard !claims.audience.isEmpty else { throw JWTError(.missing, .claims, "aud") }
      guard claims.audience.contains(audience) else { throw JWTError(.wrongAudience, .claims, "aud") }
    } else if !claims.audience.isEmpty {
      throw JWTError(.unexpectedAudience, .claims, "aud")
    }
    try policy.check(claims, object, at: now)
  }
}
