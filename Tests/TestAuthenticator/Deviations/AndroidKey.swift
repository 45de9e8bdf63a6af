import AssayCodec
import AssayCrypto
import AssayWebAuthn

extension Deviation where Ceremony == RegistrationCeremony {
  /// A change to the statement as Android's key store makes it.
  static func androidKey(
    _ name: String, _ expected: Refusal? = nil, policy: AndroidKeyPolicy = AndroidKeyPolicy(),
    change: @escaping @Sendable (inout RegistrationAnswer, inout AndroidKeyStatement) -> Void
  ) -> Self {
    Self(name, expected, options: { $0.attestationPolicy.androidKey = policy }) { answer in
      var statement = AndroidKeyStatement()
      statement.algorithm = answer.parts.algorithm
      change(&answer, &statement)
      answer.makeStatement = { [statement] in try statement.made($0, $1) }
    }
  }

  private static func statement(
    _ name: String, _ expected: Refusal? = nil,
    change: @escaping @Sendable (inout RegistrationAnswer, inout AndroidKeyStatement) -> Void
  ) -> Self { androidKey(name, expected, change: change) }

  private static func notAllowed(_ field: Field) -> Refusal { Refusal(.attestationCertificateNotAllowed, 22, field) }

  private static let malformed = Refusal(.malformedAttestationStatement, 22, "attStmt")

  /// WebAuthn L3, 8.4 steps 1 to 3.
  static let androidKeyStatement: [Self] = [
    statement("further certificates, which are not read") { _, statement in statement.chain = [[1], [2]] },
    statement("alg missing", malformed) { answer, _ in answer.editStatement = { $0.without("alg") } },
    statement("sig missing", malformed) { answer, _ in answer.editStatement = { $0.without("sig") } },
    statement("x5c missing", malformed) { answer, _ in answer.editStatement = { $0.without("x5c") } },
    statement("one member more", malformed) { answer, _ in answer.editStatement = { $0.adding("x", .null) } },
    statement("alg a text", malformed) { answer, _ in
      answer.editStatement = { $0.setting("alg", .text("ES256")) }
    },
    statement("sig a text", malformed) { answer, _ in
      answer.editStatement = { $0.setting("sig", .text("sig")) }
    },
    statement("x5c empty", Refusal(.malformedAttestationStatement, 22, "x5c")) { answer, _ in
      answer.editStatement = { $0.setting("x5c", .array([])) }
    },
    statement("x5c no certificate", Refusal(.malformedAttestationStatement, 22, "x5c")) { answer, _ in
      answer.editStatement = { $0.setting("x5c", .array([.bytes([0x30, 0x00])])) }
    },
    statement("alg unknown", Refusal(.algorithmNotSupported, 22, "alg")) { _, statement in statement.alg = -65535 },
    statement("alg of another kind of key", notAllowed("subjectPublicKeyInfo")) { _, statement in
      statement.alg = TestAttestation.otherKind(statement.algorithm).coseIdentifier
    },
    statement("certificates in the wrong order", Refusal(.signatureInvalid, 22, "sig")) { answer, statement in
      var certificate = TestCertificate()
      // Of the same kind, or the signature would not be looked at.
      certificate.algorithm = statement.algorithm
      let other = (try? certificate.der()) ?? []
      answer.editStatement = { made in
        return made.setting("x5c", .array([.bytes(other)] + (made["x5c"]?.array ?? [])))
      }
    },
    statement("another key than the credential's", Refusal(.attestationMismatch, 22, "subjectPublicKeyInfo")) {
      _, statement in statement.usesOtherKey = true
    },
  ]
}
