import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestAuthenticator
import Testing

/// A registration: what its success says, and that no byte of it can be changed.
struct RegistrationRuleTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let expected: Refusal?
    var options = RegistrationOptions()
    let change: @Sendable (inout RegistrationAnswer) -> Void

    init(
      _ name: String, _ expected: Refusal? = nil, options: RegistrationOptions = RegistrationOptions(),
      change: @escaping @Sendable (inout RegistrationAnswer) -> Void
    ) {
      self.name = name
      self.expected = expected
      self.options = options
      self.change = change
    }

    var testDescription: String { name }

    /// How the registration with the change ends.
    func refusal() throws -> Refusal? {
      var answer = RegistrationAnswer()
      change(&answer)
      return try RegistrationRuleTests.refusal { try RegistrationRuleTests.finish(answer, options) }
    }
  }

  static func finish(
    _ answer: RegistrationAnswer, _ options: RegistrationOptions = RegistrationOptions()
  ) throws -> VerifiedRegistration {
    var ceremony = RegistrationCeremony()
    ceremony.answer = answer
    ceremony.options = options
    return try ceremony.finish()
  }

  static func refusal(_ body: () throws -> some Any) throws -> Refusal? {
    do {
      _ = try body()
      return nil
    } catch let error as WebAuthnError {
      let text = error.description
      #expect(!text.contains("\n") && !text.contains("evil") && text.utf8.count < 400)
      return Refusal(error)
    }
  }

  @Test func whatASuccessSays() throws {
    var answer = RegistrationAnswer()
    answer.parts.flags |= 0x88
    answer.parts.authDataEnd = CBORValue.map([CBORMapEntry("credProtect", .unsigned(2))]).encoded()
    let verified = try Self.finish(answer)
    let credential = verified.credential
    #expect(credential.id == TestAuthenticator.credentialID)
    #expect(credential.user == TestAuthenticator.user)
    #expect(credential.rpId == "example.com")
    #expect(credential.publicKey == (try TestAuthenticator.coseKey().encoded()))
    #expect(credential.signCount == 7)
    #expect(credential.uvInitialized && credential.backupEligible && !credential.backupState)
    #expect(credential.transports == ["internal", "hybrid"])
    #expect(credential.aaguid == [UInt8](200..<216))
    #expect(verified.attestation.format == "packed")
    #expect(verified.attestation.type == .selfAttestation)
    #expect(verified.attestation.trust == .notApplicable)
    #expect(verified.attestation.trustPath.isEmpty)
    #expect(verified.origin == "https://example.com")
    #expect(verified.authenticatorData.extensions?["credProtect"]?.int64 == 2)
    #expect(verified.authenticatorData.extensionBytes == answer.parts.authDataEnd)
    #expect(verified.clientExtensionResults["credProps"]?["rk"] == true)
    #expect(verified.steps.map(\.step.number) == Array(1...29))
    #expect(verified.steps.allSatisfy { $0.step.ceremony == .registration && !$0.what.isEmpty })
    #expect(verified.steps.filter { $0.outcome == .leftToCaller }.map(\.step.number) == [2, 18, 19, 26, 28, 29])
    #expect(verified.steps.filter { $0.outcome == .notRequired }.map(\.step.number) == [23])
  }

  @Test func duplicateMembersAreRefused() throws {
    let text = String(decoding: try RegistrationAnswer().json(), as: UTF8.self)
    let doubled = Array(text.replacing(#""type":"public-key""#, with: #""type":"x","type":"public-key""#).utf8)
    #expect(throws: WebAuthnError.self) { try RegistrationResponse(json: doubled.span) }
  }

  @Test func everyTruncationIsRefused() throws {
    let whole = try RegistrationAnswer().authData()
    #expect(try AuthenticatorData(whole.span).extensions == nil)
    for count in 0..<whole.count {
      #expect(throws: CodecError.self) { try AuthenticatorData(whole.span.extracting(0..<count)) }
      var answer = RegistrationAnswer()
      answer.parts.spoilAuthData = { $0 = Array($0.prefix(count)) }
      let refusal = try Self.refusal { try Self.finish(answer) }
      #expect(refusal?.code == .malformedAuthenticatorData && refusal?.step == 13, "\(count)")
    }
    var length = 0
    var answer = RegistrationAnswer()
    answer.spoilObject = { $0 = Array($0.dropLast()) }
    while length < 400 {
      let cut = length
      answer.spoilObject = { $0 = Array($0.prefix(cut)) }
      guard let refusal = try Self.refusal({ try Self.finish(answer) }) else { break }
      #expect(refusal.code == (cut == 0 ? .malformedResponse : .malformedAttestationObject), "\(cut)")
      length += 1
    }
    #expect((250..<400).contains(length))
  }

  @Test func everyBitFlipIsRefused() throws {
    let answer = RegistrationAnswer()
    for bit in 0..<(try answer.authData().count * 8) {
      var spoilt = answer
      spoilt.parts.spoilAuthData = { $0[bit / 8] ^= 1 << (bit % 8) }
      #expect(try Self.refusal { try Self.finish(spoilt) } != nil, "authData bit \(bit)")
    }
    for bit in 0..<(answer.parts.clientDataJSON.count * 8) {
      var spoilt = answer
      spoilt.parts.spoilClientData = { $0[bit / 8] ^= 1 << (bit % 8) }
      #expect(try Self.refusal { try Self.finish(spoilt) } != nil, "clientDataJSON bit \(bit)")
    }
    // The object around them: fmt, attStmt with its signature, and how long each is.
    for bit in 0..<(250 * 8) {
      var spoilt = answer
      spoilt.spoilObject = { $0[bit / 8] ^= 1 << (bit % 8) }
      #expect(try Self.refusal { try Self.finish(spoilt) } != nil, "attestationObject bit \(bit)")
    }
  }

  @Test func aChangedAnswerIsRefusedOrGivesTheSameCredential() throws {
    var options = RegistrationOptions()
    options.challenge = TestAuthenticator.challenge
    let rp = try TestAuthenticator.relyingParty()
    let user = PasskeyUser(id: TestAuthenticator.user, name: "alice@example.com", displayName: "Alice")
    let state = try rp.beginRegistration(user: user, options, at: TestAuthenticator.now).state
    let json = try RegistrationAnswer().json()
    let key = try TestAuthenticator.coseKey().encoded()
    var accepted = 0
    for bit in 0..<(json.count * 8) {
      var changed = json
      changed[bit / 8] ^= 1 << (bit % 8)
      do throws(WebAuthnError) {
        let verified = try rp.finishRegistration(changed.span, state: state, at: TestAuthenticator.now)
        accepted += 1
        #expect(verified.credential.id == TestAuthenticator.credentialID)
        #expect(verified.credential.publicKey == key)
      } catch {
        #expect(error.step != nil)
      }
    }
    // What no signature and no rule covers: unknown members, transports, extension results.
    #expect(accepted > 100 && accepted < json.count * 4)
  }
}
