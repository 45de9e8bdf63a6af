import AssayCodec
import AssayCrypto
import AssayWebAuthn

/// The certificates of an attestation that must be trusted: the leaf, an authority, and a root that is trusted.
private struct Chain {
  var leaf: TestCertificate
  var middle: TestCertificate
  let root: [UInt8]
  /// Instead of the leaf and the authority, each in DER.
  var path: ((_ leaf: [UInt8], _ middle: [UInt8], _ root: [UInt8]) -> [[UInt8]])?
  /// Instead of the root.
  var anchors: ((_ leaf: [UInt8], _ middle: [UInt8]) -> [[UInt8]])?
  var policy = CertificatePathPolicy()

  init(_ leaf: TestCertificate) throws {
    self.leaf = leaf
    middle = try TestAuthority.intermediate.certificate(by: .root)
    root = try TestAuthority.root.certificate().der()
  }
}

extension Deviation where Ceremony == RegistrationCeremony {
  private static func chain(
    _ name: String, _ fault: CertificatePathError.Code? = nil,
    _ change: @escaping @Sendable (inout Chain) throws -> Void = { _ in }
  ) -> Self {
    let expected = fault.map { Refusal(.attestationNotTrusted, 24, "x5c", path: $0) }
    return Self(name: name, expected: expected) { ceremony in
      // What cannot be made is left as it is, and then nobody is trusted.
      ceremony.options.attestationPolicy.requirement = .trusted
      guard let certificate = ceremony.answer.certificate, var chain = try? Chain(certificate) else { return }
      try? change(&chain)
      guard let leaf = try? chain.leaf.der(), let middle = try? chain.middle.der() else { return }
      let path = chain.path?(leaf, middle, chain.root) ?? [leaf, middle]
      ceremony.answer.certificate = chain.leaf
      let elements = path.map { CBORValue.bytes($0) }
      ceremony.answer.editStatement = { $0.setting("x5c", .array(elements)) }
      guard let anchors = try? TrustAnchors(certificates: chain.anchors?(leaf, middle) ?? [chain.root]) else { return }
      ceremony.trust = AttestationTrust([.init(name: "the vendor", anchors: anchors)], pathPolicy: chain.policy)
    }
  }

  /// WebAuthn L3, 7.1 step 24; RFC 5280, 6.1.
  static let chain: [Self] = [
    chain("leads to the root"),
    chain("the authority is the anchor") { $0.anchors = { _, middle in [middle] } },
    chain("the leaf is the anchor") {
      $0.path = { leaf, _, _ in [leaf] }
      $0.anchors = { leaf, _ in [leaf] }
    },
    chain("the root among the certificates") { $0.path = { [$0, $1, $2] } },
    chain("the root among the certificates, where that is refused", .anchorInPath) {
      $0.path = { [$0, $1, $2] }
      $0.policy.allowsAnchorInPath = false
    },
    chain("the authority missing", .unknownIssuer) { $0.path = { leaf, _, _ in [leaf] } },
    chain("wrong order", .wrongOrder) { $0.path = { [$0, $2, $1] } },
    chain("leaf expired", .expired) { $0.leaf.validity.notAfter = "260101000000Z" },
    chain("leaf not yet valid", .notYetValid) { $0.leaf.validity.notBefore = "300101000000Z" },
    chain("authority expired", .expired) { $0.middle.validity.notAfter = "180101000000Z" },
    chain("authority not yet valid", .notYetValid) { $0.middle.validity.notBefore = "300101000000Z" },
    chain("authority without cA", .notACertificateAuthority) {
      $0.middle.extensions.removeAll { $0.name == TestCertificate.OID.basicConstraints }
    },
    chain("authority signed by another of the root's name", .signatureInvalid) { $0.middle.issuer = .impostor },
    chain("a root of its own appended", .selfSignedNotTrusted) {
      $0.leaf.issuer = .stranger
      let own = try TestAuthority.stranger.certificate().der()
      $0.path = { leaf, _, _ in [leaf, own] }
    },
    chain("another's root trusted", .unknownIssuer) {
      let other = try TestAuthority.stranger.certificate().der()
      $0.anchors = { _, _ in [other] }
    },
    chain("unknown critical extension", .unknownCriticalExtension) {
      $0.leaf.extensions.append((TestCertificate.OID.transports, true, [0x03, 0x02, 0x05, 0x20]))
    },
    chain("no revocation list, where one is demanded", .revocationListMissing) {
      $0.policy.revocation = .hardFail(crls: .none)
    },
    Self(name: "nobody is trusted", expected: Refusal(.attestationNotTrusted, 24, "attestation trust")) {
      $0.options.attestationPolicy.requirement = .trusted
    },
  ]
}
