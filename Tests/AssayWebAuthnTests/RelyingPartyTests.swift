import AssayCodec
import AssayWebAuthn
import TestAuthenticator
import Testing

struct RelyingPartyTests {
  @Test(arguments: [
    "https://example.com", "https://login.example.com", "https://a.b.example.com:8443", "https://example.com:1",
    "https://example.com:65535", "https://xn--bcher-kva.example.com",
    "android:apk-key-hash:gx7sq_pxhxhrIQdLyfG0pxKwiJ7hOk2DJQ4xvKd438Q",
  ])
  func originsThatAreTaken(_ origin: String) throws {
    #expect(try RelyingParty(id: "example.com", origins: [origin]).origins == [UTF8Text(origin)])
  }

  @Test(arguments: [
    "", "example.com", "https://", "https://example.com/", "https://example.com/path", "https://example.com:443",
    "https://example.com:", "https://example.com:0", "https://example.com:080", "https://example.com:65536",
    "https://example.com:99999999999999999999", "https://example.com:8443:1", "https://Example.com",
    "HTTPS://example.com", "https://example.com.", "https://.example.com", "https://badexample.com",
    "https://example.com.evil.example", "https://example.org", "https://user@example.com", "https://example.com?q",
    "https://example.com#f", "https://*.example.com", "https:// example.com", "https://exa\u{6D}\u{301}ple.com",
    "http://example.com", "ftp://example.com", "wss://example.com", "null", "https://com",
    "android:apk-key-hash:", "android:apk-key-hash:AAAA", "android:apk-key-hash-sha256:AAAA",
    "android:apk-key-hash:gx7sq_pxhxhrIQdLyfG0pxKwiJ7hOk2DJQ4xvKd438Q=",
    "android:apk-key-hash:gx7sq/pxhxhrIQdLyfG0pxKwiJ7hOk2DJQ4xvKd438Q",
  ])
  func originsThatAreRefused(_ origin: String) {
    #expect(throws: WebAuthnError.self) { try RelyingParty(id: "example.com", origins: [origin]) }
    #expect(throws: WebAuthnError.self) {
      try RelyingParty(id: "example.com", origins: ["https://example.com", origin])
    }
  }

  @Test func httpIsForLocalhostUnlessSaidOtherwise() throws {
    _ = try RelyingParty(id: "localhost", origins: ["http://localhost", "http://localhost:8080", "https://localhost"])
    _ = try RelyingParty(id: "localhost", origins: ["http://app.localhost:3000"])
    #expect(throws: WebAuthnError.self) { try RelyingParty(id: "localhost", origins: ["http://localhost:80"]) }
    _ = try RelyingParty(id: "plain.test", origins: ["http://plain.test:8905"], allowInsecureOrigins: true)
    #expect(throws: WebAuthnError.self) { try RelyingParty(id: "plain.test", origins: ["http://plain.test:8905"]) }
    #expect(throws: WebAuthnError.self) {
      try RelyingParty(id: "plain.test", origins: ["http://other.test"], allowInsecureOrigins: true)
    }
  }

  @Test(arguments: [
    "", "Example.com", "https://example.com", "example.com:443", "example.com/", ".example.com", "example.com.",
    "exa mple.com", "exam_ple.com", "-example.com", "example-.com", "127.0.0.1", "[::1]", "1", "bücher.example",
    String(repeating: "a", count: 64) + ".com", String(repeating: "a.", count: 127) + "aa",
  ])
  func idsThatAreRefused(_ id: String) {
    let error = #expect(throws: WebAuthnError.self) { try RelyingParty(id: id, origins: ["https://example.com"]) }
    #expect(error?.code == .invalidRelyingPartyID)
  }

  @Test func topOriginsAreOriginsOfAnySite() throws {
    _ = try RelyingParty(
      id: "example.com", origins: ["https://example.com"], crossOrigin: .allowed(topOrigins: ["https://top.example"]))
    #expect(throws: WebAuthnError.self) {
      try RelyingParty(
        id: "example.com", origins: ["https://example.com"],
        crossOrigin: .allowed(topOrigins: ["https://top.example/"]))
    }
    #expect(throws: WebAuthnError.self) { try RelyingParty(id: "example.com", origins: []) }
  }

  @Test func originsAreLimited() throws {
    let many = (0..<RelyingParty.maximumOrigins).map { "https://a\($0).example.com" }
    let top = CrossOriginUse.allowed(topOrigins: many.map { UTF8Text($0) })
    let rp = try RelyingParty(id: "example.com", origins: many, relatedOrigins: many, crossOrigin: top)
    // The state of a ceremony holds them all, and is still one that can be read.
    let state = try rp.beginAuthentication(user: nil, at: TestAuthenticator.now).state.encoded()
    #expect(try AuthenticationState(decoding: state.span).encoded() == state)
    let more = many + ["https://example.com"]
    let longer = CrossOriginUse.allowed(topOrigins: more.map { UTF8Text($0) })
    let refused: [(Field, () throws -> RelyingParty)] = [
      ("origins", { try RelyingParty(id: "example.com", origins: more) }),
      ("relatedOrigins", { try RelyingParty(id: "example.com", origins: many, relatedOrigins: more) }),
      ("topOrigins", { try RelyingParty(id: "example.com", origins: many, crossOrigin: longer) }),
    ]
    for (field, make) in refused {
      let error = #expect(throws: WebAuthnError.self) { try make() }
      #expect(error?.code == .invalidOrigin && error?.field == field && error?.cause == .origin(.tooMany))
      #expect(error?.description.contains("256") == true)
    }
  }

  // MARK: Options

  static let rp = try? RelyingParty(id: "example.com", name: "Example", origins: ["https://example.com"])

  @Test func creationOptionsAreExactly() throws {
    let rp = try #require(Self.rp)
    var options = RegistrationOptions()
    options.challenge = TestAuthenticator.challenge
    options.authenticatorAttachment = .crossPlatform
    options.attestation = .direct
    options.residentKey = .preferred
    options.userVerification = .discouraged
    options.lifetime = 60
    options.excludeCredentials = [
      CredentialDescriptor(id: [1, 2, 3], transports: ["usb"]), CredentialDescriptor(id: [4]),
    ]
    options.extensions.credProps = true
    options.hints = [.securityKey, .hybrid, .clientDevice]
    options.attestationFormats = ["packed", "tpm"]
    let user = PasskeyUser(id: [0xFF, 0xFE], name: "alice@example.com", displayName: "Alice Ä")
    let start = try rp.beginRegistration(user: user, options, at: TestAuthenticator.now)
    let expected = #"""
      {"rp":{"id":"example.com","name":"Example"},"user":{"id":"__4","name":"alice@example.com","displayName":"Alice Ä"},\#
      "challenge":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",\#
      "pubKeyCredParams":[{"type":"public-key","alg":-8},{"type":"public-key","alg":-7},{"type":"public-key","alg":-257}],\#
      "timeout":60000,\#
      "excludeCredentials":[{"type":"public-key","id":"AQID","transports":["usb"]},{"type":"public-key","id":"BA"}],\#
      "authenticatorSelection":{"residentKey":"preferred","requireResidentKey":false,"userVerification":"discouraged",\#
      "authenticatorAttachment":"cross-platform"},"attestation":"direct",\#
      "hints":["security-key","hybrid","client-device"],"attestationFormats":["packed","tpm"],"extensions":{"credProps":true}}
      """#
    #expect(String(decoding: start.options.encoded(), as: UTF8.self) == expected)
    #expect(start.state.challenge == TestAuthenticator.challenge)
    #expect(start.state.user == [0xFF, 0xFE])
  }

  @Test func requestOptionsAreExactly() throws {
    let rp = try #require(Self.rp)
    var options = AuthenticationOptions()
    options.challenge = TestAuthenticator.challenge
    options.allowCredentials = [CredentialDescriptor(id: [1, 2, 3], transports: ["internal"])]
    options.hints = [.clientDevice]
    options.extensions.prf = PRFInput(eval: PRFValues(first: [0, 1, 2]))
    let start = try rp.beginAuthentication(user: [1], options, at: TestAuthenticator.now)
    let expected = #"""
      {"challenge":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8","timeout":300000,"rpId":"example.com",\#
      "allowCredentials":[{"type":"public-key","id":"AQID","transports":["internal"]}],"userVerification":"required",\#
      "hints":["client-device"],"extensions":{"prf":{"eval":{"first":"AAEC"}}}}
      """#
    #expect(String(decoding: start.options.encoded(), as: UTF8.self) == expected)
    #expect(start.state.user == [1])
  }

  @Test func defaultsAreThoseOfAPasskey() throws {
    let rp = try #require(Self.rp)
    let user = PasskeyUser(id: [1], name: "alice", displayName: "Alice")
    let first = try rp.beginRegistration(user: user, at: TestAuthenticator.now)
    let second = try rp.beginRegistration(user: user, at: TestAuthenticator.now)
    #expect(first.state.challenge.count == 32)
    #expect(first.state.challenge != second.state.challenge)
    #expect(first.options["authenticatorSelection"]?["userVerification"] == "required")
    #expect(first.options["authenticatorSelection"]?["residentKey"] == "required")
    #expect(first.options["attestation"] == "none")
    #expect(first.options["excludeCredentials"] == [])
    #expect(first.options["extensions"] == nil)
    #expect(first.options["hints"] == nil)
    #expect(first.options["attestationFormats"] == nil)
    #expect(first.state.expiresAt == TestAuthenticator.now.adding(seconds: 300))
    let signIn = try rp.beginAuthentication(user: nil, at: TestAuthenticator.now)
    #expect(signIn.state.challenge.count == 32)
    #expect(signIn.options["allowCredentials"] == [])
    #expect(signIn.state.user == nil)
  }

  /// The state of a ceremony holds as many models as may be listed.
  @Test func theLongestListOfModelsIsKept() throws {
    let rp = try #require(Self.rp)
    var options = RegistrationOptions()
    options.attestationPolicy.acceptedAAGUIDs = (0..<AttestationPolicy.maximumAcceptedAAGUIDs).map { number in
      [UInt8](repeating: 1, count: 14) + [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
    }
    let user = PasskeyUser(id: [1], name: "", displayName: "")
    let state = try rp.beginRegistration(user: user, options, at: TestAuthenticator.now).state
    let record = state.encoded()
    #expect(try RegistrationState(decoding: record.span).encoded() == record)
  }

  @Test func optionsThatCannotBeAreRefused() throws {
    let rp = try #require(Self.rp)
    func refusal(_ id: [UInt8] = [1], _ change: (inout RegistrationOptions) -> Void = { _ in }) throws -> Refusal? {
      var options = RegistrationOptions()
      change(&options)
      let user = PasskeyUser(id: id, name: "", displayName: "")
      return try RegistrationRuleTests.refusal {
        try rp.beginRegistration(user: user, options, at: TestAuthenticator.now)
      }
    }
    #expect(try refusal() == nil)
    #expect(try refusal([UInt8](repeating: 1, count: 64)) == nil)
    #expect(try refusal([]) == Refusal(.invalidOption, nil, "user.id"))
    #expect(try refusal([UInt8](repeating: 1, count: 65)) == Refusal(.invalidOption, nil, "user.id"))
    #expect(try refusal { $0.algorithms = [] } == Refusal(.invalidOption, nil, "algorithms"))
    let aaguid = [UInt8](repeating: 1, count: 16)
    #expect(try refusal { $0.attestationPolicy.acceptedAAGUIDs = [aaguid] } == nil)
    #expect(
      try refusal { $0.attestationPolicy.acceptedAAGUIDs = [aaguid, aaguid + [1]] }
        == Refusal(.invalidOption, nil, "acceptedAAGUIDs"))
    let most = AttestationPolicy.maximumAcceptedAAGUIDs
    #expect(try refusal { $0.attestationPolicy.acceptedAAGUIDs = .init(repeating: aaguid, count: most) } == nil)
    #expect(
      try refusal { $0.attestationPolicy.acceptedAAGUIDs = .init(repeating: aaguid, count: most + 1) }
        == Refusal(.invalidOption, nil, "acceptedAAGUIDs"))
    for formats in [[], ["packed", "android-safetynet", "none"]] as [[UTF8Text]] {
      #expect(try refusal { $0.attestationPolicy.acceptedFormats = formats } == nil)
    }
    for word in ["", "Packed", "packed ", "apple-appattest"] as [UTF8Text] {
      #expect(
        try refusal { $0.attestationPolicy.acceptedFormats = ["packed", word] }
          == Refusal(.invalidOption, nil, "acceptedFormats"))
    }
    for (age, isGood) in [(0, true), (60, true), (.max, true), (-1, false), (.min, false)] as [(Int64, Bool)] {
      var safetyNet = SafetyNetPolicy()
      safetyNet.maximumAge = age
      #expect(
        try refusal { $0.attestationPolicy.safetyNet = safetyNet }
          == (isGood ? nil : Refusal(.invalidOption, nil, "safetyNet.maximumAge")))
    }
    #expect(try refusal { $0.challenge = [UInt8](repeating: 1, count: 16) } == nil)
    #expect(
      try refusal { $0.challenge = [UInt8](repeating: 1, count: 15) } == Refusal(.invalidOption, nil, "challenge"))
    #expect(
      try refusal { $0.challenge = [UInt8](repeating: 1, count: 513) } == Refusal(.invalidOption, nil, "challenge"))
    #expect(try refusal { $0.lifetime = 0 } == Refusal(.invalidOption, nil, "lifetime"))
    #expect(try refusal { $0.lifetime = 86_401 } == Refusal(.invalidOption, nil, "lifetime"))
    #expect(try refusal { $0.lifetime = .max } == Refusal(.invalidOption, nil, "lifetime"))
    #expect(
      try RegistrationRuleTests.refusal { try rp.beginAuthentication(user: [], at: TestAuthenticator.now) }
        == Refusal(.invalidOption, nil, "user"))
  }

  /// A state with as many and as long names as are allowed can be read again; others are not written.
  @Test func credentialsNamedAreLimited() throws {
    let rp = try #require(Self.rp)
    func named(_ count: Int, _ length: Int) -> [CredentialDescriptor] {
      (0..<count).map { _ in CredentialDescriptor(id: [UInt8](repeating: 7, count: length)) }
    }
    func begin(_ credentials: [CredentialDescriptor]) throws -> AuthenticationState {
      var options = AuthenticationOptions()
      options.allowCredentials = credentials
      return try rp.beginAuthentication(user: nil, options, at: TestAuthenticator.now).state
    }
    let largest = try begin(named(256, 1023))
    #expect(try AuthenticationState(decoding: largest.encoded().span) == largest)
    for refused in [named(257, 16), named(1, 0), named(1, 1024)] {
      #expect(
        try RegistrationRuleTests.refusal { try begin(refused) } == Refusal(.invalidOption, nil, "allowCredentials"))
      var options = RegistrationOptions()
      options.excludeCredentials = refused
      let user = PasskeyUser(id: [1], name: "", displayName: "")
      #expect(
        try RegistrationRuleTests.refusal {
          try rp.beginRegistration(user: user, options, at: TestAuthenticator.now)
        } == Refusal(.invalidOption, nil, "excludeCredentials"))
    }
  }
}
