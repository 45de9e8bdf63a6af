import AssayCodec
import AssayCrypto
import AssayWebAuthn

extension Deviation where Ceremony == RegistrationCeremony {
  private static let malformed = Refusal(.malformedAttestationStatement, 22, "attStmt")
  private static let unsupported = Refusal(.attestationFormatNotSupported, 22, "fmt")

  private static func whole(
    _ name: String, _ expected: Refusal? = malformed, _ edit: @escaping @Sendable ([CBORValue]) -> CBORValue
  ) -> Self {
    Self(name, expected) { $0.editStatement = { edit($0.array ?? []) } }
  }

  /// A change to the second part.
  private static func part(
    _ name: String, _ expected: Refusal? = malformed,
    options: @escaping @Sendable (inout RegistrationOptions) -> Void = { _ in },
    _ edit: @escaping @Sendable (CBORValue) -> CBORValue
  ) -> Self {
    Self(name, expected, options: options) {
      $0.editStatement = { statement in
        let parts = statement.array ?? []
        return .array(parts.prefix(1) + parts.dropFirst().prefix(1).map(edit) + parts.dropFirst(2))
      }
    }
  }

  private static func made(_ name: String, _ parts: [TestAttestation], _ expected: Refusal? = nil) -> Self {
    Self(name, expected, options: { $0.attestationPolicy.safetyNet = SafetyNetPolicy() }) { answer in
      var statement = CompoundStatement(algorithm: answer.parts.algorithm)
      statement.parts = parts.filter { $0.algorithms.contains(answer.parts.algorithm) }
      answer.makeStatement = { [statement] in try statement.made($0, $1) }
    }
  }

  /// A part that is about other authenticator data.
  private static func another(_ attestation: TestAttestation, _ name: String) -> Self {
    Self(name, attestation.mismatch) { answer in
      if !attestation.algorithms.contains(answer.parts.algorithm) { answer.parts.algorithm = .es256 }
      let algorithm = answer.parts.algorithm
      answer.makeStatement = { authData, hash in
        var other = CompoundStatement(algorithm: algorithm)
        other.parts = [attestation]
        var statement = CompoundStatement(algorithm: algorithm)
        statement.parts = [.packedSelf]
        let parts = try [statement.made(authData, hash), other.made(authData + [0], hash)]
        return .array(parts.flatMap { $0.array ?? [] })
      }
    }
  }

  /// WebAuthn L3, 8.9.
  static let compoundStatement: [Self] = [
    made(
      "a part of every format", [.none, .packedSelf, .packed, .fidoU2F, .tpm, .androidKey, .safetyNet, .apple]),
    made("8 parts", [TestAttestation](repeating: .packedSelf, count: 8)),
    made("9 parts", [TestAttestation](repeating: .packedSelf, count: 9), malformed),
    made("one part", [.packed], malformed),
    made(
      "a compound part", [.packedSelf, .compound], Refusal(.malformedAttestationStatement, 22, "fmt")),
    whole("no parts") { _ in .array([]) },
    whole("a map") { _ in .map([]) },
    whole("null") { _ in .null },
    part("a part null") { _ in .null },
    part("a part an array") { _ in .array([]) },
    part("a part without fmt") { $0.without("fmt") },
    part("a part without attStmt") { $0.without("attStmt") },
    part("a part with a member more") { $0.adding("x", .null) },
    part("fmt of a part a number") { $0.setting("fmt", .unsigned(1)) },
    part("statement of a part empty") { $0.setting("attStmt", .map([])) },
    part("a part of an unknown format", unsupported) { $0.setting("fmt", .text("banana")) },
    part("format of a part in capitals", unsupported) { $0.setting("fmt", .text("Packed")) },
    part(
      "a part of an unknown format, which is ignored", nil, options: { $0.attestationPolicy.unknownFormat = .ignore }
    ) { $0.setting("fmt", .text("banana")) },
    another(.packedSelf, "the credential's signature over other data"),
    another(.packed, "a certificate's signature over other data"),
    another(.androidKey, "Android's signature over other data"),
    another(.apple, "a nonce of other data"), another(.tpm, "a TPM's statement about other data"),
  ]
}
