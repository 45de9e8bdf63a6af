import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestCertificates

extension Deviation where Ceremony == RegistrationCeremony {
  /// A change to the certificate once it names the nonce.
  private static func apple(
    _ name: String, _ expected: Refusal? = nil, change: @escaping @Sendable (inout TestCertificate) -> Void
  ) -> Self {
    Self(name, expected) { answer in
      var statement = AppleStatement(algorithm: answer.parts.algorithm)
      statement.edit = change
      answer.makeStatement = { [statement] in try statement.made($0, $1) }
    }
  }

  private static func statement(
    _ name: String, _ expected: Refusal?, edit: @escaping @Sendable (CBORValue) -> CBORValue
  ) -> Self {
    Self(name, expected) { $0.editStatement = edit }
  }

  private static let noNonce = Refusal(.attestationCertificateNotAllowed, 22, "nonce")
  private static let otherNonce = Refusal(.attestationMismatch, 22, "nonce")
  private static let noKey = Refusal(.attestationCertificateNotAllowed, 22, "subjectPublicKeyInfo")
  private static let otherKey = Refusal(.attestationMismatch, 22, "subjectPublicKeyInfo")
  private static let malformedX5C = Refusal(.malformedAttestationStatement, 22, "x5c")

  private static let accepted: [Self] = [
    apple("critical") { $0.extensions[0].critical = true },
    apple("no subject, which the procedure does not look at") { $0.subject = [] },
    apple("other extensions beside") {
      $0.extensions.append((TestCertificate.OID.basicConstraints, true, [0x30, 0x00]))
    },
    // Early iOS 14.
    statement("alg beside", nil) { $0.adding("alg", CBORValue(-7)) },
    statement("an alg that is none", nil) { $0.adding("alg", .text("x")) },
  ]

  private static let refused: [Self] = [
    statement("x5c missing", Refusal(.malformedAttestationStatement, 22, "attStmt")) { $0.without("x5c") },
    statement("an array", Refusal(.malformedAttestationStatement, 22, "attStmt")) { _ in .array([]) },
    statement("null", Refusal(.malformedAttestationStatement, 22, "attStmt")) { _ in .null },
    statement("x5c empty", malformedX5C) { $0.setting("x5c", .array([])) },
    statement("x5c of texts", malformedX5C) { $0.setting("x5c", .array([.text("MII")])) },
    statement("not a certificate", malformedX5C) {
      $0.setting("x5c", .array([.bytes([0x30, 0x00])]))
    },
    apple("no nonce", noNonce) { $0.extensions = [] },
    apple("nonce under another name", noNonce) { $0.extensions[0].name[8] = 5 },
    apple("nonce empty", otherNonce) { $0.extensions[0].value = AppleStatement.wrapped([]) },
    apple("extension empty", noNonce) { $0.extensions[0].value = [] },
    apple("nonce of zeros", otherNonce) {
      $0.extensions[0].value = AppleStatement.wrapped([UInt8](repeating: 0, count: 32))
    },
    apple("nonce altered", otherNonce) { $0.extensions[0].value[37] ^= 1 },
    apple("nonce cut", otherNonce) {
      $0.extensions[0].value = AppleStatement.wrapped(Array($0.extensions[0].value.suffix(32).dropLast()))
    },
    apple("a byte after the nonce", otherNonce) {
      $0.extensions[0].value = AppleStatement.wrapped(Array($0.extensions[0].value.suffix(32)) + [0])
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
    Self("a key of another kind", otherKey) { answer in
      var statement = AppleStatement(algorithm: answer.parts.algorithm)
      let other = TestAttestation.otherKind(answer.parts.algorithm)
      statement.edit = { $0.subjectPublicKeyInfo = try? TestAuthenticator.key(other).verificationKey.numbers.spki() }
      answer.makeStatement = { [statement] in try statement.made($0, $1) }
    },
    apple("no key", noKey) { $0.subjectPublicKeyInfo = [0x30, 0x00] },
    Self("nonce of another challenge", otherNonce) { answer in
      let old = answer
      var statement = AppleStatement(algorithm: answer.parts.algorithm)
      statement.edit = {
        guard let authData = try? old.authData() else { return }
        $0 = AppleStatement(algorithm: old.parts.algorithm).certificate(
          authData, TestAuthenticator.hash(old.parts.clientDataJSON))
      }
      answer.makeStatement = { [statement] in try statement.made($0, $1) }
      answer.parts.clientData["extra"] = true
    },
  ]

  /// WebAuthn L3, 8.8.
  static let appleStatement = accepted + refused
}
