public import AssayCodec
public import AssayCrypto

/// The account a credential is made for (WebAuthn L3, 5.4.3).
public struct PasskeyUser: Hashable, Sendable {
  /// The user handle: 1 to 64 bytes that name the account and say nothing about the person, best random.
  public var id: [UInt8]
  /// What the person recognises the account by, such as a mail address.
  public var name: UTF8Text
  /// What the person is called.
  public var displayName: UTF8Text

  /// The longest user handle, in bytes (WebAuthn L3, 5.4.3).
  public static let maximumIDBytes = 64

  /// An account.
  public init(id: [UInt8], name: String, displayName: String) {
    self.id = id
    self.name = UTF8Text(name)
    self.displayName = UTF8Text(displayName)
  }
}

/// A credential as options name it (WebAuthn L3, 5.8.3).
public struct CredentialDescriptor: Hashable, Sendable {
  /// The credential id.
  public var id: [UInt8]
  /// How the client may reach the authenticator, as its registration said.
  public var transports: [UTF8Text]

  /// The most credentials that one ceremony names: its state must stay small enough to be read again.
  public static let maximumCount = 256

  /// Names a credential.
  public init(id: [UInt8], transports: [UTF8Text] = []) {
    self.id = id
    self.transports = transports
  }

  var json: JSONValue {
    var object: JSONObject = ["type": "public-key", "id": .string(Base64URL.encode(id.span))]
    if !transports.isEmpty { object["transports"] = .array(transports.map { .string($0) }) }
    return .object(object)
  }

  /// Whether a ceremony can name these: not too many, each with an id that a credential can have.
  static func canBeNamed(_ credentials: [CredentialDescriptor]) -> Bool {
    credentials.count <= maximumCount
      && credentials.allSatisfy { (1...AttestedCredentialData.maximumCredentialIDBytes).contains($0.id.count) }
  }
}

/// Whether the authenticator must verify the user: by PIN, fingerprint, face (WebAuthn L3, 5.8.6).
public enum UserVerification: Hashable, Sendable, CaseIterable {
  /// The ceremony fails without it.
  case required
  /// It is asked for, and reported.
  case preferred
  /// It is not asked for, and reported.
  case discouraged
}

/// Whether the authenticator must keep the credential so that it can be found without its id (WebAuthn L3, 5.4.6).
public enum ResidentKey: Hashable, Sendable, CaseIterable {
  /// It must: a passkey.
  case required
  /// It should.
  case preferred
  /// It should not.
  case discouraged
}

/// Which authenticators are offered (WebAuthn L3, 5.4.5).
public enum AuthenticatorAttachment: Hashable, Sendable, CaseIterable {
  /// Those built into the device.
  case platform
  /// Those that can be moved between devices.
  case crossPlatform
}

/// How much the authenticator is asked to tell about itself (WebAuthn L3, 5.4.7).
public enum AttestationConveyance: Hashable, Sendable, CaseIterable {
  /// Nothing.
  case none
  /// What the client sees fit.
  case indirect
  /// What the authenticator has.
  case direct
  /// Also what names the single device, where an enterprise manages it.
  case enterprise
}

/// Which kind of authenticator the user will most likely use, so that the client shows that first (WebAuthn L3, 5.8.7).
public enum CredentialHint: Hashable, Sendable, CaseIterable {
  /// A security key.
  case securityKey
  /// What is built into the device, or holds passkeys on it.
  case clientDevice
  /// Another device, such as a phone.
  case hybrid
}

/// What happens when an attestation statement is of a format that is not known here (WebAuthn L3, 7.1 step 21).
public enum UnknownAttestationPolicy: Hashable, Sendable, CaseIterable {
  /// The registration fails.
  case refuse
  /// The statement is not looked at, and the attestation's type is `unverified`. It proves no more than none does.
  case ignore
}

/// What happens when a credential was eligible for backup and is no longer, or the other way round (WebAuthn L3, 7.2
/// step 19 has it fail; some authenticators change it all the same).
public enum BackupEligibilityPolicy: Hashable, Sendable, CaseIterable {
  /// The sign-in fails.
  case refuse
  /// The sign-in succeeds if the credential has become eligible, and its record says so from then on.
  case allowUpgrade
  /// The sign-in succeeds, and the record follows what the authenticator says.
  case follow
}

/// What happens when the signature counter does not grow (WebAuthn L3, 7.2 step 22 leaves it to the relying party).
public enum SignCountPolicy: Hashable, Sendable, CaseIterable {
  /// The sign-in fails.
  case refuse
  /// The sign-in succeeds and reports it.
  case report
}

/// What a registration asks for and will demand.
public struct RegistrationOptions: Sendable {
  /// The algorithms, the most wanted first.
  public var algorithms: [SignatureAlgorithm] = [.edDSA, .es256, .rs256]
  /// Whether the user must be verified.
  public var userVerification: UserVerification = .required
  /// Whether the credential must be discoverable.
  public var residentKey: ResidentKey = .required
  /// Which authenticators are offered; nil for all.
  public var authenticatorAttachment: AuthenticatorAttachment?
  /// Which kinds of authenticator to show first, the most likely first.
  public var hints: [CredentialHint] = []
  /// How much the authenticator is asked to tell about itself.
  public var attestation: AttestationConveyance = .none
  /// Which attestation statement formats are wanted, the most wanted first. Authenticators may use others.
  public var attestationFormats: [UTF8Text] = []
  /// What is demanded of the attestation statement, which may come whatever was asked for.
  public var attestationPolicy = AttestationPolicy()
  /// Credentials the user has already, at most `CredentialDescriptor.maximumCount`: an authenticator that holds one will
  /// not make another.
  public var excludeCredentials: [CredentialDescriptor] = []
  /// What is asked of extensions.
  public var extensions = RegistrationExtensions()
  /// Whether the page calls `create()` with `mediation: "conditional"`, which may do without the user's presence.
  public var isConditional = false
  /// What the ceremony follows where FIDO's conformance tests contradict the specification.
  public var conformance = CeremonyConformance.level3
  /// How long the user has, in seconds, 1 to 86,400. The client is told, and an answer after it is refused.
  public var lifetime: Int64 = 300
  /// A challenge of your own, at least 16 bytes that nobody can guess; 32 random bytes if nil.
  public var challenge: [UInt8]?

  /// The options for a passkey.
  public init() {}
}

/// What a sign-in asks for and will demand.
public struct AuthenticationOptions: Sendable {
  /// The credentials that may answer, at most `CredentialDescriptor.maximumCount`; empty for any discoverable one.
  public var allowCredentials: [CredentialDescriptor] = []
  /// Whether the user must be verified.
  public var userVerification: UserVerification = .required
  /// Which kinds of authenticator to show first, the most likely first.
  public var hints: [CredentialHint] = []
  /// What happens when the signature counter does not grow.
  public var signCountPolicy: SignCountPolicy = .refuse
  /// What happens when the credential's backup eligibility has changed.
  public var backupEligibilityPolicy: BackupEligibilityPolicy = .refuse
  /// What is asked of extensions.
  public var extensions = AuthenticationExtensions()
  /// The payment that is to be confirmed; nil for a sign-in. The page hands it to `PaymentRequest` with the credentials,
  /// challenge and relying party id of the options (Secure Payment Confirmation).
  public var payment: PaymentConfirmation?
  /// What the ceremony follows where FIDO's conformance tests contradict the specification.
  public var conformance = CeremonyConformance.level3
  /// How long the user has, in seconds, 1 to 86,400. The client is told, and an answer after it is refused.
  public var lifetime: Int64 = 300
  /// A challenge of your own, at least 16 bytes that nobody can guess; 32 random bytes if nil.
  public var challenge: [UInt8]?

  /// The options for a sign-in with a passkey.
  public init() {}
}
