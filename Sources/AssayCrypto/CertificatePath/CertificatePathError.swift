/// Why a certificate path was refused, or anchors could not be read. Never holds input.
public struct CertificatePathError: Error, Hashable, Sendable {
  /// The kind of fault.
  @nonexhaustive
  public enum Code: Hashable, Sendable {
    /// No anchor is configured, so nothing can be trusted.
    case noAnchor
    /// No anchor has issued the last certificate.
    case unknownIssuer
    /// The path ends in a self-signed certificate that is no anchor.
    case selfSignedNotTrusted
    /// A certificate is not the issuer of the one before it, or is no part of the path.
    case wrongOrder
    /// An anchor is among the certificates, and the policy does not allow that.
    case anchorInPath
    /// A certificate has expired at the given time.
    case expired
    /// A certificate is not valid yet at the given time.
    case notYetValid
    /// A signature is not that of the issuer.
    case signatureInvalid
    /// A certificate issued another and may not (basicConstraints, keyUsage).
    case notACertificateAuthority
    /// There are more certificates below an authority than it allows (pathLenConstraint).
    case pathLengthExceeded
    /// A name is outside what an authority may issue for.
    case nameConstraintViolated
    /// A certificate has a critical extension that is not known here.
    case unknownCriticalExtension
    /// An authority demands a certificate policy that the path does not have.
    case certificatePolicyMissing
    /// A key or a signature's digest is too weak, or of a kind that is not supported.
    case keyTooWeak
    /// A certificate is on its issuer's revocation list.
    case revoked
    /// There is no usable revocation list of a certificate's issuer.
    case revocationListMissing
    /// The revocation list of a certificate's issuer is not current at the given time.
    case revocationListExpired
    /// A certificate cannot be read, or there is none.
    case malformed
    /// There are more certificates than the limit.
    case tooManyCertificates
    /// A text or a revocation list is larger than the limit, or there are more lists.
    case tooLarge
    /// The cryptographic library refused without a reason that is listed here, or memory ran out.
    case other
    /// The cryptographic libraries cannot be used.
    case unavailable
  }

  /// The kind of fault.
  public let code: Code
  /// Which certificate it is about: 0 is the leaf, 1 its issuer. Of anchors, their index.
  public let depth: Int?

  package init(_ code: Code, depth: Int? = nil) {
    self.code = code
    self.depth = depth
  }
}

extension CertificatePathError: CustomStringConvertible {
  /// One line for a person: what is wrong and what to do.
  public var description: String {
    depth.map { "certificate \($0) (0 is the first): \(code.explanation)" } ?? "certificate path: \(code.explanation)"
  }
}

extension CertificatePathError.Code {
  fileprivate var explanation: String {
    switch self {
    case .noAnchor: "no trust anchor is configured"
    case .unknownIssuer: "its issuer is none of the trust anchors; if it should be trusted, configure the issuer as one"
    case .selfSignedNotTrusted: "it is self-signed and none of the trust anchors"
    case .wrongOrder: "the next certificate is not its issuer; each must be followed by its issuer"
    case .anchorInPath: "it is a trust anchor, which this policy does not allow in the path"
    case .expired: "it has expired at the time of the check"
    case .notYetValid: "it is not valid yet at the time of the check"
    case .signatureInvalid: "its signature is not its issuer's"
    case .notACertificateAuthority: "it issued another certificate and may not"
    case .pathLengthExceeded: "the path is longer than it or the limit allows"
    case .nameConstraintViolated: "its name is not one that its issuers may issue for"
    case .unknownCriticalExtension: "it has a critical extension that is not known"
    case .certificatePolicyMissing: "a certificate policy that its issuer demands is missing or unreadable"
    case .keyTooWeak: "its key or the digest of its signature is too weak or not supported"
    case .revoked: "it is revoked"
    case .revocationListMissing: "there is no usable revocation list of its issuer"
    case .revocationListExpired: "the revocation list of its issuer is not current; fetch a new one"
    case .malformed: "it is missing or cannot be read"
    case .tooManyCertificates: "there are more certificates than the limit"
    case .tooLarge: "the PEM text or the revocation lists are larger than the limit"
    case .other: "the cryptographic library refused it"
    case .unavailable: "OpenSSL or libsodium cannot be used"
    }
  }
}
