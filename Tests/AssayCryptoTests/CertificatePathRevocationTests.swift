import AssayCodec
import AssayCrypto
import TestCertificates
import Testing

/// Revocation lists under both policies (RFC 5280, 6.3).
@Suite struct CertificatePathRevocationTests {
  /// A path and the lists of its two issuers; the leaf's serial number is 7, that of the authority in the middle 3.
  let h: TestHierarchy
  let anchors: TrustAnchors

  init() throws {
    h = try TestHierarchy()
    anchors = try h.anchors()
  }

  func soft(_ lists: [UInt8]...) throws -> String? {
    let policy = CertificatePathPolicy(revocation: .softFail(crls: try RevocationLists(lists)))
    return refusal([h.leafDER, h.middleDER], to: anchors, policy)?.parts
  }

  func hard(_ lists: [UInt8]...) throws -> String? {
    let policy = CertificatePathPolicy(revocation: .hardFail(crls: try RevocationLists(lists)))
    return refusal([h.leafDER, h.middleDER], to: anchors, policy)?.parts
  }

  @Test func goodListsAreGood() throws {
    #expect(try soft(h.middle.list(), h.root.list()) == nil)
    #expect(try hard(h.middle.list(), h.root.list()) == nil)
    #expect(try hard(h.root.list(revoking: [9]), h.middle.list(revoking: [1, 2, 3])) == nil)
    // The anchor needs none: it is an authority here whose own issuer is not at hand.
    let middle = try TrustAnchors(certificates: [h.middleDER])
    let policy = CertificatePathPolicy(revocation: .hardFail(crls: try RevocationLists([h.middle.list()])))
    #expect(refusal([h.leafDER], to: middle, policy) == nil)
    #expect(refusal([h.leafDER], to: try TrustAnchors(certificates: [h.leafDER]), policy) == nil)
  }

  @Test func listedCertificatesAreRefused() throws {
    #expect(try soft(h.middle.list(revoking: [7])) == "revoked 0")
    #expect(try hard(h.middle.list(revoking: [7]), h.root.list()) == "revoked 0")
    #expect(try soft(h.root.list(revoking: [3])) == "revoked 1")
    #expect(try hard(h.middle.list(), h.root.list(revoking: [3])) == "revoked 1")
    // Also by a list that is not current any more, unless a current one says otherwise.
    #expect(try soft(h.middle.list(revoking: [7], at: "200101000000Z", next: "210101000000Z")) == "revoked 0")
    #expect(try soft(h.middle.list(revoking: [7], at: "200101000000Z", next: "210101000000Z"), h.middle.list()) == nil)
    #expect(refusal([h.leafDER, h.middleDER], to: anchors) == nil)
  }

  @Test func missingListsCountWhenTheyMust() throws {
    let (middle, root) = (try h.middle.list(), try h.root.list())
    #expect(try soft() == nil)
    #expect(try soft(middle) == nil)
    #expect(try hard() == "revocationListMissing 0")
    #expect(try hard(root) == "revocationListMissing 0")
    #expect(try hard(middle) == "revocationListMissing 1")
    for unreadable in [[], [0x30], Array(root.dropLast()), root + [0], [UInt8](repeating: 0xFF, count: 100)] {
      #expect(try soft(unreadable, middle) == nil)
      #expect(try hard(unreadable, middle) == "revocationListMissing 1")
      #expect(try hard(unreadable, middle, root) == nil)
    }
  }

  @Test func listsThatAreNotCurrentCountWhenTheyMust() throws {
    let root = try h.root.list()
    for (from, to) in [("200101000000Z", "251231235959Z"), ("260101000001Z", "270101000000Z")] {
      let list = try h.middle.list(at: from, next: to)
      #expect(try soft(list, root) == nil)
      #expect(try hard(list, root) == "revocationListExpired 0")
    }
  }

  @Test func listsOfOthersSayNothing() throws {
    let namesake = try Authority("Middle")
    let forged = try namesake.list(revoking: [7])
    #expect(try soft(forged) == nil)
    #expect(try hard(forged, try h.root.list()) == "revocationListMissing 0")
    #expect(try soft(forged, h.middle.list(revoking: [7])) == "revoked 0")
    // The root's list names a serial number of its own certificates, which is not the leaf's of another issuer.
    #expect(try soft(h.root.list(revoking: [7])) == nil)
    let broken = try h.middle.list(revoking: [7])
    #expect(try soft(broken.flippingBit(broken.count * 8 - 3)) == nil)
  }

  @Test func criticalExtensionsOfListsMustBeKnown() throws {
    let unknown = [Authority.Extension(Authority.OID.unknown, critical: true, [0x05, 0x00])]
    let root = try h.root.list()
    #expect(try soft(h.middle.list(unknown), root) == nil)
    #expect(try hard(h.middle.list(unknown), root) == "revocationListMissing 0")
    #expect(try soft(h.middle.list(revoking: [7], unknown), root) == "revoked 0")
  }

  /// A list that never ends to be current, or of which nobody knows what it covers, shows only who is revoked.
  @Test func listsMustSayWhatTheyCover() throws {
    let (distributionPoint, delta) = (Authority.OID.issuingDistributionPoint, Authority.OID.deltaCRL)
    let root = try h.root.list()
    func limits(_ name: [UInt8], _ value: [UInt8]) -> Authority.Extension { .init(name, critical: true, value) }
    // onlyContainsUserCerts
    #expect(try hard(h.middle.list([limits(distributionPoint, [0x30, 0x03, 0x81, 0x01, 0xFF])]), root) == nil)
    for (next, extensions) in [
      (nil, []), ("270101000000Z", [limits(distributionPoint, [0xFF, 0xFF])]),
      ("270101000000Z", [limits(distributionPoint, [0x30, 0x00]), limits(distributionPoint, [0x30, 0x00])]),
      ("270101000000Z", [limits(delta, [0x02, 0x00])]),
    ] as [(String?, [Authority.Extension])] {
      let clean = try h.middle.list(next: next, extensions)
      #expect(try soft(clean, root) == nil)
      #expect(try hard(clean, root) == "revocationListMissing 0")
      #expect(try hard(clean, h.middle.list(), root) == nil)
      let listed = try h.middle.list(revoking: [7], next: next, extensions)
      #expect(try soft(listed, root) == "revoked 0")
      #expect(try hard(listed, root) == "revocationListMissing 0")
    }
  }

  @Test func listsAreLimited() throws {
    let most = [[UInt8]](repeating: [0x30], count: RevocationLists.maximumCount)
    #expect(try RevocationLists(most).lists == most)
    let large = [UInt8](repeating: 0x30, count: RevocationLists.maximumBytes)
    #expect(try RevocationLists([large]).lists.count == 1)
    for lists in [most + [[0x30]], [large + [0x30]], [large, [0x30]]] {
      #expect(throws: CertificatePathError(.tooLarge)) { try RevocationLists(lists) }
    }
  }

  /// One set of lists used by many tasks at once, from its first use on. Run with `--sanitize=thread` as well.
  @Test func listsAreShared() async throws {
    let lists = try RevocationLists([h.middle.list(revoking: [200, 7, 3, 100]), h.root.list(revoking: [9, 8])])
    let other = try h.middle.certificate(for: "Other", h.leafKey, serial: 8)
    let policy = CertificatePathPolicy(revocation: .hardFail(crls: lists))
    let right = await withTaskGroup(of: Int.self) { [h, anchors] group in
      for task in 0..<32 {
        group.addTask {
          (0..<8).count { round in
            let isRevoked = (task + round) % 2 == 0
            let found = refusal([isRevoked ? h.leafDER : other, h.middleDER], to: anchors, policy)
            return found?.code == (isRevoked ? .revoked : nil)
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(right == 32 * 8)
  }
}
