import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestAuthenticator
import TestSupport
import Testing

/// What metadata says of an authenticator's model, at the end of a registration (WebAuthn L3, 7.1 steps 23 and 24).
@Suite struct MetadataTrustTests {
  /// A verified BLOB with one entry.
  private static func metadata(
    aaguid: [UInt8], roots: [[UInt8]] = [], types: String = #""basic_full""#,
    reports: String = #"{"status":"FIDO_CERTIFIED_L1","effectiveDate":"2020-01-01"}"#,
    _ change: (inout AttestationTrust.Metadata) -> Void = { _ in }
  ) throws -> AttestationTrust {
    let roots = roots.map { "\"\(Base64.encode($0.span).string)\"" }.joined(separator: ",")
    let entry = """
      {"aaguid":"\(MetadataIdentifier.aaguid(aaguid).text.string)","statusReports":[\(reports)],\
      "timeOfLastStatusChange":"2020-01-01","metadataStatement":{"description":"A model",\
      "attestationTypes":[\(types)],"attestationRootCertificates":[\(roots)]}}
      """
    let maker = try MetadataBLOBTests()
    let signed = try maker.blob(MetadataPayloadTests.payload([entry]))
    let blob = try MetadataBLOB.verify(
      signed.span, to: maker.anchors, downloadedAt: MetadataBLOBTests.now, at: MetadataBLOBTests.now)
    var metadata = AttestationTrust.Metadata(blob)
    change(&metadata)
    return AttestationTrust([], metadata: metadata)
  }

  private static func refusal(_ trust: AttestationTrust, _ policy: AttestationPolicy = AttestationPolicy()) throws
    -> Refusal?
  {
    try RegistrationRuleTests.refusal { try selfAttested(trust, policy) }
  }

  /// A registration with self attestation of a model.
  private static func selfAttested(
    _ trust: AttestationTrust, _ policy: AttestationPolicy = AttestationPolicy()
  ) throws -> VerifiedRegistration {
    var options = RegistrationOptions()
    options.attestationPolicy = policy
    options.challenge = TestAuthenticator.challenge
    let rp = try TestAuthenticator.relyingParty()
    let user = PasskeyUser(id: TestAuthenticator.user, name: "alice", displayName: "Alice")
    let state = try rp.beginRegistration(user: user, options, at: TestAuthenticator.now).state
    let json = try RegistrationAnswer().json()
    return try rp.finishRegistration(json.span, state: state, trust: trust, at: TestAuthenticator.now)
  }

  private static let aaguid = RegistrationAnswer().aaguid

  @Test func whatSpeaksAgainstAModelCountsWhoeverVouches() throws {
    let bad = #"{"status":"ATTESTATION_KEY_COMPROMISE","effectiveDate":"2020-02-01"}"#
    let good = try Self.metadata(aaguid: Self.aaguid, types: #""basic_surrogate""#)
    let verified = try Self.selfAttested(good)
    #expect(verified.attestation.requirements.map(\.name) == ["metadata entry", "statusReports", "attestationTypes"])
    #expect(verified.attestation.requirements.map(\.isMet) == [true, true, true])
    let cases: [(String, AttestationTrust, Refusal?)] = [
      (
        "broken", try Self.metadata(aaguid: Self.aaguid, types: #""basic_surrogate""#, reports: bad),
        Refusal(.authenticatorNotAccepted, 24, "statusReports")
      ),
      (
        "never vouches by itself", try Self.metadata(aaguid: Self.aaguid),
        Refusal(.authenticatorNotAccepted, 24, "attestationTypes")
      ),
      ("another model is broken", try Self.metadata(aaguid: [UInt8](1...16), reports: bad), nil),
      (
        "no entry, and one demanded",
        try Self.metadata(aaguid: [UInt8](1...16)) { $0.requiresEntry = true },
        Refusal(.authenticatorNotAccepted, 24, "metadata entry")
      ),
      (
        "no entry, and certification demanded",
        try Self.metadata(aaguid: [UInt8](1...16)) { $0.policy.minimumCertification = .l1 },
        Refusal(.authenticatorNotAccepted, 24, "metadata entry")
      ),
      (
        "certified, but nobody vouches that it is this model",
        try Self.metadata(aaguid: Self.aaguid, types: #""basic_surrogate""#) {
          $0.policy.minimumCertification = .l1
        },
        Refusal(.attestationNotTrusted, 24, "certification")
      ),
    ]
    for (name, trust, expected) in cases { #expect(try Self.refusal(trust) == expected, "\(name)") }
  }

  @Test(.enabled(if: TestData.hasExtra)) func theModelsOwnRootsVouch() throws {
    let published = try TrustTests.Published("gen2-chain-intermediate") { $0.requirement = .trusted }
    let aaguid = try published.finish(published.trust).credential.aaguid
    let roots = published.root.certificates
    let trusted = try published.finish(Self.metadata(aaguid: aaguid, roots: roots)).attestation
    #expect(trusted.trust == .trusted(by: AttestationTrust.metadataAuthority, anchor: roots[0]))
    let demanding = try Self.metadata(aaguid: aaguid, roots: roots) { $0.policy.minimumCertification = .l1 }
    let certified = try published.finish(demanding).attestation
    #expect(!certified.requirements.map(\.isMet).contains(false))
    let higher = try Self.metadata(aaguid: aaguid, roots: roots) { $0.policy.minimumCertification = .l2 }
    #expect(try published.refusal(higher)?.code == .authenticatorNotAccepted)
    // The roots of another model vouch for that model only.
    let other = try Self.metadata(aaguid: [UInt8](1...16), roots: roots)
    #expect(try published.refusal(other)?.code == .attestationNotTrusted)
    let stranger = AttestationTrust.Authority.appleWebAuthn.anchors.certificates
    let wrong = try Self.metadata(aaguid: aaguid, roots: stranger)
    #expect(try published.refusal(wrong)?.code == .attestationNotTrusted)
  }
}
