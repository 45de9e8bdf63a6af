import AssayCodec
import AssayCrypto
import AssayWebAuthn
import Testing

/// Attestation by certificates: packed (WebAuthn L3, 8.2) and fido-u2f (8.6), valid and with one thing wrong.
struct CertificateAttestationTests {
  typealias Case = RegistrationRuleTests.Case
  typealias OID = TestCertificate.OID

  /// A case whose answer is attested by a certificate, which `change` may change.
  private static func packed(
    _ name: String, _ expected: Refusal? = nil,
    change: @escaping @Sendable (inout RegistrationAnswer, inout TestCertificate) -> Void = { _, _ in }
  ) -> Case {
    Case("packed: \(name)", expected) { answer in
      var certificate = TestCertificate()
      change(&answer, &certificate)
      answer.certificate = certificate
    }
  }

  private static func u2f(
    _ name: String, _ expected: Refusal? = nil,
    change: @escaping @Sendable (inout RegistrationAnswer, inout TestCertificate) -> Void = { _, _ in }
  ) -> Case {
    Case("fido-u2f: \(name)", expected) { answer in
      answer.fmt = "fido-u2f"
      answer.aaguid = [UInt8](repeating: 0, count: 16)
      var certificate = TestCertificate()
      certificate.subject = [(OID.commonName, .printableString, Array("U2F 1".utf8))]
      certificate.extensions = [(OID.transports, nil, [0x03, 0x02, 0x05, 0x20])]
      change(&answer, &certificate)
      answer.certificate = certificate
    }
  }

  private static func notAllowed(_ field: Field) -> Refusal {
    Refusal(.attestationCertificateNotAllowed, 22, field)
  }

  private static let malformedX5C = Refusal(.malformedAttestationStatement, 22, "x5c")

  static let accepted: [Case] =
    [
      packed("as it is"),
      packed("credential of another algorithm") { answer, _ in answer.parts.algorithm = .edDSA },
      packed("aaguid named") { answer, certificate in certificate.name(aaguid: answer.aaguid) },
      packed("aaguid named, and said not to be critical") { answer, certificate in
        certificate.name(aaguid: answer.aaguid, critical: false)
      },
      packed("further attributes of other string types") { _, certificate in
        certificate.subject.append((OID.emailAddress, .octetString, Array("a@example.com".utf8)))
      },
      packed("subject in another order") { _, certificate in certificate.subject.reverse() },
      packed("name as PrintableString") { _, certificate in
        certificate.set(OID.organizationalUnit, "Authenticator Attestation", .printableString)
      },
      packed("country left to its users") { _, certificate in certificate.set(OID.country, "AA", .printableString) },
      packed("cA written out as false") { _, certificate in
        certificate.extensions = [(OID.basicConstraints, nil, [0x30, 0x03, 0x01, 0x01, 0x00])]
      },
      packed("unknown extension that is malformed") { _, certificate in
        certificate.extensions.append((OID.transports, nil, [0xFF]))
      },
      packed("7 further certificates, which are not read") { answer, _ in
        answer.chain = [[UInt8]](repeating: [0x30, 0x00], count: 7)
      },
      u2f("as it is"),
      u2f("an aaguid, which the procedure does not look at") { answer, _ in answer.aaguid = [UInt8](0..<16) },
      u2f("version 1") { _, certificate in
        certificate.version = nil
        certificate.extensions = []
      },
      u2f("aaguid named that the authenticator data does not") { _, certificate in
        certificate.name(aaguid: [UInt8](0..<16))
      },
    ]
    + SignatureAlgorithm.allCases.map { algorithm in
      packed("certificate for \(algorithm)") { _, certificate in certificate.algorithm = algorithm }
    }

  static let refused: [Case] = [
    // x5c: a bounded array of byte strings, the first of which is a certificate.
    packed("x5c empty", malformedX5C) { answer, _ in
      answer.editStatement = { $0.without("x5c").adding("x5c", .array([])) }
    },
    packed("x5c a byte string", malformedX5C) { answer, _ in
      answer.editStatement = { $0.without("x5c").adding("x5c", .bytes([1])) }
    },
    packed("x5c null", malformedX5C) { answer, _ in
      answer.editStatement = { $0.without("x5c").adding("x5c", .null) }
    },
    packed("x5c of texts", malformedX5C) { answer, _ in
      answer.editStatement = { $0.without("x5c").adding("x5c", .array([.text("MII")])) }
    },
    packed("one of x5c a text", malformedX5C) { answer, _ in
      answer.editStatement = { statement in
        statement.without("x5c").adding("x5c", .array((statement["x5c"]?.array ?? []) + [.text("MII")]))
      }
    },
    packed("9 certificates", malformedX5C) { answer, _ in
      answer.chain = [[UInt8]](repeating: [0x30, 0x00], count: 8)
    },
    packed("an empty certificate in the chain", malformedX5C) { answer, _ in answer.chain = [[]] },
    packed("a certificate too large", malformedX5C) { answer, _ in
      answer.chain = [[UInt8](repeating: 0x30, count: X509Certificate.maximumBytes + 1)]
    },
    packed("not a certificate", malformedX5C) { answer, _ in answer.spoilCertificate = { $0 = [0x30, 0x00] } },
    packed("bytes after the certificate", malformedX5C) { answer, _ in answer.spoilCertificate = { $0.append(0) } },
    packed("an extension twice", malformedX5C) { _, certificate in
      certificate.extensions += certificate.extensions
    },
    // alg and sig.
    packed("alg missing", Refusal(.malformedAttestationStatement, 22, "attStmt")) { answer, _ in
      answer.editStatement = { $0.without("alg") }
    },
    packed("sig missing", Refusal(.malformedAttestationStatement, 22, "attStmt")) { answer, _ in
      answer.editStatement = { $0.without("sig") }
    },
    packed("one member more", Refusal(.malformedAttestationStatement, 22, "attStmt")) { answer, _ in
      answer.editStatement = { $0.adding("x", .null) }
    },
    packed("ecdaaKeyId beside x5c", Refusal(.malformedAttestationStatement, 22, "ecdaaKeyId")) { answer, _ in
      answer.editStatement = { $0.adding("ecdaaKeyId", .bytes([1])) }
    },
    packed("alg of another key", notAllowed("subjectPublicKeyInfo")) { answer, _ in
      answer.editStatement = { $0.without("alg").adding("alg", CBORValue(-257)) }
    },
    packed("alg unknown", Refusal(.algorithmNotSupported, 22, "alg")) { answer, _ in
      answer.editStatement = { $0.without("alg").adding("alg", CBORValue(-65535)) }
    },
    packed("signature altered", Refusal(.signatureInvalid, 22, "sig")) { answer, _ in
      answer.parts.spoilSignature = { $0[$0.count - 1] ^= 1 }
    },
    packed("signature empty", Refusal(.signatureInvalid, 22, "sig")) { answer, _ in
      answer.parts.spoilSignature = { $0 = [] }
    },
    packed("signature by the credential's own key", Refusal(.signatureInvalid, 22, "sig")) { answer, _ in
      let own = answer
      answer.parts.spoilSignature = { $0 = (try? own.parts.signature(over: own.authData())) ?? [] }
    },
    packed("certificates removed", Refusal(.signatureInvalid, 22, "sig")) { answer, _ in
      answer.editStatement = { $0.without("x5c") }
    },
    packed("authenticator data altered", Refusal(.signatureInvalid, 22, "sig")) { answer, _ in
      answer.parts.spoilAuthData = { $0[36] ^= 1 }
    },
    packed("key off its curve", notAllowed("subjectPublicKeyInfo")) { _, certificate in
      let x = [UInt8](repeating: 1, count: 32)
      certificate.subjectPublicKeyInfo = PublicKeyNumbers.ec(.p256, x: x, y: x).spki()
    },
    packed("key malformed", notAllowed("subjectPublicKeyInfo")) { _, certificate in
      certificate.subjectPublicKeyInfo = [0x30, 0x00]
    },
    // 8.2.1.
    packed("version 1", notAllowed("version")) { _, certificate in certificate.version = nil },
    packed("version 2", notAllowed("version")) { _, certificate in certificate.version = 1 },
    packed("version 4", malformedX5C) { _, certificate in certificate.version = 3 },
    packed("no country", notAllowed("Subject-C")) { _, certificate in
      certificate.subject.removeAll { $0.type == OID.country }
    },
    packed("country of three letters", notAllowed("Subject-C")) { _, certificate in
      certificate.set(OID.country, "SWE", .printableString)
    },
    packed("country in small letters", notAllowed("Subject-C")) { _, certificate in
      certificate.set(OID.country, "se", .printableString)
    },
    packed("two countries", notAllowed("Subject-C")) { _, certificate in
      certificate.subject.append((OID.country, .printableString, Array("SE".utf8)))
    },
    packed("no organisation", notAllowed("Subject-O")) { _, certificate in
      certificate.subject.removeAll { $0.type == OID.organization }
    },
    packed("organisation empty", notAllowed("Subject-O")) { _, certificate in certificate.set(OID.organization, "") },
    packed("organisation no text", notAllowed("Subject-O")) { _, certificate in
      certificate.set(OID.organization, "Vendor", .octetString)
    },
    packed("no unit", notAllowed("Subject-OU")) { _, certificate in
      certificate.subject.removeAll { $0.type == OID.organizationalUnit }
    },
    packed("unit in small letters", notAllowed("Subject-OU")) { _, certificate in
      certificate.set(OID.organizationalUnit, "Authenticator attestation")
    },
    packed("another unit beside", notAllowed("Subject-OU")) { _, certificate in
      certificate.subject.append((OID.organizationalUnit, .utf8String, Array("Other".utf8)))
    },
    packed("no common name", notAllowed("Subject-CN")) { _, certificate in
      certificate.subject.removeAll { $0.type == OID.commonName }
    },
    packed("subject empty", notAllowed("Subject-C")) { _, certificate in certificate.subject = [] },
    packed("no basic constraints", notAllowed("Basic Constraints")) { _, certificate in certificate.extensions = [] },
    packed("cA true", notAllowed("Basic Constraints")) { _, certificate in
      certificate.extensions = [(OID.basicConstraints, true, [0x30, 0x03, 0x01, 0x01, 0xFF])]
    },
    packed("cA neither", notAllowed("cA")) { _, certificate in
      certificate.extensions = [(OID.basicConstraints, true, [0x30, 0x03, 0x01, 0x01, 0x01])]
    },
    packed("basic constraints empty", notAllowed("Basic Constraints")) { _, certificate in
      certificate.extensions = [(OID.basicConstraints, true, [])]
    },
    packed("basic constraints with a byte more", notAllowed("Basic Constraints")) { _, certificate in
      certificate.extensions = [(OID.basicConstraints, true, [0x30, 0x00, 0x00])]
    },
    packed("another aaguid named", notAllowed("id-fido-gen-ce-aaguid")) { _, certificate in
      certificate.name(aaguid: [UInt8](repeating: 1, count: 16))
    },
    packed("aaguid named, and none in the authenticator data", notAllowed("id-fido-gen-ce-aaguid")) {
      answer, certificate in
      certificate.name(aaguid: answer.aaguid)
      answer.aaguid = [UInt8](repeating: 0, count: 16)
    },
    packed("aaguid critical", notAllowed("id-fido-gen-ce-aaguid")) { answer, certificate in
      certificate.name(aaguid: answer.aaguid, critical: true)
    },
    packed("aaguid in one layer only", notAllowed("id-fido-gen-ce-aaguid")) { answer, certificate in
      certificate.extensions.append((OID.aaguid, nil, answer.aaguid))
    },
    packed("aaguid of 15 bytes", notAllowed("id-fido-gen-ce-aaguid")) { answer, certificate in
      certificate.name(aaguid: Array(answer.aaguid.dropLast()))
    },
    packed("aaguid with a byte after it", notAllowed("id-fido-gen-ce-aaguid")) { answer, certificate in
      certificate.extensions.append((OID.aaguid, nil, [0x04, 0x10] + answer.aaguid + [0x00]))
    },
    // fido-u2f.
    u2f("x5c missing", Refusal(.malformedAttestationStatement, 22, "attStmt")) { answer, _ in
      answer.editStatement = { $0.without("x5c") }
    },
    u2f("sig missing", Refusal(.malformedAttestationStatement, 22, "attStmt")) { answer, _ in
      answer.editStatement = { $0.without("sig") }
    },
    u2f("alg beside", Refusal(.malformedAttestationStatement, 22, "attStmt")) { answer, _ in
      answer.editStatement = { $0.adding("alg", CBORValue(-7)) }
    },
    u2f("two certificates", malformedX5C) { answer, _ in answer.chain = [[0x30, 0x00]] },
    u2f("no certificate", malformedX5C) { answer, _ in
      answer.editStatement = { $0.without("x5c").adding("x5c", .array([])) }
    },
    u2f("an RSA certificate", notAllowed("subjectPublicKeyInfo")) { _, certificate in certificate.algorithm = .rs256 },
    u2f("a credential that is not ES256", Refusal(.malformedAttestationStatement, 22, "credentialPublicKey")) {
      answer, _ in answer.parts.algorithm = .edDSA
    },
    u2f("signature altered", Refusal(.signatureInvalid, 22, "sig")) { answer, _ in
      answer.parts.spoilSignature = { $0[$0.count - 1] ^= 1 }
    },
    u2f("signature over what packed signs", Refusal(.signatureInvalid, 22, "sig")) { answer, certificate in
      var other = answer
      other.fmt = "packed"
      let message = ((try? other.authData()) ?? []) + TestAuthenticator.hash(other.parts.clientDataJSON)
      answer.parts.spoilSignature = {
        $0 = (try? TestCertificate.key(.es256).sign(message.span, ecdsa: .der)) ?? []
      }
    },
  ]

  @Test(arguments: accepted + refused)
  func rule(_ test: Case) throws {
    var answer = RegistrationAnswer()
    test.change(&answer)
    #expect(try RegistrationRuleTests.refusal { try RegistrationRuleTests.finish(answer) } == test.expected)
  }

  @Test func whatASuccessSays() throws {
    var answer = RegistrationAnswer()
    var certificate = TestCertificate()
    certificate.name(aaguid: answer.aaguid)
    answer.certificate = certificate
    answer.chain = [[1, 2, 3]]
    let verified = try RegistrationRuleTests.finish(answer)
    #expect(verified.attestation.format == "packed")
    #expect(verified.attestation.type == .basicOrAttCA)
    #expect(verified.attestation.trust == .notEvaluated)
    #expect(verified.attestation.trustPath == [try certificate.der(), [1, 2, 3]])
    #expect(verified.attestation.certificateAAGUID == answer.aaguid)
    #expect(verified.steps.map(\.step.number) == Array(1...29))
    let left = verified.steps.filter { $0.outcome == .leftToCaller }.map(\.step.number)
    #expect(left == [2, 18, 19, 23, 24, 26, 28, 29])

    answer.fmt = "fido-u2f"
    answer.chain = []
    let u2f = try RegistrationRuleTests.finish(answer).attestation
    #expect(u2f.format == "fido-u2f")
    #expect(u2f.type == .basicOrAttCA)
    #expect(u2f.trust == .notEvaluated)
    #expect(u2f.certificateAAGUID == answer.aaguid)
  }

  @Test func everyTruncationAndBitFlipOfACertificateIsRefusedOrTheSameKey() throws {
    let certificate = TestCertificate()
    let der = try certificate.der()
    let spki = try X509Certificate(der.span).subjectPublicKeyInfo
    for count in 0..<der.count {
      #expect(throws: CodecError.self, "\(count)") { try X509Certificate(der.span.extracting(0..<count)) }
    }
    var refused = 0
    for bit in 0..<(der.count * 8) {
      var changed = der
      changed[bit / 8] ^= 1 << (bit % 8)
      do throws(CodecError) {
        let read = try X509Certificate(changed.span)
        #expect(read.encoded == changed)
        #expect(read.subjectPublicKeyInfo.count <= spki.count)
      } catch {
        refused += 1
        #expect((0...changed.count).contains(error.offset))
      }
    }
    #expect(refused > 500)
  }
}
