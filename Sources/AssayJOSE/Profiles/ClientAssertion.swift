public import AssayCodec

/// Verifies the assertions by which one client authenticates itself (`private_key_jwt`: RFC 7523, 3; OpenID Connect Core
/// 1.0, 9).
public struct ClientAssertionVerifier: Sendable {
  /// Whom an assertion must be for.
  @nonexhaustive
  public enum Audience: Hashable, Sendable {
    /// The issuer identifier alone, as a string and not an array (FAPI 2.0; draft-ietf-oauth-rfc7523bis, 4).
    case issuer(UTF8Text)
    /// One of these, or an array of nothing but these: the issuer, the token endpoint, and for CIBA the backchannel
    /// endpoint (CIBA Core 1.0, 7.1).
    case anyOf([UTF8Text])
  }

  private let clientID: UTF8Text
  private let audience: Audience
  private let keys: TrustedKeys
  private let maximumLifetime: Int64
  private let leeway: Int64

  /// Accepts the assertions of one client.
  /// - Parameters:
  ///   - keys: The client's own keys, with the algorithm it has registered. A secret is refused where only public keys are
  ///     given.
  ///   - maximumLifetime: How far ahead `exp` may be, and how long after `iat`, in seconds.
  ///   - leeway: How far clocks may differ, in seconds, at most `JWTPolicy.maximumLeeway`.
  public init(
    clientID: UTF8Text, audience: Audience, keys: TrustedKeys, maximumLifetime: Int64 = 300, leeway: Int64 = 0
  ) {
    self.clientID = clientID
    self.audience = audience
    self.keys = keys
    self.maximumLifetime = maximumLifetime
    self.leeway = leeway.clampedLeeway
  }

  /// Verifies an assertion.
  ///
  /// Success proves that the client made it for us, and not long ago. It must count once, whatever its audience.
  /// - Throws: the first step that fails: header, signature, then `iss`, `sub`, `aud`, `exp`, `iat`, `nbf`, `jti`, lifetime,
  ///   and claims of other kinds of token.
  public func verify(
    _ token: Span<UInt8>, at now: UnixTime = .now()
  ) throws(JWTError) -> VerifiedClientAssertion {
    let token = try ProfileToken(token, .plain(or: ["client-authentication+jwt"]), keys)
    try token.checkIssuer(clientID)
    try token.require("sub", is: clientID)
    switch audience {
    case .issuer(let issuer):
      try token.checkAudience(isAmong: [issuer])
      guard token.claims[ClaimName.aud]?.string != nil else { throw JWTError(.wrongType, .claims, "aud") }
    case .anyOf(let accepted):
      try token.checkAudience(isAmong: accepted)
    }
    let expiresAt = try token.checkTimes(at: now, leeway: leeway, requiresIssuedAt: false)
    let id = try token.id()
    try token.checkLifetime(atMost: maximumLifetime, at: now, leeway: leeway)
    try token.refuse(Self.foreign)
    return VerifiedClientAssertion(
      issuer: clientID, id: id, expiresAt: expiresAt, replayableUntil: token.lastSecond(leeway: leeway),
      claims: token.claims)
  }

  private static let foreign: [Field] = [
    "nonce", "events", "login_hint", "login_hint_token", "id_token_hint", "scope", "htm", "htu", "identity",
  ]
}

/// A client assertion that was verified.
public struct VerifiedClientAssertion: SingleUseToken, Hashable {
  /// The client that made it.
  public let issuer: UTF8Text
  /// Its own name (`jti`), which must count once.
  public let id: UTF8Text
  /// The first whole second at which it is no longer valid (`exp`).
  public let expiresAt: UnixTime
  /// The last second at which it would be accepted again.
  public let replayableUntil: UnixTime
  /// All its claims.
  public let claims: JSONObject
}

/// Makes the assertions by which a client authenticates itself (RFC 7523, 2.2).
public struct ClientAssertionIssuer: Sendable {
  private let clientID: UTF8Text
  private let signer: JWTSigner

  /// Makes assertions of `clientID`.
  public init(clientID: UTF8Text, signer: JWTSigner) {
    self.clientID = clientID
    self.signer = signer
  }

  /// Makes an assertion, valid for `duration` seconds from `now`, with a fresh `jti`.
  /// - Parameter audience: The issuer identifier of the server, unless it asks for the URL of an endpoint.
  public func issue(
    audience: UTF8Text, validFor duration: Int64 = 60, at now: UnixTime = .now()
  ) throws(JWTError) -> UTF8Text {
    var claims = ProfileClaims()
    claims.set("iss", clientID)
    claims.set("sub", clientID)
    claims.set("aud", audience)
    claims.set("exp", now.adding(seconds: duration))
    claims.set("iat", now)
    claims.set("jti", try ProfileClaims.freshID())
    return try signer.sign(claims.object)
  }
}
