public import AssayCodec
public import AssayCrypto

/// Whom a relying party trusts to vouch for authenticators (WebAuthn L3, 7.1 step 23).
///
/// It is configuration, given when a registration finishes: what has become known of an authenticator since the ceremony
/// began must count. What is demanded stands in `AttestationPolicy`, and was fixed when it began.
public struct AttestationTrust: Sendable {
  /// Anchors under one name.
  public struct Authority: Sendable {
    /// What results call it.
    public let name: UTF8Text
    /// The certificates that are trusted.
    public let anchors: TrustAnchors
    /// The attestation statement formats it may vouch for; nil for all. A maker of TPMs should not vouch for phones.
    public let formats: [UTF8Text]?
    /// The models it may vouch for, each an AAGUID of 16 bytes; nil for all. Where one vendor's models are accepted by
    /// AAGUID, another's certificates should not be able to vouch for them.
    public let aaguids: [[UInt8]]?

    /// Trusts `anchors` to vouch for authenticators of these models in statements of these formats.
    public init(name: String, anchors: TrustAnchors, formats: [UTF8Text]? = nil, aaguids: [[UInt8]]? = nil) {
      self.name = UTF8Text(name)
      self.anchors = anchors
      self.formats = formats
      self.aaguids = aaguids
    }
  }

  /// FIDO's metadata, and what is demanded of a model by it.
  public struct Metadata: Sendable {
    /// The metadata, of which the entry of the authenticator's model counts.
    public var blob: MetadataBLOB
    /// What the entry must say. Whatever is demanded beyond not being refused, a model without an entry does not meet, nor
    /// an authenticator for which others than the entry's certificates vouch.
    public var policy: MetadataPolicy
    /// Whether the model must have an entry, whose certificates vouch for the authenticator unless the model vouches by the
    /// credential's own key.
    public var requiresEntry: Bool

    /// Judges models by this metadata: those that it knows to be broken are refused, unless the policy says more.
    public init(_ blob: MetadataBLOB, policy: MetadataPolicy = MetadataPolicy(), requiresEntry: Bool = false) {
      self.blob = blob
      self.policy = policy
      self.requiresEntry = requiresEntry
    }
  }

  /// Whom the relying party trusts, in the order in which they are asked.
  public var authorities: [Authority]
  /// FIDO's metadata, if it is used: what it says vouches for an authenticator of the model it is about, and is asked first.
  public var metadata: Metadata?
  /// How paths to an anchor are validated: revocation lists, and whether the anchor may be among the statement's certificates.
  public var pathPolicy: CertificatePathPolicy

  /// Trusts nobody: attestation certificates are not looked at beyond their format.
  public static let none = AttestationTrust([])

  /// Trusts these.
  public init(
    _ authorities: [Authority], metadata: Metadata? = nil, pathPolicy: CertificatePathPolicy = CertificatePathPolicy()
  ) {
    self.authorities = authorities
    self.metadata = metadata
    self.pathPolicy = pathPolicy
  }
}

/// What came of asking whether those who vouch for an authenticator are to be trusted (WebAuthn L3, 7.1 step 24).
@nonexhaustive
public enum AttestationTrustResult: Hashable, Sendable {
  /// Nobody else vouches: there is no attestation, or it is the credential's own.
  case notApplicable
  /// No authority is configured for the format and the model, so nobody has looked at who made the certificates and when they are valid.
  /// Until someone does, what they say about the authenticator may be anyone's invention.
  case notEvaluated
  /// The certificates lead to an anchor of this authority, given in DER.
  case trusted(by: UTF8Text, anchor: [UInt8])
  /// The certificates lead to no anchor; why not to the authority that was asked last.
  case untrusted(CertificatePathError)
}

extension AttestationTrust {
  /// What results call those whom the entry of an authenticator's model names.
  public static let metadataAuthority: UTF8Text = "FIDO metadata"

  /// WebAuthn L3, 7.1 step 24: whether the certificates of a statement lead to an anchor at `time`.
  ///
  /// - Parameter aaguid: that of the authenticator data.
  func result(
    on statement: VerifiedAttestation, aaguid: [UInt8], of entries: [MetadataEntry], at time: UnixTime
  ) -> AttestationTrustResult {
    let trustPath = statement.trustPath
    guard !trustPath.isEmpty else { return .notApplicable }
    let stated = statement.statedAAGUID(aaguid)
    var result = AttestationTrustResult.notEvaluated
    for authority in models(entries) + authorities {
      guard authority.formats?.contains(statement.format) ?? true, authority.aaguids?.contains(stated) ?? true else {
        continue
      }
      do throws(CertificatePathError) {
        let path = try CertificatePath(certificates: trustPath).validated(to: authority.anchors, at: time, pathPolicy)
        return .trusted(by: authority.name, anchor: path.anchor)
      } catch {
        result = .untrusted(error)
      }
    }
    return result
  }

  /// Those whom metadata names for a model; none whose certificates cannot be read.
  private func models(_ entries: [MetadataEntry]) -> [Authority] {
    entries.compactMap { entry in
      guard let anchors = try? entry.metadataStatement?.trustAnchors() else { return nil }
      return Authority(name: Self.metadataAuthority.string, anchors: anchors)
    }
  }
}
