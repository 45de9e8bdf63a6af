public import AssayCodec
internal import CAssayCrypto

/// A certificate and those that are said to lead from it to a trust anchor. Nothing of it is trusted.
public struct CertificatePath: Hashable, Sendable {
  /// The certificates in DER: the leaf first, each followed by its issuer. The anchor may be left out.
  public let certificates: [[UInt8]]

  /// Takes certificates in DER, the leaf first, as they stand in `x5c` (RFC 7515, 4.1.6; WebAuthn L3, 8.2).
  public init(certificates: [[UInt8]]) { self.certificates = certificates }

  /// Validates the path (RFC 5280, 6.1).
  ///
  /// Success proves that at the given time the leaf's name and key were vouched for by an anchor: every signature on the way
  /// is right, every certificate in its time (the anchor's too; the second of `notAfter` counts as after it), and every
  /// issuer allowed to issue what it issued. It does not say what the leaf may be used for: extended key usage is the
  /// caller's to check. Revocation is looked at as the policy says.
  ///
  /// Refused beyond RFC 5280: certificates of which the next is not the issuer, by name; RSA keys below some 1000 bits; signatures with MD5,
  /// and with SHA-1 below the anchor. Certificate policies count only where an authority constrains them.
  ///
  /// - Throws: `CertificatePathError` for the first fault that is found.
  public func validated(
    to anchors: TrustAnchors, at time: UnixTime, _ policy: CertificatePathPolicy = CertificatePathPolicy()
  ) throws(CertificatePathError) -> ValidatedPath {
    guard certificates.count <= policy.maximumCertificates else { throw CertificatePathError(.tooManyCertificates) }
    guard !certificates.isEmpty else { throw CertificatePathError(.malformed) }
    for (index, certificate) in certificates.enumerated() {
      // Strict where OpenSSL is not: one encoding, no extension twice, no more than the limits.
      guard (try? X509Certificate(certificate.span)) != nil else {
        throw CertificatePathError(.malformed, depth: index)
      }
      guard index == 0 || policy.allowsAnchorInPath || !anchors.certificates.contains(certificate) else {
        throw CertificatePathError(.anchorInPath, depth: index)
      }
    }
    guard let parsed = anchors.parsed else { throw CertificatePathError(.noAnchor) }
    let (revocation, lists) = policy.revocation.parts
    let answer = parsed.check(certificates, at: time, revocation, lists?.parsed)
    guard answer.verdict == ASSAYC_PATH_VALID, answer.used <= certificates.count,
      anchors.certificates.indices.contains(answer.anchor)
    else { throw CertificatePathError(answer.verdict, depth: answer.depth < 0 ? nil : Int(answer.depth)) }
    let anchor = anchors.certificates[answer.anchor]
    return ValidatedPath(anchor: anchor, certificates: certificates.prefix(answer.used) + [anchor])
  }
}

/// A certificate path that leads to a trust anchor. Only `CertificatePath.validated` makes one.
public struct ValidatedPath: Hashable, Sendable {
  /// The anchor it leads to, in DER.
  public let anchor: [UInt8]
  /// The path in DER, from the leaf to the anchor; one certificate if the leaf is the anchor.
  public let certificates: [[UInt8]]
}

extension RevocationPolicy {
  fileprivate var parts: (assayc_revocation, RevocationLists?) {
    switch self {
    case .notChecked: (ASSAYC_REVOCATION_NOT_CHECKED, nil)
    case .softFail(let lists): (ASSAYC_REVOCATION_SOFT, lists)
    case .hardFail(let lists): (ASSAYC_REVOCATION_HARD, lists)
    }
  }
}

extension CertificatePathError {
  /// What a verdict of the C library means. `VALID` with an answer that makes no sense is a refusal like others.
  init(_ verdict: assayc_path_verdict, depth: Int?) {
    let code: Code =
      switch verdict {
      case ASSAYC_PATH_UNAVAILABLE: .unavailable
      case ASSAYC_PATH_MALFORMED: .malformed
      case ASSAYC_PATH_WRONG_ORDER: .wrongOrder
      case ASSAYC_PATH_UNKNOWN_ISSUER: .unknownIssuer
      case ASSAYC_PATH_SELF_SIGNED: .selfSignedNotTrusted
      case ASSAYC_PATH_EXPIRED: .expired
      case ASSAYC_PATH_NOT_YET_VALID: .notYetValid
      case ASSAYC_PATH_SIGNATURE: .signatureInvalid
      case ASSAYC_PATH_NOT_A_CA: .notACertificateAuthority
      case ASSAYC_PATH_LENGTH: .pathLengthExceeded
      case ASSAYC_PATH_NAME_CONSTRAINT: .nameConstraintViolated
      case ASSAYC_PATH_CRITICAL_EXTENSION: .unknownCriticalExtension
      case ASSAYC_PATH_POLICY: .certificatePolicyMissing
      case ASSAYC_PATH_WEAK_KEY: .keyTooWeak
      case ASSAYC_PATH_REVOKED: .revoked
      case ASSAYC_PATH_LIST_MISSING: .revocationListMissing
      case ASSAYC_PATH_LIST_EXPIRED: .revocationListExpired
      default: .other
      }
    self.init(code, depth: depth)
  }
}
