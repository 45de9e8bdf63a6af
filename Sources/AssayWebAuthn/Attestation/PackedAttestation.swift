internal import AssayCodec
internal import AssayCrypto

// packedStmtFormat = { alg: COSEAlgorithmIdentifier, sig: bytes, ? x5c: [ attestnCert: bytes, * (caCert: bytes) ] }
//
// `ecdaaKeyId` was WebAuthn Level 1's, and is refused by its name.

extension AttestationStatement {
  /// The packed format (WebAuthn L3, 8.2).
  func verifiedPacked() throws(WebAuthnError) -> VerifiedAttestation {
    // 1. Verify that attStmt is valid CBOR conforming to the syntax, and decode it.
    guard attStmt["ecdaaKeyId"] == nil else { throw malformed("ecdaaKeyId") }
    let x5c = attStmt["x5c"]
    guard attStmt.map?.count == (x5c == nil ? 2 : 3), let alg = attStmt["alg"]?.int64 else {
      throw malformed("attStmt")
    }
    let signature = try signature()
    let message = authData + clientDataHash
    // 2. If x5c is present:
    if let x5c {
      let certificates = try AttestationCertificates(x5c: x5c, of: self)
      //  Verify that sig is a valid signature over authenticatorData and clientDataHash, by the key in attestnCert with
      //  the algorithm in alg.
      guard try certificates.key(for: scheme(alg)).isValid(signature.span, for: message.span, ecdsa: .der) else {
        throw WebAuthnError(.signatureInvalid, "sig", at: step)
      }
      //  Verify that attestnCert meets the requirements in 8.2.1, and names the AAGUID of authenticatorData if any.
      try certificates.requirePacked(aaguid: attested.aaguid)
      //  Whether it is Basic or AttCA, external knowledge would have to tell.
      return try VerifiedAttestation(fmt, .basicOrAttCA, by: certificates)
    }
    // 3. If x5c is not present, self attestation is in use: alg is that of the credential public key, and sig is over
    //    authenticatorData and clientDataHash, made with the credential private key.
    guard alg == key.algorithm.coseIdentifier else { throw malformed("alg") }
    guard key.isValid(signature.span, for: message.span, ecdsa: .der) else {
      throw WebAuthnError(.signatureInvalid, "sig", at: step)
    }
    return VerifiedAttestation(fmt, .selfAttestation)
  }
}
