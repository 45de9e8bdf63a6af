import AssayCodec
import AssayCrypto
import AssayWebAuthn

extension Deviation where Ceremony == RegistrationCeremony {
  private typealias OID = TestCertificate.OID

  private static let malformedX5C = Refusal(.malformedAttestationStatement, 22, "x5c")

  private static func notAllowed(_ field: Field) -> Refusal {
    Refusal(.attestationCertificateNotAllowed, 22, field)
  }

  private static func change(
    _ name: String, _ expected: Refusal? = nil,
    _ change: @escaping @Sendable (inout TestCertificate, inout RegistrationAnswer) -> Void
  ) -> Self {
    Self(name, expected, certificate: change)
  }

  /// WebAuthn L3, 8.2.1.
  static let packedCertificate: [Self] =
    SignatureAlgorithm.allCases.map { algorithm in
      change("certificate for \(algorithm)") { certificate, _ in certificate.algorithm = algorithm }
    } + allowedByPacked + refusedByPacked

  private static let allowedByPacked: [Self] = [
    change("aaguid named") { certificate, answer in certificate.name(aaguid: answer.aaguid) },
    change("aaguid named, and said not to be critical") { certificate, answer in
      certificate.name(aaguid: answer.aaguid, critical: false)
    },
    change("further attributes of other string types") { certificate, _ in
      certificate.subject.append((OID.emailAddress, .octetString, Array("a@example.com".utf8)))
    },
    change("subject in another order") { certificate, _ in certificate.subject.reverse() },
    change("name as PrintableString") { certificate, _ in
      certificate.set(OID.organizationalUnit, "Authenticator Attestation", .printableString)
    },
    change("country left to its users") { certificate, _ in certificate.set(OID.country, "AA", .printableString) },
    change("cA written out as false") { certificate, _ in
      certificate.extensions = [(OID.basicConstraints, nil, [0x30, 0x03, 0x01, 0x01, 0x00])]
    },
    change("unknown extension that is malformed") { certificate, _ in
      certificate.extensions.append((OID.transports, nil, [0xFF]))
    },
  ]

  private static let refusedByPacked: [Self] = [
    change("an extension twice", malformedX5C) { certificate, _ in
      certificate.extensions += certificate.extensions
    },
    change("key off its curve", notAllowed("subjectPublicKeyInfo")) { certificate, _ in
      let x = [UInt8](repeating: 1, count: 32)
      certificate.subjectPublicKeyInfo = PublicKeyNumbers.ec(.p256, x: x, y: x).spki()
    },
    change("a key on secp256k1, said to be ES256", notAllowed("subjectPublicKeyInfo")) { certificate, answer in
      certificate.subjectPublicKeyInfo = try? TestCertificate.key(.es256k).verificationKey.numbers.spki()
      answer.editStatement = { $0.setting("alg", CBORValue(-7)) }
    },
    change("key malformed", notAllowed("subjectPublicKeyInfo")) { certificate, _ in
      certificate.subjectPublicKeyInfo = [0x30, 0x00]
    },
    // 8.2.1.
    change("version 1", notAllowed("version")) { certificate, _ in certificate.version = nil },
    change("version 2", notAllowed("version")) { certificate, _ in certificate.version = 1 },
    change("version 4", malformedX5C) { certificate, _ in certificate.version = 3 },
    change("no country", notAllowed("Subject-C")) { certificate, _ in
      certificate.subject.removeAll { $0.type == OID.country }
    },
    change("country of three letters", notAllowed("Subject-C")) { certificate, _ in
      certificate.set(OID.country, "SWE", .printableString)
    },
    change("country in small letters", notAllowed("Subject-C")) { certificate, _ in
      certificate.set(OID.country, "se", .printableString)
    },
    change("two countries", notAllowed("Subject-C")) { certificate, _ in
      certificate.subject.append((OID.country, .printableString, Array("SE".utf8)))
    },
    change("no organisation", notAllowed("Subject-O")) { certificate, _ in
      certificate.subject.removeAll { $0.type == OID.organization }
    },
    change("organisation empty", notAllowed("Subject-O")) { certificate, _ in certificate.set(OID.organization, "") },
    change("organisation no text", notAllowed("Subject-O")) { certificate, _ in
      certificate.set(OID.organization, "Vendor", .octetString)
    },
    change("no unit", notAllowed("Subject-OU")) { certificate, _ in
      certificate.subject.removeAll { $0.type == OID.organizationalUnit }
    },
    change("unit in small letters", notAllowed("Subject-OU")) { certificate, _ in
      certificate.set(OID.organizationalUnit, "Authenticator attestation")
    },
    change("another unit beside", notAllowed("Subject-OU")) { certificate, _ in
      certificate.subject.append((OID.organizationalUnit, .utf8String, Array("Other".utf8)))
    },
    change("no common name", notAllowed("Subject-CN")) { certificate, _ in
      certificate.subject.removeAll { $0.type == OID.commonName }
    },
    change("subject empty", notAllowed("Subject-C")) { certificate, _ in certificate.subject = [] },
    change("no basic constraints", notAllowed("Basic Constraints")) { certificate, _ in certificate.extensions = [] },
    change("cA true", notAllowed("Basic Constraints")) { certificate, _ in
      certificate.extensions = [(OID.basicConstraints, true, [0x30, 0x03, 0x01, 0x01, 0xFF])]
    },
    change("cA neither", notAllowed("cA")) { certificate, _ in
      certificate.extensions = [(OID.basicConstraints, true, [0x30, 0x03, 0x01, 0x01, 0x01])]
    },
    change("basic constraints empty", notAllowed("Basic Constraints")) { certificate, _ in
      certificate.extensions = [(OID.basicConstraints, true, [])]
    },
    change("basic constraints with a byte more", notAllowed("Basic Constraints")) { certificate, _ in
      certificate.extensions = [(OID.basicConstraints, true, [0x30, 0x00, 0x00])]
    },
    change("another aaguid named", notAllowed("id-fido-gen-ce-aaguid")) { certificate, _ in
      certificate.name(aaguid: [UInt8](repeating: 1, count: 16))
    },
    change("aaguid named, and none in the authenticator data", notAllowed("id-fido-gen-ce-aaguid")) {
      certificate, answer in
      certificate.name(aaguid: answer.aaguid)
      answer.aaguid = [UInt8](repeating: 0, count: 16)
    },
    change("aaguid critical", notAllowed("id-fido-gen-ce-aaguid")) { certificate, answer in
      certificate.name(aaguid: answer.aaguid, critical: true)
    },
    change("aaguid in one layer only", notAllowed("id-fido-gen-ce-aaguid")) { certificate, answer in
      certificate.extensions.append((OID.aaguid, nil, answer.aaguid))
    },
    change("aaguid of 15 bytes", notAllowed("id-fido-gen-ce-aaguid")) { certificate, answer in
      certificate.name(aaguid: Array(answer.aaguid.dropLast()))
    },
    change("aaguid with a byte after it", notAllowed("id-fido-gen-ce-aaguid")) { certificate, answer in
      certificate.extensions.append((OID.aaguid, nil, [0x04, 0x10] + answer.aaguid + [0x00]))
    },
  ]

  /// WebAuthn L3, 8.6 step 2: of the certificate, only the key counts.
  static let fidoU2FCertificate: [Self] = [
    change("version 1") { certificate, _ in
      certificate.version = nil
      certificate.extensions = []
    },
    change("aaguid named that the authenticator data does not") { certificate, _ in
      certificate.name(aaguid: [UInt8](0..<16))
    },
    change("an RSA certificate", notAllowed("subjectPublicKeyInfo")) { certificate, _ in
      certificate.algorithm = .rs256
    },
    change("a certificate on P-384", notAllowed("subjectPublicKeyInfo")) { certificate, _ in
      certificate.algorithm = .es384
    },
  ]
}
