internal import AssayCodec
internal import AssayCrypto

// androidStmtFormat = { alg: COSEAlgorithmIdentifier, sig: bytes, x5c: [ credCert: bytes, * (caCert: bytes) ] }

extension AttestationStatement {
  /// Android's key attestation (WebAuthn L3, 8.4).
  func verifiedAndroidKey() throws(WebAuthnError) -> VerifiedAttestation {
    // 1. Verify that attStmt is valid CBOR conforming to the syntax, and decode it.
    guard attStmt.map?.count == 3, let alg = attStmt["alg"]?.int64, let x5c = attStmt["x5c"] else {
      throw malformed("attStmt")
    }
    let signature = try signature()
    let certificates = try AttestationCertificates(x5c: x5c, of: self)
    // 2. Verify that sig is a valid signature over authenticatorData and clientDataHash, by the key in the first
    //    certificate with the algorithm in alg.
    let message = authData + clientDataHash
    guard try certificates.key(for: scheme(alg)).isValid(signature.span, for: message.span, ecdsa: .der) else {
      throw WebAuthnError(.signatureInvalid, "sig", at: step)
    }
    // 3. Verify that the public key in the first certificate matches the credentialPublicKey in authenticatorData.
    guard try certificates.publicKey() == key.numbers else { throw mismatch("subjectPublicKeyInfo") }
    // 4. Verify that the attestationChallenge in the attestation certificate extension data is identical to
    //    clientDataHash.
    let description = try certificates.androidKeyDescription()
    guard description.attestationChallenge == clientDataHash else { throw mismatch("attestationChallenge") }
    // 5. Verify, using the appropriate authorization lists from the extension data:
    if let field = description.refusal(by: policy.androidKey) { throw certificates.refused(field) }
    // 6. Return an attestation of type Basic with the trust path x5c.
    var attestation = try VerifiedAttestation(fmt, .basic, by: certificates)
    attestation.androidKey = description
    return attestation
  }
}

extension AttestationCertificates {
  /// What Android's key store says of the certificate's key.
  fileprivate func androidKeyDescription() throws(WebAuthnError) -> AndroidKeyDescription {
    guard let `extension` = leaf.extension(CertificateIdentifier.androidKey) else { throw refused("KeyDescription") }
    do throws(CodecError) {
      return try AndroidKeyDescription(`extension`.value.span)
    } catch {
      throw WebAuthnError(.attestationCertificateNotAllowed, error.field, at: step, .encoding(error))
    }
  }
}

extension CertificateIdentifier {
  /// Android's key attestation extension, 1.3.6.1.4.1.11129.2.1.17.
  fileprivate static let androidKey: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0xD6, 0x79, 0x02, 0x01, 0x11]
}

extension AndroidKeyDescription {
  /// KM_ORIGIN_GENERATED.
  private static let generated: UInt64 = 0
  /// KM_PURPOSE_SIGN.
  private static let sign: UInt64 = 2

  /// The field that does not say what the policy demands; nil if all of them do.
  ///
  /// Of the lists that count, each that says something must say the right thing: one cannot make up for what the other
  /// says.
  fileprivate func refusal(by policy: AndroidKeyPolicy) -> Field? {
    // The key belongs to the relying party, so it is never for all applications.
    if softwareEnforced.allApplications || teeEnforced.allApplications { return "allApplications" }
    let lists: [Authorizations]
    switch policy.scope {
    case .union: lists = [softwareEnforced, teeEnforced]
    case .teeEnforced:
      lists = [teeEnforced]
      // What software says of the secure hardware counts for nothing.
      if attestationSecurityLevel == .software { return "attestationSecurityLevel" }
      if keymasterSecurityLevel == .software { return "keymasterSecurityLevel" }
    }
    let origins = lists.compactMap(\.origin)
    let purposes = lists.compactMap(\.purpose)
    guard origins.allSatisfy({ $0 == Self.generated }) else { return "origin" }
    // A key may have further purposes: the specification asks for this one.
    guard purposes.allSatisfy({ $0.contains(Self.sign) }) else { return "purpose" }
    guard !policy.allowsMissingAuthorizations else { return nil }
    return origins.isEmpty ? "origin" : purposes.isEmpty ? "purpose" : nil
  }
}
