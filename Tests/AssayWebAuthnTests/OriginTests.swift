import AssayCodec
import AssayWebAuthn
import TestAuthenticator
import Testing

/// The relying party's origins: what is refused at set-up and why, and what is compared in a ceremony.
struct OriginTests {
  private static func refusal(
    origins: [String] = ["https://example.com"], related: [String] = [], top: [UTF8Text]? = nil, insecure: Bool = false
  ) -> WebAuthnError? {
    do throws(WebAuthnError) {
      _ = try RelyingParty(
        id: "example.com", origins: origins, relatedOrigins: related,
        crossOrigin: top.map { .allowed(topOrigins: $0) } ?? .refused, allowInsecureOrigins: insecure)
      return nil
    } catch { return error }
  }

  @Test(
    arguments: [
      ("example.com", .scheme), ("ftp://example.com", .scheme), ("HTTPS://example.com", .scheme), ("null", .scheme),
      ("http://example.com", .insecure), ("https://Example.com", .host), ("https://127.0.0.1", .host),
      ("https://", .host), ("https://*.example.com", .host), ("https://user@example.com", .host),
      ("https://example.com/", .path), ("https://example.com:8443/path", .path), ("https://example.com:0", .port),
      ("https://example.com:", .port), ("https://example.com:65536", .port), ("https://example.com:443", .defaultPort),
      ("https://example.com:*", .anyPort), ("https://example.org", .otherDomain),
      ("https://badexample.com", .otherDomain), ("http://localhost:*", .otherDomain),
      ("android:apk-key-hash:AAAA", .keyHash),
    ] as [(String, OriginFault)])
  func whatIsWrongIsSaidWithItsPlace(_ origin: String, _ fault: OriginFault) {
    let error = Self.refusal(origins: ["https://example.com", origin])
    #expect(error?.code == .invalidOrigin)
    #expect(error?.field == "origins")
    #expect(error?.index == 1)
    #expect(error?.cause == .origin(fault))
    #expect(error?.description.hasPrefix("origins[1]: ") == true)
    #expect(error?.description.hasSuffix(fault.explanation) == true)
  }

  @Test func noOriginAtAll() {
    let error = Self.refusal(origins: [])
    #expect(error?.cause == .origin(.missing))
    #expect(error?.index == nil)
  }

  @Test func relatedOriginsAreOfAnyDomainAndSecure() throws {
    #expect(Self.refusal(related: ["https://example.org", "https://example.co.uk:8443"]) == nil)
    for (origin, fault) in [
      ("http://localhost", .insecure), ("http://example.org", .insecure), ("https://example.org/", .path),
      ("android:apk-key-hash:gx7sq_pxhxhrIQdLyfG0pxKwiJ7hOk2DJQ4xvKd438Q", .scheme),
    ] as [(String, OriginFault)] {
      let error = Self.refusal(related: [origin], insecure: true)
      #expect(error?.field == "relatedOrigins" && error?.index == 0)
      #expect(error?.cause == .origin(fault))
    }
    let rp = try RelyingParty(
      id: "example.com", origins: ["https://example.com"], relatedOrigins: ["https://example.org"])
    #expect(
      String(decoding: rp.relatedOriginsDocument.encoded(), as: UTF8.self) == #"{"origins":["https://example.org"]}"#)
  }

  @Test func topOriginsSayTheirPlaceToo() {
    #expect(Self.refusal(top: ["https://top.example", "http://localhost:8901"]) == nil)
    let error = Self.refusal(top: ["https://top.example", "https://other.example/"])
    #expect(error?.field == "topOrigins" && error?.index == 1)
    #expect(error?.cause == .origin(.path))
  }

  /// Begins and finishes a sign-in at an origin.
  private func verified(_ rp: RelyingParty, at origin: JSONValue) throws -> VerifiedAuthentication {
    var options = AuthenticationOptions()
    options.challenge = TestAuthenticator.challenge
    let start = try rp.beginAuthentication(user: TestAuthenticator.user, options, at: TestAuthenticator.now)
    let record = start.state.encoded()
    var ceremony = AuthenticationRuleTests.Ceremony()
    ceremony.storedRpId = rp.id.string
    ceremony.answer.parts.rpIdHash = TestAuthenticator.hash(rp.id.utf8)
    ceremony.answer.parts.clientData["origin"] = origin
    let json = try ceremony.answer.json()
    return try rp.finishAuthentication(
      json.span, state: AuthenticationState(decoding: record.span), credential: ceremony.stored(),
      at: TestAuthenticator.now)
  }

  @Test func theOriginThatMatchedIsReported() throws {
    let android = try RelyingParty.androidOrigin(
      certificateFingerprint:
        "83:1E:EC:AB:FA:71:87:18:6B:21:07:4B:C9:F1:B4:A7:12:B0:88:9E:E1:3A:4D:83:25:0E:31:BC:A7:78:DF:C4")
    #expect(android == "android:apk-key-hash:gx7sq_pxhxhrIQdLyfG0pxKwiJ7hOk2DJQ4xvKd438Q")
    let rp = try RelyingParty(
      id: "example.com", origins: ["https://example.com", android], relatedOrigins: ["https://example.org"])
    for origin in ["https://example.com", "https://example.org", android] {
      #expect(try verified(rp, at: .string(UTF8Text(origin))).origin == UTF8Text(origin))
    }
    for origin in ["https://example.net", "https://example.org:8443", "android:apk-key-hash:AAAA"] {
      let refusal = try RegistrationRuleTests.refusal { try verified(rp, at: .string(UTF8Text(origin))) }
      #expect(refusal == Refusal(.originNotAllowed, 12, "origin"))
    }
  }

  @Test func anyPortIsForLocalhostAndSaidByName() throws {
    let rp = try RelyingParty(id: "localhost", origins: ["http://localhost:*"])
    for origin in ["http://localhost", "http://localhost:3000", "http://localhost:65535"] {
      #expect(try verified(rp, at: .string(UTF8Text(origin))).origin == UTF8Text(origin))
    }
    for origin in [
      "http://localhost:", "http://localhost:*", "http://localhost:03000", "http://localhost:65536",
      "http://localhost:3000/", "http://localhost.evil.example", "http://localhost3000", "https://localhost:3000",
    ] {
      let refusal = try RegistrationRuleTests.refusal { try verified(rp, at: .string(UTF8Text(origin))) }
      #expect(refusal == Refusal(.originNotAllowed, 12, "origin"), "\(origin)")
    }
    let exact = try RelyingParty(id: "localhost", origins: ["http://localhost:3000"])
    #expect(try RegistrationRuleTests.refusal { try verified(exact, at: "http://localhost:3001") } != nil)
  }

  @Test func fingerprintsInEveryFormPeopleHave() throws {
    let hex = "831eecabfa7187186b21074bc9f1b4a712b0889ee13a4d83250e31bca778dfc4"
    let expected = "android:apk-key-hash:gx7sq_pxhxhrIQdLyfG0pxKwiJ7hOk2DJQ4xvKd438Q"
    #expect(try RelyingParty.androidOrigin(certificateFingerprint: hex) == expected)
    #expect(try RelyingParty.androidOrigin(certificateFingerprint: hex.uppercased()) == expected)
    for wrong in ["", String(hex.dropLast()), String(hex.dropLast(2)), hex + "00", "zz" + hex.dropFirst(2)] {
      let error = #expect(throws: WebAuthnError.self) {
        try RelyingParty.androidOrigin(certificateFingerprint: wrong)
      }
      #expect(error?.code == .invalidOrigin && error?.cause == .origin(.fingerprint))
    }
  }
}
