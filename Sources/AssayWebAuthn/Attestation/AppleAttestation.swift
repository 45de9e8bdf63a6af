internal import AssayCodec
internal import AssayCrypto

// appleStmtFormat = { x5c: [ credCert: bytes, * (caCert: bytes) ] }
//
// Members beside `x5c` are ignored: devices of the first systems with this format wrote an `alg`, which nothing reads.

extension AttestationStatement {
  /// Apple's anonymous attestation (WebAuthn L3, 8.8). There is no signature to verify: the certificate itself vouches, once
  /// whoever made it is trusted.
  func verifiedApple() throws(WebAuthnError) -> VerifiedAttestation {
    // 1. Verify that attStmt is valid CBOR conforming to the syntax, and decode it.
    guard let x5c = attStmt["x5c"] else { throw malformed("attStmt") }
    let certificates = try AttestationCertificates(x5c: x5c, of: self)
    // 2. Concatenate authenticatorData and clientDataHash to form nonceToHash.
    // 3. Perform SHA-256 hash of nonceToHash to produce nonce.
    let nonce = try SHA256.hash((authData + clientDataHash).span)
    // 4. Verify that nonce equals the value of the extension with OID 1.2.840.113635.100.8.2 in credCert.
    guard try certificates.appleNonce() == nonce else { throw mismatch("nonce") }
    // 5. Verify that the credential public key equals the Subject Public Key of credCert.
    guard try certificates.publicKey() == key.numbers else { throw mismatch("subjectPublicKeyInfo") }
    // 6. Return attestation type Anonymization CA and attestation trust path x5c.
    return try VerifiedAttestation(fmt, .anonCA, by: certificates)
  }
}

extension AttestationCertificates {
  /// The nonce that Apple puts into the certificates it makes: `SEQUENCE { [1] { OCTET STRING } }`; there must be one.
  func appleNonce() throws(WebAuthnError) -> [UInt8] {
    guard let `extension` = leaf.extension(CertificateIdentifier.appleNonce) else { throw refused("nonce") }
    return try reading(`extension`.value, "nonce") { (reader) throws(CodecError) in
      try reader.readDER(.sequence, "nonce") { (reader) throws(CodecError) in
        try reader.readDER(.context1, "nonce") { (reader) throws(CodecError) in
          Array(copying: try reader.takeDER(.octetString, "nonce"))
        }
      }
    }
  }
}

extension CertificateIdentifier {
  /// 1.2.840.113635.100.8.2.
  static let appleNonce: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x08, 0x02]
}
