internal import AssayCodec

extension JWS {
  /// Verifies a compact token under a policy, which may allow that the payload was signed as it is.
  ///
  /// Otherwise as without one.
  public static func verifyCompact(
    _ token: Span<UInt8>, keys: TrustedKeys, policy: JWSPolicy
  ) throws(JWTError) -> VerifiedJWS {
    try verifyCompact(
      token, maximumBytes: policy.maximumBytes, allowUnencodedPayload: policy.allowUnencodedPayload
    ) { (header, _) throws(JWTError) in
      try keys.candidates(for: header)
    }
  }

  /// Verifies a compact token whose payload is not in it, and returns `payload` as signed (RFC 7515, appendix F).
  ///
  /// The segment of the payload must be empty.
  /// - Throws: the first step that fails, as for a token with its payload.
  public static func verifyCompact(
    _ token: Span<UInt8>, detachedPayload payload: [UInt8], keys: TrustedKeys, policy: JWSPolicy = JWSPolicy()
  ) throws(JWTError) -> VerifiedJWS {
    let segments = try CompactSegments(
      token, maximumBytes: policy.maximumBytes, allowUnencodedPayload: policy.allowUnencodedPayload)
    guard segments.payload.isEmpty else { throw JWTError(.payloadNotAsExpected, .shape, "payload") }
    let header = try JWSHeader(segments.header, understandsB64: policy.allowUnencodedPayload)
    var signingInput = Array(copying: token.extracting(0..<segments.signingInputCount))
    signingInput += header.isPayloadEncoded ? Base64URL.encode(payload.span).utf8 : payload
    let signer = try signer(
      of: signingInput.span, segments.signature, header, among: try keys.candidates(for: header))
    return VerifiedJWS(segments.header, payload, signedBy: signer)
  }
}
