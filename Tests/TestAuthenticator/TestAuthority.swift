package import AssayCodec
package import AssayCrypto
import TestCertificates

/// The test authenticator's own certificate authority: a root, and an authority below it.
///
/// They sign with Ed25519, whose signatures do not differ each time: the same certificate is the same bytes.
package struct TestAuthority: Sendable {
  package let commonName: String
  private let signer: SigningKey?

  package static let root = TestAuthority("Test Root")
  package static let intermediate = TestAuthority("Test Intermediate")
  /// Of the root's name, with a key of its own.
  package static let impostor = TestAuthority("Test Root")

  /// Of a name that nobody knows.
  package static let stranger = TestAuthority("Stranger")

  package init(_ commonName: String) {
    self.commonName = commonName
    signer = try? SigningKey.generate(.ed25519)
  }

  package func key() throws -> SigningKey {
    guard let signer else { throw CryptoError(.failed) }
    return signer
  }

  package var name: [(type: [UInt8], tag: DERTag, value: [UInt8])] {
    [(TestCertificate.OID.commonName, .utf8String, Array(commonName.utf8))]
  }

  static let algorithm = element(.sequence, element(.objectIdentifier, TestCertificate.OID.edDSA))

  /// The certificate of this authority, issued by itself or by another one; a test may change one part.
  package func certificate(by issuer: TestAuthority? = nil) throws -> TestCertificate {
    var certificate = TestCertificate()
    certificate.subject = name
    certificate.subjectPublicKeyInfo = try key().verificationKey.numbers.spki()
    certificate.issuer = issuer ?? self
    certificate.serialNumber = issuer == nil ? 0 : 2
    // cA, keyCertSign and cRLSign.
    certificate.extensions = [
      (TestCertificate.OID.basicConstraints, true, [0x30, 0x03, 0x01, 0x01, 0xFF]),
      (TestCertificate.OID.keyUsage, true, [0x03, 0x02, 0x01, 0x06]),
    ]
    return certificate
  }
}
