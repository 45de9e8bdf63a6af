import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestAuthenticator
import Testing

/// Apple's anonymous attestation (WebAuthn L3, 8.8), valid and with one thing wrong.
struct AppleAttestationTests {
  typealias Case = RegistrationRuleTests.Case

  private static let nonceName = AppleStatement.nonceName

  /// What the extension holds.
  private static func wrapped(_ nonce: [UInt8]) -> [UInt8] { AppleStatement.wrapped(nonce) }

  /// An answer as a device of Apple's makes it; `change` may change the certificate once it names the nonce.
  static func attest(
    _ answer: inout RegistrationAnswer, _ algorithm: SignatureAlgorithm = .es256,
    change: (inout TestCertificate) -> Void = { _ in }
  ) {
    answer.fmt = "apple"
    answer.parts.algorithm = algorithm
    let authData = (try? answer.authData()) ?? []
    let hash = TestAuthenticator.hash(answer.parts.clientDataJSON)
    var certificate = AppleStatement(algorithm: algorithm).certificate(authData, hash)
    change(&certificate)
    answer.certificate = certificate
    answer.editStatement = { $0.without("sig") }
  }

  private static func apple(
    _ name: String, _ expected: Refusal? = nil, change: @escaping @Sendable (inout TestCertificate) -> Void
  ) -> Case {
    Case(name, expected) { attest(&$0, change: change) }
  }

  private static func statement(
    _ name: String, _ expected: Refusal?, edit: @escaping @Sendable (CBORValue) -> CBORValue
  ) -> Case {
    Case(name, expected) { answer in
      attest(&answer)
      answer.editStatement = { edit($0.without("sig")) }
    }
  }

  private static let noNonce = Refusal(.attestationCertificateNotAllowed, 22, "nonce")
  private static let otherNonce = Refusal(.attestationMismatch, 22, "nonce")
  private static let noKey = Refusal(.attestationCertificateNotAllowed, 22, "subjectPublicKeyInfo")
  private static let otherKey = Refusal(.attestationMismatch, 22, "subjectPublicKeyInfo")
  private static let malformedX5C = Refusal(.malformedAttestationStatement, 22, "x5c")

  static let accepted: [Case] = [
    apple("as it is") { _ in },
    apple("critical") { $0.extensions[0].critical = true },
    apple("no subject, which the procedure does not look at") { $0.subject = [] },
    apple("other extensions beside") {
      $0.extensions.append((TestCertificate.OID.basicConstraints, true, [0x30, 0x00]))
    },
    Case("RS256") { attest(&$0, .rs256) },
    Case("Ed25519") { attest(&$0, .edDSA) },
    // Early iOS 14.
    statement("alg beside", nil) { $0.adding("alg", CBORValue(-7)) },
    statement("an alg that is none", nil) { $0.adding("alg", .text("x")) },
  ]

  static let refused: [Case] = [
    statement("x5c missing", Refusal(.malformedAttestationStatement, 22, "attStmt")) { $0.without("x5c") },
    statement("an array", Refusal(.malformedAttestationStatement, 22, "attStmt")) { _ in .array([]) },
    statement("null", Refusal(.malformedAttestationStatement, 22, "attStmt")) { _ in .null },
    statement("x5c empty", malformedX5C) { $0.without("x5c").adding("x5c", .array([])) },
    statement("x5c of texts", malformedX5C) { $0.without("x5c").adding("x5c", .array([.text("MII")])) },
    statement("not a certificate", malformedX5C) {
      $0.without("x5c").adding("x5c", .array([.bytes([0x30, 0x00])]))
    },
    apple("no nonce", noNonce) { $0.extensions = [] },
    apple("nonce under another name", noNonce) { $0.extensions[0].name[8] = 5 },
    apple("nonce empty", otherNonce) { $0.extensions[0].value = wrapped([]) },
    apple("extension empty", noNonce) { $0.extensions[0].value = [] },
    apple("nonce of zeros", otherNonce) { $0.extensions[0].value = wrapped([UInt8](repeating: 0, count: 32)) },
    apple("nonce altered", otherNonce) { $0.extensions[0].value[37] ^= 1 },
    apple("nonce cut", otherNonce) {
      $0.extensions[0].value = wrapped(Array($0.extensions[0].value.suffix(32).dropLast()))
    },
    apple("a byte after the nonce", otherNonce) {
      $0.extensions[0].value = wrapped(Array($0.extensions[0].value.suffix(32)) + [0])
    },
    apple("a byte after the sequence", noNonce) { $0.extensions[0].value.append(0) },
    apple("nonce in no sequence", noNonce) { $0.extensions[0].value.removeFirst(2) },
    apple("nonce in no [1]", noNonce) {
      $0.extensions[0].value = element(.sequence, Array($0.extensions[0].value.dropFirst(4)))
    },
    apple("nonce in [0]", noNonce) { $0.extensions[0].value[2] = 0xA0 },
    apple("nonce as a bit string", noNonce) { $0.extensions[0].value[4] = 0x03 },
    apple("another member in the sequence", noNonce) {
      $0.extensions[0].value = element(.sequence, Array($0.extensions[0].value.dropFirst(2)) + [0x05, 0x00])
    },
    apple("another key of the same kind", otherKey) { $0.subjectPublicKeyInfo = nil },
    apple("a key of another kind", otherKey) {
      $0.subjectPublicKeyInfo = try? TestAuthenticator.key(.rs256).verificationKey.numbers.spki()
    },
    apple("no key", noKey) { $0.subjectPublicKeyInfo = [0x30, 0x00] },
    Case("nonce of another challenge", otherNonce) { answer in
      attest(&answer)
      answer.parts.clientData["extra"] = true
    },
    Case("nonce of other authenticator data", otherNonce) { answer in
      attest(&answer)
      answer.parts.spoilAuthData = { $0[36] ^= 1 }
    },
  ]

  @Test(arguments: accepted + refused)
  func rule(_ test: Case) throws {
    #expect(try test.refusal() == test.expected)
  }

  @Test func whatASuccessSays() throws {
    var answer = RegistrationAnswer()
    Self.attest(&answer)
    answer.chain = [[1, 2, 3]]
    let verified = try RegistrationRuleTests.finish(answer)
    #expect(verified.attestation.format == "apple")
    #expect(verified.attestation.type == .anonCA)
    #expect(verified.attestation.trust == .notEvaluated)
    #expect(verified.attestation.trustPath.count == 2)
    #expect(verified.attestation.trustPath.last == [1, 2, 3])
    #expect(verified.steps.map(\.step.number) == Array(1...29))
  }

  @Test func everyBitAndEveryEndOfTheNonceCounts() throws {
    for bit in 0..<(38 * 8) {
      var answer = RegistrationAnswer()
      Self.attest(&answer) { $0.extensions[0].value[bit / 8] ^= 1 << (bit % 8) }
      // The first six bytes are the tags and lengths around it.
      let expected = bit < 6 * 8 ? Self.noNonce : Self.otherNonce
      #expect(try RegistrationRuleTests.refusal { try RegistrationRuleTests.finish(answer) } == expected, "\(bit)")
    }
    for count in 0..<38 {
      var answer = RegistrationAnswer()
      Self.attest(&answer) { $0.extensions[0].value.removeLast(38 - count) }
      #expect(
        try RegistrationRuleTests.refusal { try RegistrationRuleTests.finish(answer) } == Self.noNonce, "\(count)")
    }
  }
}
