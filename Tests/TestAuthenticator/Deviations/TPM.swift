import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestCertificates

extension Deviation where Ceremony == RegistrationCeremony {
  private typealias OID = TestTPM.OID

  /// A change to what the TPM makes, for a credential of this algorithm.
  private static func tpm(
    _ name: String, _ expected: Refusal? = nil, _ algorithm: SignatureAlgorithm = .es256, allowsSHA1: Bool = false,
    change: @escaping @Sendable (inout TestTPM, inout RegistrationAnswer) -> Void = { _, _ in }
  ) -> Self {
    Self(name, expected, options: { $0.attestationPolicy.allowsSHA1 = allowsSHA1 }) { answer in
      answer.parts.algorithm = algorithm
      guard var tpm = answer.tpm else { return }
      change(&tpm, &answer)
      answer.tpm = tpm
    }
  }

  private static func malformed(_ field: Field) -> Refusal { Refusal(.malformedAttestationStatement, 22, field) }
  private static func mismatch(_ field: Field) -> Refusal { Refusal(.attestationMismatch, 22, field) }
  private static func notAllowed(_ field: Field) -> Refusal { Refusal(.attestationCertificateNotAllowed, 22, field) }

  /// Replaces the value of an extension of the certificate.
  private static func set(
    _ identifier: [UInt8], _ value: [UInt8], critical: Bool? = true, in tpm: inout TestTPM
  ) {
    tpm.certificate.extensions.removeAll { $0.name == identifier }
    tpm.certificate.extensions.append((identifier, critical, value))
  }

  private static func setName(
    _ attributes: [TestTPM.Attribute], together: Bool = false, before: [UInt8] = [], in tpm: inout TestTPM
  ) {
    let name = TestTPM.directoryName(attributes, together: together)
    set(OID.subjectAlternativeName, element(.sequence, before + name), in: &tpm)
  }

  /// A name without the attributes of a type.
  private static func without(_ type: [UInt8]) -> [TestTPM.Attribute] { TestTPM.attributes.filter { $0.type != type } }

  // MARK: Accepted

  /// One symmetric algorithm, scheme or key derivation for each row that the structure has.
  private static let details: [Self] =
    [
      [0x00, 0x03, 0, 192, 0, 0x43], [0x00, 0x06, 0, 128, 0, 0x43], [0x00, 0x13, 0, 128, 0, 0x43],
      [0x00, 0x26, 1, 0, 0, 0x43],
    ].map { bytes in tpm("symmetric \(bytes)") { tpm, _ in tpm.publicArea.symmetric = bytes } }
    + [
      [0x00, 0x18, 0, 0x0B], [0x00, 0x19, 0, 0x0B], [0x00, 0x1A, 0, 0x0B, 0, 1], [0x00, 0x1B, 0, 0x0B],
      [0x00, 0x1C, 0, 0x0B], [0x00, 0x1D, 0, 0x0B],
    ].map { bytes in tpm("ECC scheme \(bytes)") { tpm, _ in tpm.publicArea.scheme = bytes } }
    + [[0x00, 0x14, 0, 0x0B], [0x00, 0x15], [0x00, 0x16, 0, 0x0B], [0x00, 0x17, 0, 0x0B]].map { bytes in
      tpm("RSA scheme \(bytes)", nil, .rs256) { tpm, _ in tpm.publicArea.scheme = bytes }
    }
    + [[0x00, 0x07, 0, 0x0B], [0x00, 0x20, 0, 0x0B], [0x00, 0x21, 0, 0x0B], [0x00, 0x22, 0, 0x0B]].map { bytes in
      tpm("kdf \(bytes)") { tpm, _ in tpm.publicArea.kdf = bytes }
    }

  private static let accepted: [Self] =
    details
    + [.es256, .es384, .es512, .esp256, .rs256, .rs384, .ps256].map { algorithm in
      tpm("a credential for \(algorithm)", nil, algorithm)
    }
    + [.es256, .rs256, .ps256].map { algorithm in
      tpm("an attestation key for \(algorithm)") { tpm, _ in tpm.certificate.algorithm = algorithm }
    }
    + [(.es384, .sha384), (.rs512, .sha512)].map { (algorithm: SignatureAlgorithm, digest: Digest) in
      tpm("an attestation key for \(algorithm), with its digest") { tpm, _ in
        tpm.certificate.algorithm = algorithm
        tpm.certification.digest = digest
      }
    }
    + [0x000C, 0x000D].map { nameAlg in tpm("nameAlg \(nameAlg)") { tpm, _ in tpm.publicArea.nameAlg = nameAlg } }
    + [
      tpm("nameAlg SHA-1 where that is allowed", allowsSHA1: true) { tpm, _ in tpm.publicArea.nameAlg = 0x0004 },
      tpm("the exponent written out", nil, .rs256) { tpm, _ in tpm.publicArea.exponent = [0, 1, 0, 1] },
      tpm("zeros before the modulus", nil, .rs256) { tpm, _ in tpm.publicArea.number = { [0, 0] + $0 } },
      tpm("zeros before the coordinates") { tpm, _ in tpm.publicArea.number = { [0, 0, 0] + $0 } },
      tpm("no policy") { tpm, _ in tpm.publicArea.authPolicy = [] },
      tpm("other attributes") { tpm, _ in tpm.publicArea.attributes = [0, 0, 0, 0] },
      tpm("what is ignored") { tpm, _ in
        tpm.certification.qualifiedSigner = []
        tpm.certification.clockInfo = [UInt8](repeating: 0xFF, count: 17)
        tpm.certification.firmwareVersion = [UInt8](repeating: 0, count: 8)
        tpm.certification.qualifiedName = []
      },
      tpm("the attributes in one SET") { tpm, _ in setName(TestTPM.attributes, together: true, in: &tpm) },
      tpm("the attributes in another order") { tpm, _ in setName(TestTPM.attributes.reversed(), in: &tpm) },
      tpm("the attributes as PrintableStrings") { tpm, _ in
        setName(TestTPM.attributes.map { ($0.type, .printableString, $0.value) }, in: &tpm)
      },
      tpm("a vendor that nobody knows") { tpm, _ in
        setName([(OID.manufacturer, .utf8String, "id:00000000")] + without(OID.manufacturer), in: &tpm)
      },
      tpm("another kind of name before") { tpm, _ in setName(TestTPM.attributes, before: [0x82, 1, 0x61], in: &tpm) },
      tpm("another purpose beside") { tpm, _ in
        set(OID.extendedKeyUsage, TestTPM.purposes([OID.clientAuthentication, OID.aikCertificate]), in: &tpm)
      },
      tpm("an unknown extension that is malformed") { tpm, _ in
        set(TestCertificate.OID.transports, [0xFF], critical: nil, in: &tpm)
      },
      tpm("the aaguid named") { tpm, answer in tpm.certificate.name(aaguid: answer.aaguid) },
    ]

  // MARK: Refused

  private static let refusedStatements: [Self] =
    ["ver", "alg", "x5c", "sig", "certInfo", "pubArea"].map { (name: UTF8Text) in
      tpm("\(name.string) missing", malformed("attStmt")) { _, answer in
        answer.editStatement = { $0.without(name) }
      }
    } + [
      tpm("one member more", malformed("attStmt")) { _, answer in
        answer.editStatement = { $0.adding("x", .null) }
      },
      tpm("ecdaaKeyId", malformed("ecdaaKeyId")) { _, answer in
        answer.editStatement = { $0.without("x5c").adding("ecdaaKeyId", .bytes([1])) }
      },
      tpm("another version", malformed("ver")) { _, answer in
        answer.editStatement = { $0.without("ver").adding("ver", .text("1.2")) }
      },
      tpm("a version that is no text", malformed("ver")) { _, answer in
        answer.editStatement = { $0.without("ver").adding("ver", CBORValue(2)) }
      },
      tpm("certInfo a text", malformed("attStmt")) { _, answer in
        answer.editStatement = { $0.without("certInfo").adding("certInfo", .text("x")) }
      },
      tpm("certificates in another order", notAllowed("Subject")) { _, answer in
        let authority = (try? TestAuthority.root.certificate().der()) ?? []
        answer.editStatement = { statement in
          statement.setting("x5c", .array([.bytes(authority)] + (statement["x5c"]?.array ?? [])))
        }
      },
      tpm("x5c empty", malformed("x5c")) { _, answer in
        answer.editStatement = { $0.without("x5c").adding("x5c", .array([])) }
      },
      tpm("RS1 unless it is allowed", Refusal(.algorithmNotSupported, 22, "alg")) { _, answer in
        answer.editStatement = { $0.without("alg").adding("alg", CBORValue(-65535)) }
      },
      tpm("RS1 for a key that is not RSA", notAllowed("subjectPublicKeyInfo"), allowsSHA1: true) { _, answer in
        answer.editStatement = { $0.without("alg").adding("alg", CBORValue(-65535)) }
      },
      tpm("alg of another key", notAllowed("subjectPublicKeyInfo")) { _, answer in
        answer.editStatement = { $0.without("alg").adding("alg", CBORValue(-257)) }
      },
      tpm("an algorithm without a digest", Refusal(.algorithmNotSupported, 22, "alg")) { tpm, _ in
        tpm.certificate.algorithm = .edDSA
      },
      tpm("certInfo altered", Refusal(.signatureInvalid, 22, "sig")) { tpm, _ in
        tpm.spoilCertification = { $0[$0.count - 1] ^= 1 }
      },
    ]

  private static let refusedPublicAreas: [Self] = [
    tpm("a symmetric cipher", malformed("pubArea.type")) { tpm, _ in tpm.publicArea.type = 0x0025 },
    tpm("no nameAlg", malformed("pubArea.nameAlg")) { tpm, _ in tpm.publicArea.nameAlg = 0x0010 },
    tpm("nameAlg SHA-1", Refusal(.algorithmNotSupported, 22, "pubArea.nameAlg")) { tpm, _ in
      tpm.publicArea.nameAlg = 0x0004
    },
    tpm("unknown symmetric", malformed("pubArea.parameters.symmetric")) { tpm, _ in
      tpm.publicArea.symmetric = [0x00, 0x0A, 0, 0x0B]
    },
    tpm("an RSA scheme for ECC", malformed("pubArea.parameters.scheme")) { tpm, _ in
      tpm.publicArea.scheme = [0x00, 0x14, 0, 0x0B]
    },
    tpm("an ECC scheme for RSA", malformed("pubArea.parameters.scheme"), .rs256) { tpm, _ in
      tpm.publicArea.scheme = [0x00, 0x18, 0, 0x0B]
    },
    tpm("a scheme for a kdf", malformed("pubArea.parameters.kdf")) { tpm, _ in
      tpm.publicArea.kdf = [0x00, 0x18, 0, 0x0B]
    },
    tpm("a curve of no algorithm", malformed("pubArea.parameters.curveID")) { tpm, _ in tpm.publicArea.curve = 0x0020 },
    tpm("a longer curve", mismatch("pubArea.unique")) { tpm, _ in tpm.publicArea.curve = 4 },
    tpm("a shorter curve", malformed("pubArea.unique.x"), .es384) { tpm, _ in tpm.publicArea.curve = 3 },
    tpm("keyBits of another key", malformed("pubArea.unique"), .rs256) { tpm, _ in tpm.publicArea.keyBits = 2056 },
    tpm("another exponent", mismatch("pubArea.unique"), .rs256) { tpm, _ in tpm.publicArea.exponent = [0, 0, 0, 3] },
    tpm("another modulus", mismatch("pubArea.unique"), .rs256) { tpm, _ in
      tpm.publicArea.number = { $0.dropLast() + [1 ^ ($0.last ?? 0) ^ 3] }
    },
    tpm("another key", mismatch("pubArea.unique")) { tpm, _ in
      tpm.publicArea.key = try? TestCertificate.key(.es256).verificationKey.numbers
    },
    tpm("a key of another kind", mismatch("pubArea.unique")) { tpm, _ in
      tpm.publicArea.key = try? TestAuthenticator.key(.rs256).verificationKey.numbers
    },
    tpm("a credential that no TPM holds", mismatch("pubArea.unique"), .edDSA),
    tpm("zeros after the coordinates", malformed("pubArea.unique.x")) { tpm, _ in
      // A zero before them would be taken off.
      tpm.publicArea.number = { [1] + $0.dropFirst() + [0] }
    },
    tpm("a byte after pubArea", malformed("pubArea")) { tpm, _ in tpm.publicArea.end = [0] },
    tpm("pubArea too large", malformed("pubArea")) { tpm, _ in
      tpm.publicArea.authPolicy = [UInt8](repeating: 0, count: 4096)
    },
    tpm("attributes altered", mismatch("certInfo.attested.name")) { tpm, _ in tpm.spoilPublicArea = { $0[7] ^= 1 } },
  ]

  private static let refusedCertifications: [Self] = [
    tpm("magic", malformed("certInfo.magic")) { tpm, _ in tpm.certification.magic[3] ^= 1 },
    tpm("a quote", malformed("certInfo.type")) { tpm, _ in tpm.certification.type = [0x80, 0x18] },
    tpm("extraData of another message", mismatch("certInfo.extraData")) { tpm, _ in
      tpm.certification.extraData = { [$0[0] ^ 1] + $0.dropFirst() }
    },
    tpm("extraData by another digest", mismatch("certInfo.extraData")) { tpm, _ in
      tpm.certification.digest = .sha384
    },
    tpm("extraData cut", mismatch("certInfo.extraData")) { tpm, _ in tpm.certification.extraData = { $0.dropLast() } },
    tpm("no extraData", mismatch("certInfo.extraData")) { tpm, _ in tpm.certification.extraData = { _ in [] } },
    tpm("counter changed after it was signed", mismatch("certInfo.extraData")) { _, answer in
      answer.parts.spoilAuthData = { $0[36] ^= 1 }
    },
    tpm("the name of another key", mismatch("certInfo.attested.name")) { tpm, _ in
      tpm.certification.name = { $0.dropLast() + [($0.last ?? 0) ^ 1] }
    },
    tpm("the name of another algorithm", mismatch("certInfo.attested.name")) { tpm, _ in
      tpm.certification.name = { [0x00, 0x0C] + $0.dropFirst(2) }
    },
    tpm("the name without its algorithm", mismatch("certInfo.attested.name")) { tpm, _ in
      tpm.certification.name = { $0.dropFirst(2) + [] }
    },
    tpm("no name", mismatch("certInfo.attested.name")) { tpm, _ in tpm.certification.name = { _ in [] } },
    tpm("a byte after certInfo", malformed("certInfo")) { tpm, _ in tpm.certification.end = [0] },
    tpm("certInfo too large", malformed("certInfo")) { tpm, _ in
      tpm.certification.qualifiedSigner = [UInt8](repeating: 0, count: 4096)
    },
  ]

  private static let refusedCertificates: [Self] = [
    tpm("version 1", notAllowed("version")) { tpm, _ in tpm.certificate.version = nil },
    tpm("a subject", notAllowed("Subject")) { tpm, _ in
      tpm.certificate.subject = [(TestCertificate.OID.commonName, .utf8String, Array("TPM".utf8))]
    },
    tpm("no alternative name", notAllowed("Subject Alternative Name")) { tpm, _ in
      tpm.certificate.extensions.removeAll { $0.name == OID.subjectAlternativeName }
    },
    tpm("an alternative name that is not critical", notAllowed("Subject Alternative Name")) { tpm, _ in
      let name = element(.sequence, TestTPM.directoryName(TestTPM.attributes))
      set(OID.subjectAlternativeName, name, critical: nil, in: &tpm)
    },
    tpm("an alternative name with a byte after it", notAllowed("Subject Alternative Name")) { tpm, _ in
      let name = element(.sequence, TestTPM.directoryName(TestTPM.attributes))
      set(OID.subjectAlternativeName, name + [0], in: &tpm)
    },
    tpm("an alternative name of another kind", notAllowed("tcg-at-tpmManufacturer")) { tpm, _ in
      set(OID.subjectAlternativeName, element(.sequence, [0x82, 1, 0x61]), in: &tpm)
    },
    tpm("no manufacturer", notAllowed("tcg-at-tpmManufacturer")) { tpm, _ in
      setName(without(OID.manufacturer), in: &tpm)
    },
    tpm("no model", notAllowed("tcg-at-tpmModel")) { tpm, _ in setName(without(OID.model), in: &tpm) },
    tpm("no version", notAllowed("tcg-at-tpmVersion")) { tpm, _ in setName(without(OID.version), in: &tpm) },
    tpm("two models", notAllowed("tcg-at-tpmModel")) { tpm, _ in
      setName(TestTPM.attributes + [(OID.model, .utf8String, "Model 2")], in: &tpm)
    },
    tpm("a version that is no text", notAllowed("tcg-at-tpmVersion")) { tpm, _ in
      setName(without(OID.version) + [(OID.version, .octetString, "id:1")], in: &tpm)
    },
    tpm("no extended key usage", notAllowed("Extended Key Usage")) { tpm, _ in
      tpm.certificate.extensions.removeAll { $0.name == OID.extendedKeyUsage }
    },
    tpm("another key usage", notAllowed("Extended Key Usage")) { tpm, _ in
      set(OID.extendedKeyUsage, TestTPM.purposes([OID.clientAuthentication]), in: &tpm)
    },
    tpm("an extended key usage that is malformed", notAllowed("Extended Key Usage")) { tpm, _ in
      set(OID.extendedKeyUsage, TestTPM.purposes([OID.aikCertificate]) + [0], in: &tpm)
    },
    tpm("no basic constraints", notAllowed("Basic Constraints")) { tpm, _ in
      tpm.certificate.extensions.removeAll { $0.name == TestCertificate.OID.basicConstraints }
    },
    tpm("cA true", notAllowed("Basic Constraints")) { tpm, _ in
      set(TestCertificate.OID.basicConstraints, [0x30, 0x03, 0x01, 0x01, 0xFF], in: &tpm)
    },
    tpm("another aaguid named", notAllowed("id-fido-gen-ce-aaguid")) { tpm, _ in
      tpm.certificate.name(aaguid: [UInt8](repeating: 1, count: 16))
    },
    tpm("aaguid critical", notAllowed("id-fido-gen-ce-aaguid")) { tpm, answer in
      tpm.certificate.name(aaguid: answer.aaguid, critical: true)
    },
    tpm("aaguid in one layer only", notAllowed("id-fido-gen-ce-aaguid")) { tpm, answer in
      set(TestCertificate.OID.aaguid, answer.aaguid, critical: nil, in: &tpm)
    },
  ]

  /// WebAuthn L3, 8.3.
  static let tpmStatement = accepted + refusedStatements + refusedPublicAreas + refusedCertifications
  /// WebAuthn L3, 8.3.1.
  static let tpmCertificate = refusedCertificates
}
