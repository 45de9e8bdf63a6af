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
  let policy: AttestationPolicy
  /// The time of the ceremony.
  let now: UnixTime
  let step: CeremonyStep

  /// WebAuthn L3, 7.1 step 22: the verification procedure of the format (WebAuthn L3, 8).
  func verified() throws(WebAuthnError) -> VerifiedAttestation {
    switch AttestationFormat(word: fmt) {
    case .packed: return try verifiedPacked()
    case .tpm: return try verifiedTPM()
    case .fidoU2F: return try verifiedFIDOU2F()
    case .androidKey: return try verifiedAndroidKey()
    case .androidSafetyNet: return try verifiedAndroidSafetyNet()
    case .apple: return try verifiedApple()
    case .compound: return try verifiedCompound()
    case .none?:
      // 8.7: the statement is the empty map.
      guard attStmt.map?.isEmpty == true else { throw malformed("attStmt") }
      return VerifiedAttestation(fmt, .none)
    case nil:
      // Only a part of a compound statement comes here with a format that may be ignored.
      if policy.unknownFormat == .ignore { return VerifiedAttestation(fmt, .unverified) }
      throw WebAuthnError(.attestationFormatNotSupported, "fmt", at: step)
    }
  }

  /// How the statement's `alg` signs (WebAuthn L3, 8.2, 8.3): RS1 only if the relying party allows SHA-1.
  func scheme(_ alg: Int64) throws(WebAuthnError) -> SignatureScheme {
    if let algorithm = SignatureAlgorithm(coseIdentifier: alg) { return algorithm.scheme }
    // RS1 (RFC 8812, 2).
    guard alg == -65535, policy.allowsSHA1 else { throw WebAuthnError(.algorithmNotSupported, "alg", at: step) }
    return .rsaPKCS1(.sha1)
  }

  /// The statement's `sig`, in the encoding that is verified.
  func signature() throws(WebAuthnError) -> [UInt8] {
    guard let signature = attStmt["sig"]?.bytes else { throw malformed("attStmt") }
    guard policy.allowsPaddedSignature, let repaired = try? PaddedSignature.withoutPadding(signature.span) else {
      return signature
    }
    return repaired
  }

  /// The error for a statement that vouches for something else.
  func mismatch(_ field: Field) -> WebAuthnError { WebAuthnError(.attestationMismatch, field, at: step) }

  /// The error for a statement that does not follow its format.
  func malformed(_ field: Field, _ cause: WebAuthnError.Cause? = nil) -> WebAuthnError {
    WebAuthnError(.malformedAttestationStatement, field, at: step, cause)
  }
}
