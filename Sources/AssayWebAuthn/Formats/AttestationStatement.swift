internal import AssayCodec
internal import AssayCrypto

/// How a new credential was vouched for (WebAuthn L3, 6.5.3).
@nonexhaustive
public enum AttestationType: Hashable, Sendable {
  /// Not at all.
  case none
  /// By its own key: that proves possession of the key, and nothing about the authenticator.
  case selfAttestation
}

/// The verification procedures of attestation statements (WebAuthn L3, 8). `none` and packed self attestation are here.
struct AttestationStatement {
  let fmt: UTF8Text
  let attStmt: CBORValue

  /// WebAuthn L3, 7.1 step 21: the formats whose identifiers are known, compared byte for byte.
  var isKnownFormat: Bool { fmt == "none" || fmt == "packed" }

  /// WebAuthn L3, 7.1 step 22.
  func verify(
    authData: [UInt8], clientDataHash: [UInt8], key: VerificationKey, at step: CeremonyStep
  ) throws(WebAuthnError) -> AttestationType {
    if fmt == "none" {
      // 8.7: the statement is the empty map.
      guard attStmt.map?.isEmpty == true else {
        throw WebAuthnError(.malformedAttestationStatement, "attStmt", at: step)
      }
      return .none
    }
    try verifyPacked(authData: authData, clientDataHash: clientDataHash, key: key, at: step)
    return .selfAttestation
  }

  /// WebAuthn L3, 8.2.
  private func verifyPacked(
    authData: [UInt8], clientDataHash: [UInt8], key: VerificationKey, at step: CeremonyStep
  ) throws(WebAuthnError) {
    // 1. Verify that attStmt is valid CBOR conforming to the syntax, and decode it.
    // 2. If x5c is present: not here. `ecdaaKeyId` is of WebAuthn Level 1.
    guard attStmt["x5c"] == nil, attStmt["ecdaaKeyId"] == nil else {
      throw WebAuthnError(.attestationFormatNotSupported, "attStmt", at: step)
    }
    guard attStmt.map?.count == 2, let alg = attStmt["alg"]?.int64, let signature = attStmt["sig"]?.bytes else {
      throw WebAuthnError(.malformedAttestationStatement, "attStmt", at: step)
    }
    // 3. If x5c is not present, self attestation is in use: alg is that of the credential public key, and sig is over
    //    authenticatorData and clientDataHash, made with the credential private key.
    guard alg == key.algorithm.coseIdentifier else {
      throw WebAuthnError(.malformedAttestationStatement, "alg", at: step)
    }
    guard key.isValid(signature.span, for: (authData + clientDataHash).span, ecdsa: .der) else {
      throw WebAuthnError(.signatureInvalid, "sig", at: step)
    }
  }
}
