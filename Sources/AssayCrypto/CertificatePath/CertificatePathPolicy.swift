/// Whether and how a path is held against certificate revocation lists (RFC 5280, 5).
///
/// Lists count that a certificate of the path has signed. Whatever the policy, a certificate that such a list names is
/// refused, also when the list has expired. Indirect, delta and partial lists count as missing.
public enum RevocationPolicy: Hashable, Sendable {
  /// Revocation is not looked at.
  case notChecked
  /// A list that is missing, not current or unreadable is no reason to refuse.
  case softFail(crls: RevocationLists)
  /// Each certificate below the anchor must be covered by a current list of its issuer. One that does not say until when it
  /// is current (RFC 5280, 5.1.2.5), or of what, counts as missing.
  case hardFail(crls: RevocationLists)
}

/// What is asked of a certificate path beside leading to an anchor.
public struct CertificatePathPolicy: Hashable, Sendable {
  /// Revocation.
  public var revocation: RevocationPolicy
  /// Whether an anchor may be among the certificates after the leaf. It gains nothing there: it is trusted for being
  /// configured.
  public var allowsAnchorInPath: Bool
  /// The most certificates in the path that is given.
  public var maximumCertificates: Int

  /// Makes a policy.
  public init(
    revocation: RevocationPolicy = .notChecked, allowsAnchorInPath: Bool = true, maximumCertificates: Int = 8
  ) {
    self.revocation = revocation
    self.allowsAnchorInPath = allowsAnchorInPath
    self.maximumCertificates = maximumCertificates
  }
}
