import AssayCodec
import AssayCrypto
import AssayWebAuthn
import Foundation
import TestAuthenticator
import TestSupport
import Testing

/// What a relying party keeps of the certificate that vouched for a credential. The values are OpenSSL's.
struct AttestationFactsTests {
  /// Finishes a registration that a file holds, whatever the shape of the file.
  private static func finish(
    _ file: CeremonyFile, answer: JSONValue?, _ algorithm: SignatureAlgorithm = .es256
  ) throws -> VerifiedRegistration {
    let id = try #require(file.json["rpId"]?.string)
    let origin = try #require(file.json["origin"]?.string)
    let rp = try RelyingParty(id: id.string, origins: [origin.string])
    var options = RegistrationOptions()
    options.algorithms = [algorithm]
    options.userVerification = .discouraged
    options.challenge = try CeremonyFile.decoded(file.json["challenge"])
    let user = PasskeyUser(id: [1], name: "alice", displayName: "Alice")
    let state = try rp.beginRegistration(user: user, options, at: TestAuthenticator.now).state
    let json = try #require(answer).encoded()
    return try rp.finishRegistration(json.span, state: state, at: TestAuthenticator.now)
  }

  @Test func areThoseOfTheCertificate() throws {
    let folder = TestData.vectors.appending(path: "webauthn/chromium")
    let file = try CeremonyFile(folder.appending(path: "03-es256-direct-create.json"))
    let verified = try Self.finish(file, answer: file.json["result"]?["json"])
    let facts = try #require(verified.attestation.certificate)
    #expect(
      Base16.encode(facts.sha256.span) == "91911058ed2712de8c987778d64d74fe3c6d7a4d6c4fec6424518def3e979965")
    #expect(facts.serialNumber == [1])
    // 2017-07-14 02:40:00 and 2046-11-25 16:02:35.
    #expect(facts.validity?.notBefore == UnixTime(1_500_000_000))
    #expect(facts.validity?.notAfter == UnixTime(2_426_774_555))
    #expect(Base16.encode(facts.subjectKeyIdentifier.span) == "de9dd16faf6d87f03bdcb5c1b70d11213801997e")
    // The extension it has says how to reach the authenticator (1.3.6.1.4.1.45724.2.1.1), and not its model.
    #expect(facts.aaguid == nil)
    // It is by what metadata finds the certificate.
    let leaf = try #require(verified.attestation.trustPath.first)
    let identifier = try MetadataIdentifier(ofAttestationCertificate: leaf.span)
    #expect(identifier == .keyIdentifier(facts.subjectKeyIdentifier))
    #expect(
      verified.auditRecord["attestation"]?["certificate"] == [
        "sha256": .string(Base16.encode(facts.sha256.span)), "serialNumber": "01",
        "subjectKeyIdentifier": "de9dd16faf6d87f03bdcb5c1b70d11213801997e", "notBefore": 1_500_000_000,
        "notAfter": 2_426_774_555,
      ])
  }

  @Test func withoutACertificateThereAreNone() throws {
    let own = try RegistrationRuleTests.finish(RegistrationAnswer())
    #expect(own.attestation.certificate == nil)
    #expect(own.auditRecord["attestation"] == ["fmt": "packed", "type": "self", "trust": "not applicable"])
  }

  @Test(.enabled(if: TestData.hasExtra)) func androidSaysWhereTheKeyIs() throws {
    let extra = try #require(TestData.extra)
    let name = "simplewebauthn-android-key-7-should-verify-android-keystore-response-fro-reg"
    let file = try CeremonyFile(extra.appending(path: "webauthn/captured/\(name).json"))
    let verified = try Self.finish(file, answer: file.json["credential"])
    let record = try #require(verified.auditRecord["attestation"])
    #expect(record["certificate"]?["sha256"] == "e0cb09700c4f6656657d93a77a75f4c4edbcfb66a2b39277cb247a8247155885")
    #expect(
      record["androidKey"] == [
        "attestationVersion": 2, "attestationSecurityLevel": "Software", "keymasterVersion": 1,
        "keymasterSecurityLevel": "Software", "softwareEnforced": [:],
        "teeEnforced": ["purpose": [2], "origin": 0],
      ])
  }
}
