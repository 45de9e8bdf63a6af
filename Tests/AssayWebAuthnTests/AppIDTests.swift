import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestAuthenticator
import Testing

/// Credentials that were registered with U2F, under an AppID (WebAuthn L3, 10.1.1).
struct AppIDTests {
  private static let appid: UTF8Text = "https://example.com/app-id.json"
  private static let mismatch = Refusal(.rpIdHashMismatch, 15, "rpIdHash")

  enum Hash: Sendable, CaseIterable { case rpId, appid, other }

  private static func hash(_ hash: Hash) -> [UInt8] {
    switch hash {
    case .rpId: TestAuthenticator.hash(Array(TestAuthenticator.rpId.utf8))
    case .appid: TestAuthenticator.hash(appid.utf8)
    case .other: TestAuthenticator.hash(Array("https://example.com/other".utf8))
    }
  }

  /// Whether an AppID was given, what the client says of it, and for what the authenticator worked.
  @Test(
    arguments: [
      (false, nil, .rpId, true), (false, nil, .appid, false), (false, true, .rpId, true), (false, true, .appid, false),
      (true, nil, .rpId, true), (true, nil, .appid, false), (true, false, .rpId, true), (true, false, .appid, false),
      (true, true, .rpId, false), (true, true, .appid, true), (true, true, .other, false), (true, nil, .other, false),
      (true, "true", .rpId, true), (true, "true", .appid, false), (true, 1, .appid, false),
      (true, .null, .appid, false),
    ] as [(Bool, JSONValue?, Hash, Bool)])
  func whatIsExpected(_ isGiven: Bool, _ output: JSONValue?, _ hash: Hash, _ isAccepted: Bool) throws {
    var ceremony = AuthenticationRuleTests.Ceremony()
    ceremony.options.extensions.appid = isGiven ? Self.appid : nil
    ceremony.answer.parts.rpIdHash = Self.hash(hash)
    ceremony.answer.parts.edit = { credential in
      var outputs: JSONObject = [:]
      outputs["appid"] = output
      credential["clientExtensionResults"] = .object(outputs)
    }
    guard isAccepted else {
      #expect(try RegistrationRuleTests.refusal { try ceremony.finish() } == Self.mismatch)
      return
    }
    let verified = try ceremony.finish()
    #expect(verified.appidWasUsed == output?.bool)
    #expect(verified.steps.map(\.step.number) == Array(1...25))
    #expect(verified.steps[14].what.contains("AppID") == (hash == .appid))
  }
}
