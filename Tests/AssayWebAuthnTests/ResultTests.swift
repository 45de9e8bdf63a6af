import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestAuthenticator
import Testing

/// What a finished ceremony says beyond its verdict: extension outputs, and the record of it for a log.
struct ResultTests {
  @Test func extensionOutputsAreReadable() throws {
    var answer = RegistrationAnswer()
    #expect(try RegistrationRuleTests.finish(answer).isDiscoverable == true)
    answer.parts.edit = {
      $0["clientExtensionResults"] = [
        "credProps": ["rk": false], "prf": ["enabled": true], "largeBlob": ["supported": true], "unknown": [1, .null],
      ]
    }
    answer.parts.flags |= 0x80
    answer.parts.authDataEnd = CBORValue.map([
      CBORMapEntry("credProtect", .unsigned(3)), CBORMapEntry("hmac-secret", .bool(true)),
      CBORMapEntry("minPinLength", .unsigned(6)),
    ]).encoded()
    let verified = try RegistrationRuleTests.finish(answer)
    #expect(verified.isDiscoverable == false)
    #expect(verified.isPRFEnabled == true)
    #expect(verified.isLargeBlobSupported == true)
    #expect(verified.credentialProtection == .userVerificationRequired)
    #expect(verified.minimumPINLength == 6)
    #expect(verified.hasHMACSecret == true)
    #expect(verified.clientExtensionResults["unknown"] == [1, .null])
    #expect(verified.authenticatorData.extensionBytes == answer.parts.authDataEnd)
  }

  @Test func extensionOutputsOfAnotherTypeAreAbsent() throws {
    var answer = RegistrationAnswer()
    answer.parts.edit = {
      $0["clientExtensionResults"] = ["credProps": true, "prf": [:], "largeBlob": ["supported": 1]]
    }
    answer.parts.flags |= 0x80
    answer.parts.authDataEnd = CBORValue.map([
      CBORMapEntry("credProtect", .unsigned(4)), CBORMapEntry("hmac-secret", .unsigned(1)),
      CBORMapEntry("minPinLength", .unsigned(.max)),
    ]).encoded()
    let verified = try RegistrationRuleTests.finish(answer)
    #expect(verified.isDiscoverable == nil)
    #expect(verified.isPRFEnabled == nil)
    #expect(verified.isLargeBlobSupported == nil)
    #expect(verified.credentialProtection == nil)
    #expect(verified.minimumPINLength == nil)
    #expect(verified.hasHMACSecret == nil)
  }

  @Test func everyOutputOfARegistrationIsReadable() throws {
    var answer = RegistrationAnswer()
    answer.parts.edit = {
      $0["clientExtensionResults"] = [
        "prf": ["enabled": true, "results": ["first": "AQ", "second": "Ag"]], "appidExclude": true,
      ]
    }
    answer.parts.flags |= 0x80
    answer.parts.authDataEnd = CBORValue.map([
      CBORMapEntry("credBlob", .bool(false)), CBORMapEntry("hmac-secret-mc", .bytes([1, 2])),
      CBORMapEntry("uvm", .array([.array([.unsigned(2), .unsigned(4), .unsigned(2)])])),
    ]).encoded()
    let verified = try RegistrationRuleTests.finish(answer)
    #expect(verified.prfResults == PRFValues(first: [1], second: [2]))
    #expect(verified.appidExcludeWasUsed == true)
    #expect(verified.isCredBlobStored == false)
    #expect(verified.encryptedHMACSecrets == [1, 2])
    let uvm = try #require(verified.userVerificationMethods?.first)
    #expect(uvm.userVerificationMethod == 2 && uvm.keyProtectionType == 4 && uvm.matcherProtectionType == 2)
  }

  @Test func everyOutputOfASignInIsReadable() throws {
    var ceremony = AuthenticationRuleTests.Ceremony()
    ceremony.answer.parts.edit = {
      $0["clientExtensionResults"] = [
        "prf": ["results": ["first": "AQ"]], "largeBlob": ["blob": "aGVsbG8gYmxvYg", "written": false],
      ]
    }
    ceremony.answer.parts.flags |= 0x80
    ceremony.answer.parts.authDataEnd = CBORValue.map([
      CBORMapEntry("credBlob", .bytes([])), CBORMapEntry("hmac-secret", .bytes([3])),
    ]).encoded()
    let verified = try ceremony.finish()
    #expect(verified.prfResults == PRFValues(first: [1]))
    #expect(verified.largeBlob == Array("hello blob".utf8))
    #expect(verified.isLargeBlobWritten == false)
    #expect(verified.credBlob == [])
    #expect(verified.encryptedHMACSecrets == [3])
    #expect(verified.userVerificationMethods == nil)
    #expect(verified.appidWasUsed == nil)
  }

  @Test(
    arguments: [
      .null, .array([]), .array([.unsigned(1)]), .array([.array([.unsigned(1), .unsigned(1)])]),
      .array([.array([.unsigned(1), .unsigned(1), .unsigned(1), .unsigned(1)])]),
      .array([.array([.unsigned(1 << 32), .unsigned(1), .unsigned(1)])]),
      .array([.array([.unsigned(1), .unsigned(1 << 16), .unsigned(1)])]),
      .array([.array([.unsigned(1), .unsigned(1), .negative(0)])]),
      .array([CBORValue](repeating: .array([.unsigned(1), .unsigned(1), .unsigned(1)]), count: 4)),
    ] as [CBORValue])
  func verificationMethodsHaveOneForm(_ uvm: CBORValue) throws {
    var ceremony = AuthenticationRuleTests.Ceremony()
    ceremony.answer.parts.flags |= 0x80
    ceremony.answer.parts.authDataEnd = CBORValue.map([CBORMapEntry("uvm", uvm)]).encoded()
    #expect(try ceremony.finish().userVerificationMethods == nil)
  }

  @Test(
    arguments: [
      [:], ["prf": true, "largeBlob": 1], ["prf": ["results": [:]], "largeBlob": ["blob": 1]],
      ["prf": ["results": ["first": "A="]], "largeBlob": ["blob": "A="]],
      ["prf": ["results": ["second": "AQ"]], "largeBlob": ["blob": .null]],
      ["prf": ["results": ["first": "AQ", "second": 1]], "largeBlob": ["blob": ["AQ"]]],
    ] as [JSONValue])
  func resultsOfAnotherFormAreAbsent(_ results: JSONValue) throws {
    var ceremony = AuthenticationRuleTests.Ceremony()
    ceremony.answer.parts.edit = { $0["clientExtensionResults"] = results }
    let verified = try ceremony.finish()
    #expect(verified.prfResults == nil)
    #expect(verified.largeBlob == nil)
  }

  @Test func registrationIsRecordedWithEveryCheck() throws {
    var answer = RegistrationAnswer()
    answer.certificate = TestCertificate()
    let verified = try RegistrationRuleTests.finish(answer)
    let record = verified.auditRecord
    #expect(record["ceremony"] == "registration")
    #expect(record["rpId"] == "example.com")
    #expect(record["origin"] == TestAuthenticator.origin)
    #expect(record["user"] == TestAuthenticator.base64url(TestAuthenticator.user))
    #expect(record["credentialId"] == TestAuthenticator.base64url(TestAuthenticator.credentialID))
    #expect(record["aaguid"] == "c8c9cacbcccdcecfd0d1d2d3d4d5d6d7")
    #expect(record["userVerified"] == true)
    #expect(record["signCount"] == 7)
    let attestation = try #require(record["attestation"])
    #expect(attestation["fmt"] == "packed")
    #expect(attestation["type"] == "basic or attCA")
    #expect(attestation["trust"] == "not evaluated")
    let checks = try #require(record["checks"]?.array)
    #expect(checks.count == verified.steps.count)
    #expect(checks.first?["step"] == "7.1 step 1")
    #expect(checks.allSatisfy { $0["outcome"]?.string != nil && $0["what"]?.string != nil })
    // It is JSON, and holds neither the challenge nor the key.
    let bytes = record.encoded()
    let again = try JSONValue.decode(bytes.span)
    #expect(again == record)
    let text = String(decoding: bytes, as: UTF8.self)
    for hidden in [TestAuthenticator.challenge, verified.credential.publicKey] {
      let hidden = Base64URL.encode(hidden.span).string
      #expect(!text.contains(hidden))
    }
  }

  @Test func signInIsRecordedWithEveryCheck() throws {
    var ceremony = AuthenticationRuleTests.Ceremony()
    ceremony.options.signCountPolicy = .report
    ceremony.storedSignCount = 9
    let record = try ceremony.finish().auditRecord
    #expect(record["ceremony"] == "authentication")
    #expect(record["signCountOutcome"] == "not increased")
    #expect(record["backupEligibilityChanged"] == false)
    let checks = try #require(record["checks"]?.array)
    #expect(checks.count == 25)
    #expect(checks[21]["step"] == "7.2 step 22")
    #expect(checks[21]["outcome"] == "left to caller")
  }
}
