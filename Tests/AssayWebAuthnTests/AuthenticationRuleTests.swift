import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestAuthenticator
import Testing

/// A sign-in: what its success says, and that no byte of it can be changed.
struct AuthenticationRuleTests {
  typealias Ceremony = AuthenticationCeremony
  typealias Case = AuthenticationDeviation

  @Test func whatASuccessSays() throws {
    var ceremony = Ceremony()
    ceremony.answer.parts.flags |= 0x18
    ceremony.storedBackupEligible = true
    let verified = try ceremony.finish()
    #expect(verified.user == TestAuthenticator.user)
    #expect(verified.credentialID == TestAuthenticator.credentialID)
    #expect(verified.userVerified)
    #expect(verified.signCountOutcome == .increased)
    #expect(verified.credential.signCount == 7)
    #expect(verified.credential.backupState)
    #expect(verified.origin == "https://example.com")
    #expect(verified.authenticatorData.signCount == 7)
    #expect(verified.clientExtensionResults["credProps"] != nil)
    #expect(verified.steps.map(\.step.number) == Array(1...25))
    #expect(verified.steps.allSatisfy { $0.step.ceremony == .authentication && !$0.what.isEmpty })
    #expect(verified.steps.filter { $0.outcome == .leftToCaller }.map(\.step.number) == [2, 23, 24, 25])
    #expect(verified.steps.filter { $0.outcome == .notRequired }.map(\.step.number) == [5])
    // Nothing else of the record changes.
    var expected = try ceremony.stored()
    #expect(expected != verified.credential)
    ceremony.storedBackupState = true
    ceremony.storedSignCount = 7
    expected = try ceremony.stored()
    #expect(expected == verified.credential)
  }

  @Test func counterThatDidNotGrowIsReportedAndKept() throws {
    for (stored, seen) in [(7, 7), (9, 7), (9, 0)] as [(UInt32, UInt32)] {
      var ceremony = Ceremony()
      ceremony.options.signCountPolicy = .report
      ceremony.storedSignCount = stored
      ceremony.answer.parts.signCount = seen
      let verified = try ceremony.finish()
      #expect(verified.signCountOutcome == .notIncreased)
      #expect(verified.credential.signCount == stored)
      #expect(verified.authenticatorData.signCount == seen)
    }
    var ceremony = Ceremony()
    ceremony.storedSignCount = 0
    ceremony.answer.parts.signCount = 0
    #expect(try ceremony.finish().signCountOutcome == .notUsed)
  }

  @Test(arguments: [SignatureAlgorithm.es256, .rs256, .edDSA, .es512, .ps256, .ed448])
  func everyTruncationAndBitFlipIsRefused(_ algorithm: SignatureAlgorithm) throws {
    var ceremony = Ceremony()
    ceremony.answer.parts.algorithm = algorithm
    ceremony.answer.parts.flags |= 0x80
    ceremony.answer.parts.authDataEnd = CBORValue.map([CBORMapEntry("x", .bool(true))]).encoded()
    _ = try ceremony.finish()
    let authData = ceremony.answer.authData
    for count in 0..<authData.count {
      var spoilt = ceremony
      spoilt.answer.parts.spoilAuthData = { $0 = Array($0.prefix(count)) }
      #expect(throws: WebAuthnError.self, "authenticatorData cut to \(count)") { try spoilt.finish() }
    }
    for bit in 0..<(authData.count * 8) {
      var spoilt = ceremony
      spoilt.answer.parts.spoilAuthData = { $0[bit / 8] ^= 1 << (bit % 8) }
      #expect(throws: WebAuthnError.self, "authenticatorData bit \(bit)") { try spoilt.finish() }
    }
    for bit in 0..<(ceremony.answer.parts.clientDataJSON.count * 8) {
      var spoilt = ceremony
      spoilt.answer.parts.spoilClientData = { $0[bit / 8] ^= 1 << (bit % 8) }
      #expect(throws: WebAuthnError.self, "clientDataJSON bit \(bit)") { try spoilt.finish() }
    }
    for bit in 0..<(64 * 8) {
      var spoilt = ceremony
      spoilt.answer.parts.spoilSignature = { $0[bit / 8] ^= 1 << (bit % 8) }
      #expect(try RegistrationRuleTests.refusal { try spoilt.finish() } == Refusal(.signatureInvalid, 21, "signature"))
    }
  }
}
