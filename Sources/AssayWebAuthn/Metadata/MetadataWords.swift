public import AssayCodec

// The enumerations of the metadata specifications grow, and a BLOB may hold words that are younger than this library.
// They are kept as they were written, and those that mean something here have names.

/// What a status report says of an authenticator (FIDO Metadata Service, 3.1.4 "AuthenticatorStatus").
public struct AuthenticatorStatus: Hashable, Sendable {
  /// The word, as it was written.
  public let word: UTF8Text

  /// A status by its word, known or not.
  public init(_ word: UTF8Text) { self.word = word }

  /// Not certified, or no longer.
  public static let notFIDOCertified = AuthenticatorStatus("NOT_FIDO_CERTIFIED")
  /// The vendor has answered the questions about its security by himself.
  public static let selfAssertionSubmitted = AuthenticatorStatus("SELF_ASSERTION_SUBMITTED")
  /// Certified, before there were levels.
  public static let fidoCertified = AuthenticatorStatus("FIDO_CERTIFIED")
  /// It can be made to sign without having verified the user.
  public static let userVerificationBypass = AuthenticatorStatus("USER_VERIFICATION_BYPASS")
  /// The key that vouches for authenticators of this model is in the wrong hands.
  public static let attestationKeyCompromise = AuthenticatorStatus("ATTESTATION_KEY_COMPROMISE")
  /// Users' keys can be taken from a distance.
  public static let userKeyRemoteCompromise = AuthenticatorStatus("USER_KEY_REMOTE_COMPROMISE")
  /// Users' keys can be taken by who has the device.
  public static let userKeyPhysicalCompromise = AuthenticatorStatus("USER_KEY_PHYSICAL_COMPROMISE")
  /// There is newer software for it.
  public static let updateAvailable = AuthenticatorStatus("UPDATE_AVAILABLE")
  /// The vendor no longer has it certified.
  public static let retired = AuthenticatorStatus("RETIRED")
  /// It is not to be trusted.
  public static let revoked = AuthenticatorStatus("REVOKED")

  /// Those that say that it is broken, or not to be trusted.
  public static let compromises: Set<AuthenticatorStatus> = [
    .revoked, .userVerificationBypass, .attestationKeyCompromise, .userKeyRemoteCompromise,
    .userKeyPhysicalCompromise,
  ]
}

/// How far an authenticator's security was certified. Ordered: the later is the higher.
public enum CertificationLevel: Int, Hashable, Comparable, Sendable, CaseIterable {
  /// `FIDO_CERTIFIED`: it works as the specifications say; nobody has looked at its security.
  case functional
  /// `FIDO_CERTIFIED_L1`.
  case l1
  /// `FIDO_CERTIFIED_L1plus`.
  case l1plus
  /// `FIDO_CERTIFIED_L2`.
  case l2
  /// `FIDO_CERTIFIED_L2plus`.
  case l2plus
  /// `FIDO_CERTIFIED_L3`.
  case l3
  /// `FIDO_CERTIFIED_L3plus`.
  case l3plus

  /// The status that says so.
  public var status: AuthenticatorStatus {
    switch self {
    case .functional: .fidoCertified
    case .l1: AuthenticatorStatus("FIDO_CERTIFIED_L1")
    case .l1plus: AuthenticatorStatus("FIDO_CERTIFIED_L1plus")
    case .l2: AuthenticatorStatus("FIDO_CERTIFIED_L2")
    case .l2plus: AuthenticatorStatus("FIDO_CERTIFIED_L2plus")
    case .l3: AuthenticatorStatus("FIDO_CERTIFIED_L3")
    case .l3plus: AuthenticatorStatus("FIDO_CERTIFIED_L3plus")
    }
  }

  /// The level that a status says; nil if it says none.
  public init?(_ status: AuthenticatorStatus) {
    guard let level = Self.allCases.first(where: { $0.status == status }) else { return nil }
    self = level
  }

  /// Whether `a` is the lower level.
  public static func < (a: CertificationLevel, b: CertificationLevel) -> Bool { a.rawValue < b.rawValue }
}

/// A way to verify the user (FIDO Registry of Predefined Values, 3.1).
public struct MetadataVerificationMethod: Hashable, Sendable {
  /// The word, as it was written.
  public let word: UTF8Text

  /// A method by its word, known or not.
  public init(_ word: UTF8Text) { self.word = word }

  /// Only that somebody is there.
  public static let presence = MetadataVerificationMethod("presence_internal")
  /// A finger.
  public static let fingerprint = MetadataVerificationMethod("fingerprint_internal")
  /// A PIN that the authenticator itself takes.
  public static let passcodeInternal = MetadataVerificationMethod("passcode_internal")
  /// A PIN that the platform takes and hands on.
  public static let passcodeExternal = MetadataVerificationMethod("passcode_external")
  /// A voice.
  public static let voiceprint = MetadataVerificationMethod("voiceprint_internal")
  /// A face.
  public static let faceprint = MetadataVerificationMethod("faceprint_internal")
  /// An eye.
  public static let eyeprint = MetadataVerificationMethod("eyeprint_internal")
  /// A pattern that is drawn.
  public static let patternInternal = MetadataVerificationMethod("pattern_internal")
  /// Nothing.
  public static let none = MetadataVerificationMethod("none")
  /// Not a method: says that every method beside it is needed.
  public static let all = MetadataVerificationMethod("all")
}

/// Where an authenticator keeps keys (FIDO Registry of Predefined Values, 3.2).
public struct KeyProtection: Hashable, Sendable {
  /// The word, as it was written.
  public let word: UTF8Text

  /// A protection by its word, known or not.
  public init(_ word: UTF8Text) { self.word = word }

  /// In software only.
  public static let software = KeyProtection("software")
  /// In hardware.
  public static let hardware = KeyProtection("hardware")
  /// In a trusted execution environment.
  public static let tee = KeyProtection("tee")
  /// In a secure element.
  public static let secureElement = KeyProtection("secure_element")
  /// Wrapped, in the credential id.
  public static let remoteHandle = KeyProtection("remote_handle")
}

/// Where an authenticator compares what it knows of its user (FIDO Registry of Predefined Values, 3.3).
public struct MatcherProtection: Hashable, Sendable {
  /// The word, as it was written.
  public let word: UTF8Text

  /// A protection by its word, known or not.
  public init(_ word: UTF8Text) { self.word = word }

  /// In software only.
  public static let software = MatcherProtection("software")
  /// In a trusted execution environment.
  public static let tee = MatcherProtection("tee")
  /// On the chip.
  public static let onChip = MatcherProtection("on_chip")
}

/// How authenticators of a model vouch for new credentials (FIDO Registry of Predefined Values, 3.6.3).
public struct MetadataAttestationType: Hashable, Sendable {
  /// The word, as it was written.
  public let word: UTF8Text

  /// A type by its word, known or not.
  public init(_ word: UTF8Text) { self.word = word }

  /// By the key of the authenticator's own or its model's certificate.
  public static let basicFull = MetadataAttestationType("basic_full")
  /// By the credential's own key.
  public static let basicSurrogate = MetadataAttestationType("basic_surrogate")
  /// By a key that an attestation CA certified.
  public static let attCA = MetadataAttestationType("attca")
  /// By a key that an anonymization CA certified.
  public static let anonCA = MetadataAttestationType("anonca")
  /// Not at all.
  public static let none = MetadataAttestationType("none")
}
