public import AssayCodec

extension JWS {
  /// Verifies a JWS in flattened or general JSON form (RFC 7515, 7.2), and returns what was signed and by whom.
  ///
  /// The header's `typ` and `cty` are the caller's to judge. Success proves who signed, not when or for whom.
  /// - Parameters:
  ///   - keys: The keys that may have signed. With `all`, each signature must be by one of them.
  ///   - payload: What was signed, if it is not in the text (RFC 7515, appendix F).
  /// - Throws: the first step that fails (RFC 7515, 5.2). With `any` and no signature that verifies: why the first does not.
  public static func verifyJSON(
    _ text: Span<UInt8>, detachedPayload payload: [UInt8]? = nil, keys: TrustedKeys, policy: JWSPolicy = JWSPolicy()
  ) throws(JWTError) -> VerifiedJSONJWS {
    let form = try JSONForm(text, maximumBytes: policy.maximumBytes)
    guard (form.payload == nil) != (payload == nil) else { throw JWTError(.payloadNotAsExpected, .shape, "payload") }
    let isEncoded = try agreedEncoding(of: form.signatures)
    let signed: (text: [UInt8], bytes: [UInt8])
    if let payload {
      signed = (isEncoded ? Base64URL.encode(payload.span).utf8 : payload, payload)
    } else if let text = form.payload {
      signed = (text.utf8, isEncoded ? try JSONSignature.decoded(text, "payload") : text.utf8)
    } else {
      throw JWTError(.payloadNotAsExpected, .shape, "payload")
    }

    var verified: [VerifiedJSONJWS.Signature] = []
    var refused: [VerifiedJSONJWS.RefusedSignature] = []
    for (position, signature) in form.signatures.enumerated() {
      do throws(JWTError) {
        let header = try JWSHeader(
          signature.protected, unprotected: signature.unprotected, understandsB64: policy.allowUnencodedPayload,
          allowUnprotectedAlgorithm: policy.allowUnprotectedAlgorithm)
        let signingInput = signature.signingInputStart + signed.text
        let signer = try signer(
          of: signingInput.span, signature.signature, header, among: try keys.candidates(for: header))
        verified.append(VerifiedJSONJWS.Signature(position, signature, by: signer))
      } catch {
        guard policy.signatures == .any else { throw error }
        refused.append(VerifiedJSONJWS.RefusedSignature(position: position, reason: error))
      }
    }
    guard !verified.isEmpty else { throw refused.first?.reason ?? JWTError(.noSignatures, .shape, "signatures") }
    return VerifiedJSONJWS(payload: signed.bytes, signatures: verified, refused: refused)
  }

  /// Whether the payload is base64url: every signature must say the same (RFC 7797, 3). Whether each may say so is judged
  /// with its header.
  private static func agreedEncoding(of signatures: [JSONSignature]) throws(JWTError) -> Bool {
    let unencoded = signatures.filter { $0.protected[HeaderName.b64] == false }
    guard unencoded.isEmpty || unencoded.count == signatures.count else {
      throw JWTError(.mixedPayloadEncodings, .header, "b64")
    }
    return unencoded.isEmpty
  }
}

/// Bytes of which one signature or more was verified. Only a verification makes one.
public struct VerifiedJSONJWS: Hashable, Sendable {
  /// A signature that was verified.
  public struct Signature: Hashable, Sendable {
    /// Its position in `signatures`, from 0.
    public let position: Int
    /// The protected header, all of it signed; empty if there is none.
    public let protectedHeader: JSONObject
    /// The unprotected header: NOBODY SIGNED IT. No name in it is also in the protected one.
    public let unprotectedHeader: JSONObject
    /// The algorithm of the signature.
    public let algorithm: JWSAlgorithm
    /// The `kid` of the key that signed, as configured; nil if that key has none.
    public let keyID: UTF8Text?

    init(_ position: Int, _ signature: JSONSignature, by key: TrustedKey) {
      self.position = position
      protectedHeader = signature.protected
      unprotectedHeader = signature.unprotected
      algorithm = key.algorithm
      keyID = key.keyID
    }
  }

  /// A signature that was not.
  public struct RefusedSignature: Hashable, Sendable {
    /// Its position in `signatures`, from 0.
    public let position: Int
    /// Why.
    public let reason: JWTError
  }

  /// The bytes that were signed, decoded.
  public let payload: [UInt8]
  /// The signatures that were verified: at least one.
  public let signatures: [Signature]
  /// The signatures that were not; none where the policy demands all.
  public let refused: [RefusedSignature]
}
