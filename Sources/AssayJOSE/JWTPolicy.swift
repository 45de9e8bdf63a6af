public import AssayCodec

/// What is demanded of a token's type and claims beyond its issuer and audience. The default is the strict choice.
///
/// Always demanded, and not to be turned off: a claim that is present has the type RFC 7519, 4.1 gives it, `nbf` and
/// `iat` lie not in the future, and an audience that is present is the one expected.
public struct JWTPolicy: Hashable, Sendable {
  /// The most that clocks may differ, in seconds.
  public static let maximumLeeway: Int64 = 300

  /// The value that `typ` must have, as a media type with or without `application/` (RFC 7515, 4.1.9). Nil: it is
  /// absent, or `JWT`. If it is set, a token without `typ` is refused, so that one kind of token cannot pass for
  /// another (RFC 8725, 3.11).
  public var type: UTF8Text?

  /// How far the issuer's clock may be ahead of or behind ours, in seconds: 0 to `maximumLeeway`, other values are
  /// moved to the nearer end. Zero unless set.
  public var leeway: Int64 = 0 {
    didSet { leeway = min(max(leeway, 0), Self.maximumLeeway) }
  }

  /// How long ago a token may have been issued, in seconds. If it is set, `iat` is required.
  public var maximumAge: Int64?

  /// Claims that must be present; of the registered ones, `exp` and `iss` always are.
  public var requiredClaims: [UTF8Text] = []

  /// Also accept tokens without `exp`, which are valid for ever. Off unless set: what never ends cannot be taken back.
  public var allowMissingExpiration = false

  /// Also accept tokens without `iss`: the key alone then says whose they are. Off unless set. It has no effect on a
  /// verifier of several issuers, which chooses by `iss`.
  public var allowMissingIssuer = false

  /// The strict policy.
  public init() {}

  /// Checks `typ` and `cty` (RFC 7519, 5).
  func check(_ header: JWSHeader) throws(JWTError) {
    if let contentType = header.contentType, contentType.isSameMediaType(as: Self.jwt) {
      throw JWTError(.nested, .header, "cty")
    }
    guard let actual = header.type else {
      if type != nil { throw JWTError(.missing, .header, "typ") }
      return
    }
    guard actual.isSameMediaType(as: type ?? Self.jwt) else { throw JWTError(.wrongTokenType, .header, "typ") }
  }

  /// Checks everything about `claims` that does not depend on the issuer, in the order in which RFC 7519, 4.1 lists
  /// them.
  func check(_ claims: RegisteredClaims, _ object: JSONObject, at now: UnixTime) throws(JWTError) {
    if let expiration = claims.expiresAt {
      guard now < expiration.adding(seconds: leeway) else { throw JWTError(.expired, .claims, "exp") }
    } else if !allowMissingExpiration {
      throw JWTError(.missing, .claims, "exp")
    }
    let latest = now.adding(seconds: leeway)
    if let notBefore = claims.notBefore, notBefore > latest { throw JWTError(.notYetValid, .claims, "nbf") }
    if let issuedAt = claims.issuedAt, issuedAt > latest { throw JWTError(.issuedInFuture, .claims, "iat") }
    if let maximumAge {
      guard let issuedAt = claims.issuedAt else { throw JWTError(.missing, .claims, "iat") }
      guard now <= issuedAt.adding(seconds: maximumAge).adding(seconds: leeway) else {
        throw JWTError(.tooOld, .claims, "iat")
      }
    }
    for name in requiredClaims where object[name] == nil { throw JWTError(.requiredClaimMissing(name), .claims) }
  }

  private static let jwt: UTF8Text = "JWT"
}
