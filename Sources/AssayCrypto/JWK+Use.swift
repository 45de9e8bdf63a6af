public import AssayCodec

extension JWK {
  /// That what the JWK says about its key allows the purpose, and is true where that can be told.
  ///
  /// `use` is `sig` or left out. `key_ops`, if there, names the purpose and, beside `use`, nothing but signing and verifying
  /// (RFC 7517, 4.3). `alg` is a signature algorithm known here. `x5t` and `x5t#S256` are the digests of the first
  /// certificate of `x5c`; without one they cannot be checked and count for nothing. It is not checked that the numbers make
  /// a usable key.
  ///
  /// - Throws: `KeyError`: `usageNotAllowed`, `contradiction`, `unsupported`.
  public func check(for purpose: KeyPurpose) throws(KeyError) {
    try purpose.check(use: use, keyOps: keyOps, alg: alg)
    guard let certificate = x5c.first else { return }
    try Self.check(x5t, "x5t", .sha1, of: certificate)
    try Self.check(x5tS256, "x5t#S256", .sha256, of: certificate)
  }

  private static func check(
    _ stated: [UInt8]?, _ field: Field, _ digest: Digest, of certificate: [UInt8]
  ) throws(KeyError) {
    guard let stated else { return }
    guard let actual = try? digest.hash(certificate.span) else { throw KeyError(.refused) }
    guard stated == actual else { throw KeyError(.contradiction(field, "x5c")) }
  }
}

extension SymmetricJWK {
  /// That what the JWK says about its key allows the purpose: see `JWK.check(for:)`.
  public borrowing func check(for purpose: KeyPurpose) throws(KeyError) {
    try purpose.check(use: use, keyOps: keyOps, alg: alg)
  }
}
