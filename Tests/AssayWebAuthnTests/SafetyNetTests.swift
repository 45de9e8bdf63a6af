import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestAuthenticator
import Testing

/// Android SafetyNet (WebAuthn L3, 8.5): what a success says.
struct SafetyNetTests {
  @Test func whatASuccessSays() throws {
    var answer = RegistrationAnswer()
    answer.fmt = "android-safetynet"
    var statement = SafetyNetStatement()
    statement.chain = [[0x30, 0x00]]
    answer.makeStatement = { [statement] in try statement.made($0, $1) }
    var options = RegistrationOptions()
    options.attestationPolicy.safetyNet = SafetyNetPolicy()
    let attestation = try RegistrationRuleTests.finish(answer, options).attestation
    #expect(attestation.format == "android-safetynet")
    #expect(attestation.type == .basic)
    #expect(attestation.trust == .notEvaluated)
    #expect(attestation.trustPath == [try statement.certificate(), [0x30, 0x00]])
    #expect(attestation.androidKey == nil)
  }
}
