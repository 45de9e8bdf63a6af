internal import AssayCodec
internal import AssayCrypto
internal import AssayJOSE

// safetynetStmtFormat = { ver: text, response: bytes }, the response being a compact JWS whose payload is a JSON object.

extension AttestationStatement {
  /// The host name to which SafetyNet's certificate was issued.
  private static let safetyNetHost: UTF8Text = "attest.android.com"
  /// How far the service's clock may be ahead of ours, in seconds.
  private static let maximumClockSkew: Int64 = 10
  /// The deepest nesting of a response.
  private static let maximumDepth = 8

  /// Android SafetyNet (WebAuthn L3, 8.5), only if the relying party's policy says what it must hold.
  func verifiedAndroidSafetyNet() throws(WebAuthnError) -> VerifiedAttestation {
    guard let policy = policy.safetyNet else { throw WebAuthnError(.attestationNotAllowed, "fmt", at: step) }
    // 1. Verify that attStmt is valid CBOR conforming to the syntax, and decode it.
    guard attStmt.map?.count == 2, let version = attStmt["ver"]?.text, let response = attStmt["response"]?.bytes else {
      throw malformed("attStmt")
    }
    guard !version.isEmpty else { throw malformed("ver") }
    // 2. Verify that response is a valid SafetyNet response of version ver. There is one form, whatever ver says.
    let signed = try safetyNetResponse(response)
    let certificates = try AttestationCertificates(x5c: .array(signed.certificates.map { .bytes($0) }), of: self)
    let payload = try safetyNetPayload(signed.payload)
    // 3. Verify that nonce in the response is the base64 encoding of the SHA-256 hash of authenticatorData and
    //    clientDataHash.
    let message = authData + clientDataHash
    let hash = try SHA256.hash(message.span)
    guard let nonce = payload["nonce"]?.string else { throw malformed("nonce") }
    guard nonce == Base64.encode(hash.span) else { throw mismatch("nonce") }
    // 4. Verify that the response came from the SafetyNet service: its certificate was issued to the service's host name.
    //    Who issued it, the trust path tells. Names stand in subjectAltName; the common name is none (RFC 9525, 6.3).
    if let field = try certificates.ofLeaf({ (leaf) throws(CodecError) in try leaf.extensionAgainstSigning() }) {
      throw certificates.refused(field)
    }
    guard
      try certificates.ofLeaf({ (leaf) throws(CodecError) in try leaf.isIssued(toHost: Self.safetyNetHost) })
    else { throw certificates.refused("subjectAltName") }
    //    Verify that ctsProfileMatch is true, and that the response is neither of the future nor old.
    guard case .bool(let ctsProfileMatch)? = payload["ctsProfileMatch"] else { throw malformed("ctsProfileMatch") }
    guard ctsProfileMatch || !policy.requiresCTSProfileMatch else {
      throw WebAuthnError(.attestationNotAllowed, "ctsProfileMatch", at: step)
    }
    guard let milliseconds = payload["timestampMs"]?.number?.int64, milliseconds >= 0 else {
      throw malformed("timestampMs")
    }
    let made = UnixTime(milliseconds / 1000)
    guard made <= now.adding(seconds: Self.maximumClockSkew), now <= made.adding(seconds: policy.maximumAge) else {
      throw WebAuthnError(.attestationNotAllowed, "timestampMs", at: step)
    }
    // 5. Return an attestation of type Basic with the trust path x5c.
    return try VerifiedAttestation(fmt, .basic, by: certificates)
  }

  /// The response, signed by the key of the certificate that it brings.
  private func safetyNetResponse(_ response: [UInt8]) throws(WebAuthnError) -> CertificateSignedJWS {
    do throws(JWTError) {
      return try JWS.verifyCompactByOwnCertificate(response.span, algorithms: SignatureAlgorithm.allCases)
    } catch {
      if error.code == .invalidSignature { throw WebAuthnError(.signatureInvalid, "response", at: step) }
      guard case .malformed(let fault) = error.code else { throw malformed(error.field ?? "response") }
      throw malformed(error.field ?? "response", .encoding(fault))
    }
  }

  private func safetyNetPayload(_ bytes: [UInt8]) throws(WebAuthnError) -> JSONObject {
    let payload: JSONValue
    do throws(CodecError) {
      payload = try JSONValue.decode(
        bytes.span, limits: JSONLimits(maximumBytes: JWS.maximumTokenBytes, maximumDepth: Self.maximumDepth))
    } catch {
      throw malformed("payload", .encoding(error))
    }
    guard let object = payload.object else { throw malformed("payload") }
    return object
  }
}

extension AttestationCertificates {
  fileprivate func ofLeaf<T>(_ read: (X509Certificate) throws(CodecError) -> T) throws(WebAuthnError) -> T {
    do throws(CodecError) {
      return try read(leaf)
    } catch {
      throw WebAuthnError(.attestationCertificateNotAllowed, error.field, at: step, .encoding(error))
    }
  }
}
