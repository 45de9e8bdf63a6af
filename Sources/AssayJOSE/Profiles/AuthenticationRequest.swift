public import AssayCodec

/// Verifies signed authentication requests of one client (CIBA Core 1.0, 7.1.1), with the times of FAPI-CIBA.
public struct AuthenticationRequestVerifier: Sendable {
  /// How long after `nbf` a request may expire, and how long ago `nbf` may be, in seconds (FAPI-CIBA, 5.2.2).
  public static let maximumSeconds: Int64 = 3600
  /// The longest `requested_expiry`, in seconds.
  public static let maximumRequestedExpiry: Int64 = 2_147_483_647

  private let issuer: UTF8Text
  private let clientID: UTF8Text
  private let keys: TrustedKeys
  private let leeway: Int64

  /// Accepts the requests of `clientID` to the server `issuer`.
  /// - Parameters:
  ///   - keys: The client's own public keys, with the algorithm it has registered.
  ///   - leeway: How far clocks may differ, in seconds, at most `JWTPolicy.maximumLeeway`.
  public init(issuer: UTF8Text, clientID: UTF8Text, keys: TrustedKeys, leeway: Int64 = 0) {
    self.issuer = issuer
    self.clientID = clientID
    self.keys = keys
    self.leeway = leeway.clampedLeeway
  }

  /// Verifies the value of `request`.
  ///
  /// Success proves that the client asks for this, now and of us. It must count once. Answer every failure with
  /// `invalid_request`.
  /// - Parameter outerParameters: The names and values of all parameters of the form. Beside `request` there may be only
  ///   what authenticates the client.
  /// - Throws: the first step that fails: header, signature, then `iss`, `aud`, `exp`, `iat`, `nbf`, its age, lifetime,
  ///   `jti`, `sub`, `client_id`, nested requests, `scope`, hints, `requested_expiry`, the other parameters' types, claims of
  ///   other kinds of token, the outer parameters.
  public func verify(
    _ token: Span<UInt8>, outerParameters: [(name: UTF8Text, value: UTF8Text)] = [], at now: UnixTime = .now()
  ) throws(JWTError) -> VerifiedAuthenticationRequest {
    let token = try ProfileToken(token, .plain(or: [RequestObjectIssuer.type]), keys, publicKeysOnly: true)
    try token.checkIssuer(clientID)
    try token.checkAudience(isAmong: [issuer])
    let expiresAt = try token.checkTimes(at: now, leeway: leeway)
    try checkNotBefore(token, expiresAt, at: now)
    let id = try token.id()
    // A request that names a user as its subject could be a token of that user.
    try token.refuse(["sub"])
    if let named = try token.text("client_id"), named != clientID { throw JWTError(.mismatch, .claims, "client_id") }
    try token.refuse(["request", "request_uri"])
    guard try Scope.values(of: token).contains("openid") else { throw JWTError(.mismatch, .claims, "scope") }
    let hint = try hint(of: token)
    let requestedExpiry = try requestedExpiry(of: token)
    for field in Self.parameters { _ = try token.text(field) }
    try token.refuse(["events", "htm", "htu", "identity", "response_type"])
    try check(outerParameters)
    return VerifiedAuthenticationRequest(
      issuer: clientID, id: id, expiresAt: expiresAt, replayableUntil: token.lastSecond(leeway: leeway), hint: hint,
      requestedExpiry: requestedExpiry, claims: token.claims)
  }

  private static let parameters: [Field] = [
    "acr_values", "binding_message", "user_code", "client_notification_token",
  ]

  private func checkNotBefore(
    _ token: ProfileToken, _ expiresAt: UnixTime, at now: UnixTime
  ) throws(JWTError) {
    // Rounded down, so that a fraction of a second makes it older.
    guard let notBefore = token.claims[ClaimName.nbf]?.number?.floor.map({ UnixTime($0) }) else {
      throw JWTError(.missing, .claims, "nbf")
    }
    guard now <= notBefore.adding(seconds: Self.maximumSeconds) else { throw JWTError(.tooOld, .claims, "nbf") }
    guard expiresAt <= notBefore.adding(seconds: Self.maximumSeconds) else {
      throw JWTError(.lifetimeTooLong(limit: Self.maximumSeconds), .claims, "exp")
    }
  }

  /// Exactly one hint.
  private func hint(of token: ProfileToken) throws(JWTError) -> VerifiedAuthenticationRequest.Hint {
    var hints: [VerifiedAuthenticationRequest.Hint] = []
    if token.claims["login_hint"] != nil { hints.append(.loginHint(try token.requiredText("login_hint"))) }
    if token.claims["login_hint_token"] != nil {
      hints.append(.loginHintToken(try token.requiredText("login_hint_token")))
    }
    if token.claims["id_token_hint"] != nil { hints.append(.idTokenHint(try token.requiredText("id_token_hint"))) }
    guard let hint = hints.first, hints.count == 1 else {
      throw JWTError(hints.isEmpty ? .missing : .unexpected, .claims, "login_hint")
    }
    return hint
  }

  /// A positive number without fraction, or its digits as a string.
  private func requestedExpiry(of token: ProfileToken) throws(JWTError) -> Int64? {
    guard let value = token.claims["requested_expiry"] else { return nil }
    var seconds: Int64?
    switch value {
    case .number(let number): seconds = number.int64 ?? Int64(exactly: number.double)
    case .string(let text):
      let isPlain = (1...10).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
      if isPlain, text.utf8.first != 0x30 { seconds = text.utf8.reduce(0) { $0 * 10 + Int64($1 &- 0x30) } }
    default: throw JWTError(.wrongType, .claims, "requested_expiry")
    }
    guard let seconds, (1...Self.maximumRequestedExpiry).contains(seconds) else {
      throw JWTError(.invalidValue, .claims, "requested_expiry")
    }
    return seconds
  }

  private func check(_ outer: [(name: UTF8Text, value: UTF8Text)]) throws(JWTError) {
    for (name, value) in outer {
      switch name {
      case "request", "client_assertion", "client_assertion_type", "client_secret": break
      case "client_id" where value == clientID: break
      default: throw JWTError(.unexpected, .claims, "request")
      }
    }
  }
}

/// A signed authentication request that was verified.
public struct VerifiedAuthenticationRequest: SingleUseToken, Hashable {
  /// Who is to be asked.
  @nonexhaustive
  public enum Hint: Hashable, Sendable {
    /// `login_hint`.
    case loginHint(UTF8Text)
    /// `login_hint_token`, of which nothing is verified.
    case loginHintToken(UTF8Text)
    /// `id_token_hint`, of which nothing is verified.
    case idTokenHint(UTF8Text)
  }

  /// The client that made it.
  public let issuer: UTF8Text
  /// Its own name (`jti`), which must count once.
  public let id: UTF8Text
  /// The first whole second at which it is no longer valid (`exp`).
  public let expiresAt: UnixTime
  /// The last second at which it would be accepted again.
  public let replayableUntil: UnixTime
  /// Who is to be asked.
  public let hint: Hint
  /// How long the request should live, in seconds (`requested_expiry`).
  public let requestedExpiry: Int64?
  /// All its claims, the parameters among them.
  public let claims: JSONObject
}

/// Makes signed authentication requests (CIBA Core 1.0, 7.1.1).
public struct AuthenticationRequestIssuer: Sendable {
  private let clientID: UTF8Text
  private let signer: JWTSigner

  /// Makes requests of `clientID`.
  public init(clientID: UTF8Text, signer: JWTSigner) {
    self.clientID = clientID
    self.signer = signer
  }

  /// Makes a request to the server `issuer`, valid for `duration` seconds from `now`, with a fresh `jti`.
  /// - Parameter parameters: The parameters: `scope` with `openid`, one hint, and what else is asked for.
  public func issue(
    _ parameters: JSONObject, issuer: UTF8Text, validFor duration: Int64 = 300, at now: UnixTime = .now()
  ) throws(JWTError) -> UTF8Text {
    var claims = ProfileClaims()
    try claims.setRequest(from: clientID, to: issuer, validFor: duration, at: now)
    try claims.add(parameters, reserved: RequestObjectIssuer.reserved + ["response_type"])
    return try signer.sign(claims.object, type: RequestObjectIssuer.type)
  }
}
