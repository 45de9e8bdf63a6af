internal import AssayCodec
internal import AssayCrypto

/// A token whose signature and `typ` were verified, and whose claims a profile has still to judge.
struct ProfileToken {
  /// What `typ` must be. Special values are compared byte for byte, so that one kind of token has one name (RFC 8725, 3.11).
  enum TypeRule {
    /// Absent, `JWT` in any case, or one of these.
    case plain(or: [UTF8Text] = [])
    /// One of these.
    case one(of: [UTF8Text])

    fileprivate func check(_ type: UTF8Text?) throws(JWTError) {
      let isAllowed =
        switch self {
        case .plain(let others): type.map { $0.equalsIgnoringCase("JWT") || others.contains($0) } ?? true
        case .one(let names): type.map { names.contains($0) } ?? false
        }
      guard isAllowed else { throw JWTError(type == nil ? .missing : .wrongTokenType, .header, "typ") }
    }
  }

  /// The longest `jti`, in bytes of UTF-8.
  static let maximumIDBytes = 256

  let jws: VerifiedJWS
  let claims: JSONObject
  let registered: RegisteredClaims

  /// Verifies header and signature. `key` chooses the keys to try.
  init(
    _ token: Span<UInt8>, _ type: TypeRule, allowsContentType: Bool = false,
    candidates: (JWSHeader) throws(JWTError) -> [TrustedKey]
  ) throws(JWTError) {
    let verified = try JWS.verifyCompact(token, maximumBytes: JWS.maximumTokenBytes) { (header, _) throws(JWTError) in
      try type.check(header.type)
      if !allowsContentType, let contentType = header.contentType, contentType.isSameMediaType(as: "JWT") {
        throw JWTError(.nested, .header, "cty")
      }
      return try candidates(header)
    }
    let object = try CompactSegments.object(verified.payload, "claims", .claims)
    registered = try RegisteredClaims(object)
    jws = verified
    claims = object
  }

  /// Verifies header and signature with the keys of one who is trusted; with `publicKeysOnly`, not by a shared secret.
  init(
    _ token: Span<UInt8>, _ type: TypeRule, _ keys: TrustedKeys, publicKeysOnly: Bool = false
  ) throws(JWTError) {
    try self.init(token, type) { (header) throws(JWTError) in
      if publicKeysOnly, case .mac = header.algorithm { throw JWTError(.algorithmNotAllowed, .algorithm, "alg") }
      return try keys.candidates(for: header)
    }
  }

  func verified(from issuer: UTF8Text) -> VerifiedJWT { VerifiedJWT(jws, from: issuer, claims, registered) }

  // Each of the following is one rule, or part of one.

  func checkIssuer(_ expected: UTF8Text) throws(JWTError) {
    guard let issuer = registered.issuer else { throw JWTError(.missing, .claims, "iss") }
    guard issuer == expected else { throw JWTError(.wrongIssuer, .claims, "iss") }
  }

  func checkAudience(names expected: UTF8Text) throws(JWTError) {
    guard !registered.audience.isEmpty else { throw JWTError(.missing, .claims, "aud") }
    guard registered.audience.contains(expected), !registered.audience.contains("") else {
      throw JWTError(.wrongAudience, .claims, "aud")
    }
  }

  /// The audience names us and nobody else.
  func checkAudience(isAmong accepted: [UTF8Text]) throws(JWTError) {
    guard !registered.audience.isEmpty else { throw JWTError(.missing, .claims, "aud") }
    guard registered.audience.allSatisfy({ accepted.contains($0) }) else {
      throw JWTError(.wrongAudience, .claims, "aud")
    }
  }

  /// `exp`, which must be there, `iat` and `nbf`. Returns `exp`.
  @discardableResult
  func checkTimes(
    at now: UnixTime, leeway: Int64, requiresIssuedAt: Bool = true
  ) throws(JWTError) -> UnixTime {
    guard let expiresAt = registered.expiresAt else { throw JWTError(.missing, .claims, "exp") }
    guard now < expiresAt.adding(seconds: leeway) else { throw JWTError(.expired, .claims, "exp") }
    let latest = now.adding(seconds: leeway)
    if let issuedAt = registered.issuedAt {
      guard issuedAt <= latest else { throw JWTError(.issuedInFuture, .claims, "iat") }
    } else if requiresIssuedAt {
      throw JWTError(.missing, .claims, "iat")
    }
    if let notBefore = registered.notBefore, notBefore > latest { throw JWTError(.notYetValid, .claims, "nbf") }
    return expiresAt
  }

  /// `exp` lies at most `seconds` ahead, as far as clocks may differ aside, and as far after `iat` and `nbf` where they are
  /// there.
  func checkLifetime(atMost seconds: Int64, at now: UnixTime, leeway: Int64) throws(JWTError) {
    guard let expiresAt = registered.expiresAt,
      [now.adding(seconds: leeway), registered.issuedAt, registered.notBefore].allSatisfy({ start in
        start.map { expiresAt <= $0.adding(seconds: seconds) } ?? true
      })
    else { throw JWTError(.lifetimeTooLong(limit: seconds), .claims, "exp") }
  }

  /// The last second at which a token with this `exp` is accepted.
  func lastSecond(leeway: Int64) -> UnixTime {
    (registered.expiresAt ?? UnixTime(.min)).adding(seconds: leeway).adding(seconds: -1)
  }

  /// `jti`: 1 to `maximumIDBytes` bytes.
  @discardableResult
  func id() throws(JWTError) -> UTF8Text {
    guard let id = registered.id else { throw JWTError(.missing, .claims, "jti") }
    guard (1...Self.maximumIDBytes).contains(id.utf8.count) else { throw JWTError(.invalidValue, .claims, "jti") }
    return id
  }

  /// A claim that is a string; nil if it is not there.
  func text(_ field: Field) throws(JWTError) -> UTF8Text? {
    try claims.string(UTF8Text(field.description), field, .claims)
  }

  /// A claim that must be a string, and not empty.
  func requiredText(_ field: Field) throws(JWTError) -> UTF8Text {
    guard let text = try text(field) else { throw JWTError(.missing, .claims, field) }
    guard !text.isEmpty else { throw JWTError(.invalidValue, .claims, field) }
    return text
  }

  /// A claim that must be this string.
  func require(_ field: Field, is expected: UTF8Text) throws(JWTError) {
    guard let text = try text(field) else { throw JWTError(.missing, .claims, field) }
    guard text == expected else { throw JWTError(.mismatch, .claims, field) }
  }

  /// Claims that mark another kind of token: whatever they hold, they must not be here (RFC 8725, 3.12).
  func refuse(_ fields: [Field]) throws(JWTError) {
    for field in fields where claims[UTF8Text(field.description)] != nil {
      throw JWTError(.unexpected, .claims, field)
    }
  }
}

extension Int64 {
  /// How far clocks may differ: at most `JWTPolicy.maximumLeeway`.
  var clampedLeeway: Int64 { Swift.min(Swift.max(self, 0), JWTPolicy.maximumLeeway) }
}

/// Claims to be signed: of one name once, in the order in which they were set.
struct ProfileClaims {
  private(set) var object: JSONObject = [:]

  mutating func set(_ name: UTF8Text, _ text: UTF8Text?) {
    if let text { object[name] = .string(text) }
  }

  mutating func set(_ name: UTF8Text, _ time: UnixTime?) {
    if let time { object[name] = .number(JSONNumber(time.seconds)) }
  }

  mutating func set(_ name: UTF8Text, _ value: JSONValue) { object[name] = value }

  /// Adds what the caller wants beside; none of `reserved`, nor what is set.
  mutating func add(_ further: JSONObject, reserved: [UTF8Text] = []) throws(JWTError) {
    for member in further.members {
      guard object[member.name] == nil, !reserved.contains(member.name) else {
        throw JWTError(.reserved, .signing, "claims")
      }
      object[member.name] = member.value
    }
  }

  /// What every signed request of a client says.
  mutating func setRequest(
    from clientID: UTF8Text, to issuer: UTF8Text, validFor duration: Int64, at now: UnixTime
  ) throws(JWTError) {
    set("iss", clientID)
    set("aud", issuer)
    set("exp", now.adding(seconds: duration))
    set("iat", now)
    set("nbf", now)
    set("jti", try Self.freshID())
  }

  /// A fresh `jti` of 128 random bits.
  static func freshID() throws(JWTError) -> UTF8Text {
    do throws(CryptoError) {
      let bytes = try Random.bytes(16)
      return Base64URL.encode(bytes.span)
    } catch {
      throw JWTError(.signingFailed, .signing, "jti")
    }
  }
}
