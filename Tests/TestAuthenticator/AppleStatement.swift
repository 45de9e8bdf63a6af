package import AssayCodec
package import AssayCrypto
import TestCertificates

/// Makes `apple` statements (WebAuthn L3, 8.8).
package struct AppleStatement: Sendable {
  /// The credential's.
  package let algorithm: SignatureAlgorithm
  /// Changes the certificate once it names the nonce.
  package var edit: @Sendable (inout TestCertificate) -> Void = { _ in }

  package static let nonceName: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x08, 0x02]

  package init(algorithm: SignatureAlgorithm) { self.algorithm = algorithm }

  /// What the extension holds.
  package static func wrapped(_ nonce: [UInt8]) -> [UInt8] {
    element(.sequence, element(.context1, element(.octetString, nonce)))
  }

  /// The certificate of the credential's key, which names the nonce.
  package func certificate(_ authData: [UInt8], _ hash: [UInt8]) -> TestCertificate {
    var certificate = TestCertificate()
    certificate.subjectPublicKeyInfo = try? TestAuthenticator.key(algorithm).verificationKey.numbers.spki()
    certificate.extensions = [(Self.nonceName, nil, Self.wrapped(TestAuthenticator.hash(authData + hash)))]
    return certificate
  }

  package func made(_ authData: [UInt8], _ hash: [UInt8]) throws -> CBORValue {
    var certificate = certificate(authData, hash)
    edit(&certificate)
    return .map([CBORMapEntry("x5c", .array([.bytes(try certificate.der())]))])
  }
}
