package import AssayCodec
package import AssayCrypto

/// Makes `compound` statements (WebAuthn L3, 8.9): the credential's own signature, and that of a certificate's key.
package struct CompoundStatement: Sendable {
  /// The credential's.
  package let algorithm: SignatureAlgorithm

  package init(algorithm: SignatureAlgorithm) { self.algorithm = algorithm }

  package func made(_ authData: [UInt8], _ hash: [UInt8]) throws -> CBORValue {
    let message = authData + hash
    let certificate = TestCertificate()
    func packed(_ key: SigningKey, _ further: [CBORMapEntry]) throws -> CBORValue {
      let signature = try key.sign(message.span, ecdsa: .der)
      let statement = [
        CBORMapEntry("alg", CBORValue(key.algorithm.coseIdentifier)), CBORMapEntry("sig", .bytes(signature)),
      ]
      return .map([CBORMapEntry("fmt", .text("packed")), CBORMapEntry("attStmt", .map(statement + further))])
    }
    return .array([
      try packed(TestAuthenticator.key(algorithm), []),
      try packed(
        TestCertificate.key(certificate.algorithm),
        [CBORMapEntry("x5c", .array([.bytes(try certificate.der())]))]),
    ])
  }
}
