public import AssayCodec
public import AssayCrypto

/// Why a ceremony was not begun or not finished. Never holds input, challenges or user handles.
public struct WebAuthnError: Error, Hashable, Sendable {
  /// The kind of fault.
  @nonexhaustive
  public enum Code: Hashable, Sendable {
    // The caller's configuration.

    /// The relying party's id is not a lower-case domain name.
    case invalidRelyingPartyID
    /// A configured origin is none that a browser or Android could report, or none of the relying party's.
    case invalidOrigin
    /// An option of the ceremony has a value that is not allowed.
    case invalidOption

    // The records kept between the calls.

    /// A stored record cannot be read.
    case malformedRecord
    /// A stored record was written by another version.
    case unknownRecordVersion
    /// The record belongs to another kind of ceremony, or is a record of another kind.
    case wrongRecord
    /// The ceremony was begun for another relying party.
    case wrongRelyingParty
    /// The ceremony was begun too long ago.
    case expired

    // What is read beside ceremonies.

    /// A document of related origins cannot be read.
    case malformedRelatedOrigins
    /// A list of the names of passkey providers cannot be read.
    case malformedProviderNames

    // What the client and the authenticator say.

    /// The client's answer cannot be read.
    case malformedResponse
    /// The client data cannot be read.
    case malformedClientData
    /// The client data is of another kind of ceremony.
    case typeMismatch
    /// The challenge is not this ceremony's.
    case challengeMismatch
    /// The origin is not one of the relying party's.
    case originNotAllowed
    /// What the browser showed of a payment is not what was to be confirmed.
    case paymentMismatch
    /// The page was framed by another origin's, which the relying party does not allow.
    case crossOriginNotAllowed
    /// The top-level page is not one in which the relying party expects to be framed.
    case topOriginNotAllowed
    /// The attestation object cannot be read.
    case malformedAttestationObject
    /// The authenticator data cannot be read.
    case malformedAuthenticatorData
    /// The authenticator worked for another relying party.
    case rpIdHashMismatch
    /// The authenticator did not see the user.
    case userNotPresent
    /// The authenticator did not verify the user.
    case userNotVerified
    /// The flags say backed up, and not eligible for backup.
    case backupStateInconsistent
    /// The credential's algorithm was not asked for.
    case algorithmNotAllowed
    /// The credential's algorithm is recognised and not supported here.
    case algorithmNotSupported
    /// The credential's public key cannot be read, or is none.
    case invalidPublicKey
    /// The attestation statement format is not supported.
    case attestationFormatNotSupported
    /// The attestation statement does not follow its format.
    case malformedAttestationStatement
    /// The attestation statement says what the ceremony's policy does not allow.
    case attestationNotAllowed
    /// The attestation statement follows its format, and it or its certificate was made for another credential or another
    /// ceremony.
    case attestationMismatch
    /// The attestation certificate does not have what the attestation statement format requires of any.
    case attestationCertificateNotAllowed
    /// Nobody whom the relying party trusts vouches for the authenticator, and its policy demands that.
    case attestationNotTrusted
    /// The authenticator is not one that the relying party's policy accepts.
    case authenticatorNotAccepted
    /// A key of App Attest was made in the other of Apple's environments.
    case wrongEnvironment
    /// The signature does not verify, whatever the reason.
    case signatureInvalid
    /// The credential id is longer than 1023 bytes.
    case credentialIDTooLong
    /// Two places that must hold the same credential id do not.
    case credentialIDMismatch

    // Who signs in.

    /// The credential is not one of those that were allowed.
    case credentialNotAllowed
    /// The credential belongs to another user than the ceremony.
    case wrongUser
    /// The user is not known and the authenticator names none.
    case userHandleMissing
    /// The credential was eligible for backup and is no longer, or the other way round.
    case backupEligibilityChanged
    /// The signature counter did not grow: there may be a copy of the credential.
    case signCountNotIncreased

    /// The cryptographic library cannot be used.
    case unavailable
  }

  /// The lower layer's finding.
  public enum Cause: Hashable, Sendable {
    /// Why bytes could not be decoded. Offsets count within the field.
    case encoding(CodecError)
    /// Why a key was refused.
    case key(KeyError)
    /// Why a configured origin was refused.
    case origin(OriginFault)
    /// Why certificates do not lead to a trust anchor.
    case certificatePath(CertificatePathError)
    /// The demand that is not met.
    case requirement(CheckedRequirement)
  }

  /// The kind of fault.
  public let code: Code
  /// The field, in the specification's words.
  public let field: Field
  /// Which value of a field that has several, or which statement of a compound one, from 0.
  public let index: Int?
  /// The step at which the ceremony ended; nil if there was no ceremony yet.
  public let step: CeremonyStep?
  /// What the lower layer found, if the fault is its.
  public let cause: Cause?

  init(_ code: Code, _ field: Field, index: Int? = nil, at step: CeremonyStep? = nil, _ cause: Cause? = nil) {
    self.code = code
    self.field = field
    self.index = index
    self.step = step
    self.cause = cause
  }
}

extension WebAuthnError: CustomStringConvertible {
  /// One line for a person: where it ended, what is wrong, and what to do where that is safe to say.
  public var description: String {
    let name = index.map { "\(field)[\($0)]" } ?? "\(field)"
    let place = step.map { "\($0), \(name)" } ?? name
    switch cause {
    case .encoding(let fault)?:
      let inner = fault.field == field ? "" : "\(fault.field): "
      let position = fault.offset == 0 ? "" : " (byte \(fault.offset))"
      return "\(place): \(code.explanation): \(inner)\(fault.code.explanation)\(position)"
    case .key(let fault)?: return "\(place): \(code.explanation): \(fault)"
    case .origin(let fault)?: return "\(place): \(code.explanation): \(fault.explanation)"
    case .certificatePath(let fault)?: return "\(place): \(code.explanation): \(fault)"
    case .requirement(let requirement)?: return "\(place): \(code.explanation): \(requirement)"
    case nil: return "\(place): \(code.explanation)"
    }
  }
}

extension WebAuthnError.Code {
  /// What is wrong, in words that read well after a field's name.
  public var explanation: String {
    switch self {
    case .invalidRelyingPartyID:
      "the relying party id must be a lower-case domain name without scheme, port or path, such as example.com"
    case .invalidOrigin: "refused as an origin of the relying party"
    case .invalidOption: "this option's value is not allowed"
    case .malformedRecord: "the stored record cannot be read: it was cut or changed since it was written"
    case .unknownRecordVersion: "the stored record is of a version that this software does not know"
    case .wrongRecord: "this is a record of another kind"
    case .wrongRelyingParty: "the ceremony was begun for another relying party"
    case .expired: "the ceremony was begun too long ago: begin a new one"
    case .malformedRelatedOrigins: "the document of related origins cannot be read"
    case .malformedProviderNames: "the list of passkey providers cannot be read"
    case .malformedResponse: "the client's answer cannot be read"
    case .malformedClientData: "the client data cannot be read"
    case .typeMismatch: "the client data is not of this kind of ceremony"
    case .challengeMismatch: "the challenge in the client data is not the one of this ceremony"
    case .originNotAllowed:
      "the origin in the client data is not one of the relying party's: if it is yours, add it to the configured origins"
    case .paymentMismatch: "the payment that the browser showed is not the one that was to be confirmed"
    case .crossOriginNotAllowed:
      "the page was inside a frame of another origin, and the relying party does not allow that"
    case .topOriginNotAllowed: "the page was inside a page of an origin that the relying party does not list"
    case .malformedAttestationObject: "the attestation object cannot be read"
    case .malformedAuthenticatorData: "the authenticator data cannot be read"
    case .rpIdHashMismatch: "the authenticator worked for another relying party id"
    case .userNotPresent: "the authenticator did not ask for the user's presence"
    case .userNotVerified: "the authenticator did not verify the user, and this ceremony requires it"
    case .backupStateInconsistent: "the credential claims to be backed up without being eligible for backup"
    case .algorithmNotAllowed: "the credential's algorithm is not one that was asked for"
    case .algorithmNotSupported: "unsupported algorithm: recognised, but it cannot be verified here"
    case .invalidPublicKey: "the credential's public key was refused"
    case .attestationFormatNotSupported:
      "attestation format not supported: only \(AttestationFormat.names) are; ask for attestation none"
    case .malformedAttestationStatement: "the attestation statement does not follow its format"
    case .attestationNotAllowed: "the attestation is not one that the attestation policy of this ceremony allows"
    case .attestationMismatch: "the attestation statement is about another credential or another ceremony"
    case .attestationCertificateNotAllowed:
      "the attestation certificate does not have what its format requires here"
    case .attestationNotTrusted:
      "this ceremony requires an attestation that leads to one of the relying party's trust anchors"
    case .authenticatorNotAccepted: "the authenticator is not one that this ceremony accepts"
    case .wrongEnvironment: "the key was not made in this environment of App Attest"
    case .signatureInvalid: "the signature does not verify"
    case .credentialIDTooLong: "the credential id is longer than 1023 bytes"
    case .credentialIDMismatch: "the credential id differs between two places that must agree"
    case .credentialNotAllowed: "the credential is not one of those this ceremony allows"
    case .wrongUser: "the credential does not belong to the user of this ceremony"
    case .userHandleMissing: "the user was not known before, and the authenticator does not say who it is"
    case .backupEligibilityChanged:
      "the credential's backup eligibility differs from when it was registered: register it anew"
    case .signCountNotIncreased:
      "the signature counter did not increase: there may be a second copy of this credential"
    case .unavailable: "the cryptographic library cannot be used"
    }
  }
}
