import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestAuthenticator
import TestCertificates
import TestSupport
import Testing

/// Authenticators of one model, which someone trusted vouches for, that claim to be of another (WebAuthn L3, 7.1 step 24).
@Suite struct ModelTrustTests {
  /// The vendor of a U2F authenticator and of a better one, whose certificates one root issues.
  private let root: Authority
  private let model: Authority
  private let x5c: [UInt8]
  private let rootDER: [UInt8]

  init() throws {
    (root, model) = (try Authority("Vendor"), try Authority("Cheap model"))
    x5c = try root.certificate(for: model, serial: 2, [.endEntity])
    rootDER = try root.root()
  }

  /// What the authenticator claims to be: its answer's AAGUID.
  private static let claimed = RegistrationAnswer().aaguid
  private static let zeros = [UInt8](repeating: 0, count: 16)

  /// A registration with the U2F authenticator, by itself or in a compound attestation with the credential's own signature.
  private func answer(aaguid: [UInt8] = claimed, compound: Bool = false) -> RegistrationAnswer {
    var answer = RegistrationAnswer()
    answer.aaguid = aaguid
    answer.fmt = compound ? "compound" : "fido-u2f"
    let (key, x5c, id) = (model.key, x5c, answer.credentialID)
    answer.makeStatement = { authData, hash in
      guard case .ec(_, let x, let y) = try TestAuthenticator.coseKey().numbers else { throw CryptoError(.failed) }
      let message = [0x00] + authData.prefix(32) + hash + id + [0x04] + x + y
      let u2f = CBORValue.map([
        CBORMapEntry("sig", .bytes(try key.sign(message.span, ecdsa: .der))),
        CBORMapEntry("x5c", .array([.bytes(x5c)])),
      ])
      guard compound else { return u2f }
      let own = try TestAuthenticator.key().sign((authData + hash).span, ecdsa: .der)
      return .array([
        .map([
          CBORMapEntry("fmt", .text("packed")),
          CBORMapEntry("attStmt", .map([CBORMapEntry("alg", CBORValue(-7)), CBORMapEntry("sig", .bytes(own))])),
        ]),
        .map([CBORMapEntry("fmt", .text("fido-u2f")), CBORMapEntry("attStmt", u2f)]),
      ])
    }
    return answer
  }

  private var vendor: AttestationTrust.Authority {
    get throws { .init(name: "the vendor", anchors: try TrustAnchors(certificates: [rootDER])) }
  }

  /// An entry of metadata; without an AAGUID it is that of the U2F authenticator's key.
  private func entry(aaguid: [UInt8]?, roots: [[UInt8]], status: String = "FIDO_CERTIFIED_L2") throws -> String {
    let key = try MetadataIdentifier(ofAttestationCertificate: x5c.span).text.string
    let name = aaguid.map { "\"aaguid\":\"\(MetadataIdentifier.aaguid($0).text.string)\"" }
    return """
      {\(name ?? "\"attestationCertificateKeyIdentifiers\":[\"\(key)\"]"),\
      "statusReports":[{"status":"\(status)","effectiveDate":"2020-01-01"}],"timeOfLastStatusChange":"2020-01-01",\
      "metadataStatement":{"attestationTypes":["basic_full","basic_surrogate"],\
      "attestationRootCertificates":[\(roots.map { "\"\(Base64.encode($0.span).string)\"" }.joined(separator: ","))]}}
      """
  }

  private func metadata(
    _ entries: [String], _ change: (inout AttestationTrust.Metadata) -> Void
  ) throws -> AttestationTrust.Metadata {
    let maker = try MetadataBLOBTests()
    let signed = try maker.blob(MetadataPayloadTests.payload(entries))
    var metadata = AttestationTrust.Metadata(
      try MetadataBLOB.verify(
        signed.span, to: maker.anchors, downloadedAt: MetadataBLOBTests.now, at: MetadataBLOBTests.now))
    change(&metadata)
    return metadata
  }

  private func refusal(
    _ answer: RegistrationAnswer, _ trust: AttestationTrust, _ change: (inout AttestationPolicy) -> Void = { _ in }
  ) throws -> Refusal? {
    var options = RegistrationOptions()
    options.challenge = TestAuthenticator.challenge
    options.attestationPolicy.requirement = .trusted
    change(&options.attestationPolicy)
    let user = PasskeyUser(id: TestAuthenticator.user, name: "alice", displayName: "Alice")
    let rp = try TestAuthenticator.relyingParty()
    let state = try rp.beginRegistration(user: user, options, at: TestAuthenticator.now).state
    let json = try answer.json()
    return try RegistrationRuleTests.refusal {
      try rp.finishRegistration(json.span, state: state, trust: trust, at: TestAuthenticator.now)
    }
  }

  /// U2F's signature does not cover the AAGUID, so that the client can write there what it likes.
  @Test func theAAGUIDOfAU2FAnswerIsAnyones() throws {
    let trust = AttestationTrust([try vendor])
    let refused = Refusal(.authenticatorNotAccepted, 24, "aaguid")
    let unmet = { (policy: inout AttestationPolicy) in policy.acceptedAAGUIDs = [Self.claimed, Self.zeros] }
    #expect(try refusal(answer(), trust) == nil)
    #expect(try refusal(answer(aaguid: Self.zeros), trust, unmet) == nil)
    #expect(try refusal(answer(), trust, unmet) == refused)
    // Nor may an authority vouch by it.
    for (aaguids, code) in [([Self.zeros], nil), ([Self.claimed], .attestationNotTrusted)]
      as [([[UInt8]], WebAuthnError.Code?)]
    {
      let held = AttestationTrust([.init(name: "the vendor", anchors: try vendor.anchors, aaguids: aaguids)])
      #expect(try refusal(answer(), held)?.code == code)
    }
  }

  @Test func aU2FAnswerIsJudgedByTheEntryOfItsOwnKey() throws {
    let better = try entry(aaguid: Self.claimed, roots: [rootDER])
    let bad = try entry(aaguid: nil, roots: [rootDER], status: "REVOKED")
    let good = try entry(aaguid: nil, roots: [rootDER])
    let demanding = { (metadata: inout AttestationTrust.Metadata) in metadata.policy.minimumCertification = .l2 }
    for compound in [false, true] {
      let answer = answer(compound: compound)
      let known = AttestationTrust([], metadata: try metadata([better, good], demanding))
      #expect(try refusal(self.answer(aaguid: Self.zeros, compound: compound), known) == nil)
      // The credential's own signature covers the AAGUID, and does not make it true.
      let refused = compound ? Refusal(.authenticatorNotAccepted, 24, "certification") : nil
      #expect(try refusal(answer, known) == refused)
      // The U2F authenticator was revoked; the model whose AAGUID is written was not.
      let revoked = AttestationTrust([try vendor], metadata: try metadata([better, bad]) { _ in })
      #expect(try refusal(answer, revoked) == Refusal(.authenticatorNotAccepted, 24, "statusReports"))
      // The model whose AAGUID is written is certified; the U2F authenticator is not known.
      let unknown = AttestationTrust([try vendor], metadata: try metadata([better], demanding))
      #expect(try refusal(answer, unknown)?.step == 24)
    }
  }

  /// A compound attestation is of every format that its parts are.
  @Test func partsMustBeOfAcceptedFormats() throws {
    let trust = AttestationTrust([try vendor])
    let answer = answer(compound: true)
    #expect(try refusal(answer, trust) { $0.acceptedFormats = ["compound", "packed", "fido-u2f"] } == nil)
    for formats: [UTF8Text] in [["compound", "packed"], ["compound"], ["packed", "fido-u2f"]] {
      let refused = Refusal(.authenticatorNotAccepted, 24, "fmt")
      #expect(try refusal(answer, trust) { $0.acceptedFormats = formats } == refused)
    }
  }

  /// That someone else is trusted does not say that the authenticator is of the model whose entry it points at.
  @Test(.enabled(if: TestData.hasExtra)) func onlyTheEntrysRootsSpeakForTheModel() throws {
    let published = try TrustTests.Published("gen2-chain-intermediate") { $0.requirement = .trusted }
    let aaguid = try published.finish(published.trust).credential.aaguid
    let roots = published.root.certificates
    let changes: [(Field, (inout AttestationTrust.Metadata) -> Void)] = [
      ("certification", { $0.policy.minimumCertification = .l2 }),
      ("attestationRootCertificates", { $0.requiresEntry = true }),
    ]
    for (field, change) in changes {
      let own = AttestationTrust(
        published.trust.authorities, metadata: try metadata([entry(aaguid: aaguid, roots: roots)], change))
      #expect(try published.refusal(own) == nil)
      let others = AttestationTrust(
        published.trust.authorities, metadata: try metadata([entry(aaguid: aaguid, roots: [rootDER])], change))
      #expect(try published.refusal(others).map(Refusal.init) == Refusal(.authenticatorNotAccepted, 24, field))
    }
  }

  /// Without attestation anyone may write any AAGUID.
  @Test func anEntryThatIsDemandedMustVouch() throws {
    var none = RegistrationAnswer()
    none.fmt = "none"
    let demanding = try metadata([entry(aaguid: Self.claimed, roots: [rootDER])]) { $0.requiresEntry = true }
    let refused = Refusal(.attestationNotTrusted, 24, "attestationRootCertificates")
    let trust = AttestationTrust([], metadata: demanding)
    #expect(try refusal(none, trust) { $0.requirement = .none } == refused)
    // A model may vouch by the credential's own key, if its entry says so.
    #expect(try refusal(RegistrationAnswer(), trust) { $0.requirement = .none } == nil)
  }
}
