import AssayCodec
import AssayCrypto
import AssayWebAuthn
import Testing

/// Each rule of a registration: answers that are accepted, and ones in which a single thing is wrong.
struct RegistrationRuleTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let expected: Refusal?
    var options = RegistrationOptions()
    var crossOrigin = CrossOriginUse.refused
    let change: @Sendable (inout RegistrationAnswer) -> Void

    init(
      _ name: String, _ expected: Refusal? = nil, options: RegistrationOptions = RegistrationOptions(),
      crossOrigin: CrossOriginUse = .refused, change: @escaping @Sendable (inout RegistrationAnswer) -> Void
    ) {
      self.name = name
      self.expected = expected
      self.options = options
      self.crossOrigin = crossOrigin
      self.change = change
    }

    var testDescription: String { name }
  }

  static func finish(
    _ answer: RegistrationAnswer, _ options: RegistrationOptions = RegistrationOptions(),
    _ crossOrigin: CrossOriginUse = .refused
  ) throws -> VerifiedRegistration {
    var options = options
    options.challenge = TestAuthenticator.challenge
    let rp = try TestAuthenticator.relyingParty(crossOrigin: crossOrigin)
    let user = PasskeyUser(id: TestAuthenticator.user, name: "alice@example.com", displayName: "Alice")
    let start = try rp.beginRegistration(user: user, options, at: TestAuthenticator.now)
    // Through its bytes, as a server stores it.
    let record = start.state.encoded()
    let state = try RegistrationState(decoding: record.span)
    #expect(state == start.state)
    let json = try answer.json()
    return try rp.finishRegistration(json.span, state: state, at: TestAuthenticator.now)
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

  @Test(arguments: accepted + refused)
  func rule(_ test: Case) throws {
    var answer = RegistrationAnswer()
    test.change(&answer)
    #expect(try Self.refusal { try Self.finish(answer, test.options, test.crossOrigin) } == test.expected)
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

  @Test(arguments: ["id", "rawId", "type", "response", "clientDataJSON", "attestationObject"] as [UTF8Text])
  func everyWrongTypeAndAbsenceIsRefused(_ name: UTF8Text) throws {
    for value in [nil, .null, true, 1469, [], ["a"], [:]] as [JSONValue?] {
      if name == "response", value?.object != nil { continue }
      var answer = RegistrationAnswer()
      answer.parts.edit = { if $0[name] != nil { $0[name] = value } }
      answer.parts.editResponse = { if $0[name] != nil { $0[name] = value } }
      let refusal = try Self.refusal { try Self.finish(answer) }
      #expect(refusal?.code == .malformedResponse && refusal?.step == 3, "\(String(describing: value))")
      #expect(refusal?.field.description == name.string)
    }
  }

  @Test(arguments: ["type", "challenge", "origin", "crossOrigin", "topOrigin"] as [UTF8Text])
  func everyWrongTypeInTheClientDataIsRefused(_ name: UTF8Text) throws {
    for value in [.null, 1469, [], ["a"], [:], name == "crossOrigin" ? "true" : true] as [JSONValue] {
      var answer = RegistrationAnswer()
      answer.parts.clientData[name] = value
      let refusal = try Self.refusal { try Self.finish(answer) }
      #expect(refusal?.code == .malformedClientData && refusal?.step == 6)
      #expect(refusal?.field.description == name.string)
    }
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

extension CBORValue {
  func adding(_ name: UTF8Text, _ value: CBORValue) -> CBORValue {
    .map((map ?? []) + [CBORMapEntry(.text(name), value)])
  }

  func without(_ name: UTF8Text) -> CBORValue { .map((map ?? []).filter { $0.key.text != name }) }
}

extension COSEKey {
  /// The key as CBOR with one parameter set to something else.
  func replacing(_ label: Int64, _ value: CBORValue) throws -> CBORValue {
    let bytes = encoded()
    let entries = try CBORValue.decode(bytes.span, form: .ctap2Canonical).map ?? []
    return .map(entries.filter { $0.key.int64 != label } + [CBORMapEntry(CBORValue(label), value)])
  }
}
