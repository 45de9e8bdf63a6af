public import AssayCodec

/// Verifies ID tokens of one OpenID Provider for one client (OpenID Connect Core 1.0, 3.1.3.7 and 3.2.2.11).
public struct IDTokenVerifier: Sendable {
  /// What the client knows of the sign-in that an ID token is to answer.
  public struct Expectation: Hashable, Sendable {
    /// The `nonce` that was sent. Nil: none was, and a token with one is refused.
    public var nonce: UTF8Text?
    /// How long ago the user may have signed in, in seconds (`max_age`). If set, `auth_time` is required.
    public var maximumAuthenticationAge: Int64?
    /// The `acr` values that were asked for. Unless empty, `acr` must be one of them.
    public var acrValues: [UTF8Text] = []
    /// The access token that came with the ID token, which `at_hash` must fit.
    public var accessToken: UTF8Text?
    /// The code that came with it, which `c_hash` must fit.
    public var code: UTF8Text?
    /// The `state` that came with it, which `s_hash` must fit.
    public var state: UTF8Text?
    /// Refuse tokens without the hash of each of the three that is given: for tokens from the front channel
    /// (OpenID Connect Core 1.0, 3.2.2.9 and 3.3.2.11).
    public var requiresHashes = false

    /// Expects a nonce, or none.
    public init(nonce: UTF8Text?) { self.nonce = nonce }
  }

  private let issuer: UTF8Text
  private let clientID: UTF8Text
  private let keys: TrustedKeys
  private let leeway: Int64

  /// Accepts the ID tokens of `issuer` for `clientID`.
  /// - Parameters:
  ///   - keys: The provider's keys, with the algorithms the client has registered.
  ///   - leeway: How far clocks may differ, in seconds, at most `JWTPolicy.maximumLeeway`.
  public init(issuer: UTF8Text, clientID: UTF8Text, keys: TrustedKeys, leeway: Int64 = 0) {
    self.issuer = issuer
    self.clientID = clientID
    self.keys = keys
    self.leeway = leeway.clampedLeeway
  }

  /// Verifies an ID token.
  ///
  /// Success proves that the provider says that the subject signed in, to this client, in answer to the request of this
  /// `nonce`. A token without a `nonce` may be an old one.
  /// - Throws: the first step that fails: header, signature, then `iss`, `sub`, `aud`, `azp`, `exp`, `iat`, `nbf`, `nonce`,
  ///   `auth_time`, `acr`, `at_hash`, `c_hash`, `s_hash`, and claims of other kinds of token.
  public func verify(
    _ token: Span<UInt8>, expecting expected: Expectation, at now: UnixTime = .now()
  ) throws(JWTError) -> VerifiedIDToken {
    let token = try ProfileToken(token, .plain(), keys)
    try token.checkIssuer(issuer)
    let subject = try token.requiredText("sub")
    guard Self.isSubject(subject) else { throw JWTError(.invalidValue, .claims, "sub") }
    try token.checkAudience(names: clientID)
    let authorizedParty = try token.text("azp")
    if let authorizedParty {
      guard authorizedParty == clientID else { throw JWTError(.mismatch, .claims, "azp") }
    } else if token.registered.audience.count > 1 {
      throw JWTError(.missing, .claims, "azp")
    }
    try token.checkTimes(at: now, leeway: leeway)
    if let nonce = expected.nonce {
      try token.require("nonce", is: nonce)
    } else {
      try token.refuse(["nonce"])
    }
    let authenticatedAt = try authenticationTime(token, expected, at: now)
    let acr = try token.text("acr")
    if !expected.acrValues.isEmpty {
      guard let acr else { throw JWTError(.missing, .claims, "acr") }
      guard expected.acrValues.contains(acr) else { throw JWTError(.mismatch, .claims, "acr") }
    }
    try check("at_hash", of: expected.accessToken, token, expected)
    try check("c_hash", of: expected.code, token, expected)
    try check("s_hash", of: expected.state, token, expected)
    try token.refuse(Self.foreign)
    if expected.nonce == nil {
      // Who is issuer and subject at once may be a client that authenticates itself.
      guard subject != issuer else { throw JWTError(.unexpected, .claims, "sub") }
      // What names a client by its own claim may be an access token of a server that does not type them.
      try token.refuse(["client_id"])
    }
    return VerifiedIDToken(
      token: token.verified(from: issuer), subject: subject, authenticatedAt: authenticatedAt, acr: acr)
  }

  private static let foreign: [Field] = ["events", "htm", "htu", "identity"]

  /// At most 255 ASCII characters (OpenID Connect Core 1.0, 2), none of them a control character.
  static func isSubject(_ text: UTF8Text) -> Bool {
    (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }

  private func authenticationTime(
    _ token: ProfileToken, _ expected: Expectation, at now: UnixTime
  ) throws(JWTError) -> UnixTime? {
    let time = try NumericDate.time(token.claims["auth_time"], "auth_time")
    if let time, time > now.adding(seconds: leeway) { throw JWTError(.issuedInFuture, .claims, "auth_time") }
    guard let maximum = expected.maximumAuthenticationAge else { return time }
    guard let time else { throw JWTError(.missing, .claims, "auth_time") }
    guard now <= time.adding(seconds: max(maximum, 0)).adding(seconds: leeway) else {
      throw JWTError(.tooOld, .claims, "auth_time")
    }
    return time
  }

  /// Checks a hash that is there, if its value is known; one that is not there matters only where hashes are required.
  private func check(
    _ field: Field, of value: UTF8Text?, _ token: ProfileToken, _ expected: Expectation
  ) throws(JWTError) {
    let hash = try token.text(field)
    guard let value else { return }
    guard let hash else {
      if expected.requiresHashes { throw JWTError(.missing, .claims, field) }
      return
    }
    guard let right = TokenHash.text(of: value, for: token.jws.algorithm) else {
      throw JWTError(.algorithmUnsupported, .claims, field)
    }
    guard hash == right else { throw JWTError(.mismatch, .claims, field) }
  }
}

/// An ID token that was verified.
public struct VerifiedIDToken: Hashable, Sendable {
  /// All of it.
  public let token: VerifiedJWT
  /// Who signed in, by a name that the issuer gives to no one else.
  public let subject: UTF8Text
  /// When (`auth_time`).
  public let authenticatedAt: UnixTime?
  /// How (`acr`).
  public let acr: UTF8Text?
}

/// Makes ID tokens (OpenID Connect Core 1.0, 2).
public struct IDTokenIssuer: Sendable {
  private let issuer: UTF8Text
  private let signer: JWTSigner

  /// Makes tokens of `issuer`.
  public init(issuer: UTF8Text, signer: JWTSigner) {
    self.issuer = issuer
    self.signer = signer
  }

  /// Makes an ID token for a client, valid for `duration` seconds from `now`. Hashes are made of what is given.
  /// - Parameter claims: What else it says, such as `auth_time`, `acr`, `amr` and `sid`; none of the others.
  public func issue(
    subject: UTF8Text, clientID: UTF8Text, nonce: UTF8Text?, validFor duration: Int64, accessToken: UTF8Text? = nil,
    code: UTF8Text? = nil, state: UTF8Text? = nil, claims further: JSONObject = [:], at now: UnixTime = .now()
  ) throws(JWTError) -> UTF8Text {
    guard IDTokenVerifier.isSubject(subject) else { throw JWTError(.invalidValue, .signing, "sub") }
    var claims = ProfileClaims()
    claims.set("iss", issuer)
    claims.set("sub", subject)
    claims.set("aud", clientID)
    claims.set("exp", now.adding(seconds: duration))
    claims.set("iat", now)
    claims.set("nonce", nonce)
    for (name, value) in [("at_hash", accessToken), ("c_hash", code), ("s_hash", state)] as [(UTF8Text, UTF8Text?)] {
      guard let value else { continue }
      guard let hash = TokenHash.text(of: value, for: signer.algorithm) else {
        throw JWTError(.algorithmUnsupported, .signing)
      }
      claims.set(name, hash)
    }
    try claims.add(further, reserved: ["nonce", "at_hash", "c_hash", "s_hash", "azp", "events", "nbf"])
    return try signer.sign(claims.object)
  }
}
