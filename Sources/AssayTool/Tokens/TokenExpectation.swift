internal import AssayCodec
internal import AssayJOSE

/// What a token was held against, for telling an operator why it was refused.
struct TokenExpectation {
  /// Whose token it should be.
  var issuer: UTF8Text?
  /// Whom it should be for: one of these. Empty: nobody in particular.
  var audience: [UTF8Text] = []
  /// The `typ` it should have; nil: JWT or none.
  var type: UTF8Text?
  /// The algorithms that were allowed.
  var algorithms: [JWSAlgorithm] = []
  /// The names of the keys in use, in their order.
  var keyIDs: [UTF8Text] = []
  /// The keys of a set that were not used.
  var unusable: [JWKSet.RefusedKey] = []
  /// What tells the issuer's certificate, if certificates are trusted.
  var signer: TrustedCertificates.Signer?
  /// How far clocks might differ, in seconds.
  var leeway: Int64 = 0
  /// The moment of judging.
  var now: UnixTime
}

extension TokenExpectation {
  /// What `issuer` demands of its tokens.
  init(_ issuer: TrustedIssuer, _ key: TrustedKeyFile?, at now: UnixTime) {
    self.init(
      issuer: issuer.name, audience: [issuer.audience].compactMap { $0 }, type: issuer.policy.type,
      algorithms: issuer.keys.algorithms, keyIDs: key?.keyIDs ?? [], unusable: issuer.keys.unusable,
      signer: issuer.certificates?.signer, leeway: issuer.policy.leeway, now: now)
  }
}
