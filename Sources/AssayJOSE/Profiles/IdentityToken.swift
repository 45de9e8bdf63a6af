public import AssayCodec
public import AssayCrypto

/// Verifies OneSignal's identity verification tokens: ES256 and nothing else.
public struct IdentityTokenVerifier: Sendable {
  private let appID: UTF8Text
  private let keys: TrustedKeys
  private let maximumLifetime: Int64
  private let leeway: Int64

  /// Accepts the tokens of one app.
  /// - Parameters:
  ///   - appID: The app's UUID as OneSignal writes it. It is compared byte for byte.
  ///   - keys: Every active public key of the app, on P-256. A token names none, so that each is tried.
  ///   - maximumLifetime: How far ahead `exp` may be, and how long after `iat`, in seconds: a day unless set.
  ///   - leeway: How far clocks may differ, in seconds, at most `maximumLeeway`.
  public init(
    appID: UTF8Text, keys: [JWK], maximumLifetime: Int64 = 86_400, leeway: Int64 = 0
  ) throws(TrustedIssuerError) {
    try self.init(
      appID: appID, keys: TrustedKeys(keys, algorithms: [.es256]), maximumLifetime: maximumLifetime, leeway: leeway)
  }

  /// Accepts the tokens of one app whose keys are in a set. Those that are not for ES256 are set aside.
  public init(
    appID: UTF8Text, keys: JWKSet, maximumLifetime: Int64 = 86_400, leeway: Int64 = 0
  ) throws(TrustedIssuerError) {
    try self.init(
      appID: appID, keys: TrustedKeys(keys, algorithms: [.es256]), maximumLifetime: maximumLifetime, leeway: leeway)
  }

  /// Accepts the tokens of one app whose keys were checked before, each for ES256 and nothing else.
  public init(
    appID: UTF8Text, keys: TrustedKeys, maximumLifetime: Int64 = 86_400, leeway: Int64 = 0
  ) throws(TrustedIssuerError) {
    guard keys.algorithms == [.signature(.es256)] else { throw TrustedIssuerError(.noAlgorithms) }
    self.appID = appID
    self.keys = keys
    self.maximumLifetime = maximumLifetime
    self.leeway = min(max(leeway, 0), Self.maximumLeeway)
  }

  /// The most that clocks may differ, in seconds.
  public static let maximumLeeway: Int64 = 60

  /// Verifies a token.
  ///
  /// Success proves that the app's server vouches for this user. Answer every failure alike, with 401.
  /// - Parameter externalID: The user that the request addresses, who must be the token's. Nil: the request addresses none.
  /// - Throws: the first step that fails: header, signature, then `iss`, `exp`, `iat`, `nbf`, lifetime, `identity`, `external_id`,
  ///   `subscriptions`.
  public func verify(
    _ token: Span<UInt8>, for externalID: UTF8Text?, at now: UnixTime = .now()
  ) throws(JWTError) -> VerifiedIdentityToken {
    let token = try ProfileToken(token, .plain(), keys)
    try token.checkIssuer(appID)
    let expiresAt = try token.checkTimes(at: now, leeway: leeway, requiresIssuedAt: false)
    try token.checkLifetime(atMost: maximumLifetime, at: now, leeway: leeway)
    guard let identity = token.claims["identity"] else { throw JWTError(.missing, .claims, "identity") }
    guard let id = identity["external_id"]?.string else { throw JWTError(.wrongType, .claims, "identity") }
    guard !id.isEmpty else { throw JWTError(.invalidValue, .claims, "identity") }
    if let externalID, externalID != id { throw JWTError(.mismatch, .claims, "external_id") }
    return VerifiedIdentityToken(
      issuer: appID, externalID: id, subscriptions: try Self.subscriptions(token.claims), expiresAt: expiresAt,
      claims: token.claims)
  }

  private static func subscriptions(_ claims: JSONObject) throws(JWTError) -> [IdentitySubscription] {
    guard let value = claims["subscriptions"] else { return [] }
    guard let elements = value.array else { throw JWTError(.wrongType, .claims, "subscriptions") }
    var subscriptions: [IdentitySubscription] = []
    for element in elements {
      guard let type = element["type"]?.string, let address = element["token"]?.string else {
        throw JWTError(.wrongType, .claims, "subscriptions")
      }
      guard let kind = IdentitySubscription.Kind.allCases.first(where: { $0.name == type }), !address.isEmpty else {
        throw JWTError(.invalidValue, .claims, "subscriptions")
      }
      subscriptions.append(IdentitySubscription(kind, address))
    }
    return subscriptions
  }
}

/// An address that an identity token vouches for.
public struct IdentitySubscription: Hashable, Sendable {
  /// What kind of address.
  @nonexhaustive
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// An e-mail address.
    case email
    /// A telephone number, as E.164.
    case sms

    /// The value of `type`.
    public var name: UTF8Text {
      switch self {
      case .email: "Email"
      case .sms: "SMS"
      }
    }
  }

  /// What kind of address.
  public let kind: Kind
  /// The address (`token`).
  public let address: UTF8Text

  /// Names an address.
  public init(_ kind: Kind, _ address: UTF8Text) {
    self.kind = kind
    self.address = address
  }
}

/// An identity token that was verified, for the request that it came with.
public struct VerifiedIdentityToken: Hashable, Sendable {
  /// The app (`iss`).
  public let issuer: UTF8Text
  /// The user (`identity.external_id`).
  public let externalID: UTF8Text
  /// The addresses that may be added for the user.
  public let subscriptions: [IdentitySubscription]
  /// The first whole second at which it is no longer valid (`exp`).
  public let expiresAt: UnixTime
  /// All its claims.
  public let claims: JSONObject
}

/// Makes OneSignal's identity verification tokens.
public struct IdentityTokenIssuer: Sendable {
  private let appID: UTF8Text
  private let signer: JWTSigner

  /// Makes tokens of an app. Nil if the key is not for ES256.
  public init?(appID: UTF8Text, key: SigningKey) {
    guard key.algorithm == .es256 else { return nil }
    self.appID = appID
    signer = JWTSigner(key: key)
  }

  /// Makes a token for a user, valid for `duration` seconds from `now`.
  ///
  /// `externalID` must be the user who is signed in: never one that a request names.
  public func issue(
    externalID: UTF8Text, subscriptions: [IdentitySubscription] = [], validFor duration: Int64 = 3600,
    at now: UnixTime = .now()
  ) throws(JWTError) -> UTF8Text {
    var claims = ProfileClaims()
    claims.set("iss", appID)
    claims.set("exp", now.adding(seconds: duration))
    claims.set("iat", now)
    claims.set("identity", ["external_id": .string(externalID)])
    if !subscriptions.isEmpty {
      claims.set(
        "subscriptions",
        .array(subscriptions.map { ["type": .string($0.kind.name), "token": .string($0.address)] }))
    }
    return try signer.sign(claims.object)
  }
}
