public import AssayCodec
public import AssayCrypto

/// Makes signed tokens (RFC 7519, 7.1).
public struct JWTSigner: Sendable {
  private let signer: JWSSigner

  /// Signs with `key`. `kid` is written into every header, so that verifiers with several keys find the right one.
  public init(key: SigningKey, kid: UTF8Text? = nil) { signer = JWSSigner(key: key, kid: kid) }

  /// Signs with a shared secret. Whoever verifies its tokens can also make them.
  public init(key: MACKey, kid: UTF8Text? = nil) { signer = JWSSigner(key: key, kid: kid) }

  /// The algorithm it signs by.
  public var algorithm: JWSAlgorithm { signer.algorithm }

  /// Makes a token of `claims` in compact form.
  ///
  /// The header is `alg`, `kid` if there is one, and `typ`, in this order; the claims keep theirs. Claims that
  /// `JWTVerifier` would refuse at any time and for any audience are refused here: registered claims of the wrong type,
  /// dates out of range, a missing `exp` unless allowed, JSON too deep or a token too large for its default limits.
  public func sign(
    _ claims: JSONObject, type: UTF8Text = "JWT", allowMissingExpiration: Bool = false
  ) throws(JWTError) -> UTF8Text {
    let payload = JSONValue.object(claims).encoded()
    // What is signed is what our reader reads back from the bytes.
    let registered = try RegisteredClaims(try CompactSegments.object(payload, "claims", .claims))
    guard registered.expiresAt != nil || allowMissingExpiration else { throw JWTError(.missing, .claims, "exp") }
    return try signer.signCompact(payload, header: [HeaderName.typ: .string(type)])
  }

  /// Makes a token of `claims` that is valid for `duration` seconds from `now`: sets `iat` and `exp`, also where they
  /// were set.
  public func sign(
    _ claims: JSONObject, type: UTF8Text = "JWT", validFor duration: Int64, from now: UnixTime = .now()
  ) throws(JWTError) -> UTF8Text {
    var claims = claims
    claims[ClaimName.iat] = .number(JSONNumber(now.seconds))
    claims[ClaimName.exp] = .number(JSONNumber(now.adding(seconds: duration).seconds))
    return try sign(claims, type: type)
  }
}
