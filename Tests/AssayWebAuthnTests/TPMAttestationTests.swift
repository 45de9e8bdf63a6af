import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestAuthenticator
import Testing

/// Attestation by a TPM (WebAuthn L3, 8.3).
struct TPMAttestationTests {
  @Test func whatASuccessSays() throws {
    var answer = RegistrationAnswer()
    answer.fmt = "tpm"
    answer.tpm = TestTPM()
    let verified = try RegistrationRuleTests.finish(answer)
    #expect(verified.attestation.format == "tpm")
    #expect(verified.attestation.type == .attCA)
    #expect(verified.attestation.trust == .notEvaluated)
    #expect(verified.attestation.trustPath == [try TestTPM().certificate.der()])
    #expect(verified.attestation.tpm?.manufacturer == "id:494E5443")
    #expect(verified.attestation.tpm?.model == "Model 1")
    #expect(verified.attestation.tpm?.version == "id:00020000")
    #expect(verified.auditRecord["attestation"]?["tpm"]?["model"]?.string == "Model 1")
    #expect(verified.steps.map(\.step.number) == Array(1...29))
    #expect(try RegistrationRuleTests.finish(RegistrationAnswer()).attestation.tpm == nil)
  }
}
