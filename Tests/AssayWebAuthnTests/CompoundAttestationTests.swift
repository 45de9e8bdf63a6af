import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestAuthenticator
import Testing

/// Compound attestation (WebAuthn L3, 8.9): several statements about one credential.
struct CompoundAttestationTests {
  /// The statement that `answer` makes by itself, of the format `fmt`.
  private static func part(_ fmt: UTF8Text, _ attStmt: CBORValue) -> CBORValue {
    .map([CBORMapEntry("fmt", .text(fmt)), CBORMapEntry("attStmt", attStmt)])
  }

  /// One statement of each kind about the credential of `answer`.
  private struct Parts {
    let own: CBORValue
    let packed: CBORValue
    let u2f: CBORValue
    let apple: CBORValue
    let tpm: CBORValue

    init(_ answer: RegistrationAnswer) throws {
      let authData = try answer.authData()
      let hash = TestAuthenticator.hash(answer.parts.clientDataJSON)
      func one(_ attestation: TestAttestation) throws -> CBORValue {
        var statement = CompoundStatement(algorithm: .es256)
        statement.parts = [attestation]
        return try statement.made(authData, hash).array?.first ?? .null
      }
      (own, packed, u2f, apple, tpm) =
        (try one(.packedSelf), try one(.packed), try one(.fidoU2F), try one(.apple), try one(.tpm))
    }
  }

  private static func answer(_ statement: CBORValue) -> RegistrationAnswer {
    var answer = RegistrationAnswer()
    answer.fmt = "compound"
    answer.editStatement = { _ in statement }
    return answer
  }

  private static func error(
    _ statement: CBORValue, _ options: RegistrationOptions = RegistrationOptions()
  ) -> WebAuthnError? {
    #expect(throws: WebAuthnError.self) { try RegistrationRuleTests.finish(answer(statement), options) }
  }

  @Test func everyPartIsListed() throws {
    let parts = try Parts(RegistrationAnswer())
    let none = Self.part("none", .map([]))
    let verified = try RegistrationRuleTests.finish(
      Self.answer(.array([parts.packed, parts.own, parts.u2f, parts.apple, parts.tpm, none])))
    let attestation = verified.attestation
    #expect(attestation.format == "compound")
    #expect(attestation.type == .compound)
    #expect(attestation.trust == .notEvaluated)
    #expect(attestation.trustPath.isEmpty)
    #expect(attestation.parts.map(\.format) == ["packed", "packed", "fido-u2f", "apple", "tpm", "none"])
    #expect(attestation.parts.map(\.type) == [.basicOrAttCA, .selfAttestation, .basicOrAttCA, .anonCA, .attCA, .none])
    #expect(attestation.parts.map(\.trustPath.count) == [2, 0, 1, 1, 1, 0])
    #expect(attestation.parts.allSatisfy { $0.parts.isEmpty })
    #expect(verified.steps.map(\.step.number) == Array(1...29))
    #expect(verified.auditRecord["attestation"]?["type"] == "compound")
    #expect(verified.auditRecord["attestation"]?["parts"]?.array?.count == 6)

    let own = try RegistrationRuleTests.finish(Self.answer(.array([parts.own, none])))
    #expect(own.attestation.trust == .notApplicable)
  }

  @Test func oneBadPartSpoilsTheWhole() throws {
    let parts = try Parts(RegistrationAnswer())
    var other = RegistrationAnswer()
    other.parts.signCount = 8
    let bad = try Parts(other)
    let nonce = Refusal(.attestationMismatch, 22, "nonce")
    let signature = Refusal(.signatureInvalid, 22, "sig")
    let extraData = Refusal(.attestationMismatch, 22, "certInfo.extraData")
    for (statement, expected) in [
      (bad.own, signature), (bad.packed, signature), (bad.apple, nonce), (bad.tpm, extraData),
    ] {
      for position in 0..<3 {
        var all = [parts.own, parts.packed]
        all.insert(statement, at: position)
        let error = Self.error(.array(all))
        #expect(error.map(Refusal.init) == expected)
        #expect(error?.index == position)
      }
    }
  }

  @Test func formIsExact() throws {
    let parts = try Parts(RegistrationAnswer())
    let malformed = Refusal(.malformedAttestationStatement, 22, "attStmt")
    let cases: [(CBORValue, Refusal, index: Int?)] = [
      (.map([]), malformed, nil), (.null, malformed, nil), (.array([]), malformed, nil),
      (.array([parts.own]), malformed, nil),
      (.array([CBORValue](repeating: parts.own, count: 9)), malformed, nil),
      (.array([parts.own, .null]), malformed, 1), (.array([.array([]), parts.own]), malformed, 0),
      (.array([parts.own, parts.own.without("fmt")]), malformed, 1),
      (.array([parts.own, parts.own.without("attStmt")]), malformed, 1),
      (.array([parts.own, parts.own.adding("x", .null)]), malformed, 1),
      (.array([parts.own, parts.own.without("fmt").adding("fmt", .unsigned(1))]), malformed, 1),
      (
        .array([parts.own, Self.part("compound", .array([parts.own, parts.packed]))]),
        Refusal(.malformedAttestationStatement, 22, "fmt"), 1
      ),
      (.array([parts.own, Self.part("none", .array([]))]), malformed, 1),
      (.array([Self.part("banana", .null), parts.own]), Refusal(.attestationFormatNotSupported, 22, "fmt"), 0),
      (.array([parts.own, Self.part("Packed", .null)]), Refusal(.attestationFormatNotSupported, 22, "fmt"), 1),
    ]
    for (statement, refusal, index) in cases {
      let error = Self.error(statement)
      #expect(error.map(Refusal.init) == refusal)
      #expect(error?.index == index)
    }
    #expect(Self.error(.array([parts.own, .null]))?.description.contains("attStmt[1]") == true)
    let most = Self.answer(.array([CBORValue](repeating: parts.own, count: 8)))
    #expect(try RegistrationRuleTests.finish(most).attestation.parts.count == 8)
  }

  @Test func unknownPartsCountForNothingIfAskedFor() throws {
    var options = RegistrationOptions()
    options.attestationPolicy.unknownFormat = .ignore
    let parts = try Parts(RegistrationAnswer())
    let banana = Self.part("banana", .null)
    let mixed = try RegistrationRuleTests.finish(Self.answer(.array([banana, parts.packed])), options).attestation
    #expect(mixed.type == .compound)
    #expect(mixed.parts.map(\.type) == [.unverified, .basicOrAttCA])
    let unknown = try RegistrationRuleTests.finish(Self.answer(.array([banana, banana])), options)
    #expect(unknown.attestation.type == .unverified)
    #expect(unknown.attestation.parts.isEmpty)
    #expect(unknown.steps.filter { $0.step.number == 22 }.map(\.outcome) == [.leftToCaller])
    let nested = Self.error(.array([parts.own, Self.part("compound", .array([banana, banana]))]), options)
    #expect(nested?.code == .malformedAttestationStatement)
  }
}
