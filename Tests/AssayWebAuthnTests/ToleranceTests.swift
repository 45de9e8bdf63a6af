import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestAuthenticator
import TestCertificates
import Testing

/// What deployed clients and authenticators do other than the specification says: forgiven where that is safe and only as
/// far as it is, or where the caller asked for it by name.
struct ToleranceTests {
  // MARK: Firefox 117

  /// The public key of an Ed25519 credential as Firefox 117 wrote it.
  private static func firefox117Key() throws -> [UInt8] {
    guard case .edwards(_, let x) = try TestAuthenticator.coseKey(.edDSA).numbers else { return [] }
    return [0xA3, 0x01, 0x63] + Array("OKP".utf8) + [0x03, 0x27, 0x20, 0x67] + Array("Ed25519".utf8)
      + [0x21, 0x58, 0x20] + x
  }

  private static func answer(key: [UInt8]) -> RegistrationAnswer {
    var answer = RegistrationAnswer()
    answer.parts.algorithm = .edDSA
    answer.coseKeyBytes = key
    return answer
  }

  /// A relying party that puts up with such keys.
  private static let forgiving: RegistrationOptions = {
    var options = RegistrationOptions()
    options.attestationPolicy.allowsFirefox117Key = true
    return options
  }()

  @Test func firefox117KeyIsPutRight() throws {
    var answer = Self.answer(key: try Self.firefox117Key())
    answer.parts.flags |= 0x80
    answer.parts.authDataEnd = CBORValue.map([CBORMapEntry("credProtect", .unsigned(2))]).encoded()
    let verified = try RegistrationRuleTests.finish(answer, Self.forgiving)
    #expect(verified.credential.publicKey == (try TestAuthenticator.coseKey(.edDSA).encoded()))
    #expect(verified.authenticatorData.attestedCredentialData?.isRepaired == true)
    #expect(verified.authenticatorData.extensions?["credProtect"]?.int64 == 2)
    #expect(verified.steps.filter { $0.step.number == 20 }.count == 2)
    let usual = try RegistrationRuleTests.finish(RegistrationAnswer(), Self.forgiving)
    #expect(usual.authenticatorData.attestedCredentialData?.isRepaired == false)
  }

  @Test func firefox117KeyIsRefusedUnlessAskedFor() throws {
    let answer = Self.answer(key: try Self.firefox117Key())
    let error = #expect(throws: WebAuthnError.self) { try RegistrationRuleTests.finish(answer) }
    #expect(error?.code == .malformedAuthenticatorData && error?.step?.number == 13)
    // It says what this is, and what takes it.
    #expect(error?.description.contains("allowsFirefox117Key") == true)
  }

  @Test func onlyExactlyThatIsPutRight() throws {
    let key = try Self.firefox117Key()
    for bit in 0..<(20 * 8) {
      var changed = key
      changed[bit / 8] ^= 1 << (bit % 8)
      let answer = Self.answer(key: changed)
      let refusal = try RegistrationRuleTests.refusal { try RegistrationRuleTests.finish(answer, Self.forgiving) }
      #expect(refusal != nil, "\(bit)")
    }
    for count in 0..<key.count {
      let answer = Self.answer(key: Array(key.prefix(count)))
      let refusal = try RegistrationRuleTests.refusal { try RegistrationRuleTests.finish(answer, Self.forgiving) }
      // Cut after its third entry, it is a map of three; just no key.
      #expect(refusal?.code == (count == 17 ? .invalidPublicKey : .malformedAuthenticatorData), "\(count)")
    }
  }

  // MARK: Envelopes

  @Test func authenticatorDataOfCTAPIsRecognised() throws {
    var answer = RegistrationAnswer()
    answer.parts.spoilAuthData = { $0 = CBORValue.bytes($0).encoded() }
    let error = #expect(throws: WebAuthnError.self) { try RegistrationRuleTests.finish(answer) }
    #expect(error?.description.contains("CTAP") == true)
  }

  @Test func paddedAndStandardBase64AreForgivenByNameOnly() throws {
    let rp = try TestAuthenticator.relyingParty()
    var options = AuthenticationOptions()
    options.challenge = TestAuthenticator.challenge
    let start = try rp.beginAuthentication(user: TestAuthenticator.user, options, at: TestAuthenticator.now)
    func finish(_ json: [UInt8], _ tolerances: ResponseTolerances) throws -> Refusal? {
      try RegistrationRuleTests.refusal {
        let response = try AuthenticationResponse(json: json.span, tolerances)
        let stored = try AuthenticationRuleTests.Ceremony().stored()
        return try rp.finishAuthentication(
          response, state: start.state, credential: stored, at: TestAuthenticator.now)
      }
    }
    let bytes = try SignInAnswer().json()
    #expect(try finish(bytes, []) == nil)
    #expect(try finish(bytes, [.padding, .standardAlphabet]) == nil)
    let text = String(decoding: bytes, as: UTF8.self)
    func base64url(_ bytes: [UInt8]) -> String { Base64URL.encode(bytes.span).string }
    let (handle, id) = (base64url(TestAuthenticator.user), base64url(TestAuthenticator.credentialID))
    let padded = Array(text.replacing("\"\(id)\"", with: "\"\(id)=\"").utf8)
    #expect(try finish(padded, []) == Refusal(.malformedResponse, 3, "rawId"))
    #expect(try finish(padded, .padding) == nil)
    let standard = Array(
      text.split(separator: "\"", omittingEmptySubsequences: false)
        .map { $0.utf8.count > 60 ? $0.replacing("-", with: "+").replacing("_", with: "/") : $0 }
        .joined(separator: "\"").utf8)
    if standard != bytes {
      #expect(try finish(standard, [])?.code == .malformedResponse)
      #expect(try finish(standard, .standardAlphabet) == nil)
    }
    // A length that no base64 has is an error whatever is forgiven.
    let odd = Array(text.replacing("\"\(handle)\"", with: "\"\(handle)A\"").utf8)
    #expect(try finish(odd, [.padding, .standardAlphabet])?.code == .malformedResponse)
  }

  @Test(
    arguments: [
      ("authenticatorAttachment", 1), ("authenticatorAttachment", []), ("clientExtensionResults", "x"),
      ("clientExtensionResults", []), ("publicKey", 1), ("publicKeyAlgorithm", "-7"), ("authenticatorData", [:]),
      ("transports", "usb"),
    ] as [(UTF8Text, JSONValue)])
  func membersThatAreNotUsedMustHaveTheirType(_ name: UTF8Text, _ value: JSONValue) throws {
    let isOuter = name == "authenticatorAttachment" || name == "clientExtensionResults"
    for (value, isRefused) in [(value, true), (.null, false), (nil, false)] as [(JSONValue?, Bool)] {
      var answer = RegistrationAnswer()
      if isOuter { answer.parts.edit = { $0[name] = value } } else { answer.parts.editResponse = { $0[name] = value } }
      let refusal = try RegistrationRuleTests.refusal { try RegistrationRuleTests.finish(answer) }
      #expect(refusal?.code == (isRefused ? .malformedResponse : nil))
      if isRefused { #expect(refusal?.field.description == name.string) }
    }
  }

  @Test func attachmentIsHandedOn() throws {
    var answer = RegistrationAnswer()
    #expect(try RegistrationRuleTests.finish(answer).authenticatorAttachment == .platform)
    answer.parts.edit = { $0["authenticatorAttachment"] = "cross-platform" }
    #expect(try RegistrationRuleTests.finish(answer).authenticatorAttachment == .crossPlatform)
    answer.parts.edit = { $0["authenticatorAttachment"] = "implanted" }
    #expect(try RegistrationRuleTests.finish(answer).authenticatorAttachment == nil)
  }

  // MARK: Attestation

  @Test func unknownFormatIsIgnoredIfAskedFor() throws {
    var options = RegistrationOptions()
    options.attestationPolicy.unknownFormat = .ignore
    var answer = RegistrationAnswer()
    answer.fmt = "banana"
    let verified = try RegistrationRuleTests.finish(answer, options)
    #expect(verified.attestation.format == "banana")
    #expect(verified.attestation.type == .unverified)
    #expect(verified.attestation.trust == .notApplicable)
    #expect(verified.steps.filter { [21, 22].contains($0.step.number) }.allSatisfy { $0.outcome == .leftToCaller })
    #expect(verified.steps.map(\.step.number) == Array(1...29))
    // A known format is verified all the same.
    answer.fmt = "packed"
    #expect(try RegistrationRuleTests.finish(answer, options).attestation.type == .selfAttestation)
    answer.parts.spoilSignature = { $0[$0.count - 1] ^= 1 }
    let refusal = try RegistrationRuleTests.refusal { try RegistrationRuleTests.finish(answer, options) }
    #expect(refusal == Refusal(.signatureInvalid, 22, "sig"))
  }

  /// An ECDSA signature in DER with `count` zero bytes more before each integer.
  private static func padded(_ signature: [UInt8], _ count: Int) -> [UInt8] {
    let rCount = Int(signature[3])
    let r = signature[4..<(4 + rCount)]
    let s = signature[(6 + rCount)...]
    let zeros = [UInt8](repeating: 0, count: count)
    return element(.sequence, element(.integer, zeros + r) + element(.integer, zeros + s))
  }

  @Test(arguments: ["packed", "fido-u2f"] as [UTF8Text])
  func paddedSignatureIsForgivenIfAskedFor(_ fmt: UTF8Text) throws {
    var options = RegistrationOptions()
    options.attestationPolicy.allowsPaddedSignature = true
    var answer = RegistrationAnswer()
    answer.fmt = fmt
    answer.certificate = TestCertificate()
    let invalid = Refusal(.signatureInvalid, 22, "sig")
    for count in 0...8 {
      answer.parts.spoilSignature = { $0 = Self.padded($0, count) }
      let strict = try RegistrationRuleTests.refusal { try RegistrationRuleTests.finish(answer) }
      #expect(strict == (count == 0 ? nil : invalid))
      // A zero byte may be there already, to keep the number from being read as negative.
      if count < 8 {
        #expect(try RegistrationRuleTests.refusal { try RegistrationRuleTests.finish(answer, options) } == nil)
      }
    }
    let spoils: [@Sendable (inout [UInt8]) -> Void] = [
      { $0 = Self.padded($0, 9) }, { $0 = Self.padded($0, 1) + [0] }, { $0[$0.count - 1] ^= 1 }, { $0 = [] },
      { $0 = [0x30, 0x80] + $0.dropFirst(2) + [0, 0] }, { $0 = [0x30, 0x81] + $0.dropFirst() },
      { $0 = element(.sequence, element(.integer, []) + element(.integer, [1])) },
    ]
    for spoil in spoils {
      answer.parts.spoilSignature = spoil
      #expect(try RegistrationRuleTests.refusal { try RegistrationRuleTests.finish(answer, options) } == invalid)
    }
  }

  // MARK: Backup eligibility

  @Test(
    arguments: [
      (.refuse, false, true, nil), (.refuse, true, false, nil), (.allowUpgrade, false, true, true),
      (.allowUpgrade, true, false, nil), (.follow, false, true, true), (.follow, true, false, false),
      (.refuse, true, true, true), (.allowUpgrade, false, false, false), (.follow, true, true, true),
    ] as [(BackupEligibilityPolicy, Bool, Bool, Bool?)])
  func backupEligibility(_ policy: BackupEligibilityPolicy, stored: Bool, seen: Bool, expected: Bool?) throws {
    var ceremony = AuthenticationRuleTests.Ceremony()
    ceremony.options.backupEligibilityPolicy = policy
    ceremony.storedBackupEligible = stored
    if seen { ceremony.answer.parts.flags |= 0x08 }
    guard let expected else {
      let refusal = try RegistrationRuleTests.refusal { try ceremony.finish() }
      #expect(refusal == Refusal(.backupEligibilityChanged, 19, "flags"))
      return
    }
    let verified = try ceremony.finish()
    #expect(verified.credential.backupEligible == expected)
    #expect(verified.backupEligibilityChanged == (stored != seen))
    #expect(verified.steps.map(\.step.number) == Array(1...25))
    #expect(verified.steps[18].outcome == (stored == seen ? .verified : .leftToCaller))
  }
}
