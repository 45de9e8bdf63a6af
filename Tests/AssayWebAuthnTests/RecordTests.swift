import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestAuthenticator
import Testing

/// The records a server stores: whole or refused, of one kind and version, for one relying party and until they expire.
struct RecordTests {
  static func records() throws -> [(
    kind: String, bytes: [UInt8], read: @Sendable (Span<UInt8>) throws(WebAuthnError) -> Void
  )] {
    let rp = try TestAuthenticator.relyingParty(crossOrigin: .allowed(topOrigins: ["https://top.example"]))
    let user = PasskeyUser(id: TestAuthenticator.user, name: "alice", displayName: "Alice")
    var options = AuthenticationOptions()
    options.allowCredentials = [CredentialDescriptor(id: [1, 2, 3])]
    let registration = try rp.beginRegistration(user: user, at: TestAuthenticator.now).state
    let authentication = try rp.beginAuthentication(user: user.id, options, at: TestAuthenticator.now).state
    let credential = try RegistrationRuleTests.finish(RegistrationAnswer()).credential
    return [
      (
        "registration", registration.encoded(),
        { (bytes) throws(WebAuthnError) in _ = try RegistrationState(decoding: bytes) }
      ),
      (
        "authentication", authentication.encoded(),
        { (bytes) throws(WebAuthnError) in _ = try AuthenticationState(decoding: bytes) }
      ),
      (
        "credential", credential.encoded(),
        { (bytes) throws(WebAuthnError) in _ = try RegisteredCredential(decoding: bytes) }
      ),
    ]
  }

  private static func code(_ body: () throws(WebAuthnError) -> Void) -> WebAuthnError.Code? {
    do throws(WebAuthnError) {
      try body()
      return nil
    } catch {
      return error.code
    }
  }

  @Test func eachIsReadByItsOwnKindOnly() throws {
    let records = try Self.records()
    for reader in records {
      for record in records {
        let code = Self.code { () throws(WebAuthnError) in try reader.read(record.bytes.span) }
        #expect(code == (reader.kind == record.kind ? nil : .wrongRecord), "\(record.kind) as \(reader.kind)")
      }
    }
  }

  @Test func cutLongerOrChangedRecordsNeverTrap() throws {
    for record in try Self.records() {
      for count in 0..<record.bytes.count {
        let code = Self.code { () throws(WebAuthnError) in try record.read(record.bytes.span.extracting(0..<count)) }
        #expect(code == .malformedRecord)
      }
      let longer = record.bytes + [0]
      #expect(Self.code { () throws(WebAuthnError) in try record.read(longer.span) } == .malformedRecord)
      for bit in 0..<(record.bytes.count * 8) {
        var changed = record.bytes
        changed[bit / 8] ^= 1 << (bit % 8)
        _ = Self.code { () throws(WebAuthnError) in try record.read(changed.span) }
      }
    }
  }

  @Test func everyMemberMustBeThereAndNoOther() throws {
    for record in try Self.records() {
      let entries = try #require(CBORValue.decode(record.bytes.span, form: .ctap2Canonical).map)
      #expect(entries.count >= 11)
      for index in entries.indices {
        for value in [nil, .float(1), .array([.float(1)]), .negative(.max)] as [CBORValue?] {
          var changed = entries
          if let value { changed[index].value = value } else { changed.remove(at: index) }
          let bytes = CBORValue.map(changed).encoded()
          let code = Self.code { () throws(WebAuthnError) in try record.read(bytes.span) }
          #expect(code == .malformedRecord, "\(record.kind) \(entries[index].key)")
        }
      }
      let more = CBORValue.map(entries + [CBORMapEntry("more", .null)]).encoded()
      #expect(Self.code { () throws(WebAuthnError) in try record.read(more.span) } == .malformedRecord)
    }
  }

  @Test func anotherVersionIsNotGuessed() throws {
    for record in try Self.records() {
      let entries = try #require(CBORValue.decode(record.bytes.span, form: .ctap2Canonical).map)
      let next = entries.map { $0.key.text == "version" ? CBORMapEntry($0.key, .unsigned(2)) : $0 }
      let bytes = CBORValue.map(next).encoded()
      #expect(Self.code { () throws(WebAuthnError) in try record.read(bytes.span) } == .unknownRecordVersion)
    }
  }

  @Test func aStateExpiresAndBelongsToOneRelyingParty() throws {
    var options = RegistrationOptions()
    options.challenge = TestAuthenticator.challenge
    options.lifetime = 60
    let rp = try TestAuthenticator.relyingParty()
    let user = PasskeyUser(id: TestAuthenticator.user, name: "alice", displayName: "Alice")
    let state = try rp.beginRegistration(user: user, options, at: TestAuthenticator.now).state
    let answer = try RegistrationAnswer().json()
    #expect(state.expiresAt == TestAuthenticator.now.adding(seconds: 60))
    _ = try rp.finishRegistration(answer.span, state: state, at: TestAuthenticator.now.adding(seconds: 59))
    let other = try RelyingParty(id: "example.org", origins: ["https://example.org"])
    for (rp, seconds, expected) in [
      (rp, 60, .expired), (rp, .max, .expired), (other, 0, .wrongRelyingParty),
    ] as [(RelyingParty, Int64, WebAuthnError.Code)] {
      let code = Self.code { () throws(WebAuthnError) in
        _ = try rp.finishRegistration(answer.span, state: state, at: TestAuthenticator.now.adding(seconds: seconds))
      }
      #expect(code == expected)
    }
    var signIn = AuthenticationOptions()
    signIn.challenge = TestAuthenticator.challenge
    let start = try rp.beginAuthentication(user: TestAuthenticator.user, signIn, at: TestAuthenticator.now)
    let credential = try AuthenticationRuleTests.Ceremony().stored()
    let assertion = try SignInAnswer().json()
    for (rp, seconds, expected) in [
      (rp, 299, nil), (rp, 300, .expired), (other, 0, .wrongRelyingParty),
    ] as [(RelyingParty, Int64, WebAuthnError.Code?)] {
      let code = Self.code { () throws(WebAuthnError) in
        _ = try rp.finishAuthentication(
          assertion.span, state: start.state, credential: credential,
          at: TestAuthenticator.now.adding(seconds: seconds))
      }
      #expect(code == expected)
    }
  }

  @Test func finishingReadsPolicyFromTheStateOnly() throws {
    // Begun where frames are refused and one origin is known; finished by a relying party that would allow more.
    let strict = try RelyingParty(id: "example.com", origins: ["https://example.com"])
    var options = RegistrationOptions()
    options.challenge = TestAuthenticator.challenge
    let user = PasskeyUser(id: TestAuthenticator.user, name: "alice", displayName: "Alice")
    let state = try strict.beginRegistration(user: user, options, at: TestAuthenticator.now).state
    let lax = try RelyingParty(
      id: "example.com", origins: ["https://example.com", "https://login.example.com:8443"],
      crossOrigin: .allowed(topOrigins: []))
    var answer = RegistrationAnswer()
    answer.parts.clientData["origin"] = "https://login.example.com:8443"
    let fromOther = try answer.json()
    answer = RegistrationAnswer()
    answer.parts.clientData["crossOrigin"] = true
    let framed = try answer.json()
    for (json, expected) in [(fromOther, .originNotAllowed), (framed, .crossOriginNotAllowed)]
      as [([UInt8], WebAuthnError.Code)]
    {
      let code = Self.code { () throws(WebAuthnError) in
        _ = try lax.finishRegistration(json.span, state: state, at: TestAuthenticator.now)
      }
      #expect(code == expected)
    }
  }

  @Test func vouchedForCredentialsAreChecked() throws {
    let key = try TestAuthenticator.coseKey().encoded()
    let zeros = [UInt8](repeating: 0, count: 16)
    func code(
      id: [UInt8] = [1], user: [UInt8] = [1], rpId: String = "example.com", key: [UInt8], eligible: Bool = true,
      state: Bool = true, aaguid: [UInt8]
    ) -> WebAuthnError.Code? {
      Self.code { () throws(WebAuthnError) in
        _ = try RegisteredCredential(
          vouchedFor: id, user: user, rpId: rpId, publicKey: key, signCount: 0, uvInitialized: false,
          backupEligible: eligible, backupState: state, aaguid: aaguid)
      }
    }
    #expect(code(key: key, aaguid: zeros) == nil)
    #expect(code(id: [], key: key, aaguid: zeros) == .invalidOption)
    #expect(code(id: [UInt8](repeating: 1, count: 1024), key: key, aaguid: zeros) == .invalidOption)
    #expect(code(user: [], key: key, aaguid: zeros) == .invalidOption)
    #expect(code(user: [UInt8](repeating: 1, count: 65), key: key, aaguid: zeros) == .invalidOption)
    #expect(code(rpId: "Example.com", key: key, aaguid: zeros) == .invalidRelyingPartyID)
    #expect(code(key: [], aaguid: zeros) == .invalidPublicKey)
    #expect(code(key: key + [0], aaguid: zeros) == .invalidPublicKey)
    #expect(code(key: key, eligible: false, aaguid: zeros) == .backupStateInconsistent)
    #expect(code(key: key, aaguid: []) == .invalidOption)
  }
}
