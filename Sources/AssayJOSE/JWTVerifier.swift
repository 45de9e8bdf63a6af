public import AssayCodec

/// Verifies signed tokens (JSON Web Token, RFC 7519, 7.2; RFC 8725) of one or several trusted issuers.
///
/// It is a value without state: make it once and use it from anywhere at the same time.
public struct JWTVerifier: Sendable {
  private let issuers: [TrustedIssuer]
  private let maximumTokenBytes: Int

  /// Accepts the tokens of one issuer, at most `maximumTokenBytes` long.
  public init(_ issuer: TrustedIssuer, maximumTokenBytes: Int = JWS.maximumTokenBytes) {
    issuers = [issuer]
    self.maximumTokenBytes = maximumTokenBytes
  }

  /// Accepts the tokens of several issuers, each under its own keys and rules only.
  ///
  /// - Throws: if there is no issuer, or two have the same name.
  public init(
    _ issuers: [TrustedIssuer], maximumTokenBytes: Int = JWS.maximumTokenBytes
  ) throws(TrustedIssuerError) {
    guard !issuers.isEmpty else { throw TrustedIssuerError(.noIssuers) }
    var names: Set<UTF8Text> = []
    for (index, issuer) in issuers.enumerated() where !names.insert(issuer.name).inserted {
      throw TrustedIssuerError(.duplicateIssuer(index: index))
    }
    self.issuers = issuers
    self.maximumTokenBytes = maximumTokenBytes
  }

  /// Verifies a compact token at a moment.
  ///
  /// Success proves that a key of the named trusted issuer signed header and claims, that they are of the expected type
  /// and for the expected audience, and that the token is valid at `now`. It does not prove that the token was not seen
  /// before.
  ///
  /// With one issuer no claim is read before the signature is verified. With several, `iss` alone is, to choose whose
  /// keys and rules count.
  /// - Throws: the first step that fails, in the order of `JWTError.Step`; with several issuers the choice comes after
  /// `header`.
  public func verify(_ token: Span<UInt8>, at now: UnixTime = .now()) throws(JWTError) -> VerifiedJWT {
    var issuer = issuers[0]
    var unverifiedClaims: JSONObject?
    let jws = try JWS.verifyCompact(token, maximumBytes: maximumTokenBytes) { (header, payload) throws(JWTError) in
      if issuers.count > 1 {
        let claims = try CompactSegments.object(payload, "claims", .claims)
        issuer = try chosenIssuer(for: claims)
        unverifiedClaims = claims
      }
      try issuer.policy.check(header)
      return try issuer.candidates(for: header, at: now)
    }
    // What was read before, if anything was, is what the signature now covers.
    let claims: JSONObject
    if let read = unverifiedClaims {
      claims = read
    } else {
      claims = try CompactSegments.object(jws.payload, "claims", .claims)
    }
    let registered = try RegisteredClaims(claims)
    try issuer.check(registered, claims, at: now)
    return VerifiedJWT(jws, from: issuer.name, claims, registered)
  }

  private func chosenIssuer(for unverifiedClaims: JSONObject) throws(JWTError) -> TrustedIssuer {
    guard let name = try unverifiedClaims.string(ClaimName.iss, "iss", .claims) else {
      throw JWTError(.missing, .claims, "iss")
    }
    guard let issuer = issuers.first(where: { $0.name == name }) else { throw JWTError(.wrongIssuer, .claims, "iss") }
    return issuer
  }
}

extension JWTVerifier {
  /// Verifies a compact token at a moment.
  public func verify(_ token: [UInt8], at now: UnixTime = .now()) throws(JWTError) -> VerifiedJWT {
    try verify(token.span, at: now)
  }

  /// Verifies a compact token at a moment.
  public func verify(_ token: UTF8Text, at now: UnixTime = .now()) throws(JWTError) -> VerifiedJWT {
    try verify(token.utf8.span, at: now)
  }

  /// Verifies a compact token at a moment.
  public func verify(_ token: String, at now: UnixTime = .now()) throws(JWTError) -> VerifiedJWT {
    try verify(Array(token.utf8).span, at: now)
  }
}
