public import AssayCodec

/// Verifies logout tokens of one OpenID Provider for one client (OpenID Connect Back-Channel Logout 1.0, 2.6).
public struct LogoutTokenVerifier: Sendable {
  private let issuer: UTF8Text
  private let clientID: UTF8Text
  private let keys: TrustedKeys
  private let leeway: Int64

  /// Accepts the logout tokens of `issuer` for `clientID`.
  /// - Parameter leeway: How far clocks may differ, in seconds, at most `JWTPolicy.maximumLeeway`.
  public init(issuer: UTF8Text, clientID: UTF8Text, keys: TrustedKeys, leeway: Int64 = 0) {
    self.issuer = issuer
    self.clientID = clientID
    self.keys = keys
    self.leeway = leeway.clampedLeeway
  }

  /// Verifies a logout token.
  ///
  /// Success proves that the provider ended the session, or every session of the subject. It should count once.
  /// - Throws: the first step that fails: header, signature, then `iss`, `aud`, `exp`, `iat`, `nbf`, `jti`, `sub` and `sid`,
  ///   `nonce`, `events`, and claims of other kinds of token.
  public func verify(_ token: Span<UInt8>, at now: UnixTime = .now()) throws(JWTError) -> VerifiedLogoutToken {
    let token = try ProfileToken(token, .plain(or: [LogoutTokenIssuer.type]), keys)
    try token.checkIssuer(issuer)
    try token.checkAudience(names: clientID)
    let expiresAt = try token.checkTimes(at: now, leeway: leeway)
    let id = try token.id()
    let subject = try token.registered.subject == nil ? nil : token.requiredText("sub")
    let session = try token.text("sid") == nil ? nil : token.requiredText("sid")
    guard subject != nil || session != nil else { throw JWTError(.missing, .claims, "sub") }
    // So that it cannot be an ID token (2.4).
    try token.refuse(["nonce"])
    guard let events = token.claims["events"] else { throw JWTError(.missing, .claims, "events") }
    guard events[LogoutTokenIssuer.event]?.object != nil else { throw JWTError(.mismatch, .claims, "events") }
    try token.refuse(["htm", "htu", "identity"])
    return VerifiedLogoutToken(
      issuer: issuer, subject: subject, session: session, id: id, expiresAt: expiresAt,
      replayableUntil: token.lastSecond(leeway: leeway), claims: token.claims)
  }
}

/// A logout token that was verified.
public struct VerifiedLogoutToken: SingleUseToken, Hashable {
  /// The provider (`iss`).
  public let issuer: UTF8Text
  /// Whose session ended (`sub`): if there is no `session`, all of them.
  public let subject: UTF8Text?
  /// The session that ended (`sid`). One of the two is there.
  public let session: UTF8Text?
  /// Its own name (`jti`), which should count once.
  public let id: UTF8Text
  /// The first whole second at which it is no longer valid (`exp`).
  public let expiresAt: UnixTime
  /// The last second at which it would be accepted again.
  public let replayableUntil: UnixTime
  /// All its claims.
  public let claims: JSONObject
}

/// Makes logout tokens (OpenID Connect Back-Channel Logout 1.0, 2.4).
public struct LogoutTokenIssuer: Sendable {
  static let type: UTF8Text = "logout+jwt"
  static let event: UTF8Text = "http://schemas.openid.net/event/backchannel-logout"

  private let issuer: UTF8Text
  private let signer: JWTSigner

  /// Makes tokens of `issuer`.
  public init(issuer: UTF8Text, signer: JWTSigner) {
    self.issuer = issuer
    self.signer = signer
  }

  /// Makes a logout token for a client, valid for `duration` seconds from `now`, with a fresh `jti`. `subject` or `session`
  /// must be given.
  public func issue(
    clientID: UTF8Text, subject: UTF8Text?, session: UTF8Text?, validFor duration: Int64 = 120,
    at now: UnixTime = .now()
  ) throws(JWTError) -> UTF8Text {
    guard subject != nil || session != nil else { throw JWTError(.missing, .signing, "sub") }
    var claims = ProfileClaims()
    claims.set("iss", issuer)
    claims.set("sub", subject)
    claims.set("aud", clientID)
    claims.set("exp", now.adding(seconds: duration))
    claims.set("iat", now)
    claims.set("jti", try ProfileClaims.freshID())
    claims.set("sid", session)
    claims.set("events", .object([Self.event: [:]]))
    return try signer.sign(claims.object, type: Self.type)
  }
}
