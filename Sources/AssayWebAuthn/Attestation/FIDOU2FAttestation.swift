internal import AssayCodec
internal import AssayCrypto

// u2fStmtFormat = { x5c: [ attestnCert: bytes ], sig: bytes }

extension AttestationStatement {
  /// The format of FIDO U2F authenticators (WebAuthn L3, 8.6).
  ///
  /// The procedure does not look at the AAGUID. U2F authenticators have none, so it is zero; the published test vector of
  /// this format has another, and must verify.
  func verifiedFIDOU2F() throws(WebAuthnError) -> VerifiedAttestation {
    // 1. Verify that attStmt is valid CBOR conforming to the syntax, and decode it.
    guard attStmt.map?.count == 2, let x5c = attStmt["x5c"] else { throw malformed("attStmt") }
    let signature = try signature()
    // 2. Check that x5c has exactly one element, whose public key is an elliptic curve key over P-256.
    guard x5c.array?.count == 1 else { throw malformed("x5c") }
    let certificates = try AttestationCertificates(x5c: x5c, of: self)
    let certificateKey = try certificates.key(for: SignatureAlgorithm.es256.scheme)
    // 3. Extract rpIdHash, credentialId and credentialPublicKey from authenticatorData.
    // 4. Convert the credential public key to raw ANSI X9.62 form, with coordinates of 32 bytes.
    guard case .ec(.p256, let x, let y) = key.numbers, key.algorithm == .es256 else {
      throw malformed("credentialPublicKey")
    }
    // 5. Let verificationData be 0x00, rpIdHash, clientDataHash, credentialId and publicKeyU2F.
    let verificationData = [0x00] + rpIdHash + clientDataHash + attested.credentialId + [0x04] + x + y
    // 6. Verify sig over verificationData with the certificate's key.
    guard certificateKey.isValid(signature.span, for: verificationData.span, ecdsa: .der) else {
      throw WebAuthnError(.signatureInvalid, "sig", at: step)
    }
    // 7. Whether it is Basic or AttCA, external knowledge would have to tell.
    return try VerifiedAttestation(fmt, .basicOrAttCA, by: certificates)
  }
}
