import AssayCodec
import AssayCrypto
import AssayJOSE
import AssayWebAuthn
import Foundation
import TestAuthenticator
import TestCertificates
import TestSupport
import Testing

/// Verifying metadata BLOBs (FIDO Metadata Service, 3.2), those of the tests' own authority and one of FIDO's.
@Suite struct MetadataBLOBTests {
  let root: Authority
  let middle: Authority
  let signer: Authority
  let anchors: TrustAnchors

  /// 2026-01-15; BLOBs are due for replacement by 2026-02-01.
  static let now = UnixTime(1_768_435_200)

  init() throws {
    (root, middle, signer) = (
      try Authority("Root"), try Authority("Middle"), try Authority("Metadata")
    )
    anchors = try TrustAnchors(certificates: [root.root()])
  }

  /// The service's dNSName.
  static let host = [(tag: UInt8(0x82), value: "mds.fidoalliance.org")]

  /// The certificates of a BLOB; `until` is the leaf's end.
  private func x5c(
    until: String = "400101000000Z", names: [(tag: UInt8, value: String)] = Self.host
  ) throws -> [[UInt8]] {
    [
      try middle.certificate(for: signer, to: until, [.endEntity] + (names.isEmpty ? [] : [.altName(names)])),
      try root.certificate(for: middle, serial: 2),
    ]
  }

  func blob(
    _ payload: [UInt8] = MetadataPayloadTests.payload([MetadataPayloadTests.entry]), x5c: [[UInt8]]? = nil
  ) throws -> [UInt8] {
    try signer.blob(payload, x5c: x5c ?? self.x5c())
  }

  private func refusal(
    _ blob: [UInt8], to anchors: TrustAnchors? = nil, downloadedAt: UnixTime = now, at time: UnixTime = now,
    _ change: (inout MetadataBLOBPolicy) -> Void = { _ in }
  ) -> MetadataError? {
    var policy = MetadataBLOBPolicy()
    change(&policy)
    do throws(MetadataError) {
      _ = try MetadataBLOB.verify(blob.span, to: anchors ?? self.anchors, downloadedAt: downloadedAt, at: time, policy)
      return nil
    } catch {
      return error
    }
  }

  private func pathFault(_ error: MetadataError?) -> CertificatePathError? {
    if case .certificatePath(let fault) = error?.code { fault } else { nil }
  }

  @Test func aGoodBLOBIsVerified() throws {
    let blob = try blob()
    let verified = try MetadataBLOB.verify(blob.span, to: anchors, downloadedAt: Self.now, at: Self.now)
    #expect(verified.payload.no == 7 && verified.payload.count == 1)
    #expect(verified.path.certificates.count == 3 && anchors.certificates == [verified.path.anchor])
    #expect(refusal(blob + Array("\n".utf8)) == nil)
  }

  /// FIDO conformance, Server-MDS3 F-2.
  @Test func theSignatureMustBeTheFirstCertificates() throws {
    let good = try blob()
    for index in [good.count - 40, good.count / 2] {
      var bad = good
      bad[index] = bad[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      guard case .token? = refusal(bad)?.code else {
        Issue.record("byte \(index)")
        continue
      }
    }
    let other = [try middle.certificate(for: root, [.endEntity]), try x5c()[1]]
    guard case .token(let error)? = refusal(try blob(x5c: other))?.code else {
      Issue.record("another certificate's key")
      return
    }
    #expect(error.code == .invalidSignature)
    guard case .token? = refusal(try blob(x5c: []))?.code else {
      Issue.record("no certificate")
      return
    }
    guard case .token? = refusal(Array("a.b".utf8))?.code else {
      Issue.record("no token")
      return
    }
    #expect(refusal([])?.field == "metadata BLOB")
  }

  /// FIDO conformance, Server-MDS3 F-3.
  @Test func theCertificatesMustLeadToAnAnchor() throws {
    let strange = try Authority("Root")
    let others = try TrustAnchors(certificates: [
      try Authority("GlobalSign Root CA - R3").root()
    ])
    let error = refusal(try blob(), to: others)
    #expect(pathFault(error)?.code == .unknownIssuer)
    #expect(error?.description.contains("its issuer is none of the trust anchors") == true)
    #expect(pathFault(refusal(try blob(), to: TrustAnchors.none))?.code == .noAnchor)
    #expect(pathFault(refusal(try blob(x5c: [try x5c()[0]])))?.code == .unknownIssuer)
    let forged = [try x5c()[0], try strange.certificate(for: middle, serial: 2)]
    #expect(pathFault(refusal(try blob(x5c: forged)))?.code == .signatureInvalid)
    let ownRoot = [
      try strange.certificate(for: signer, [.endEntity]), try strange.root(),
    ]
    #expect(pathFault(refusal(try blob(x5c: ownRoot))) != nil)
  }

  /// Who may issue is not who may sign, whatever its name.
  @Test func theSignerMustBeForSigning() throws {
    let cases: [(Authority.Extension, field: Field?)] = [
      (.authority(), "basicConstraints"), (.endEntity, nil),
      (Authority.Extension(Authority.OID.keyUsage, [0x03, 0x02, 0x05, 0x20]), "keyUsage"),
      (Authority.Extension(Authority.OID.keyUsage, [0x03, 0x02, 0x07, 0x80]), nil),
    ]
    for (one, field) in cases {
      for name in [MetadataBLOBPolicy().signerDNSName, nil] {
        let leaf = try middle.certificate(for: signer, [.altName(Self.host), one])
        let error = refusal(try blob(x5c: [leaf] + x5c().dropFirst())) { $0.signerDNSName = name }
        if let field {
          #expect(error?.code == .signerNotForSigning && error?.field == field)
        } else {
          #expect(error == nil)
        }
      }
    }
  }

  /// Whoever can have a certificate of a public authority must not sign metadata.
  @Test func theSignerMustBeTheMetadataService() throws {
    typealias Names = [(tag: UInt8, value: String)]
    let accepted: [Names] = [
      Self.host, [(0x82, "example.com")] + Self.host, Self.host + [(0x81, "a@example.com")],
      [(0x82, "MDS.FidoAlliance.org")],
    ]
    for names in accepted { #expect(refusal(try blob(x5c: try x5c(names: names))) == nil, "\(names)") }
    let refused: [Names] = [
      [], [(0x82, "example.com")], [(0x82, "*.fidoalliance.org")], [(0x82, "mds.fidoalliance.org.example.com")],
      [(0x82, "mds.fidoalliance.org.")], [(0x82, "mds.fidoalliance.org\0")], [(0x82, "xmds.fidoalliance.org")],
      [(0x82, "mds\u{0E}fidoalliance.org")], [(0x82, "")],
      Self.host + [(0x82, "mds.fid\u{F6}alliance.org")],
      [(0x81, "mds.fidoalliance.org")], [(0x86, "mds.fidoalliance.org")],
    ]
    for names in refused {
      let error = refusal(try blob(x5c: try x5c(names: names)))
      #expect(error?.code == .otherSigner && error?.field == "subjectAltName", "\(names)")
      #expect(error?.description.contains("not that of the metadata service") == true)
      #expect(refusal(try blob(x5c: try x5c(names: names))) { $0.signerDNSName = nil } == nil, "\(names)")
    }
    let other = try blob(x5c: try x5c(names: [(0x82, "metadata.example")]))
    #expect(refusal(other) { $0.signerDNSName = "metadata.example" } == nil)
    #expect(refusal(try blob()) { $0.signerDNSName = "metadata.example" }?.code == .otherSigner)
    #expect(refusal(try blob()) { $0.signerDNSName = "" }?.code == .otherSigner)
  }

  /// FIDO conformance, Server-MDS3 F-4 and F-5, and lists that are missing or out of date.
  @Test func revokedCertificatesAreRefused() throws {
    let blob = try blob()
    func fault(_ revocation: RevocationPolicy) -> CertificatePathError? {
      pathFault(refusal(blob) { $0.revocation = revocation })
    }
    let (good, goodRoot) = (try middle.list(), try root.list())
    #expect(try fault(.hardFail(crls: RevocationLists([good, goodRoot]))) == nil)
    #expect(fault(.softFail(crls: .none)) == nil)
    #expect(
      try fault(.hardFail(crls: RevocationLists([middle.list(revoking: [3]), goodRoot])))
        == CertificatePathError(.revoked, depth: 0))
    #expect(
      try fault(.hardFail(crls: RevocationLists([good, root.list(revoking: [2])])))
        == CertificatePathError(.revoked, depth: 1))
    #expect(try fault(.softFail(crls: RevocationLists([root.list(revoking: [2])])))?.code == .revoked)
    #expect(try fault(.hardFail(crls: RevocationLists([good])))?.code == .revocationListMissing)
    let old = try middle.list(at: "200101000000Z", next: "250101000000Z")
    #expect(try fault(.hardFail(crls: RevocationLists([old, goodRoot])))?.code == .revocationListExpired)
    #expect(try fault(.softFail(crls: RevocationLists([old, goodRoot]))) == nil)
  }

  /// A BLOB that was kept is judged by the certificates' time when it was fetched.
  @Test func certificatesAreJudgedAtTheTimeOfTheDownload() throws {
    let blob = try blob(x5c: try x5c(until: "260110000000Z"))
    let downloaded = UnixTime(1_767_744_000)  // 2026-01-07
    #expect(refusal(blob, downloadedAt: downloaded) == nil)
    #expect(pathFault(refusal(blob)) == CertificatePathError(.expired, depth: 0))
    #expect(pathFault(refusal(blob, downloadedAt: UnixTime(1_500_000_000)))?.code == .notYetValid)
  }

  @Test func olderOnesAreRefused() throws {
    let blob = try blob()
    for last: Int64 in [0, 6, 7] { #expect(refusal(blob) { $0.lastAcceptedNo = last } == nil) }
    let error = refusal(blob) { $0.lastAcceptedNo = 8 }
    #expect(error?.code == .rollback && error?.field == "no")
  }

  @Test func theNextUpdateMustNotBeOverdue() throws {
    let blob = try blob()
    let endOfDay = UnixTime(1_769_990_400)  // 2026-02-02
    #expect(refusal(blob, at: UnixTime(endOfDay.seconds - 1)) == nil)
    #expect(refusal(blob, at: endOfDay)?.code == .outOfDate)
    #expect(refusal(blob, at: endOfDay) { $0.outOfDate = .accept(days: 1) } == nil)
    let later = endOfDay.adding(seconds: 86_400)
    #expect(refusal(blob, at: later) { $0.outOfDate = .accept(days: 1) }?.code == .outOfDate)
    #expect(refusal(blob, at: later) { $0.outOfDate = .accept(days: .min) }?.code == .outOfDate)
    #expect(refusal(blob, at: later) { $0.outOfDate = .accept(days: .max) } == nil)
  }

  @Test func whatIsSignedMustStillBeAPayload() throws {
    #expect(refusal(try blob(Array("{}".utf8)))?.code == .missing)
    #expect(refusal(try blob(Array("1".utf8)))?.field == "metadata BLOB payload")
    let unknown = MetadataPayloadTests.payload([
      #"{"attestationCertificateKeyIdentifiers":1,"statusReports":[]}"#, MetadataPayloadTests.entry,
    ])
    let signed = try blob(unknown)
    let verified = try MetadataBLOB.verify(signed.span, to: anchors, downloadedAt: Self.now, at: Self.now)
    #expect(verified.payload.refusedEntries().map(\.entry) == [0])
  }

  @Test func withoutVerifyingAnyoneCouldHaveWrittenIt() throws {
    var bad = try blob()
    bad[bad.count - 5] ^= 1
    #expect(try MetadataPayload.decodeWithoutVerifying(blob: bad.span).count == 1)
    for text in ["", "a", "a.b", "a.b.c.d", "..", "a.*.c", "a.e30.c"] {
      #expect(throws: MetadataError.self) { try MetadataPayload.decodeWithoutVerifying(blob: Array(text.utf8).span) }
    }
  }

  /// BLOBs of other people's test suites: one of FIDO's service of January 2023, a later one in which an entry has a key
  /// identifier that is none, and the specification's example, signed for that suite.
  static let others: [(name: String, root: String, time: Int64, end: Int64, entries: Int, refused: [Int])] = [
    ("tweag-big.jwt", "tweag-big-root.crt", 1_674_000_000, 1_700_000_000, 148, []),
    ("tweag-big-with-errors.jwt", "tweag-big-root.crt", 1_679_000_000, 1_700_000_000, 160, [117]),
    ("tweag-small.jwt", "tweag-small-root.crt", 1_620_000_000, 2_600_000_000, 2, []),
  ]

  @Test(.enabled(if: TestData.hasExtra), arguments: others)
  func othersBLOBs(_ one: (name: String, root: String, time: Int64, end: Int64, entries: Int, refused: [Int])) throws {
    let folder = try #require(TestData.extra).appending(path: "webauthn/mds")
    let blob = try TestData.bytes(folder.appending(path: one.name))
    let certificate = try TestData.bytes(folder.appending(path: one.root))
    let anchors =
      certificate.first == 0x30
      ? try TrustAnchors(certificates: [certificate]) : try TrustAnchors(pem: certificate.span)
    let time = UnixTime(one.time)
    var policy = MetadataBLOBPolicy()
    policy.outOfDate = .accept(days: 500)
    // The small one was signed for the suite, by a certificate without names.
    if one.entries == 2 { policy.signerDNSName = nil }
    let payload = try MetadataBLOB.verify(blob.span, to: anchors, downloadedAt: time, at: time, policy).payload
    #expect(payload.count == one.entries)
    #expect(payload.refusedEntries().map(\.entry) == one.refused)
    for position in 0..<payload.count where !one.refused.contains(position) {
      let entry = try payload.entry(at: position)
      #expect(try payload.entries(for: try #require(entry.identifiers.last)).contains(entry))
      #expect(try entry.metadataStatement?.trustAnchors() != nil)
    }
    // Later its certificate is over.
    #expect(pathFault(refusal(blob, to: anchors, downloadedAt: UnixTime(one.end)))?.code == .expired)
    if one.entries == 2 {
      #expect(refusal(blob, to: self.anchors, downloadedAt: time, at: time)?.field == "x5c")
      let late = refusal(blob, to: anchors, downloadedAt: time, at: Self.now) { $0.signerDNSName = nil }
      #expect(late?.code == .outOfDate)
    }
  }
}
