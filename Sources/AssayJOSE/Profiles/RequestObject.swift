public import AssayCodec

/// Verifies request objects of one client at the authorization endpoint, or where they are pushed (RFC 9101, 4 and 6; OpenID
/// Connect Core 1.0, 6.1).
///
/// `exp` and `jti` are required, which RFC 9101 leaves open: so that a request ends, and counts once.
public struct RequestObjectVerifier: Sendable {
  private let issuer: UTF8Text
  private let clientID: UTF8Text
  private let keys: TrustedKeys
  private let maximumLifetime: Int64
  private let leeway: Int64

  /// Accepts the request objects of `clientID` to the server `issuer`.
  /// - Parameters:
  ///   - clientID: The parameter `client_id` beside the object, of a client that is registered.
  ///   - keys: The client's own keys, with the algorithm it has registered for them.
  ///   - maximumLifetime: How far ahead `exp` may be, and how long after `iat` and `nbf`, in seconds: an hour unless set, as in
  ///     FAPI 2.0.
  ///   - leeway: How far clocks may differ, in seconds, at most `JWTPolicy.maximumLeeway`.
  public init(
    issuer: UTF8Text, clientID: UTF8Text, keys: TrustedKeys, maximumLifetime: Int64 = 3600, leeway: Int64 = 0
  ) {
    self.issuer = issuer
    self.clientID = clientID
    self.keys = keys
    self.maximumLifetime = maximumLifetime
    self.leeway = leeway.clampedLeeway
  }

  /// Verifies the value of `request`, or what `request_uri` led to.
  ///
  /// Success proves that the client asks for this, now and of us. It must count once. Of the parameters beside it none counts
  /// (RFC 9101, 6.3). Whether the redirect URI is one of the client's is the caller's to check.
  /// - Throws: the first step that fails: header, signature, then `iss`, `aud`, `exp`, `iat`, `nbf`, lifetime, `jti`, `sub`,
  ///   `client_id`, nested requests, `response_type`, `scope`, the other parameters' types, claims of other kinds of token.
  public func verify(_ token: Span<UInt8>, at now: UnixTime = .now()) throws(JWTError) -> VerifiedRequestObject {
    let token = try ProfileToken(token, .plain(or: [RequestObjectIssuer.type]), keys)
    try token.checkIssuer(clientID)
    try token.checkAudience(isAmong: [issuer])
    let expiresAt = try token.checkTimes(at: now, leeway: leeway, requiresIssuedAt: false)
    try token.checkLifetime(atMost: maximumLifetime, at: now, leeway: leeway)
    let id = try token.id()
    // So that it cannot be a client assertion (RFC 9101, 10.8).
    try token.refuse(["sub"])
    try token.require("client_id", is: clientID)
    try token.refuse(["request", "request_uri"])
    let responseType = try token.requiredText("response_type")
    let scopes = try Scope.values(of: token)
    for field in Self.texts { _ = try token.text(field) }
    if let age = token.claims["max_age"] {
      guard let number = age.number else { throw JWTError(.wrongType, .claims, "max_age") }
      guard number.double >= 0 else { throw JWTError(.invalidValue, .claims, "max_age") }
    }
    if let wanted = token.claims["claims"], wanted.object == nil { throw JWTError(.wrongType, .claims, "claims") }
    try token.refuse(["events", "htm", "htu", "identity", "login_hint_token", "requested_expiry"])
    return VerifiedRequestObject(
      issuer: clientID, id: id, expiresAt: expiresAt, replayableUntil: token.lastSecond(leeway: leeway),
      responseType: responseType, redirectURI: try token.text("redirect_uri"), scopes: scopes, claims: token.claims)
  }

  /// The parameters that are strings, where they are there.
  private static let texts: [Field] = [
    "redirect_uri", "state", "nonce", "response_mode", "code_challenge", "code_challenge_method", "prompt", "display",
    "login_hint", "id_token_hint", "acr_values", "ui_locales", "dpop_jkt",
  ]
}

/// A request object that was verified.
public struct VerifiedRequestObject: SingleUseToken, Hashable {
  /// The client that made it.
  public let issuer: UTF8Text
  /// Its own name (`jti`), which must count once.
  public let id: UTF8Text
  /// The first whole second at which it is no longer valid (`exp`).
  public let expiresAt: UnixTime
  /// The last second at which it would be accepted again.
  public let replayableUntil: UnixTime
  /// What is asked for (`response_type`).
  public let responseType: UTF8Text
  /// Where the answer is to go (`redirect_uri`), if it says so.
  public let redirectURI: UTF8Text?
  /// What is to be allowed (`scope`).
  public let scopes: [UTF8Text]
  /// All its claims, the parameters among them.
  public let claims: JSONObject
}

/// Makes request objects for the authorization endpoint (RFC 9101, 4).
public struct RequestObjectIssuer: Sendable {
  static let type: UTF8Text = "oauth-authz-req+jwt"
  /// What no request says.
  static let reserved: [UTF8Text] = ["sub", "request", "request_uri"]

  private let clientID: UTF8Text
  private let signer: JWTSigner

  /// Makes requests of `clientID`.
  public init(clientID: UTF8Text, signer: JWTSigner) {
    self.clientID = clientID
    self.signer = signer
  }

  /// Makes a request to the server `issuer`, valid for `duration` seconds from `now`, with a fresh `jti`.
  /// - Parameter parameters: All parameters, `response_type` among them; `client_id` is set.
  public func issue(
    _ parameters: JSONObject, issuer: UTF8Text, validFor duration: Int64 = 300, at now: UnixTime = .now()
  ) throws(JWTError) -> UTF8Text {
    guard parameters["response_type"]?.string != nil else { throw JWTError(.missing, .signing, "response_type") }
    var claims = ProfileClaims()
    try claims.setRequest(from: clientID, to: issuer, validFor: duration, at: now)
    claims.set("client_id", clientID)
    try claims.add(parameters, reserved: Self.reserved)
    return try signer.sign(claims.object, type: Self.type)
  }
}
