import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestAuthenticator
import TestCertificates
import Testing

/// App Attest (Apple, "Validating apps that connect to your server"): valid, and with one thing wrong.
struct AppAttestTests {
  private static let appID = "ABCDE12345.com.example.app"
  private static let hash = TestAuthenticator.hash(Array("challenge".utf8))
  private static let now = TestAuthenticator.now

  private static func app(_ environment: AppAttest.Environment = .production) throws -> AppAttest {
    try AppAttest(appID: appID, environment: environment)
  }

  /// Apple's part: a root, an authority below it, and the key of the leaf.
  private struct Apple: Sendable {
    let root: Authority, middle: Authority, leaf: SigningKey

    init() throws {
      root = try Authority("Root", .es384)
      middle = try Authority("Middle", .es384)
      leaf = try SigningKey.generate(.es256)
    }

    func point() throws -> [UInt8] {
      guard case .ec(_, let x, let y) = leaf.verificationKey.numbers else { throw CryptoError(.failed) }
      return [0x04] + x + y
    }

    /// The leaf's extensions, without or with one that holds the nonce.
    static func extensions(nonce: [UInt8]?) -> [Authority.Extension] {
      guard let nonce else { return [.endEntity] }
      let value = element(.sequence, element(.context1, element(.octetString, nonce)))
      return [.endEntity, .init([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x08, 0x02], value)]
    }
  }

  private static let authority = Result { try Apple() }

  /// An attestation as a device makes it, of which a test changes one part.
  struct Attestation: Sendable {
    var fmt: UTF8Text = "apple-appattest"
    var rpIdHash = TestAuthenticator.hash(Array(AppAttestTests.appID.utf8))
    var flags: UInt8 = 0x40
    var signCount: UInt8 = 0
    var aaguid = Array("appattest".utf8) + [UInt8](repeating: 0, count: 7)
    var credentialID: [UInt8]?
    /// Written after the credential id: the public key, extensions.
    var end: [UInt8] = CBORValue.map([CBORMapEntry("x", .unsigned(1))]).encoded()
    var keyID: [UInt8]?
    var nonce: [UInt8]?
    var hasNonce = true
    var leafAlgorithm: SignatureAlgorithm?
    var notAfter = "400101000000Z"
    var hasMiddle = true
    var now = TestAuthenticator.now
    var environment = AppAttest.Environment.production
    var otherAnchor = false
    var spoilAuthData: @Sendable (inout [UInt8]) -> Void = { _ in }
    var editStatement: @Sendable (CBORValue) -> CBORValue = { $0 }
    var spoilObject: @Sendable (inout [UInt8]) -> Void = { _ in }

    func keyIdentifier() throws -> [UInt8] {
      try keyID ?? TestAuthenticator.hash(AppAttestTests.authority.get().point())
    }

    func object() throws -> [UInt8] {
      let authority = try AppAttestTests.authority.get()
      let id = try credentialID ?? keyIdentifier()
      var authData =
        rpIdHash + [flags, 0, 0, 0, signCount] + aaguid + [0, UInt8(truncatingIfNeeded: id.count)] + id + end
      let nonce = nonce ?? TestAuthenticator.hash(authData + AppAttestTests.hash)
      spoilAuthData(&authData)
      let leafKey = try leafAlgorithm.map { try SigningKey.generate($0) } ?? authority.leaf
      let leaf = try authority.middle.certificate(
        for: "Leaf", leafKey, to: notAfter, Apple.extensions(nonce: hasNonce ? nonce : nil))
      let chain = try hasMiddle ? [leaf, authority.root.certificate(for: authority.middle)] : [leaf]
      let statement = CBORValue.map([
        CBORMapEntry("x5c", .array(chain.map { .bytes($0) })), CBORMapEntry("receipt", .bytes([1, 2, 3])),
      ])
      var bytes = CBORValue.map([
        CBORMapEntry("fmt", .text(fmt)), CBORMapEntry("attStmt", editStatement(statement)),
        CBORMapEntry("authData", .bytes(authData)),
      ]).encoded()
      spoilObject(&bytes)
      return bytes
    }

    func verify() throws -> VerifiedAppAttestation {
      let root = try otherAnchor ? Authority("Root", .es384) : AppAttestTests.authority.get().root
      let anchors = try TrustAnchors(certificates: [root.root()])
      let bytes = try object()
      let keyID = try keyIdentifier()
      return try AppAttestTests.app(environment).verifyAttestation(
        bytes.span, clientDataHash: AppAttestTests.hash, keyId: keyID, anchors: anchors, at: now)
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: Refusal?
    let change: @Sendable (inout Attestation) -> Void

    init(_ name: String, _ expected: Refusal? = nil, change: @escaping @Sendable (inout Attestation) -> Void) {
      (testDescription, self.expected, self.change) = (name, expected, change)
    }
  }

  private static func untrusted(_ path: CertificatePathError.Code) -> Refusal {
    Refusal(.attestationNotTrusted, nil, "x5c", path: path)
  }

  private static func refused(_ code: WebAuthnError.Code, _ field: Field) -> Refusal { Refusal(code, nil, field) }

  static let attestations: [Case] = [
    Case("as it is") { _ in },
    Case("in development") {
      $0.environment = .development
      $0.aaguid = Array("appattestdevelop".utf8)
    },
    Case("extensions with ED clear") { $0.end += CBORValue.map([CBORMapEntry("y", .null)]).encoded() },
    Case("nothing after the credential id") { $0.end = [] },
    Case("flags clear") { $0.flags = 0 },
    Case("a further member") { $0.editStatement = { $0.adding("z", .null) } },
    Case("of WebAuthn's format", refused(.attestationFormatNotSupported, "fmt")) { $0.fmt = "apple" },
    Case("no object", refused(.malformedAttestationObject, "attestationObject")) { $0.spoilObject = { $0 = [0x80] } },
    Case("a byte after the object", refused(.malformedAttestationObject, "attestationObject")) {
      $0.spoilObject = { $0.append(0) }
    },
    Case("no x5c", refused(.malformedAttestationStatement, "attStmt")) { $0.editStatement = { $0.without("x5c") } },
    Case("x5c empty", refused(.malformedAttestationStatement, "x5c")) {
      $0.editStatement = { $0.without("x5c").adding("x5c", .array([])) }
    },
    Case("no receipt", refused(.malformedAttestationStatement, "attStmt")) {
      $0.editStatement = { $0.without("receipt") }
    },
    Case("no authority between", untrusted(.unknownIssuer)) { $0.hasMiddle = false },
    Case("another root", untrusted(.signatureInvalid)) { $0.otherAnchor = true },
    Case("expired", untrusted(.expired)) { $0.notAfter = "210101000000Z" },
    Case("before its time", untrusted(.notYetValid)) { $0.now = UnixTime(1_500_000_000) },
    Case("nonce missing", refused(.attestationCertificateNotAllowed, "nonce")) { $0.hasNonce = false },
    Case("another nonce", refused(.attestationMismatch, "nonce")) {
      $0.nonce = [UInt8](repeating: 0, count: 32)
    },
    Case("authenticator data altered", refused(.attestationMismatch, "nonce")) {
      $0.spoilAuthData = { $0[$0.count - 1] ^= 1 }
    },
    Case("key of another curve", refused(.attestationCertificateNotAllowed, "subjectPublicKeyInfo")) {
      $0.leafAlgorithm = .es384
    },
    Case("another key", refused(.attestationMismatch, "subjectPublicKeyInfo")) {
      $0.leafAlgorithm = .es256
    },
    Case("another key identifier", refused(.attestationMismatch, "subjectPublicKeyInfo")) {
      $0.keyID = [UInt8](repeating: 1, count: 32)
    },
    Case("key identifier cut", refused(.invalidOption, "keyId")) { $0.keyID = [1] },
    Case("another app", refused(.rpIdHashMismatch, "rpIdHash")) {
      $0.rpIdHash = TestAuthenticator.hash(Array("ABCDE12345.com.example.other".utf8))
    },
    Case("counter 1", refused(.malformedAuthenticatorData, "signCount")) { $0.signCount = 1 },
    Case("made in development", refused(.wrongEnvironment, "aaguid")) { $0.aaguid = Array("appattestdevelop".utf8) },
    Case("made in production", refused(.wrongEnvironment, "aaguid")) { $0.environment = .development },
    Case("an authenticator's model", refused(.wrongEnvironment, "aaguid")) { $0.aaguid = [UInt8](0..<16) },
    Case("another credential id", refused(.credentialIDMismatch, "credentialId")) {
      $0.credentialID = [UInt8](repeating: 1, count: 32)
    },
    Case("credential id empty", refused(.credentialIDMismatch, "credentialId")) { $0.credentialID = [] },
    Case("authenticator data too large", refused(.malformedAuthenticatorData, "authenticatorData")) {
      $0.end = [UInt8](repeating: 0, count: 1 << 14)
    },
  ]

  @Test(arguments: attestations)
  func attestation(_ test: Case) throws {
    var attestation = Attestation()
    test.change(&attestation)
    #expect(try RegistrationRuleTests.refusal { try attestation.verify() } == test.expected)
  }

  @Test func whatASuccessSays() throws {
    let verified = try Attestation().verify()
    let authority = try Self.authority.get()
    #expect(verified.receipt == [1, 2, 3])
    #expect(verified.path.certificates.count == 3)
    #expect(verified.key.publicKey == (try authority.point()))
    #expect(verified.key.id == TestAuthenticator.hash(verified.key.publicKey))
    #expect(verified.key.appID == UTF8Text(Self.appID))
    #expect(verified.key.environment == .production)
    #expect(verified.key.signCount == 0)
    let bytes = verified.key.encoded()
    #expect(try AppAttestKey(decoding: bytes.span) == verified.key)
    for count in 0..<bytes.count {
      #expect(throws: WebAuthnError.self) { try AppAttestKey(decoding: bytes.span.extracting(0..<count)) }
    }
  }

  @Test func everyTruncationIsRefused() throws {
    let attestation = Attestation()
    let whole = try attestation.object()
    for count in 0..<whole.count {
      var cut = attestation
      cut.spoilObject = { $0 = Array(whole.prefix(count)) }
      let refusal = try RegistrationRuleTests.refusal { try cut.verify() }
      #expect(refusal?.code == .malformedAttestationObject, "\(count)")
    }
    for count in 0..<87 {
      var cut = attestation
      cut.spoilAuthData = { $0 = Array($0.prefix(count)) }
      let refusal = try RegistrationRuleTests.refusal { try cut.verify() }
      #expect(refusal?.code == .malformedAuthenticatorData, "\(count)")
    }
  }

  // MARK: Assertions

  struct Assertion: Sendable {
    var rpIdHash = TestAuthenticator.hash(Array(AppAttestTests.appID.utf8))
    var flags: UInt8 = 0x40
    var signCount: UInt8 = 1
    var end: [UInt8] = []
    var hash = AppAttestTests.hash
    var stored: UInt8 = 0
    var storedAppID = AppAttestTests.appID
    var storedEnvironment: UTF8Text = "production"
    var overNonce = true
    var spoilSignature: @Sendable (inout [UInt8]) -> Void = { _ in }
    var edit: @Sendable (CBORValue) -> CBORValue = { $0 }
    var spoilAuthData: @Sendable (inout [UInt8]) -> Void = { _ in }

    func verify() throws -> AppAttestKey {
      let authority = try AppAttestTests.authority.get()
      var authData = rpIdHash + [flags, 0, 0, 0, signCount] + end
      let message = authData + AppAttestTests.hash
      let signed = overNonce ? TestAuthenticator.hash(message) : message
      var signature = try authority.leaf.sign(signed.span, ecdsa: .der)
      spoilSignature(&signature)
      spoilAuthData(&authData)
      let object = CBORValue.map([
        CBORMapEntry("signature", .bytes(signature)), CBORMapEntry("authenticatorData", .bytes(authData)),
      ])
      let bytes = edit(object).encoded()
      let record = CBORValue.map([
        CBORMapEntry("kind", .text("app attest key")), CBORMapEntry("version", .unsigned(1)),
        CBORMapEntry("id", .bytes(TestAuthenticator.hash(try authority.point()))),
        CBORMapEntry("appID", .text(UTF8Text(storedAppID))), CBORMapEntry("publicKey", .bytes(try authority.point())),
        CBORMapEntry("environment", .text(storedEnvironment)), CBORMapEntry("signCount", .unsigned(UInt64(stored))),
      ]).encoded()
      let key = try AppAttestKey(decoding: record.span)
      return try AppAttestTests.app().verifyAssertion(bytes.span, clientDataHash: hash, key: key)
    }
  }

  struct AssertionCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: Refusal?
    let change: @Sendable (inout Assertion) -> Void

    init(_ name: String, _ expected: Refusal? = nil, change: @escaping @Sendable (inout Assertion) -> Void) {
      (testDescription, self.expected, self.change) = (name, expected, change)
    }
  }

  static let assertions: [AssertionCase] = [
    AssertionCase("as it is") { _ in },
    AssertionCase("flags clear") { $0.flags = 0 },
    AssertionCase("further bytes") { $0.end = [1, 2, 3] },
    AssertionCase("a further member") { $0.edit = { $0.adding("z", .null) } },
    AssertionCase("counter grown by more") {
      $0.stored = 7
      $0.signCount = 200
    },
    AssertionCase("an array", refused(.malformedResponse, "signature")) { $0.edit = { _ in .array([]) } },
    AssertionCase("no signature", refused(.malformedResponse, "signature")) { $0.edit = { $0.without("signature") } },
    AssertionCase("no authenticator data", refused(.malformedResponse, "authenticatorData")) {
      $0.edit = { $0.without("authenticatorData") }
    },
    AssertionCase("signature altered", refused(.signatureInvalid, "signature")) {
      $0.spoilSignature = { $0[$0.count - 1] ^= 1 }
    },
    AssertionCase("signature empty", refused(.signatureInvalid, "signature")) { $0.spoilSignature = { $0 = [] } },
    AssertionCase("signature over what WebAuthn signs", refused(.signatureInvalid, "signature")) {
      $0.overNonce = false
    },
    AssertionCase("of other client data", refused(.signatureInvalid, "signature")) {
      $0.hash = [UInt8](repeating: 0, count: 32)
    },
    AssertionCase("client data hash cut", refused(.invalidOption, "clientDataHash")) { $0.hash = [1] },
    AssertionCase("authenticator data altered", refused(.signatureInvalid, "signature")) {
      $0.spoilAuthData = { $0[36] ^= 2 }
    },
    AssertionCase("another app", refused(.rpIdHashMismatch, "rpIdHash")) {
      $0.rpIdHash = TestAuthenticator.hash(Array("ABCDE12345.com.example.other".utf8))
    },
    AssertionCase("key of another app", refused(.wrongRelyingParty, "key.appID")) {
      $0.storedAppID = "ABCDE12345.com.example.other"
    },
    AssertionCase("key made in development", refused(.wrongEnvironment, "key.environment")) {
      $0.storedEnvironment = "development"
    },
    AssertionCase("counter 0", refused(.signCountNotIncreased, "signCount")) { $0.signCount = 0 },
    AssertionCase("counter the same", refused(.signCountNotIncreased, "signCount")) { $0.stored = 1 },
    AssertionCase("counter less", refused(.signCountNotIncreased, "signCount")) { $0.stored = 2 },
  ]

  @Test(arguments: assertions)
  func assertion(_ test: AssertionCase) throws {
    var assertion = Assertion()
    test.change(&assertion)
    #expect(try RegistrationRuleTests.refusal { try assertion.verify() } == test.expected)
    if test.expected == nil { #expect(try assertion.verify().signCount == UInt32(assertion.signCount)) }
  }

  @Test func everyTruncationOfAuthenticatorDataIsRefused() throws {
    for count in 0..<37 {
      var assertion = Assertion()
      assertion.spoilAuthData = { $0 = Array($0.prefix(count)) }
      let refusal = try RegistrationRuleTests.refusal { try assertion.verify() }
      #expect(refusal?.code == .malformedAuthenticatorData, "\(count)")
    }
  }

  @Test(arguments: [
    ("ABCDE12345.com.example.app", true), ("ABCDE12345.app", true), ("abcde12345.com.example-2", true), ("", false),
    ("ABCDE12345", false), ("ABCDE12345.", false), ("ABCDE1234.com.example", false), ("ABCDE123456.com.example", false),
    ("ABCDE1234-.com.example", false), ("ABCDE12345..example", false), ("ABCDE12345.com.exam ple", false),
    ("ABCDE12345.com.exämple", false), ("com.example.app", false),
    ("ABCDE12345." + String(repeating: "a", count: 244), true),
    ("ABCDE12345." + String(repeating: "a", count: 245), false),
  ])
  func appIDsHaveATeam(_ appID: String, _ isValid: Bool) throws {
    let expected = isValid ? nil : Self.refused(.invalidOption, "appID")
    #expect(try RegistrationRuleTests.refusal { try AppAttest(appID: appID) } == expected)
  }

  @Test func aPasskeyIsNeverMadeOfIt() throws {
    var answer = RegistrationAnswer()
    answer.fmt = "apple-appattest"
    let refusal = try RegistrationRuleTests.refusal { try RegistrationRuleTests.finish(answer) }
    #expect(refusal == Refusal(.attestationFormatNotSupported, 21, "fmt"))
  }
}
