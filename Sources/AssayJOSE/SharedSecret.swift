public import AssayCodec
public import AssayCrypto

/// A secret shared with an issuer, and its name if it has one.
///
/// Everyone who holds it can sign tokens of that issuer. With several verifiers, prefer public keys.
public struct SharedSecret: Sendable {
  /// The secret with its one algorithm.
  public let key: MACKey
  /// Key ID, `kid`.
  public let kid: UTF8Text?

  /// Names a secret.
  public init(_ key: MACKey, kid: UTF8Text? = nil) {
    self.key = key
    self.kid = kid
  }

  /// Takes the secret of a JWK, which must allow verifying and be for this algorithm or for none in particular.
  ///
  /// - Throws: `KeyError`: `usageNotAllowed`, `contradiction`, `algorithmMismatch`, and what `MACKey` throws.
  public init(_ jwk: borrowing SymmetricJWK, for algorithm: MACAlgorithm) throws(KeyError) {
    try jwk.check(for: .verifying)
    if let alg = jwk.alg, alg != algorithm.joseName {
      throw KeyError(.algorithmMismatch(algorithm: algorithm.joseName.string))
    }
    self.init(try MACKey(jwk.secret, for: algorithm), kid: jwk.kid)
  }
}
