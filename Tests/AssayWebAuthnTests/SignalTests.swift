import AssayCodec
import AssayWebAuthn
import TestAuthenticator
import Testing

/// What a page hands to the browser's signal methods (WebAuthn L3, 5.1.10).
struct SignalTests {
  private static func text(_ value: JSONValue) -> String { String(decoding: value.encoded(), as: UTF8.self) }

  @Test func argumentsAreExactly() throws {
    let rp = try TestAuthenticator.relyingParty()
    let unknown = try rp.unknownCredentialSignal(credentialID: [1, 2, 3])
    #expect(Self.text(unknown) == #"{"rpId":"example.com","credentialId":"AQID"}"#)
    let accepted = try rp.allAcceptedCredentialsSignal(user: [0xFF], credentialIDs: [[1, 2, 3], [4]])
    #expect(
      Self.text(accepted) == #"{"rpId":"example.com","userId":"_w","allAcceptedCredentialIds":["AQID","BA"]}"#)
    let none = try rp.allAcceptedCredentialsSignal(user: [0xFF], credentialIDs: [])
    #expect(Self.text(none) == #"{"rpId":"example.com","userId":"_w","allAcceptedCredentialIds":[]}"#)
    let details = try rp.currentUserDetailsSignal(user: PasskeyUser(id: [0xFF], name: "a@b", displayName: "Ä"))
    #expect(Self.text(details) == #"{"rpId":"example.com","userId":"_w","name":"a@b","displayName":"Ä"}"#)
  }

  @Test func limitsAreThoseOfTheSpecification() throws {
    let rp = try TestAuthenticator.relyingParty()
    for count in [0, 1, 1023, 1024] {
      let id = [UInt8](repeating: 1, count: count)
      let isValid = (1...1023).contains(count)
      #expect(
        try RegistrationRuleTests.refusal { try rp.unknownCredentialSignal(credentialID: id) }
          == (isValid ? nil : Refusal(.invalidOption, nil, "credentialId")))
      #expect(
        try RegistrationRuleTests.refusal { try rp.allAcceptedCredentialsSignal(user: [1], credentialIDs: [[1], id]) }
          == (isValid ? nil : Refusal(.invalidOption, nil, "allAcceptedCredentialIds")))
    }
    for count in [0, 1, 64, 65] {
      let id = [UInt8](repeating: 1, count: count)
      let expected = (1...64).contains(count) ? nil : Refusal(.invalidOption, nil, "userId")
      let user = PasskeyUser(id: id, name: "", displayName: "")
      #expect(try RegistrationRuleTests.refusal { try rp.currentUserDetailsSignal(user: user) } == expected)
      #expect(
        try RegistrationRuleTests.refusal { try rp.allAcceptedCredentialsSignal(user: id, credentialIDs: []) }
          == expected)
    }
    let many = [[UInt8]](repeating: [1], count: 257)
    #expect(throws: WebAuthnError.self) { try rp.allAcceptedCredentialsSignal(user: [1], credentialIDs: many) }
  }
}
