public import AssayCodec
public import AssayCrypto

/// Signed bytes (JSON Web Signature, RFC 7515, 3), in compact form (7.1) and in both JSON forms (7.2).
public enum JWS {
  /// The longest token that is read unless the caller says otherwise, in bytes.
  public static let maximumTokenBytes = 65_536

  /// Verifies that `key` signed the token, and returns what was signed.
  ///
  /// The header's `alg` must be the key's algorithm. Its `kid`, `typ` and `cty` are the caller's to judge. Success
  /// proves who signed, not when or for whom: for claims use `JWTVerifier`.
  /// - Throws: the first step that fails, in the order of `JWTError.Step` up to `signature` (RFC 7515, 5.2).
  public static func verifyCompact(_ token: Span<UInt8>, key: VerificationKey) throws(JWTError) -> VerifiedJWS {
    try verifyCompact(token, TrustedKey(.signature(key), keyID: nil))
  }

  /// Verifies that a holder of the secret `key` signed the token, and returns what was signed.
  ///
  /// Otherwise as with a public key.
  public static func verifyCompact(_ token: Span<UInt8>, key: MACKey) throws(JWTError) -> VerifiedJWS {
    try verifyCompact(token, TrustedKey(.mac(key), keyID: nil))
  }

  private static func verifyCompact(_ token: Span<UInt8>, _ key: TrustedKey) throws(JWTError) -> VerifiedJWS {
    try verifyCompact(token, maximumBytes: maximumTokenBytes) { (header, _) throws(JWTError) in
      guard header.algorithm == key.algorithm else { throw JWTError(.algorithmNotAllowed, .algorithm, "alg") }
      return [key]
    }
  }

  /// Verifies that one of `keys` signed the token, and returns what was signed. A `kid` in the header must not name
  /// another key than the one that signed.
  ///
  /// Otherwise as with one key.
  public static func verifyCompact(_ token: Span<UInt8>, keys: TrustedKeys) throws(JWTError) -> VerifiedJWS {
    try verifyCompact(token, maximumBytes: maximumTokenBytes) { (header, _) throws(JWTError) in
      try keys.candidates(for: header)
    }
  }

  /// The way by which any compact token with its payload is verified. `candidates` is given the unverified header and
  /// payload and returns the keys to try.
  static func verifyCompact(
    _ token: Span<UInt8>, maximumBytes: Int, allowUnencodedPayload: Bool = false,
    candidates: (_ header: JWSHeader, _ payload: [UInt8]) throws(JWTError) -> [TrustedKey]
  ) throws(JWTError) -> VerifiedJWS {
    let segments = try CompactSegments(
      token, maximumBytes: maximumBytes, allowUnencodedPayload: allowUnencodedPayload)
    let header = try JWSHeader(segments.header, understandsB64: allowUnencodedPayload)
    let signer = try signer(
      of: token.extracting(0..<segments.signingInputCount), segments.signature, header,
      among: try candidates(header, segments.payload))
    return VerifiedJWS(segments.header, segments.payload, signedBy: signer)
  }

  /// The one place where a signature of a token is verified: the key that made it.
  static func signer(
    of signingInput: Span<UInt8>, _ signature: [UInt8], _ header: JWSHeader, among candidates: [TrustedKey]
  ) throws(JWTError) -> TrustedKey {
    // The key fixes the algorithm: one that should not be among the candidates verifies nothing.
    for candidate in candidates
    where candidate.algorithm == header.algorithm && candidate.key.isValid(signature.span, for: signingInput) {
      return candidate
    }
    throw JWTError(.invalidSignature, .signature)
  }
}

/// Bytes whose signature was verified. Only a verification makes one.
public struct VerifiedJWS: Hashable, Sendable {
  /// The header, all of it signed.
  public let header: JSONObject
  /// The bytes that were signed, decoded.
  public let payload: [UInt8]
  /// The algorithm of the signature.
  public let algorithm: JWSAlgorithm
  /// The `kid` of the key that signed, as configured; nil if that key has none.
  public let keyID: UTF8Text?
  /// How the signer's certificate is vouched for, if certificates are trusted and not keys.
  public let certificatePath: ValidatedPath?

  init(_ header: JSONObject, _ payload: [UInt8], signedBy key: TrustedKey) {
    self.header = header
    self.payload = payload
    algorithm = key.algorithm
    keyID = key.keyID
    certificatePath = key.path
  }
}
