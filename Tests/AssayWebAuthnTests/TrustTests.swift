import AssayCodec
import AssayCrypto
import AssayWebAuthn
import Foundation
import TestAuthenticator
import TestSupport
import Testing

/// Who is trusted to vouch for an authenticator, and what a relying party may demand of that (WebAuthn L3, 7.1 steps 23, 24).
@Suite struct TrustTests {
  /// The certificates that can be trusted by name, by the SHA-256 that their makers or others publish.
  @Test func knownAnchorsAreWhatTheySay() throws {
    let known: [(TrustAnchors, [String])] = [
      (
        AttestationTrust.Authority.appleWebAuthn.anchors,
        ["0915dd5c07a28db549d1f677bb5a75d4bfbe9561a773424327762e9e02f9bb29"]
      ),
      (
        AttestationTrust.Authority.googleHardwareAttestation.anchors,
        [
          "1ef1a04b8ba58ab94589ac498c8982a783f24ea7307e0159a0c3a73b377d87cc",
          "ab6641178a36e179aa0c1cdddf9a16eb45fa20943e2b8cd7c7c05c26cf8b487a",
          "cedb1cb6dc896ae5ec797348bce9286753c2b38ee71ce0fbe34a9a1248800dfc",
          "6d9db4ce6c5c0b293166d08986e05774a8776ceb525d9e4329520de12ba4bcc0",
        ]
      ),
      (
        AttestationTrust.Authority.microsoftTPM.anchors,
        ["870c7a35ceab3d59979f2c6a524042d404cb71518004350925fb2ced79a999da"]
      ),
      (
        TrustAnchors.fidoMetadataService,
        [
          "cbb522d7b7f127ad6a0113865bdf1cd4102e7d0759af635a7cf4720dc963c53b",
          "4fa3126d8d3a11d1c4855a4f807cbad6cf919d3a5a88b03bea2c6372d93c40c9",
        ]
      ),
    ]
    for (anchors, expected) in known {
      let hashes = try anchors.certificates.map { try Digest.sha256.hash($0.span) }
      #expect(hashes.map { Base16.encode($0.span).string } == expected)
    }
  }

  /// A published registration with a chain, and whom to trust.
  struct Published {
    let file: CeremonyFile
    let root: TrustAnchors
    let state: RegistrationState
    let rp: RelyingParty

    init(_ name: String, _ change: (inout AttestationPolicy) -> Void = { _ in }) throws {
      let extra = try #require(TestData.extra)
      file = try CeremonyFile(extra.appending(path: "webauthn/generated/\(name).json"))
      let pem = try #require(file.json["trust"]?["rootPem"]?.string)
      root = try TrustAnchors(pem: pem.utf8.span)
      let origin = try #require(file.json["origin"]?.string)
      let id = try #require(file.json["rpId"]?.string)
      rp = try RelyingParty(id: id.string, origins: [origin.string])
      var options = RegistrationOptions()
      options.challenge = try CeremonyFile.decoded(file.json["challenge"])
      options.userVerification = .discouraged
      change(&options.attestationPolicy)
      let user = PasskeyUser(id: [1], name: "alice", displayName: "Alice")
      state = try rp.beginRegistration(user: user, options, at: Published.time).state
    }

    /// When the generated chains are judged.
    static let time = UnixTime(1_767_225_600)

    func finish(_ trust: AttestationTrust, at time: UnixTime = Published.time) throws -> VerifiedRegistration {
      let record = state.encoded()
      let state = try RegistrationState(decoding: record.span)
      let answer = try #require(file.json["credential"]).encoded()
      return try rp.finishRegistration(answer.span, state: state, trust: trust, at: time)
    }

    func refusal(_ trust: AttestationTrust) throws -> WebAuthnError? {
      do {
        _ = try finish(trust)
        return nil
      } catch let error as WebAuthnError { return error }
    }

    var trust: AttestationTrust { AttestationTrust([.init(name: "the vendor", anchors: root)]) }
  }

  @Test(.enabled(if: TestData.hasExtra)) func trustIsReportedWhereItIsNotDemanded() throws {
    let good = try Published("gen2-chain-intermediate")
    let verified = try good.finish(good.trust)
    #expect(verified.attestation.trust == .trusted(by: "the vendor", anchor: good.root.certificates[0]))
    #expect(verified.attestation.requirements.isEmpty)
    #expect(verified.auditRecord["attestation"]?["trustedBy"]?.string == "the vendor")
    #expect(try good.finish(.none).attestation.trust == .notEvaluated)
    let otherFormat = AttestationTrust([.init(name: "phones", anchors: good.root, formats: ["android-key"])])
    #expect(try good.finish(otherFormat).attestation.trust == .notEvaluated)
    let stranger = AttestationTrust([
      .appleWebAuthn, .init(name: "Google", anchors: AttestationTrust.Authority.googleHardwareAttestation.anchors),
    ])
    let untrusted = try good.finish(stranger).attestation.trust
    guard case .untrusted(let why) = untrusted else {
      Issue.record("trusted by a stranger")
      return
    }
    #expect(why.code == .unknownIssuer)
    // The second of two is asked as well.
    let two = AttestationTrust(
      [.init(name: "another", anchors: AttestationTrust.Authority.appleWebAuthn.anchors)] + good.trust.authorities)
    #expect(try good.finish(two).attestation.isTrusted)
  }

  @Test(
    .enabled(if: TestData.hasExtra),
    arguments: [
      ("gen2-chain-evil-root", CertificatePathError.Code.signatureInvalid),
      ("gen2-chain-intermediate-not-ca", .notACertificateAuthority), ("gen2-chain-leaf-expired", .expired),
      ("gen2-chain-leaf-not-yet", .notYetValid), ("gen2-chain-pathlen-exceeded", .pathLengthExceeded),
    ])
  func demandedAndNotThere(_ name: String, _ code: CertificatePathError.Code) throws {
    let demanding = try Published(name) { $0.requirement = .trusted }
    let error = try #require(try demanding.refusal(demanding.trust))
    #expect(error.code == .attestationNotTrusted)
    #expect(error.step?.number == 24)
    guard case .certificatePath(let why)? = error.cause else {
      Issue.record("without its reason: \(error)")
      return
    }
    #expect(why.code == code)
    // Where it is not demanded the registration is valid, and its result says that nobody vouches.
    let tolerant = try Published(name)
    let verified = try tolerant.finish(tolerant.trust)
    #expect(verified.attestation.trust == .untrusted(why))
    #expect(!verified.attestation.isTrusted)
  }

  @Test(.enabled(if: TestData.hasExtra)) func demands() throws {
    let good = try Published("gen2-chain-intermediate") { $0.requirement = .trusted }
    let verified = try good.finish(good.trust)
    #expect(verified.attestation.requirements.map(\.isMet) == [true])
    #expect(try good.refusal(.none)?.code == .attestationNotTrusted)
    let aaguid = verified.credential.aaguid
    let cases: [(String, (inout AttestationPolicy) -> Void, AttestationTrust, WebAuthnError.Code?)] = [
      ("its model", { $0.acceptedAAGUIDs = [aaguid] }, good.trust, nil),
      ("its model, which nobody vouches for", { $0.acceptedAAGUIDs = [aaguid] }, .none, .attestationNotTrusted),
      (
        "another model", { $0.acceptedAAGUIDs = [[UInt8](repeating: 7, count: 16)] }, good.trust,
        .authenticatorNotAccepted
      ),
      ("no model", { $0.acceptedAAGUIDs = [] }, good.trust, .authenticatorNotAccepted),
      ("its format", { $0.acceptedFormats = ["tpm", "packed"] }, good.trust, nil),
      ("another format", { $0.acceptedFormats = ["tpm"] }, good.trust, .authenticatorNotAccepted),
    ]
    for (name, change, trust, code) in cases {
      let published = try Published("gen2-chain-intermediate", change)
      #expect(try published.refusal(trust)?.code == code, "\(name)")
    }
  }

  /// A list of models is as strong as the loosest authority, unless each is held to its own.
  @Test(.enabled(if: TestData.hasExtra)) func authoritiesAreHeldToTheirModels() throws {
    let plain = try Published("gen2-chain-intermediate")
    let aaguid = try plain.finish(.none).credential.aaguid
    let other = [UInt8](repeating: 7, count: 16)
    func trust(_ aaguids: [[UInt8]]?) -> AttestationTrust {
      AttestationTrust([.init(name: "the vendor", anchors: plain.root, aaguids: aaguids)])
    }
    for aaguids in [nil, [aaguid], [other, aaguid]] as [[[UInt8]]?] {
      #expect(try plain.finish(trust(aaguids)).attestation.isTrusted)
    }
    for aaguids in [[], [other], [Array(aaguid.dropLast())], [aaguid + [0]]] as [[[UInt8]]] {
      #expect(try plain.finish(trust(aaguids)).attestation.trust == .notEvaluated)
      let listed = try Published("gen2-chain-intermediate") { $0.acceptedAAGUIDs = [aaguid] }
      #expect(try listed.refusal(trust(aaguids))?.code == .attestationNotTrusted)
      let both = AttestationTrust(trust(aaguids).authorities + trust([aaguid]).authorities)
      #expect(try listed.refusal(both) == nil)
    }
  }

  @Test func withoutAttestationNothingIsTrusted() throws {
    var answer = RegistrationAnswer()
    answer.fmt = "none"
    var options = RegistrationOptions()
    #expect(try RegistrationRuleTests.finish(answer, options).attestation.trust == .notApplicable)
    options.attestationPolicy.requirement = .trusted
    let refusal = try RegistrationRuleTests.refusal { try RegistrationRuleTests.finish(answer, options) }
    #expect(refusal == Refusal(.attestationNotTrusted, 24, "attestation trust"))
  }
}
