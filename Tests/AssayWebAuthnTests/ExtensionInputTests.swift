import AssayCodec
import AssayCrypto
import AssayWebAuthn
import Foundation
import TestAuthenticator
import TestSupport
import Testing

/// What a ceremony asks of extensions, as the client gets it.
struct ExtensionInputTests {
  private static func registration(_ change: (inout RegistrationExtensions) -> Void) throws -> String? {
    var options = RegistrationOptions()
    change(&options.extensions)
    let user = PasskeyUser(id: [1], name: "alice", displayName: "Alice")
    let rp = try TestAuthenticator.relyingParty()
    return try rp.beginRegistration(user: user, options, at: TestAuthenticator.now).options["extensions"].map {
      String(decoding: $0.encoded(), as: UTF8.self)
    }
  }

  private static func signIn(
    _ allowed: [[UInt8]] = [], _ change: (inout AuthenticationExtensions) -> Void
  ) throws -> String? {
    var options = AuthenticationOptions()
    options.allowCredentials = allowed.map { CredentialDescriptor(id: $0) }
    change(&options.extensions)
    let rp = try TestAuthenticator.relyingParty()
    return try rp.beginAuthentication(user: nil, options, at: TestAuthenticator.now).options["extensions"].map {
      String(decoding: $0.encoded(), as: UTF8.self)
    }
  }

  private static func refused(_ field: Field) -> Refusal { Refusal(.invalidOption, nil, field) }

  @Test func registrationInputs() throws {
    let cases: [((inout RegistrationExtensions) -> Void, String?)] = [
      ({ _ in }, nil), ({ $0.credProps = true }, #"{"credProps":true}"#), ({ $0.prf = PRFInput() }, #"{"prf":{}}"#),
      (
        { $0.prf = PRFInput(eval: PRFValues(first: [0xFF], second: [])) },
        #"{"prf":{"eval":{"first":"_w","second":""}}}"#
      ),
      ({ $0.largeBlob = .required }, #"{"largeBlob":{"support":"required"}}"#),
      ({ $0.largeBlob = .preferred }, #"{"largeBlob":{"support":"preferred"}}"#),
      ({ $0.credBlob = Array("blobby".utf8) }, #"{"credBlob":"YmxvYmJ5"}"#),
      (
        { $0.credentialProtectionPolicy = .userVerificationOptionalWithCredentialIDList },
        #"{"credentialProtectionPolicy":"userVerificationOptionalWithCredentialIDList","#
          + #""enforceCredentialProtectionPolicy":false}"#
      ),
      (
        {
          $0.credentialProtectionPolicy = .userVerificationRequired
          $0.enforceCredentialProtectionPolicy = true
        },
        #"{"credentialProtectionPolicy":"userVerificationRequired","enforceCredentialProtectionPolicy":true}"#
      ),
      ({ $0.minPinLength = true }, #"{"minPinLength":true}"#),
      (
        { $0.appidExclude = "https://login.example.com/app-id.json" },
        #"{"appidExclude":"https://login.example.com/app-id.json"}"#
      ),
      ({ $0.uvm = true }, #"{"uvm":true}"#), ({ $0.isPayment = true }, #"{"payment":{"isPayment":true}}"#),
      (
        {
          $0.remoteDesktopClientOverride = RemoteDesktopClientOverride(
            origin: "https://example.com", sameOriginWithAncestors: true)
        },
        #"{"remoteDesktopClientOverride":{"origin":"https://example.com","sameOriginWithAncestors":true}}"#
      ),
      (
        {
          $0.additional = ["credProps": false, "example.extension": [1]]
          $0.credProps = true
        }, #"{"credProps":true,"example.extension":[1]}"#
      ),
    ]
    for (change, expected) in cases { #expect(try Self.registration(change) == expected) }
  }

  @Test func signInInputs() throws {
    let cases: [((inout AuthenticationExtensions) -> Void, String?)] = [
      ({ _ in }, nil), ({ $0.appid = "https://example.com" }, #"{"appid":"https://example.com"}"#),
      (
        { $0.prf = PRFInput(eval: PRFValues(first: [1]), evalByCredential: [[2]: PRFValues(first: [3], second: [4])]) },
        #"{"prf":{"eval":{"first":"AQ"},"evalByCredential":{"Ag":{"first":"Aw","second":"BA"}}}}"#
      ),
      ({ $0.largeBlob = .read }, #"{"largeBlob":{"read":true}}"#),
      ({ $0.largeBlob = .write(Array("hello blob".utf8)) }, #"{"largeBlob":{"write":"aGVsbG8gYmxvYg"}}"#),
      ({ $0.getCredBlob = true }, #"{"getCredBlob":true}"#), ({ $0.uvm = true }, #"{"uvm":true}"#),
      (
        {
          $0.remoteDesktopClientOverride = RemoteDesktopClientOverride(
            origin: "https://example.com", sameOriginWithAncestors: false)
        },
        #"{"remoteDesktopClientOverride":{"origin":"https://example.com","sameOriginWithAncestors":false}}"#
      ),
      ({ $0.additional = ["example.extension": "x"] }, #"{"example.extension":"x"}"#),
    ]
    for (change, expected) in cases { #expect(try Self.signIn([[2]], change) == expected) }
  }

  @Test func whatAClientWouldRefuseIsRefusedBefore() throws {
    let values = PRFValues(first: [1])
    let registrations: [(Field, (inout RegistrationExtensions) -> Void)] = [
      ("extensions.prf.evalByCredential", { $0.prf = PRFInput(evalByCredential: [[2]: values]) }),
      ("extensions.enforceCredentialProtectionPolicy", { $0.enforceCredentialProtectionPolicy = true }),
      ("extensions.appidExclude", { $0.appidExclude = "https://example.org" }),
    ]
    for (field, change) in registrations {
      #expect(try RegistrationRuleTests.refusal { try Self.registration(change) } == Self.refused(field))
    }
    let signIns: [(Field, [[UInt8]], (inout AuthenticationExtensions) -> Void)] = [
      ("extensions.prf.evalByCredential", [], { $0.prf = PRFInput(evalByCredential: [[2]: values]) }),
      ("extensions.prf.evalByCredential", [[3]], { $0.prf = PRFInput(evalByCredential: [[2]: values]) }),
      ("extensions.prf.evalByCredential", [[3]], { $0.prf = PRFInput(evalByCredential: [[]: values]) }),
      ("extensions.prf.evalByCredential", [[3]], { $0.prf = PRFInput(evalByCredential: [[3]: values, [2]: values]) }),
      ("extensions.largeBlob.write", [], { $0.largeBlob = .write([1]) }),
      ("extensions.largeBlob.write", [[2], [3]], { $0.largeBlob = .write([1]) }),
    ]
    for (field, allowed, change) in signIns {
      #expect(try RegistrationRuleTests.refusal { try Self.signIn(allowed, change) } == Self.refused(field))
    }
  }

  @Test(arguments: [
    ("https://example.com", true), ("https://example.com/", true), ("https://example.com/app-id.json", true),
    ("https://login.example.com:8443/a/b?c=d#e", true),
    ("https://example.com/" + String(repeating: "a", count: 492), true),
    ("https://example.com/" + String(repeating: "a", count: 493), false), ("", false), ("https://", false),
    ("https:///x", false), ("http://example.com/x", false), ("HTTPS://example.com/x", false),
    ("https://Example.com/x", false), ("https://example.org/x", false), ("https://badexample.com/x", false),
    ("https://example.com.evil.org/x", false), ("https://example.com@evil.org/x", false),
    ("https://evil.org\\example.com/x", false), ("https://example.com?x", false), ("https://example.com:0/x", false),
    ("https://example.com:443/x", false), ("https://example.com/a b", false), ("https://example.com/ä", false),
    ("https://com/x", false), ("example.com", false), ("android:apk-key-hash:AAAA", false),
    ("android:apk-key-hash:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", false),
  ])
  func appIDs(_ appid: String, _ isValid: Bool) throws {
    let expected = isValid ? nil : Self.refused("extensions.appid")
    #expect(try RegistrationRuleTests.refusal { try Self.signIn { $0.appid = UTF8Text(appid) } } == expected)
  }

  @Test func saltsAreThoseOfTheSpecification() throws {
    // SHA-256("WebAuthn PRF" || 0x00 || "WebAuthn PRF test vectors" || 0x02), made with another implementation.
    let input = Array("WebAuthn PRF test vectors".utf8) + [2]
    let salt = try PRFInput.hmacSecretSalt(for: input)
    #expect(Base16.encode(salt.span) == "527413ebb48293772df30f031c5ac4650c7de14bf9498671ae163447b6a772b3")
    #expect(try PRFInput.hmacSecretSalt(for: []) == TestAuthenticator.hash(Array("WebAuthn PRF".utf8) + [0]))
  }

  @Test(.enabled(if: TestData.hasExtra)) func saltsAreThoseOfThePublishedVectors() throws {
    let root = try #require(TestData.extra)
    let file = try CeremonyFile(root.appending(path: "webauthn/w3c/_prf_hmac_secret_vectors.json"))
    var count = 0
    for vector in file.json["vectors"]?.array ?? [] {
      for (input, salt) in [("prf_eval_first", "salt1"), ("prf_eval_second", "salt2")] as [(UTF8Text, UTF8Text)] {
        guard let bytes = vector["fields"]?[input]?.string, let expected = vector["fields"]?[salt]?.string else {
          continue
        }
        let actual = try PRFInput.hmacSecretSalt(for: Base16.decode(bytes.utf8.span))
        #expect(Base16.encode(actual.span) == expected)
        count += 1
      }
    }
    #expect(count == 4)
  }
}
