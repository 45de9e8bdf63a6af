internal import AssayCodec
internal import AssayCrypto

/// An attestation statement and all that its verification needs (WebAuthn L3, 6.5.5 "verification procedure inputs").
struct AttestationStatement {
  let fmt: UTF8Text
  let attStmt: CBORValue
  /// The authenticator data, as it stood.
  let authData: [UInt8]
  let rpIdHash: [UInt8]
  let attested: AttestedCredentialData
  let clientDataHash: [UInt8]
  /// The credential public key.
  let key: VerificationKey
  /// Whether ECDSA signatures may be padded, which the relying party must have allowed.
  let allowsPaddedSignature: Bool
  let step: CeremonyStep

  /// WebAuthn L3, 7.1 step 21: whether the format's identifier is known, compared byte for byte.
  static func isKnown(_ fmt: UTF8Text) -> Bool { fmt == "none" || fmt == "packed" || fmt == "fido-u2f" }

  /// WebAuthn L3, 7.1 step 22: the verification procedure of the format (WebAuthn L3, 8).
  func verified() throws(WebAuthnError) -> VerifiedAttestation {
    switch fmt {
    case "packed": return try verifiedPacked()
    case "fido-u2f": return try verifiedFIDOU2F()
    case "none":
      // 8.7: the statement is the empty map.
      guard attStmt.map?.isEmpty == true else { throw malformed("attStmt") }
      return VerifiedAttestation(fmt, .none)
    default: throw WebAuthnError(.attestationFormatNotSupported, "fmt", at: step)
    }
  }

  /// The statement's `sig`, in the encoding that is verified.
  func signature() throws(WebAuthnError) -> [UInt8] {
    guard let signature = attStmt["sig"]?.bytes else { throw malformed("attStmt") }
    guard allowsPaddedSignature, let repaired = try? PaddedSignature.withoutPadding(signature.span) else {
      return signature
    }
    return repaired
  }

  /// The error for a statement that does not follow its format.
  func malformed(_ field: Field, _ cause: WebAuthnError.Cause? = nil) -> WebAuthnError {
    WebAuthnError(.malformedAttestationStatement, field, at: step, cause)
  }
}
