import AssayCodec
import AssayCrypto
import AssayWebAuthn

extension Deviation where Ceremony == RegistrationCeremony {
  private static func malformed(_ field: Field) -> Refusal { Refusal(.malformedAttestationStatement, 22, field) }

  private static func edit(
    _ name: String, _ expected: Refusal? = nil, _ edit: @escaping @Sendable (CBORValue) -> CBORValue
  ) -> Self {
    Self(name, expected) { $0.editStatement = edit }
  }

  private static func anotherAlg(_ name: String, _ expected: Refusal) -> Self {
    Self(name, expected) {
      let alg = CBORValue($0.parts.algorithm == .rs256 ? -7 : -257)
      $0.editStatement = { $0.setting("alg", alg) }
    }
  }

  /// WebAuthn L3, 8.7.
  static let noneStatement: [Self] = [
    edit("a member in the statement", malformed("attStmt")) { $0.adding("alg", CBORValue(-7)) },
    edit("statement an array", malformed("attStmt")) { _ in .array([]) },
    Self("a packed statement", malformed("attStmt")) {
      $0.fmt = "packed"
      $0.fmtValue = .text("none")
    },
  ]

  /// What is the same in packed statements of both kinds (WebAuthn L3, 8.2 step 1).
  private static let packedForm: [Self] =
    [
      edit("statement empty", malformed("attStmt")) { _ in .map([]) },
      edit("statement an array", malformed("attStmt")) { _ in .array([]) },
      edit("ecdaaKeyId beside", malformed("ecdaaKeyId")) { $0.adding("ecdaaKeyId", .bytes([1])) },
      edit("one member more", malformed("attStmt")) { $0.adding("x", .null) },
      edit("sig missing", malformed("attStmt")) { $0.without("sig") },
      edit("sig a text", malformed("attStmt")) { $0.setting("sig", .text("sig")) },
      edit("alg missing", malformed("attStmt")) { $0.without("alg") },
      edit("alg a text", malformed("attStmt")) { $0.setting("alg", .text("ES256")) },
    ] + signsEverything

  /// Authenticator data that packed signs and fido-u2f does not.
  private static let signsEverything: [Self] = [
    Self("counter changed after it was signed", Refusal(.signatureInvalid, 22, "sig")) {
      $0.parts.spoilAuthData = { $0[36] ^= 1 }
    },
    Self("reserved flag set after it was signed", Refusal(.signatureInvalid, 22, "sig")) {
      $0.parts.spoilAuthData = { $0[32] ^= 2 }
    },
    Self("aaguid changed after it was signed", Refusal(.signatureInvalid, 22, "sig")) {
      $0.parts.spoilAuthData = { $0[37] ^= 1 }
    },
  ]

  static let packedSelfStatement: [Self] =
    packedForm + [
      anotherAlg("alg of another key", malformed("alg")),
      // The number that a public conformance test sends for a key on P-256.
      edit("alg unknown", malformed("alg")) { $0.setting("alg", CBORValue(-42)) },
    ]

  private static let malformedX5C = malformed("x5c")

  private static func x5c(_ name: String, _ value: CBORValue) -> Self {
    edit(name, malformedX5C) { $0.setting("x5c", value) }
  }

  /// `x5c`: a bounded array of byte strings, the first of which is a certificate.
  static let packedStatement: [Self] =
    packedForm + [
      x5c("x5c empty", .array([])), x5c("x5c a byte string", .bytes([1])), x5c("x5c null", .null),
      x5c("x5c of texts", .array([.text("MII")])),
      edit("one of x5c a text", malformedX5C) { statement in
        statement.setting("x5c", .array((statement["x5c"]?.array ?? []) + [.text("MII")]))
      },
      Self("7 further certificates, which are not read") {
        $0.chain = [[UInt8]](repeating: [0x30, 0x00], count: 7)
      },
      Self("9 certificates", malformedX5C) { $0.chain = [[UInt8]](repeating: [0x30, 0x00], count: 8) },
      Self("an empty certificate in the chain", malformedX5C) { $0.chain = [[]] },
      Self("a certificate too large", malformedX5C) {
        $0.chain = [[UInt8](repeating: 0x30, count: X509Certificate.maximumBytes + 1)]
      },
      Self("not a certificate", malformedX5C) { $0.spoilCertificate = { $0 = [0x30, 0x00] } },
      Self("bytes after the certificate", malformedX5C) { $0.spoilCertificate = { $0.append(0) } },
      edit("certificates in another order", Refusal(.signatureInvalid, 22, "sig")) { statement in
        // Their keys are not of the same kind: the algorithm has to follow for the signature to be looked at.
        statement.setting("x5c", .array((statement["x5c"]?.array ?? []).reversed()))
          .setting("alg", CBORValue(SignatureAlgorithm.ed25519.coseIdentifier))
      },
      edit("alg of another key", Refusal(.attestationCertificateNotAllowed, 22, "subjectPublicKeyInfo")) {
        $0.setting("alg", CBORValue(-257))
      },
      edit("alg unknown", Refusal(.algorithmNotSupported, 22, "alg")) { $0.setting("alg", CBORValue(-65_535)) },
      Self("signature by the credential's own key", Refusal(.signatureInvalid, 22, "sig")) { answer in
        let own = answer
        answer.parts.spoilSignature = { $0 = (try? own.parts.signature(over: own.authData())) ?? [] }
      },
      Self("certificates removed", Refusal(.signatureInvalid, 22, "sig")) {
        let alg = CBORValue($0.parts.algorithm.coseIdentifier)
        $0.editStatement = { $0.without("x5c").setting("alg", alg) }
      },
    ]

  /// WebAuthn L3, 8.6 steps 1, 2, 4 and 6.
  static let fidoU2FStatement: [Self] = [
    edit("x5c missing", malformed("attStmt")) { $0.without("x5c") },
    edit("sig missing", malformed("attStmt")) { $0.without("sig") },
    edit("alg beside", malformed("attStmt")) { $0.adding("alg", CBORValue(-7)) },
    x5c("no certificate", .array([])),
    Self("two certificates", malformedX5C) { $0.chain = [[0x30, 0x00]] },
    Self("an aaguid, which the procedure does not look at") { $0.aaguid = [UInt8](0..<16) },
    Self("no aaguid, in FIDO's mode", options: { $0.conformance = .fido }) { _ in },
    Self("an aaguid, in FIDO's mode", malformed("aaguid"), options: { $0.conformance = .fido }) {
      $0.aaguid = [UInt8](0..<16)
    },
    Self("a credential that is not ES256", malformed("credentialPublicKey")) { $0.parts.algorithm = .edDSA },
    Self("counter changed, which is not signed") { $0.parts.spoilAuthData = { $0[36] ^= 1 } },
    Self("signature over what packed signs", Refusal(.signatureInvalid, 22, "sig")) { answer in
      let message = ((try? answer.authData()) ?? []) + TestAuthenticator.hash(answer.parts.clientDataJSON)
      answer.parts.spoilSignature = {
        $0 = (try? TestCertificate.key(.es256).sign(message.span, ecdsa: .der)) ?? []
      }
    },
  ]
}
