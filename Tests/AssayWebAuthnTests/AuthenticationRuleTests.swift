import AssayCodec
import AssayCrypto
import AssayWebAuthn
import Testing

/// Each rule of a sign-in: answers that are accepted, and ones in which a single thing is wrong.
struct AuthenticationRuleTests {
  struct Ceremony: Sendable {
    var answer = SignInAnswer()
    var options = AuthenticationOptions()
    var crossOrigin = CrossOriginUse.refused
    /// For whom it is begun.
    var user: [UInt8]? = TestAuthenticator.user
    /// The stored record.
    var storedID = TestAuthenticator.credentialID
    var storedUser = TestAuthenticator.user
    var storedRpId = TestAuthenticator.rpId
    var storedSignCount: UInt32 = 6
    var storedBackupEligible = false
    var storedBackupState = false
    var storedKey: SignatureAlgorithm?

    func stored() throws -> RegisteredCredential {
      let key = try TestAuthenticator.coseKey(storedKey ?? answer.parts.algorithm).encoded()
      return try RegisteredCredential(
        vouchedFor: storedID, user: storedUser, rpId: storedRpId, publicKey: key, signCount: storedSignCount,
        uvInitialized: true, backupEligible: storedBackupEligible, backupState: storedBackupState,
        aaguid: [UInt8](repeating: 0, count: 16))
    }

    func finish() throws -> VerifiedAuthentication {
      var options = options
      options.challenge = TestAuthenticator.challenge
      let rp = try TestAuthenticator.relyingParty(crossOrigin: crossOrigin)
      let start = try rp.beginAuthentication(user: user, options, at: TestAuthenticator.now)
      // Both through their bytes, as a server stores them.
      let record = start.state.encoded()
      let state = try AuthenticationState(decoding: record.span)
      #expect(state == start.state)
      let stored = try stored()
      let bytes = stored.encoded()
      let credential = try RegisteredCredential(decoding: bytes.span)
      #expect(credential == stored)
      let json = try answer.json()
      return try rp.finishAuthentication(json.span, state: state, credential: credential, at: TestAuthenticator.now)
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let expected: Refusal?
    let change: @Sendable (inout Ceremony) -> Void

    init(_ name: String, _ expected: Refusal? = nil, change: @escaping @Sendable (inout Ceremony) -> Void) {
      self.name = name
      self.expected = expected
      self.change = change
    }

    var testDescription: String { name }
  }

  static let accepted: [Case] = [
    Case("as it is") { _ in },
    Case("Ed25519") { $0.answer.parts.algorithm = .edDSA },
    Case("RS256") { $0.answer.parts.algorithm = .rs256 },
    Case("for anyone, and the authenticator says who") { $0.user = nil },
    Case("for a user, and the authenticator does not say who") { $0.answer.userHandle = nil },
    Case("userHandle null") { $0.answer.userHandle = .null },
    Case("userHandle empty, which is absent") { $0.answer.userHandle = "" },
    Case("one of two allowed credentials") {
      $0.options.allowCredentials = [
        CredentialDescriptor(id: [1]), CredentialDescriptor(id: TestAuthenticator.credentialID),
      ]
    },
    Case("byte order mark") { $0.answer.parts.clientDataFrame.before = [0xEF, 0xBB, 0xBF] },
    Case("second origin") { $0.answer.parts.clientData["origin"] = "https://login.example.com:8443" },
    Case("reserved flags") { $0.answer.parts.flags |= 0x22 },
    Case("extensions") {
      $0.answer.parts.flags |= 0x80
      $0.answer.parts.authDataEnd = CBORValue.map([CBORMapEntry("x", .bool(true))]).encoded()
    },
    Case("not verified, where that is not required") {
      $0.answer.parts.flags = 0x01
      $0.options.userVerification = .preferred
    },
    Case("eligible for backup, and backed up since") {
      $0.answer.parts.flags |= 0x18
      $0.storedBackupEligible = true
    },
    Case("eligible for backup, and no longer backed up") {
      $0.answer.parts.flags |= 0x08
      $0.storedBackupEligible = true
      $0.storedBackupState = true
    },
    Case("no counter") {
      $0.answer.parts.signCount = 0
      $0.storedSignCount = 0
    },
    Case("counter at its largest") {
      $0.answer.parts.signCount = .max
      $0.storedSignCount = .max - 1
    },
    Case("counter equal, reported") {
      $0.storedSignCount = 7
      $0.options.signCountPolicy = .report
    },
    Case("frame, allowed") {
      $0.crossOrigin = .allowed(topOrigins: ["https://top.example"])
      $0.answer.parts.clientData["crossOrigin"] = true
      $0.answer.parts.clientData["topOrigin"] = "https://top.example"
    },
  ]

  static let refused: [Case] = [
    // Before the first step: whose ceremony and credential these are.
    Case("credential of another relying party", Refusal(.wrongRelyingParty, nil, "credential.rpId")) {
      $0.storedRpId = "example.org"
    },
    // Step 3.
    Case("type", Refusal(.malformedResponse, 3, "type")) { $0.answer.parts.edit = { $0["type"] = "x" } },
    Case("id of another credential", Refusal(.credentialIDMismatch, 3, "id")) {
      $0.answer.parts.edit = { $0["id"] = "AAAA" }
    },
    Case("signature empty", Refusal(.malformedResponse, 3, "signature")) {
      $0.answer.parts.editResponse = { $0["signature"] = "" }
    },
    Case("userHandle not base64url", Refusal(.malformedResponse, 3, "userHandle")) {
      $0.answer.userHandle = "user@example.com"
    },
    Case("userHandle a number", Refusal(.malformedResponse, 3, "userHandle")) { $0.answer.userHandle = 1469 },
    // Step 5.
    Case("credential not allowed", Refusal(.credentialNotAllowed, 5, "id")) {
      $0.options.allowCredentials = [CredentialDescriptor(id: [1])]
    },
    // Step 6.
    Case("record of another credential", Refusal(.credentialIDMismatch, 6, "rawId")) { $0.storedID = [1] },
    Case("record of another user", Refusal(.wrongUser, 6, "userHandle")) { $0.storedUser = [1] },
    Case("ceremony of another user", Refusal(.wrongUser, 6, "userHandle")) { $0.user = [1] },
    Case("ceremony and record of another user", Refusal(.wrongUser, 6, "userHandle")) {
      $0.user = [1]
      $0.storedUser = [1]
    },
    Case("record of another user, who is not named", Refusal(.wrongUser, 6, "userHandle")) {
      $0.answer.userHandle = nil
      $0.storedUser = [1]
    },
    Case("for anyone, and nobody is named", Refusal(.userHandleMissing, 6, "userHandle")) {
      $0.user = nil
      $0.answer.userHandle = ""
    },
    Case("for anyone, and another is named", Refusal(.wrongUser, 6, "userHandle")) {
      $0.user = nil
      $0.answer.userHandle = "AQ"
    },
    // Steps 8 to 14.
    Case("client data not UTF-8", Refusal(.malformedClientData, 8, "JSON string")) {
      $0.answer.parts.clientDataFrame = (Array(#"{"x":""#.utf8) + [0xFF] + Array(#"","#.utf8), [])
    },
    Case("client data not JSON", Refusal(.malformedClientData, 9, "JSON")) {
      $0.answer.parts.clientDataFrame.after = Array("}".utf8)
    },
    Case("type of a registration", Refusal(.typeMismatch, 10, "type")) {
      $0.answer.parts.clientData["type"] = "webauthn.create"
    },
    Case("type of a payment", Refusal(.typeMismatch, 10, "type")) {
      $0.answer.parts.clientData["type"] = "payment.get"
    },
    Case("another challenge", Refusal(.challengeMismatch, 11, "challenge")) {
      $0.answer.parts.clientData["challenge"] = TestAuthenticator.base64url([UInt8](1..<33))
    },
    Case("another origin", Refusal(.originNotAllowed, 12, "origin")) {
      $0.answer.parts.clientData["origin"] = "https://evil.example"
    },
    Case("frame", Refusal(.crossOriginNotAllowed, 13, "crossOrigin")) {
      $0.answer.parts.clientData["crossOrigin"] = true
    },
    Case("top page", Refusal(.topOriginNotAllowed, 14, "topOrigin")) {
      $0.answer.parts.clientData["topOrigin"] = "https://evil.example"
    },
    // Steps 15 to 19.
    Case("bytes after the authenticator data", Refusal(.malformedAuthenticatorData, 15, "authData")) {
      $0.answer.parts.authDataEnd = [0]
    },
    Case("attested credential data in a sign-in", Refusal(.malformedAuthenticatorData, 15, "attestedCredentialData")) {
      $0.answer.parts.flags |= 0x40
      $0.answer.parts.authDataEnd =
        [UInt8](repeating: 0, count: 16) + [0, 1, 1] + ((try? TestAuthenticator.coseKey().encoded()) ?? [])
    },
    Case("another relying party", Refusal(.rpIdHashMismatch, 15, "rpIdHash")) {
      $0.answer.parts.rpIdHash = TestAuthenticator.hash(Array("example.org".utf8))
    },
    Case("user not present", Refusal(.userNotPresent, 16, "flags")) { $0.answer.parts.flags = 0x04 },
    Case("user not verified", Refusal(.userNotVerified, 17, "flags")) { $0.answer.parts.flags = 0x01 },
    Case("backed up without being eligible", Refusal(.backupStateInconsistent, 18, "flags")) {
      $0.answer.parts.flags |= 0x10
    },
    Case("eligible for backup, and was not", Refusal(.backupEligibilityChanged, 19, "flags")) {
      $0.answer.parts.flags |= 0x08
    },
    Case("not eligible for backup, and was", Refusal(.backupEligibilityChanged, 19, "flags")) {
      $0.storedBackupEligible = true
    },
    // Step 21.
    Case("key of another algorithm", Refusal(.signatureInvalid, 21, "signature")) { $0.storedKey = .edDSA },
    Case("signature of fixed width, as JOSE has it", Refusal(.signatureInvalid, 21, "signature")) {
      $0.answer.parts.spoilSignature = { $0 = [UInt8](repeating: 1, count: 64) }
    },
    Case("signature with a byte more", Refusal(.signatureInvalid, 21, "signature")) {
      $0.answer.parts.spoilSignature = { $0.append(0) }
    },
    Case("wrong signature and wrong counter: the signature comes first", Refusal(.signatureInvalid, 21, "signature")) {
      $0.answer.parts.spoilSignature = { $0[$0.count - 1] ^= 1 }
      $0.storedSignCount = 7
    },
    // Step 22.
    Case("counter equal", Refusal(.signCountNotIncreased, 22, "signCount")) { $0.storedSignCount = 7 },
    Case("counter lower", Refusal(.signCountNotIncreased, 22, "signCount")) { $0.storedSignCount = 8 },
    Case("counter zero after it counted", Refusal(.signCountNotIncreased, 22, "signCount")) {
      $0.answer.parts.signCount = 0
    },
  ]

  @Test(arguments: accepted + refused)
  func rule(_ test: Case) throws {
    var ceremony = Ceremony()
    test.change(&ceremony)
    #expect(try RegistrationRuleTests.refusal { try ceremony.finish() } == test.expected)
  }

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

  @Test(
    arguments: ["id", "rawId", "type", "response", "clientDataJSON", "authenticatorData", "signature"] as [UTF8Text])
  func everyWrongTypeAndAbsenceIsRefused(_ name: UTF8Text) throws {
    for value in [nil, .null, true, 1469, [], ["a"], [:]] as [JSONValue?] {
      if name == "response", value?.object != nil { continue }
      var ceremony = Ceremony()
      ceremony.answer.parts.edit = { if $0[name] != nil { $0[name] = value } }
      ceremony.answer.parts.editResponse = { if $0[name] != nil { $0[name] = value } }
      let refusal = try RegistrationRuleTests.refusal { try ceremony.finish() }
      #expect(refusal?.code == .malformedResponse && refusal?.step == 3)
      #expect(refusal?.field.description == name.string)
    }
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
