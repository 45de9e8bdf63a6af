package import AssayCodec
package import AssayCrypto
import TestCertificates

/// Builds an attestation certificate that follows WebAuthn L3, 8.2.1, of which a test changes one part before it is signed.
package struct TestCertificate: Sendable {
  /// 0 is version 1; nil leaves the field away, which says the same.
  package var version: UInt8? = 2
  package var serialNumber: UInt8 = 1
  package var issuer = TestAuthority.root
  /// The first and the last second, as UTCTime or GeneralizedTime has them.
  package var validity = (notBefore: "200101000000Z", notAfter: "491231235959Z")
  /// Each in a SET of its own: type, tag, value.
  package var subject: [(type: [UInt8], tag: DERTag, value: [UInt8])] = [
    (OID.country, .printableString, Array("SE".utf8)), (OID.organization, .utf8String, Array("Vendor".utf8)),
    (OID.organizationalUnit, .utf8String, Array("Authenticator Attestation".utf8)),
    (OID.commonName, .utf8String, Array("Model 1".utf8)),
  ]
  /// The key's algorithm; the key is the authenticator's other one, not the credential's.
  package var algorithm = SignatureAlgorithm.es256
  /// Instead of that key's SubjectPublicKeyInfo.
  package var subjectPublicKeyInfo: [UInt8]?
  /// Name, whether it says critical (nil: it does not say), value.
  package var extensions: [(name: [UInt8], critical: Bool?, value: [UInt8])] = [
    (OID.basicConstraints, true, [0x30, 0x00])
  ]
  /// Written after the extensions.
  package var end: [UInt8] = []

  package init() {}

  package enum OID {
    package static let commonName: [UInt8] = [0x55, 0x04, 0x03]
    package static let country: [UInt8] = [0x55, 0x04, 0x06]
    package static let organization: [UInt8] = [0x55, 0x04, 0x0A]
    package static let organizationalUnit: [UInt8] = [0x55, 0x04, 0x0B]
    package static let emailAddress: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x01]
    package static let basicConstraints: [UInt8] = [0x55, 0x1D, 0x13]
    package static let aaguid: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0x82, 0xE5, 0x1C, 0x01, 0x01, 0x04]
    package static let transports: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0x82, 0xE5, 0x1C, 0x02, 0x01, 0x01]
    package static let keyUsage: [UInt8] = [0x55, 0x1D, 0x0F]
    package static let edDSA: [UInt8] = [0x2B, 0x65, 0x70]
  }

  /// Of attestation: none is a credential's.
  private static let keys = TestAuthenticator.freshKeys()

  package static func key(_ algorithm: SignatureAlgorithm) throws -> SigningKey {
    guard let key = keys[algorithm] else { throw CryptoError(.failed) }
    return key
  }

  /// Sets the AAGUID extension.
  package mutating func name(aaguid: [UInt8], critical: Bool? = nil) {
    extensions.append((OID.aaguid, critical, [0x04, UInt8(truncatingIfNeeded: aaguid.count)] + aaguid))
  }

  /// Changes the value of one part of the subject.
  package mutating func set(_ type: [UInt8], _ value: String, _ tag: DERTag = .utf8String) {
    subject = subject.map { $0.type == type ? (type, tag, Array(value.utf8)) : $0 }
  }

  package func der() throws -> [UInt8] {
    let spki = try subjectPublicKeyInfo ?? Self.key(algorithm).verificationKey.numbers.spki()
    var fields = version.map { element(.context0, element(.integer, [$0])) } ?? []
    fields += element(.integer, [serialNumber]) + TestAuthority.algorithm + Self.name(issuer.name)
    fields += element(.sequence, Authority.time(validity.notBefore) + Authority.time(validity.notAfter))
    fields += Self.name(subject) + spki
    if !extensions.isEmpty {
      fields += element(.context3, element(.sequence, extensions.flatMap { Self.extension($0) }))
    }
    return try Authority.signed(fields + end, algorithm: TestAuthority.algorithm, by: issuer.key())
  }

  private static func `extension`(_ each: (name: [UInt8], critical: Bool?, value: [UInt8])) -> [UInt8] {
    let critical = each.critical.map { element(.boolean, [$0 ? 0xFF : 0x00]) } ?? []
    return element(.sequence, element(.objectIdentifier, each.name) + critical + element(.octetString, each.value))
  }

  private static func name(_ parts: [(type: [UInt8], tag: DERTag, value: [UInt8])]) -> [UInt8] {
    element(
      .sequence,
      parts.flatMap {
        element(.set, element(.sequence, element(.objectIdentifier, $0.type) + element($0.tag, $0.value)))
      })
  }
}
