import AssayCodec
import AssayCrypto
import TestCertificates
import Testing

/// Paths that are good, and attackers' paths that differ in one thing and are refused for it.
@Suite struct CertificatePathTests {
  typealias Extension = Authority.Extension

  @Test func leadsFromLeafToRoot() throws {
    let h = try TestHierarchy()
    let path = try CertificatePath(certificates: [h.leafDER, h.middleDER]).validated(
      to: h.anchors(), at: TestHierarchy.time)
    #expect(path.anchor == h.rootDER)
    #expect(path.certificates == [h.leafDER, h.middleDER, h.rootDER])
  }

  @Test func picksTheAnchorThatIssued() throws {
    let h = try TestHierarchy()
    let other = try Authority("Other")
    let apart = try TrustAnchors(certificates: [other.root(), h.rootDER])
    let path = try CertificatePath(certificates: [h.leafDER, h.middleDER]).validated(to: apart, at: TestHierarchy.time)
    #expect(path.anchor == h.rootDER)
  }

  /// Anchors of one name are told apart by the signature, wherever they stand.
  @Test func everyNamesakeIsTried() throws {
    let h = try TestHierarchy()
    let given = [h.leafDER, h.middleDER]
    let (namesake, third) = (try Authority("Root"), try Authority("Root"))
    let below = try namesake.certificate(for: "Root", namesake.key, [.authority(below: 0)])
    let middle = try Authority("Middle").root()
    let larger = try Authority("Root", .es384)
    let others = try [
      namesake.root(), third.root(), namesake.root(to: "210101000000Z"), below, middle,
      h.root.root(to: "210101000000Z"),
      larger.certificate(for: "Root", larger.key, [.endEntity]),
    ]
    for (index, other) in others.enumerated() {
      for certificates in [[other, h.rootDER], [h.rootDER, other], [other, other, h.rootDER], others + [h.rootDER]] {
        let anchors = try TrustAnchors(certificates: certificates)
        let path = try CertificatePath(certificates: given).validated(to: anchors, at: TestHierarchy.time)
        #expect(path.anchor == h.rootDER && path.certificates == given + [h.rootDER], "\(index)")
      }
    }
    // Lists are still held against the path that is found.
    let anchors = try TrustAnchors(certificates: [namesake.root(), h.rootDER])
    func hard(_ lists: [UInt8]...) throws -> String? {
      let lists = try RevocationLists(lists)
      return refusal(given, to: anchors, CertificatePathPolicy(revocation: .hardFail(crls: lists)))?.parts
    }
    #expect(try hard(h.middle.list(), h.root.list()) == nil)
    #expect(try hard(h.middle.list(), namesake.list()) == "revocationListMissing 1")
    #expect(try hard(h.middle.list(), namesake.list(revoking: [3]), h.root.list()) == nil)
    #expect(try hard(h.middle.list(), h.root.list(revoking: [3])) == "revoked 1")
    // Where none has signed, the refusal is that of the first.
    let strangers = try TrustAnchors(certificates: [namesake.root(), third.root()])
    #expect(refusal(given, to: strangers)?.parts == "signatureInvalid 1")
    let expired = try TrustAnchors(certificates: [namesake.root(), h.root.root(to: "210101000000Z")])
    #expect(refusal(given, to: expired) != nil)
  }

  /// Namesakes are the operator's; even so only some are tried.
  @Test func onlySoManyNamesakesAreTried() throws {
    let h = try TestHierarchy()
    var anchors: [[UInt8]] = []
    for _ in 0..<100 { anchors.append(try Authority("Root").root()) }
    #expect(refusal([h.leafDER, h.middleDER], to: try TrustAnchors(certificates: anchors + [h.rootDER])) == nil)
    let many = try TrustAnchors(certificates: anchors + anchors + anchors + [h.rootDER])
    #expect(refusal([h.leafDER, h.middleDER], to: many)?.code == .signatureInvalid)
  }

  @Test func rootInThePathIsThePolicysToAllow() throws {
    let h = try TestHierarchy()
    let certificates = [h.leafDER, h.middleDER, h.rootDER]
    let path = try CertificatePath(certificates: certificates).validated(to: h.anchors(), at: TestHierarchy.time)
    #expect(path.certificates == certificates)
    let strict = CertificatePathPolicy(allowsAnchorInPath: false)
    #expect(refusal(certificates, to: try h.anchors(), strict) == CertificatePathError(.anchorInPath, depth: 2))
    #expect(refusal([h.leafDER, h.middleDER], to: try h.anchors(), strict) == nil)
    // The leaf itself as anchor is no anchor after the leaf.
    #expect(refusal([h.leafDER], to: try TrustAnchors(certificates: [h.leafDER]), strict) == nil)
  }

  @Test func anyCertificateMayBeTheAnchor() throws {
    let h = try TestHierarchy()
    let leaf = try TrustAnchors(certificates: [h.leafDER])
    let path = try CertificatePath(certificates: [h.leafDER, h.middleDER]).validated(to: leaf, at: TestHierarchy.time)
    #expect(path.certificates == [h.leafDER])
    #expect(path.anchor == h.leafDER)
    let expired = try h.root.certificate(for: h.middle.name, h.middle.key, to: "210101000000Z", [.authority()])
    #expect(refusal([h.leafDER, expired], to: leaf) == nil)
    let middle = try TrustAnchors(certificates: [h.middleDER])
    for certificates in [[h.leafDER], [h.leafDER, h.middleDER], [h.leafDER, h.middleDER, h.rootDER]] {
      let path = try CertificatePath(certificates: certificates).validated(to: middle, at: TestHierarchy.time)
      #expect(path.certificates == [h.leafDER, h.middleDER])
    }
    // A certificate that may not issue is an anchor for itself only.
    let issued = try Authority("Leaf").certificate(for: "Below", h.leafKey)
    #expect(refusal([issued], to: leaf)?.code != nil)
    let below = try Authority("Plain")
    let plain = try h.root.certificate(for: below, [.endEntity])
    let child = try below.certificate(for: "Child", h.leafKey)
    #expect(
      refusal([child], to: try TrustAnchors(certificates: [plain]))
        == CertificatePathError(.notACertificateAuthority, depth: 1))
  }

  @Test func certificatesOfTheAttackerAreNoAnchors() throws {
    let h = try TestHierarchy()
    let (evilRoot, evilMiddle) = (try Authority("Root"), try Authority("Middle"))
    let leaf = try evilMiddle.certificate(for: "Leaf", h.leafKey)
    let middle = try evilRoot.certificate(for: evilMiddle)
    let anchors = try h.anchors()
    // Under the names of the true ones, the root appended or not.
    #expect(refusal([leaf, middle, try evilRoot.root()], to: anchors)?.code == .signatureInvalid)
    #expect(refusal([leaf, middle], to: anchors)?.code == .signatureInvalid)
    #expect(refusal([leaf, h.middleDER], to: anchors) == CertificatePathError(.signatureInvalid, depth: 0))
    // Under a name of his own.
    let own = try Authority("Evil")
    let signed = try own.certificate(for: "Leaf", h.leafKey)
    #expect(refusal([signed, try own.root()], to: anchors) == CertificatePathError(.selfSignedNotTrusted, depth: 1))
    #expect(refusal([signed], to: anchors) == CertificatePathError(.unknownIssuer, depth: 0))
    #expect(refusal([try own.root()], to: anchors) == CertificatePathError(.selfSignedNotTrusted, depth: 0))
    #expect(refusal([h.leafDER], to: anchors) == CertificatePathError(.unknownIssuer, depth: 0))
    #expect(refusal([h.leafDER, h.middleDER], to: .none) == CertificatePathError(.noAnchor))
  }

  @Test func everyCertificateMustBeInItsTime() throws {
    let h = try TestHierarchy()
    let (first, last): (Int64, Int64) = (1_577_836_800, 2_208_988_800)  // 2020-01-01, 2040-01-01
    let (anchors, path) = (try h.anchors(), [h.leafDER, h.middleDER])
    #expect(refusal(path, to: anchors, at: UnixTime(first)) == nil)
    #expect(refusal(path, to: anchors, at: UnixTime(last - 1)) == nil)
    #expect(refusal(path, to: anchors, at: UnixTime(first - 1))?.code == .notYetValid)
    #expect(refusal(path, to: anchors, at: UnixTime(last))?.code == .expired)
    for (from, to, code) in [
      ("200101000000Z", "251231235959Z", CertificatePathError.Code.expired),
      ("260101000001Z", "400101000000Z", .notYetValid), ("500101000000Z", "20491231235959Z", nil),
      ("20200101000000Z", "99991231235959Z", nil),
    ] as [(String, String, CertificatePathError.Code?)] {
      let leaf = try h.middle.certificate(for: "Leaf", h.leafKey, from: from, to: to)
      #expect(refusal([leaf, h.middleDER], to: anchors) == code.map { CertificatePathError($0, depth: 0) }, "\(from)")
    }
    let old = try h.root.root(from: "200101000000Z", to: "251231235959Z")
    #expect(
      refusal(path, to: try TrustAnchors(certificates: [old])) == CertificatePathError(.expired, depth: 2))
    for seconds in [Int64.min, Int64.min + 1, -1, 0, .max - 1, .max] {
      #expect(refusal(path, to: anchors, at: UnixTime(seconds)) != nil)
    }
    // Dates in another form than RFC 5280's, which other software reads.
    for form in ["2001010000Z", "200101000000+0000", "20200101000000.5Z", "2020010100Z"] {
      let leaf = try h.middle.certificate(for: "Leaf", h.leafKey, from: form)
      #expect(refusal([leaf, h.middleDER], to: anchors) == CertificatePathError(.malformed, depth: 0), "\(form)")
    }
  }

  @Test func whoIssuesMustBeAnAuthority() throws {
    for (extensions, code) in [
      ([.authority()], nil), ([.endEntity], .notACertificateAuthority), ([], .notACertificateAuthority),
      ([.authority(below: 0)], nil),
      ([.authority(), Extension(Authority.OID.keyUsage, critical: true, [0x03, 0x02, 0x02, 0x04])], nil),
      // digitalSignature only
      (
        [.authority(), Extension(Authority.OID.keyUsage, critical: true, [0x03, 0x02, 0x07, 0x80])],
        .notACertificateAuthority
      ),
    ] as [([Extension], CertificatePathError.Code?)] {
      let h = try TestHierarchy(middle: extensions)
      #expect(refusal([h.leafDER, h.middleDER], to: try h.anchors())?.code == code)
    }
  }

  @Test func lengthIsLimitedByAuthoritiesAndPolicy() throws {
    let h = try TestHierarchy(middle: [.authority(below: 0)])
    let lower = try Authority("Lower")
    let path = [try lower.certificate(for: "Leaf", h.leafKey), try h.middle.certificate(for: lower), h.middleDER]
    #expect(refusal(path, to: try h.anchors())?.code == .pathLengthExceeded)

    var authorities = [try Authority("0")]
    let anchors = try TrustAnchors(certificates: [authorities[0].root()])
    var certificates: [[UInt8]] = []
    for index in 1...12 {
      let next = try Authority("\(index)")
      certificates.insert(try authorities[index - 1].certificate(for: next), at: 0)
      authorities.append(next)
    }
    #expect(refusal(Array(certificates.suffix(8)), to: anchors) == nil)
    #expect(refusal(Array(certificates.suffix(9)), to: anchors) == CertificatePathError(.tooManyCertificates))
    #expect(refusal(certificates, to: anchors) == CertificatePathError(.tooManyCertificates))
    #expect(refusal(certificates, to: anchors, CertificatePathPolicy(maximumCertificates: 12)) == nil)
  }

  @Test func orderIsThatOfIssuing() throws {
    let h = try TestHierarchy()
    let anchors = try h.anchors()
    #expect(refusal([h.middleDER, h.leafDER], to: anchors) == CertificatePathError(.wrongOrder, depth: 0))
    #expect(refusal([h.leafDER, h.rootDER, h.middleDER], to: anchors) == CertificatePathError(.wrongOrder, depth: 0))
    #expect(
      refusal([h.leafDER, h.middleDER, try Authority("Stray").root()], to: anchors)
        == CertificatePathError(.wrongOrder, depth: 1))
    #expect(refusal([h.leafDER, h.leafDER, h.middleDER], to: anchors) == CertificatePathError(.wrongOrder, depth: 0))
  }

  @Test func crossSigningEndsAtAnAnchor() throws {
    let h = try TestHierarchy()
    let other = try Authority("Other")
    let (otherByRoot, rootByOther) = (try h.root.certificate(for: other), try other.certificate(for: h.root))
    let below = try other.certificate(for: "Leaf", h.leafKey)
    // Two that signed each other, without an anchor, go nowhere; with one, either way is good.
    let loop = [below, otherByRoot, rootByOther, otherByRoot, rootByOther]
    #expect(refusal(loop, to: try TrustAnchors(certificates: [Authority("Third").root()]))?.code == .unknownIssuer)
    #expect(refusal(loop, to: try h.anchors()) == nil)
    #expect(refusal([below, otherByRoot, rootByOther], to: try TrustAnchors(certificates: [other.root()])) == nil)
  }

  @Test func extensionsThatForbidAreObeyed() throws {
    let unknown = Extension(Authority.OID.unknown, critical: true, [0x05, 0x00])
    let harmless = Extension(Authority.OID.unknown, [0x05, 0x00])
    let name = Extension.permitted(dns: "example.com")
    let requirePolicy = Extension(Authority.OID.policyConstraints, critical: true, element(0x30, [0x80, 0x01, 0x00]))
    for (middle, leaf, expected) in [
      ([.authority(), harmless], [.endEntity, harmless], nil),
      ([.authority(), unknown], [.endEntity], CertificatePathError(.unknownCriticalExtension, depth: 1)),
      ([.authority()], [.endEntity, unknown], CertificatePathError(.unknownCriticalExtension, depth: 0)),
      ([.authority(), name], [.endEntity, .altName(dns: "a.example.com")], nil),
      (
        [.authority(), name], [.endEntity, .altName(dns: "example.org")],
        CertificatePathError(.nameConstraintViolated, depth: 0)
      ),
      ([.authority(), requirePolicy], [.endEntity], CertificatePathError(.certificatePolicyMissing, depth: nil)),
    ] as [([Extension], [Extension], CertificatePathError?)] {
      let h = try TestHierarchy(middle: middle, leaf: leaf)
      let found = refusal([h.leafDER, h.middleDER], to: try h.anchors())
      #expect(found?.code == expected?.code)
      if expected?.depth != nil { #expect(found?.depth == expected?.depth) }
    }
  }

  /// What decides nothing may be malformed; what can forbid something may not.
  @Test func malformedExtensionsSinkOnlyWhereTheyCount() throws {
    typealias OID = Authority.OID
    let wrapped = element(0x04, element(0x30, element(0x80, [1, 2, 3])))
    for (identifier, value, isTolerated) in [
      (OID.authorityKeyIdentifier, wrapped, true), (OID.authorityKeyIdentifier, [], true),
      (OID.subjectKeyIdentifier, [0x30, 0x00], true), (OID.certificatePolicies, [0x05, 0x00], true),
      (OID.subjectAltName, [0x05, 0x00], false), (OID.keyUsage, [0x05, 0x00], false),
      (OID.nameConstraints, [0x05, 0x00], false),
    ] as [([UInt8], [UInt8], Bool)] {
      let h = try TestHierarchy(
        middle: [.authority(), Extension(identifier, value)], leaf: [.endEntity, Extension(identifier, value)])
      let found = refusal([h.leafDER, h.middleDER], to: try h.anchors())
      #expect(found == (isTolerated ? nil : CertificatePathError(.malformed, depth: 1)), "\(identifier)")
      #expect(((try? TrustAnchors(certificates: [h.middleDER])) != nil) == isTolerated)
    }
    let key = Extension(OID.authorityKeyIdentifier, [])
    let twice = try TestHierarchy(leaf: [.endEntity, key, key])
    #expect(
      refusal([twice.leafDER, twice.middleDER], to: try twice.anchors())
        == CertificatePathError(.malformed, depth: 0))
    #expect(throws: CertificatePathError(.malformed, depth: 0)) { try TrustAnchors(certificates: [twice.leafDER]) }
  }

  @Test func weakKeysAndDigestsAreRefused() throws {
    let h = try TestHierarchy()
    let anchors = try h.anchors()
    for (bytes, code) in [(64, CertificatePathError.Code.keyTooWeak), (96, .keyTooWeak), (128, nil), (256, nil)] {
      let rsa = PublicKeyNumbers.rsa(modulus: [UInt8](repeating: 0xC5, count: bytes), exponent: [1, 0, 1])
      let leaf = try h.middle.certificate(for: "Leaf", h.leafKey, spki: rsa.spki())
      let found = refusal([leaf, h.middleDER], to: anchors)
      #expect(found?.code == code, "\(bytes) \(found?.parts ?? "")")
    }
    // SHA-1 with ECDSA, MD5 with RSA, which the issuer's key is not for, and SHA-256 with ECDSA, which the signature is.
    for (identifier, code) in [
      ([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x01], .keyTooWeak),
      ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x04], .unknownIssuer), (Authority.OID.ecdsaWithSHA256, nil),
    ] as [([UInt8], CertificatePathError.Code?)] {
      let algorithm = element(0x30, element(0x06, identifier))
      let leaf = try h.middle.certificate(for: "Leaf", h.leafKey, algorithm: algorithm)
      let found = refusal([leaf, h.middleDER], to: anchors)
      #expect(found?.code == code, "\(identifier) \(found?.parts ?? "")")
      // Nobody looks at the signature of an anchor.
      #expect(refusal([leaf], to: try TrustAnchors(certificates: [leaf])) == nil)
    }
  }

  @Test func anchorsAreReadFromPEM() throws {
    let h = try TestHierarchy()
    func armour(_ der: [UInt8]) -> String {
      "-----BEGIN CERTIFICATE-----\n\(Base64.encode(der.span).string)\n-----END CERTIFICATE-----\n"
    }
    let text = armour(try Authority("Other").root()) + armour(h.rootDER)
    let anchors = try TrustAnchors(pem: text.utf8.span)
    #expect(anchors.count == 2)
    #expect(refusal([h.leafDER, h.middleDER], to: anchors) == nil)
    #expect(anchors == (try TrustAnchors(certificates: anchors.certificates)))
    #expect(anchors != .none && TrustAnchors.none.count == 0)
    let bad = armour(h.rootDER) + armour([0x30, 0x00])
    #expect(throws: CertificatePathError(.malformed, depth: 1)) { try TrustAnchors(pem: bad.utf8.span) }
    #expect(throws: CertificatePathError(.malformed)) { try TrustAnchors(pem: "".utf8.span) }
    #expect(throws: CertificatePathError(.tooLarge)) {
      try TrustAnchors(pem: [UInt8](repeating: 0x20, count: TrustAnchors.maximumPEMBytes + 1).span)
    }
    let many = [[UInt8]](repeating: h.rootDER, count: TrustAnchors.maximumCount + 1)
    #expect(throws: CertificatePathError(.tooManyCertificates)) { try TrustAnchors(certificates: many) }
    #expect(try TrustAnchors(certificates: many.dropLast()).count == TrustAnchors.maximumCount)
  }

  /// One set of anchors used by many tasks at once, from its first use on. Run with `--sanitize=thread` as well.
  @Test func anchorsAreShared() async throws {
    let h = try TestHierarchy()
    let anchors = try h.anchors()
    let right = await withTaskGroup(of: Int.self) { group in
      for task in 0..<32 {
        group.addTask {
          (0..<8).count { round in
            let isGood = (task + round) % 3 != 0
            let leaf = isGood ? h.leafDER : h.leafDER.flippingBit(h.leafDER.count * 8 - 40)
            return (refusal([leaf, h.middleDER], to: anchors) == nil) == isGood
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(right == 32 * 8)
  }

  @Test func noBitOfTheCertificatesMayChange() throws {
    let h = try TestHierarchy()
    let anchors = try h.anchors()
    for bit in 0..<(h.leafDER.count * 8) {
      #expect(refusal([h.leafDER.flippingBit(bit), h.middleDER], to: anchors) != nil, "bit \(bit)")
    }
    for count in 0..<h.middleDER.count {
      #expect(
        refusal([h.leafDER, Array(h.middleDER.prefix(count))], to: anchors)
          == CertificatePathError(.malformed, depth: 1))
      #expect(throws: CertificatePathError(.malformed, depth: 0)) {
        try TrustAnchors(certificates: [Array(h.middleDER.prefix(count))])
      }
    }
    #expect(refusal([h.leafDER + [0]], to: anchors) == CertificatePathError(.malformed, depth: 0))
    #expect(refusal([], to: anchors) == CertificatePathError(.malformed))
    #expect(
      refusal([[UInt8](repeating: 0x30, count: X509Certificate.maximumBytes + 1)], to: anchors)
        == CertificatePathError(.malformed, depth: 0))
  }
}
