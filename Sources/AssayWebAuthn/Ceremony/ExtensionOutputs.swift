internal import AssayCodec

// The outputs of the extensions that deployed authenticators have (WebAuthn L3, 10; CTAP 2.2, 12), each read by its own
// rules. What has another type than it must have reads as nil, as if it were not there: nothing is decided by it. The
// outputs as they were stay in `clientExtensionResults` and `authenticatorData.extensions`.

extension VerifiedRegistration {
  /// Whether the credential can be found without its id, as the client says (`credProps.rk`, WebAuthn L3, 10.1.3).
  public var isDiscoverable: Bool? { clientExtensionResults["credProps"]?["rk"]?.bool }
  /// Whether the credential can make pseudo-random values, as the client says (`prf.enabled`, WebAuthn L3, 10.1.4).
  public var isPRFEnabled: Bool? { clientExtensionResults["prf"]?["enabled"]?.bool }
  /// The pseudo-random values that were made at once (`prf.results`, WebAuthn L3, 10.1.4). They are secrets, which a page
  /// has little reason to send.
  public var prfResults: PRFValues? { PRFValues(clientExtensionResults["prf"]?["results"]) }
  /// Whether the credential can hold a large blob, as the client says (`largeBlob.supported`, WebAuthn L3, 10.1.5).
  public var isLargeBlobSupported: Bool? { clientExtensionResults["largeBlob"]?["supported"]?.bool }
  /// Whether the client looked for a credential under the AppID (`appidExclude`, WebAuthn L3, 10.1.2).
  public var appidExcludeWasUsed: Bool? { clientExtensionResults["appidExclude"]?.bool }

  /// How the credential is protected, as the authenticator says (`credProtect`, CTAP 2.2, 12.1).
  public var credentialProtection: CredentialProtection? {
    authenticatorData.extensions?["credProtect"]?.int64.flatMap { level in
      CredentialProtection.allCases.first { Int64($0.rawValue) == level }
    }
  }

  /// Whether the bytes for the credential were kept, as the authenticator says (`credBlob`, CTAP 2.2, 12.2).
  public var isCredBlobStored: Bool? { authenticatorData.extensions?["credBlob"]?.bool }

  /// The fewest characters of a PIN, as the authenticator says (`minPinLength`, CTAP 2.2, 12.5).
  public var minimumPINLength: Int? {
    authenticatorData.extensions?["minPinLength"]?.int64.flatMap { Int(exactly: $0) }
  }

  /// Whether the authenticator made the secret that `prf` works with (`hmac-secret`, CTAP 2.2, 12.7).
  public var hasHMACSecret: Bool? { authenticatorData.extensions?["hmac-secret"]?.bool }
  /// The pseudo-random values that were made at once, enciphered for the client (`hmac-secret-mc`, CTAP 2.2, 12.8).
  public var encryptedHMACSecrets: [UInt8]? { authenticatorData.extensions?["hmac-secret-mc"]?.bytes }
  /// How the user was verified, as the authenticator says (`uvm`, WebAuthn L2, 10.3).
  public var userVerificationMethods: [UserVerificationMethod]? { UserVerificationMethod.list(authenticatorData) }
}

extension VerifiedAuthentication {
  /// Whether the authenticator worked under the AppID (`appid`, WebAuthn L3, 10.1.1). It was checked if one was given.
  public var appidWasUsed: Bool? { clientExtensionResults["appid"]?.bool }
  /// The pseudo-random values (`prf.results`, WebAuthn L3, 10.1.4). They are secrets, which a page has little reason to
  /// send.
  public var prfResults: PRFValues? { PRFValues(clientExtensionResults["prf"]?["results"]) }
  /// The credential's large blob, as the client says (`largeBlob.blob`, WebAuthn L3, 10.1.5).
  public var largeBlob: [UInt8]? {
    clientExtensionResults["largeBlob"]?["blob"]?.string.flatMap { try? Base64URL.decode($0.utf8.span) }
  }
  /// Whether the large blob was written, as the client says (`largeBlob.written`, WebAuthn L3, 10.1.5).
  public var isLargeBlobWritten: Bool? { clientExtensionResults["largeBlob"]?["written"]?.bool }
  /// The bytes kept with the credential, as the authenticator says; empty if it keeps none (`credBlob`, CTAP 2.2, 12.2).
  public var credBlob: [UInt8]? { authenticatorData.extensions?["credBlob"]?.bytes }
  /// The pseudo-random values, enciphered for the client (`hmac-secret`, CTAP 2.2, 12.7).
  public var encryptedHMACSecrets: [UInt8]? { authenticatorData.extensions?["hmac-secret"]?.bytes }
  /// How the user was verified, as the authenticator says (`uvm`, WebAuthn L2, 10.3).
  public var userVerificationMethods: [UserVerificationMethod]? { UserVerificationMethod.list(authenticatorData) }
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

/// One way in which a user was verified, in the numbers of the FIDO Registry of Predefined Values, 3.1 to 3.3.
public struct UserVerificationMethod: Hashable, Sendable {
  /// The method: `USER_VERIFY_`.
  public let userVerificationMethod: UInt32
  /// How the key is protected: `KEY_PROTECTION_`.
  public let keyProtectionType: UInt16
  /// How what was matched is protected: `MATCHER_PROTECTION_`.
  public let matcherProtectionType: UInt16

  /// One to three methods of three numbers each; nil for everything else.
  static func list(_ data: AuthenticatorData) -> [UserVerificationMethod]? {
    guard let entries = data.extensions?["uvm"]?.array, (1...3).contains(entries.count) else { return nil }
    let methods = entries.compactMap(UserVerificationMethod.init)
    return methods.count == entries.count ? methods : nil
  }

  private init?(_ entry: CBORValue) {
    guard let numbers = entry.array, numbers.count == 3,
      let method = numbers[0].int64.flatMap({ UInt32(exactly: $0) }),
      let key = numbers[1].int64.flatMap({ UInt16(exactly: $0) }),
      let matcher = numbers[2].int64.flatMap({ UInt16(exactly: $0) })
    else { return nil }
    (userVerificationMethod, keyProtectionType, matcherProtectionType) = (method, key, matcher)
  }
}
