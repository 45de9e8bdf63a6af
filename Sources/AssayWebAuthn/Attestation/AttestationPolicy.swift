public import AssayCodec

/// What a registration demands of attestation, and what it puts up with. Fixed when the ceremony begins.
public struct AttestationPolicy: Hashable, Sendable {
  /// Whether someone whom the relying party trusts must vouch for the authenticator.
  public var requirement: AttestationRequirement = .none
  /// The attestation statement formats that are accepted, of those that are verified; nil for all. A compound attestation needs its
  /// own and those of its parts.
  public var acceptedFormats: [UTF8Text]?
  /// The models of authenticators that are accepted, each an AAGUID of 16 bytes; nil for all. An AAGUID counts only if
  /// someone trusted vouches for the authenticator, in a statement whose signature covers it: that of U2F does not.
  ///
  /// Any authority in `AttestationTrust` may vouch for any of them, unless it is held to its own: see `Authority.aaguids`.
  public var acceptedAAGUIDs: [[UInt8]]?
  /// What happens when the attestation statement is of a format that is not known here: it may be, whatever was asked for.
  public var unknownFormat: UnknownAttestationPolicy = .refuse
  /// Whether an attestation's ECDSA signature may have zero bytes before its integers, which DER forbids: security keys of
  /// one make write them so. It is read as what it means; sign-ins are not affected.
  public var allowsPaddedSignature = false
  /// Whether an Ed25519 public key may be written as Firefox 117 wrote it, in a map of one entry too few with words for
  /// numbers: then it is stored as what it means, and the list of steps says so. No other client ever wrote one.
  public var allowsFirefox117Key = false
  /// Whether attestation statements may be signed with RSASSA-PKCS1-v1_5 and SHA-1 (RS1), and TPMs may hash with SHA-1, as
  /// those of old Windows machines do. Collisions of SHA-1 can be made.
  public var allowsSHA1 = false
  /// Where Android's key attestation must say what the key is for.
  public var androidKey = AndroidKeyPolicy()
  /// What `android-safetynet` statements must say; nil refuses them. The service that made them is shut down.
  public var safetyNet: SafetyNetPolicy?

  /// The most models that can be listed: they are kept in the state of every ceremony.
  public static let maximumAcceptedAAGUIDs = 1024

  /// The strict policy: what the specification allows and no more.
  public init() {}
}

/// Whether someone whom the relying party trusts must vouch for a new credential's authenticator.
public enum AttestationRequirement: Hashable, Sendable, CaseIterable {
  /// Nobody has to: people and authenticators may withhold attestation, and certificates may be anyone's. The result says.
  case none
  /// The attestation must lead to one of the authorities in `AttestationTrust`.
  case trusted
}

/// What Android's key attestation must say (WebAuthn L3, 8.4).
public struct AndroidKeyPolicy: Hashable, Sendable {
  /// Which of the two lists of authorizations count.
  public enum Scope: Hashable, Sendable, CaseIterable {
    /// Both: what the secure hardware enforces and what the system does.
    case union
    /// Only what the secure hardware enforces.
    case teeEnforced
  }

  /// Which of the two lists of authorizations count.
  public var scope: Scope = .union
  /// Whether origin and purpose may be absent. The specification's own test vector has neither.
  public var allowsMissingAuthorizations = false

  /// What the specification demands, of both lists together.
  public init() {}
}

/// What a SafetyNet response must say (WebAuthn L3, 8.5).
public struct SafetyNetPolicy: Hashable, Sendable {
  /// The longest time since the response was made, in seconds, not negative.
  public var maximumAge: Int64 = 60
  /// Whether the device must have passed Android's compatibility tests (`ctsProfileMatch`).
  public var requiresCTSProfileMatch = true

  /// What the specification demands, of responses at most a minute old.
  public init() {}
}

extension AttestationRequirement: SpecificationWord {
  var word: UTF8Text {
    switch self {
    case .none: "none"
    case .trusted: "trusted"
    }
  }
}

extension AndroidKeyPolicy.Scope: SpecificationWord {
  var word: UTF8Text {
    switch self {
    case .union: "union"
    case .teeEnforced: "tee"
    }
  }
}

extension AttestationPolicy {
  /// Refuses what can only be a mistake: it would refuse every authenticator once the ceremony ends.
  ///
  /// - Throws: `WebAuthnError` with `invalidOption`, its field the member.
  func validate() throws(WebAuthnError) {
    let aaguids = acceptedAAGUIDs ?? []
    guard aaguids.count <= Self.maximumAcceptedAAGUIDs,
      aaguids.allSatisfy({ $0.count == AttestedCredentialData.aaguidBytes })
    else { throw WebAuthnError(.invalidOption, "acceptedAAGUIDs") }
    guard (acceptedFormats ?? []).allSatisfy({ AttestationFormat(word: $0) != nil }) else {
      throw WebAuthnError(.invalidOption, "acceptedFormats")
    }
    guard safetyNet.map({ $0.maximumAge >= 0 }) ?? true else {
      throw WebAuthnError(.invalidOption, "safetyNet.maximumAge")
    }
  }

  init(from record: inout RecordReader) throws(WebAuthnError) {
    requirement = try record.word("attestationRequirement")
    if !record.isNull("acceptedFormats") { acceptedFormats = try record.list("acceptedFormats", of: \.text) }
    if !record.isNull("acceptedAAGUIDs") { acceptedAAGUIDs = try record.list("acceptedAAGUIDs", of: \.bytes) }
    unknownFormat = try record.word("unknownFormat")
    allowsPaddedSignature = try record.bool("allowsPaddedSignature")
    allowsFirefox117Key = try record.bool("allowsFirefox117Key")
    allowsSHA1 = try record.bool("allowsSHA1")
    androidKey.scope = try record.word("androidKeyScope")
    androidKey.allowsMissingAuthorizations = try record.bool("allowsMissingAndroidKeyAuthorizations")
    if !record.isNull("safetyNetMaximumAge") {
      var safetyNet = SafetyNetPolicy()
      safetyNet.maximumAge = try record.integer("safetyNetMaximumAge")
      safetyNet.requiresCTSProfileMatch = try record.bool("requiresCTSProfileMatch")
      self.safetyNet = safetyNet
    }
  }

  func write(to record: inout RecordWriter) {
    record.put("attestationRequirement", .text(requirement.word))
    record.put("acceptedFormats", acceptedFormats.map { .array($0.map { .text($0) }) } ?? .null)
    record.put("acceptedAAGUIDs", acceptedAAGUIDs.map { .array($0.map { .bytes($0) }) } ?? .null)
    record.put("unknownFormat", .text(unknownFormat.word))
    record.put("allowsPaddedSignature", .bool(allowsPaddedSignature))
    record.put("allowsFirefox117Key", .bool(allowsFirefox117Key))
    record.put("allowsSHA1", .bool(allowsSHA1))
    record.put("androidKeyScope", .text(androidKey.scope.word))
    record.put("allowsMissingAndroidKeyAuthorizations", .bool(androidKey.allowsMissingAuthorizations))
    record.put("safetyNetMaximumAge", safetyNet.map { CBORValue($0.maximumAge) } ?? .null)
    if let safetyNet { record.put("requiresCTSProfileMatch", .bool(safetyNet.requiresCTSProfileMatch)) }
  }
}
