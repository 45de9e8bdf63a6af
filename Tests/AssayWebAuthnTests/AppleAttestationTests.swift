import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestAuthenticator
import Testing

/// Apple's anonymous attestation (WebAuthn L3, 8.8): what a success says, and that every bit of the nonce counts.
struct AppleAttestationTests {
  /// An answer as a device of Apple's makes it; `change` may change the certificate once it names the nonce.
  private static func answer(
    _ change: @escaping @Sendable (inout TestCertificate) -> Void = { _ in }
  ) -> RegistrationAnswer {
    var answer = RegistrationAnswer()
    answer.fmt = "apple"
    var statement = AppleStatement(algorithm: .es256)
    statement.edit = change
    answer.makeStatement = { [statement] in try statement.made($0, $1) }
    return answer
  }

  private static let noNonce = Refusal(.attestationCertificateNotAllowed, 22, "nonce")
  private static let otherNonce = Refusal(.attestationMismatch, 22, "nonce")

  @Test func whatASuccessSays() throws {
    var answer = Self.answer()
    answer.editStatement = { $0.setting("x5c", .array(($0["x5c"]?.array ?? []) + [.bytes([1, 2, 3])])) }
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
      let answer = Self.answer { $0.extensions[0].value[bit / 8] ^= 1 << (bit % 8) }
      // The first six bytes are the tags and lengths around it.
      let expected = bit < 6 * 8 ? Self.noNonce : Self.otherNonce
      #expect(try RegistrationRuleTests.refusal { try RegistrationRuleTests.finish(answer) } == expected, "\(bit)")
    }
    for count in 0..<38 {
      let answer = Self.answer { $0.extensions[0].value.removeLast(38 - count) }
      #expect(
        try RegistrationRuleTests.refusal { try RegistrationRuleTests.finish(answer) } == Self.noNonce, "\(count)")
    }
  }
}
