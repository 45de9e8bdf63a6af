import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestAuthenticator
import Testing

/// Attestation by certificates: packed (WebAuthn L3, 8.2) and fido-u2f (8.6).
struct CertificateAttestationTests {
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
