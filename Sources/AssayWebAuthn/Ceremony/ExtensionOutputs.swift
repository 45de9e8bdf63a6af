internal import AssayCodec

// The outputs of the extensions that deployed authenticators have (WebAuthn L3, 10; CTAP 2.2, 12), each read by its own
// rules. What has another type than it must have reads as nil, as if it were not there: nothing is decided by it. The
// outputs as they were stay in `clientExtensionResults` and `authenticatorData.extensions`.

extension VerifiedRegistration {
  /// Whether the credential can be found without its id, as the client says (`credProps.rk`, WebAuthn L3, 10.1.3).
  public var isDiscoverable: Bool? { clientExtensionResults["credProps"]?["rk"]?.bool }
  /// Whether the credential can make pseudo-random values, as the client says (`prf.enabled`, WebAuthn L3, 10.1.4).
  public var isPRFEnabled: Bool? { clientExtensionResults["prf"]?["enabled"]?.bool }
  /// Whether the credential can hold a large blob, as the client says (`largeBlob.supported`, WebAuthn L3, 10.1.5).
  public var isLargeBlobSupported: Bool? { clientExtensionResults["largeBlob"]?["supported"]?.bool }

  /// How the credential is protected, as the authenticator says (`credProtect`, CTAP 2.2, 12.1).
  public var credentialProtection: CredentialProtection? {
    authenticatorData.extensions?["credProtect"]?.int64.flatMap { level in
      CredentialProtection.allCases.first { Int64($0.rawValue) == level }
    }
  }

  /// The fewest characters of a PIN, as the authenticator says (`minPinLength`, CTAP 2.2, 12.5).
  public var minimumPINLength: Int? {
    authenticatorData.extensions?["minPinLength"]?.int64.flatMap { Int(exactly: $0) }
  }

  /// Whether the authenticator made the secret that `prf` works with (`hmac-secret`, CTAP 2.2, 12.7).
  public var hasHMACSecret: Bool? { authenticatorData.extensions?["hmac-secret"]?.bool }
}

/// When an authenticator lets a credential be used (CTAP 2.2, 12.1 "credProtect").
public enum CredentialProtection: UInt8, Hashable, Sendable, CaseIterable {
  /// Verification of the user is optional.
  case userVerificationOptional = 1
  /// Verification of the user is optional only where the credential's id is given.
  case userVerificationOptionalWithCredentialIDList = 2
  /// The user must be verified.
  case userVerificationRequired = 3
}
