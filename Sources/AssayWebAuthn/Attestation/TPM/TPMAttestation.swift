internal import AssayCodec
internal import AssayCrypto

// tpmStmtFormat = { ver: "2.0", alg: COSEAlgorithmIdentifier, x5c: [ aikCert: bytes, * (caCert: bytes) ], sig: bytes,
//                   certInfo: bytes, pubArea: bytes }
//
// The specification calls `sig` a TPMT_SIGNATURE. Its own test vector, and every authenticator known, have in it what 6.5.6
// says for `alg`: an ECDSA signature in DER, an RSA signature bare. That is what is verified.
//
// `ecdaaKeyId` was WebAuthn Level 1's, and is refused by its name.

extension AttestationStatement {
  /// The format of TPMs (WebAuthn L3, 8.3).
  func verifiedTPM() throws(WebAuthnError) -> VerifiedAttestation {
    // 1. Verify that attStmt is valid CBOR conforming to the syntax, and decode it.
    guard attStmt["ecdaaKeyId"] == nil else { throw malformed("ecdaaKeyId") }
    guard attStmt.map?.count == 6, let alg = attStmt["alg"]?.int64, let x5c = attStmt["x5c"],
      let certInfo = attStmt["certInfo"]?.bytes, let pubArea = attStmt["pubArea"]?.bytes
    else { throw malformed("attStmt") }
    guard attStmt["ver"]?.text == "2.0" else { throw malformed("ver") }
    let signature = try signature()
    // 2. Verify that the public key of pubArea's parameters and unique is the credential public key.
    let publicArea = try structure(pubArea) { (bytes) throws(CodecError) in try TPMPublicArea(bytes.span) }
    guard publicArea.key == key.numbers else { throw mismatch("pubArea.unique") }
    // 3. Let attToBeSigned be authenticatorData and clientDataHash.
    let attToBeSigned = authData + clientDataHash
    // 4. Verify that aikCert meets the requirements in 8.3.1, and names the AAGUID of authenticatorData if any; and that
    //    sig is a valid signature over certInfo, by the key in aikCert with the algorithm in alg.
    let certificates = try AttestationCertificates(x5c: x5c, of: self)
    let facts = try certificates.requireTPM(aaguid: attested.aaguid)
    let scheme = try scheme(alg)
    guard try certificates.key(for: scheme).isValid(signature.span, for: certInfo.span, ecdsa: .der) else {
      throw WebAuthnError(.signatureInvalid, "sig", at: step)
    }
    // 5. Verify that magic is TPM_GENERATED_VALUE and type TPM_ST_ATTEST_CERTIFY;
    let certified = try structure(certInfo) { (bytes) throws(CodecError) in try TPMCertification(bytes.span) }
    //    that extraData is the hash of attToBeSigned by the hash algorithm of alg;
    guard let digest = scheme.digest else { throw WebAuthnError(.algorithmNotSupported, "alg", at: step) }
    guard certified.extraData == (try hash(attToBeSigned, digest, "certInfo.extraData")) else {
      throw mismatch("certInfo.extraData")
    }
    //    and that attested holds the Name of pubArea: its nameAlg, and its hash by that (TPM 2.0 Part 1, 16).
    guard publicArea.nameAlg != .sha1 || policy.allowsSHA1 else {
      throw WebAuthnError(.algorithmNotSupported, "pubArea.nameAlg", at: step)
    }
    let name = try publicArea.nameAlgBytes + hash(pubArea, publicArea.nameAlg, "certInfo.attested.name")
    guard certified.name == name else { throw mismatch("certInfo.attested.name") }
    // 6. The attestation type is AttCA.
    return try VerifiedAttestation(fmt, .attCA, by: certificates, tpm: facts)
  }

  private func structure<T>(
    _ bytes: [UInt8], _ read: ([UInt8]) throws(CodecError) -> T
  ) throws(WebAuthnError) -> T {
    do throws(CodecError) { return try read(bytes) } catch { throw malformed(error.field, .encoding(error)) }
  }

  private func hash(_ bytes: [UInt8], _ digest: Digest, _ field: Field) throws(WebAuthnError) -> [UInt8] {
    do throws(CryptoError) { return try digest.hash(bytes.span) } catch {
      throw WebAuthnError(.unavailable, field, at: step)
    }
  }
}

extension SignatureScheme {
  /// The digest that the message is put through before it is signed; EdDSA has none.
  fileprivate var digest: Digest? {
    switch self {
    case .ecdsa(_, let digest), .rsaPKCS1(let digest), .rsaPSS(let digest, _): digest
    case .edDSA: nil
    }
  }
}
