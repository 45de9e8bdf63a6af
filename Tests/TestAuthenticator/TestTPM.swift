package import AssayCodec
package import AssayCrypto
import TestCertificates

/// Makes a `tpm` attestation statement that follows WebAuthn L3, 8.3, of which a test changes one part before it is signed.
package struct TestTPM: Sendable {
  package var publicArea = PublicArea()
  package var certification = Certification()
  /// The certificate of the attestation key.
  package var certificate = Self.aikCertificate()
  /// What is done to certInfo before it is signed.
  package var editCertification: @Sendable (inout [UInt8]) -> Void = { _ in }
  /// What is done to pubArea after its Name was taken, and to certInfo after it was signed.
  package var spoilPublicArea: @Sendable (inout [UInt8]) -> Void = { _ in }
  package var spoilCertification: @Sendable (inout [UInt8]) -> Void = { _ in }

  package init() {}

  /// A TPMT_PUBLIC.
  package struct PublicArea: Sendable {
    /// The key; the credential's own if nil.
    package var key: PublicKeyNumbers?
    /// That of the key if nil.
    package var type: UInt16?
    package var nameAlg: UInt16 = 0x000B
    package var attributes: [UInt8] = [0x00, 0x06, 0x04, 0x72]
    package var authPolicy = [UInt8](repeating: 7, count: 32)
    package var symmetric: [UInt8] = [0x00, 0x10]
    package var scheme: [UInt8] = [0x00, 0x10]
    /// That of the key if nil.
    package var keyBits: UInt16?
    package var exponent: [UInt8] = [0, 0, 0, 0]
    /// That of the key if nil.
    package var curve: UInt16?
    package var kdf: [UInt8] = [0x00, 0x10]
    /// What is done to each number of `unique`.
    package var number: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    package var end: [UInt8] = []

    package init() {}
  }

  /// A TPMS_ATTEST.
  package struct Certification: Sendable {
    package var magic: [UInt8] = [0xFF, 0x54, 0x43, 0x47]
    package var type: [UInt8] = [0x80, 0x17]
    package var qualifiedSigner = [0x00, 0x0B] + [UInt8](repeating: 1, count: 32)
    /// The digest that extraData is made with.
    package var digest = Digest.sha256
    package var extraData: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    package var clockInfo = [UInt8](repeating: 2, count: 17)
    package var firmwareVersion = [UInt8](repeating: 3, count: 8)
    package var name: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    package var qualifiedName = [0x00, 0x0B] + [UInt8](repeating: 4, count: 32)
    package var end: [UInt8] = []

    package init() {}
  }

  package enum OID {
    package static let subjectAlternativeName: [UInt8] = [0x55, 0x1D, 0x11]
    package static let extendedKeyUsage: [UInt8] = [0x55, 0x1D, 0x25]
    package static let manufacturer: [UInt8] = [0x67, 0x81, 0x05, 0x02, 0x01]
    package static let model: [UInt8] = [0x67, 0x81, 0x05, 0x02, 0x02]
    package static let version: [UInt8] = [0x67, 0x81, 0x05, 0x02, 0x03]
    package static let aikCertificate: [UInt8] = [0x67, 0x81, 0x05, 0x08, 0x03]
    package static let clientAuthentication: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02]
  }

  package typealias Attribute = (type: [UInt8], tag: DERTag, value: String)

  package static let attributes: [Attribute] = [
    (OID.manufacturer, .utf8String, "id:494E5443"), (OID.model, .utf8String, "Model 1"),
    (OID.version, .utf8String, "id:00020000"),
  ]

  /// The directory name of a Subject Alternative Name, each attribute in a SET of its own, or all in one.
  package static func directoryName(_ attributes: [Attribute], together: Bool = false) -> [UInt8] {
    let parts = attributes.map {
      element(.sequence, element(.objectIdentifier, $0.type) + element($0.tag, Array($0.value.utf8)))
    }
    let sets = together ? element(.set, parts.flatMap { $0 }) : parts.flatMap { element(.set, $0) }
    return element(.context4, element(.sequence, sets))
  }

  package static func purposes(_ identifiers: [[UInt8]]) -> [UInt8] {
    element(.sequence, identifiers.flatMap { element(.objectIdentifier, $0) })
  }

  package static func aikCertificate() -> TestCertificate {
    var certificate = TestCertificate()
    certificate.subject = []
    certificate.extensions = [
      (TestCertificate.OID.basicConstraints, true, [0x30, 0x00]),
      (OID.extendedKeyUsage, nil, purposes([OID.aikCertificate])),
      (OID.subjectAlternativeName, true, element(.sequence, directoryName(attributes))),
    ]
    return certificate
  }

  /// The statement, about this authenticator data and client data.
  package func statement(_ authData: [UInt8], _ clientDataHash: [UInt8], key: PublicKeyNumbers) throws -> [CBORMapEntry]
  {
    var pubArea = publicArea.bytes(key)
    let name = try Self.uint16(publicArea.nameAlg) + Self.digest(publicArea.nameAlg).hash(pubArea.span)
    let message = authData + clientDataHash
    var certInfo = certification.bytes(try certification.digest.hash(message.span), name)
    editCertification(&certInfo)
    let signature = try TestCertificate.key(certificate.algorithm).sign(certInfo.span, ecdsa: .der)
    spoilPublicArea(&pubArea)
    spoilCertification(&certInfo)
    return [
      CBORMapEntry("ver", .text("2.0")), CBORMapEntry("alg", CBORValue(certificate.algorithm.coseIdentifier)),
      CBORMapEntry("x5c", .array([.bytes(try certificate.der())])), CBORMapEntry("sig", .bytes(signature)),
      CBORMapEntry("certInfo", .bytes(certInfo)), CBORMapEntry("pubArea", .bytes(pubArea)),
    ]
  }

  package static func uint16(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }

  package static func sized(_ bytes: [UInt8]) -> [UInt8] { uint16(UInt16(truncatingIfNeeded: bytes.count)) + bytes }

  private static func digest(_ nameAlg: UInt16) -> Digest {
    switch nameAlg {
    case 0x0004: .sha1
    case 0x000C: .sha384
    case 0x000D: .sha512
    default: .sha256
    }
  }
}

extension TestTPM.PublicArea {
  package func bytes(_ credentialKey: PublicKeyNumbers) -> [UInt8] {
    let head: [UInt8]
    let tail: [UInt8]
    let keyType: UInt16
    switch key ?? credentialKey {
    case .rsa(let modulus, _):
      keyType = 0x0001
      head = TestTPM.uint16(keyBits ?? UInt16(modulus.bitCount)) + exponent
      tail = TestTPM.sized(number(modulus))
    case .ec(let curve, let x, let y):
      keyType = 0x0023
      let curves: [EllipticCurve: UInt16] = [.p256: 3, .p384: 4, .p521: 5]
      head = TestTPM.uint16(self.curve ?? curves[curve] ?? 0) + kdf
      tail = TestTPM.sized(number(x)) + TestTPM.sized(number(y))
    case .edwards(_, let x):
      keyType = 0x0023
      head = TestTPM.uint16(self.curve ?? 3) + kdf
      tail = TestTPM.sized(x) + TestTPM.sized(x)
    }
    return TestTPM.uint16(type ?? keyType) + TestTPM.uint16(nameAlg) + attributes + TestTPM.sized(authPolicy)
      + symmetric + scheme + head + tail + end
  }
}

extension TestTPM.Certification {
  package func bytes(_ hash: [UInt8], _ trueName: [UInt8]) -> [UInt8] {
    magic + type + TestTPM.sized(qualifiedSigner) + TestTPM.sized(extraData(hash)) + clockInfo + firmwareVersion
      + TestTPM.sized(name(trueName)) + TestTPM.sized(qualifiedName) + end
  }
}
