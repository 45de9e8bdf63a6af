package import AssayCodec
package import AssayCrypto

/// Makes `compound` statements (WebAuthn L3, 8.9): about one credential, in several ways.
package struct CompoundStatement: Sendable {
  /// The credential's.
  package let algorithm: SignatureAlgorithm
  /// The credential's own signature, that of a certificate's key, and a TPM's where it has such keys.
  package var parts: [TestAttestation]

  package init(algorithm: SignatureAlgorithm) {
    self.algorithm = algorithm
    parts = [.packedSelf, .packed, .tpm].filter { $0.algorithms.contains(algorithm) }
  }

  package func made(_ authData: [UInt8], _ hash: [UInt8]) throws -> CBORValue {
    .array(
      try parts.map { part in
        let statement = try RegistrationCeremony(part, algorithm).answer.statement(authData, hash)
        return .map([CBORMapEntry("fmt", .text(part.fmt)), CBORMapEntry("attStmt", statement)])
      })
  }
}
