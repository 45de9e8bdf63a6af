public import AssayCodec

/// Verifies JWT access tokens at a resource server (RFC 9068, 4).
public struct AccessTokenVerifier: Sendable {
  /// What a request shows and needs.
  public struct Expectation: Hashable, Sendable {
    /// The client that must have asked for the token. Nil: any.
    public var clientID: UTF8Text?
    /// The scopes the request needs, each of them.
    public var requiredScopes: [UTF8Text] = []
    /// The DPoP proof that came with the token and was verified: it must be for this token (`ath`), and by the key that the
    /// token is bound to.
    public var proof: VerifiedDPoPProof? {
      didSet { proofThumbprint = proof?.thumbprint }
    }
    /// The thumbprint of the proof's key, for those who have no more than that.
    package var proofThumbprint: UTF8Text?
    /// The SHA-256 of the client's certificate, in base64url, if it was used for TLS (RFC 8705, 3.1).
    public var certificateThumbprint: UTF8Text?

    /// Expects no more than a valid token, as a bearer.
    public init() {}
  }

  private let issuer: UTF8Text
  private let audience: UTF8Text
  private let keys: TrustedKeys
  private let leeway: Int64

  /// Accepts the access tokens of `issuer` for `audience`, the identifier of this resource server.
  /// - Parameter leeway: How far clocks may differ, in seconds, at most `JWTPolicy.maximumLeeway`.
  public init(issuer: UTF8Text, audience: UTF8Text, keys: TrustedKeys, leeway: Int64 = 0) {
    self.issuer = issuer
    self.audience = audience
    self.keys = keys
    self.leeway = leeway.clampedLeeway
  }

  /// Verifies an access token.
  ///
  /// Success proves that the issuer gave it out for us and that it is not over. If it is bound to a key or certificate, that
  /// one was shown: a bound token is refused as a bearer token, and an unbound one with a proof (RFC 9449, 7.1). A proof is
  /// for this token and no other.
  /// - Throws: the first step that fails: header, signature, then `iss`, `sub`, `aud`, `exp`, `iat`, `nbf`, `jti`,
  ///   `client_id`, `scope`, `cnf`, and `ath` of the proof.
  public func verify(
    _ text: Span<UInt8>, expecting expected: Expectation = Expectation(), at now: UnixTime = .now()
  ) throws(JWTError) -> VerifiedAccessToken {
    let token = try ProfileToken(text, .one(of: ["at+jwt", "application/at+jwt"]), keys)
    try token.checkIssuer(issuer)
    let subject = try token.requiredText("sub")
    try token.checkAudience(names: audience)
    try token.checkTimes(at: now, leeway: leeway)
    try token.id()
    let clientID = try token.requiredText("client_id")
    if let expected = expected.clientID, expected != clientID { throw JWTError(.mismatch, .claims, "client_id") }
    let scopes = try Scope.values(of: token)
    guard expected.requiredScopes.allSatisfy({ scopes.contains($0) }) else {
      throw JWTError(.mismatch, .claims, "scope")
    }
    try checkConfirmation(token.claims["cnf"], expected)
    try expected.proof?.checkIsFor(accessToken: text)
    return VerifiedAccessToken(
      token: token.verified(from: issuer), subject: subject, clientID: clientID, scopes: scopes)
  }

  /// `cnf` holds what was shown and nothing else (RFC 7800, 3.1; RFC 9449, 6.1; RFC 8705, 3.1).
  private func checkConfirmation(_ value: JSONValue?, _ expected: Expectation) throws(JWTError) {
    var confirmation: JSONObject = [:]
    if let value {
      guard let object = value.object, !object.members.isEmpty else { throw JWTError(.wrongType, .claims, "cnf") }
      confirmation = object
    }
    let shown: [(UTF8Text, UTF8Text)] = [
      ("jkt", expected.proofThumbprint), ("x5t#S256", expected.certificateThumbprint),
    ].compactMap { (name, value) in value.map { (name, $0) } }
    guard confirmation.members.count == shown.count,
      shown.allSatisfy({ confirmation[$0.0] == .string($0.1) })
    else { throw JWTError(.mismatch, .claims, "cnf") }
  }
}

/// An access token that was verified.
public struct VerifiedAccessToken: Hashable, Sendable {
  /// All of it.
  public let token: VerifiedJWT
  /// Whom it is about: a user, or the client itself.
  public let subject: UTF8Text
  /// The client that it was given to.
  public let clientID: UTF8Text
  /// What it allows.
  public let scopes: [UTF8Text]
}

/// Makes JWT access tokens (RFC 9068, 2).
public struct AccessTokenIssuer: Sendable {
  private let issuer: UTF8Text
  private let signer: JWTSigner

  /// Makes tokens of `issuer`.
  public init(issuer: UTF8Text, signer: JWTSigner) {
    self.issuer = issuer
    self.signer = signer
  }

  /// Makes an access token, valid for `duration` seconds from `now`, with a fresh `jti`.
  /// - Parameters:
  ///   - proofThumbprint: Binds it to the key of a DPoP proof.
  ///   - certificateThumbprint: Binds it to a certificate.
  ///   - claims: What else it says; none of the others.
  public func issue(
    subject: UTF8Text, audience: UTF8Text, clientID: UTF8Text, scopes: [UTF8Text] = [], validFor duration: Int64,
    proofThumbprint: UTF8Text? = nil, certificateThumbprint: UTF8Text? = nil, claims further: JSONObject = [:],
    at now: UnixTime = .now()
  ) throws(JWTError) -> UTF8Text {
    var claims = ProfileClaims()
    claims.set("iss", issuer)
    claims.set("sub", subject)
    claims.set("aud", audience)
    claims.set("exp", now.adding(seconds: duration))
    claims.set("iat", now)
    claims.set("jti", try ProfileClaims.freshID())
    claims.set("client_id", clientID)
    if !scopes.isEmpty {
      guard scopes.allSatisfy(Scope.isToken) else { throw JWTError(.invalidValue, .signing, "scope") }
      claims.set("scope", UTF8Text(unchecked: Array(scopes.map(\.utf8).joined(separator: [UInt8(ascii: " ")]))))
    }
    var confirmation: JSONObject = [:]
    confirmation["jkt"] = proofThumbprint.map(JSONValue.string)
    confirmation["x5t#S256"] = certificateThumbprint.map(JSONValue.string)
    if !confirmation.members.isEmpty { claims.set("cnf", .object(confirmation)) }
    try claims.add(further, reserved: ["cnf", "scope"])
    return try signer.sign(claims.object, type: "at+jwt")
  }
}

/// The claim `scope`: names with one space between (RFC 6749, 3.3; RFC 8693, 4.2).
enum Scope {
  /// The scopes of a token: none if it has no such claim.
  static func values(of token: ProfileToken) throws(JWTError) -> [UTF8Text] {
    guard let text = try token.text("scope") else { return [] }
    let values = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map {
      UTF8Text(unchecked: Array($0))
    }
    guard values.allSatisfy(isToken) else { throw JWTError(.invalidValue, .claims, "scope") }
    return values
  }

  /// scope-token = 1*( %x21 / %x23-5B / %x5D-7E )
  static func isToken(_ text: UTF8Text) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
  }
}
