public import AssayCodec
public import AssayCrypto

/// Makes signed tokens (RFC 7519, 7.1).
public struct JWTSigner: Sendable {
  private enum Key: Sendable {
    case signature(SigningKey)
    case mac(MACKey)
  }

  private let key: Key
  private let keyID: UTF8Text?

  /// Signs with `key`. `kid` is written into every header, so that verifiers with several keys find the right one.
  public init(key: SigningKey, kid: UTF8Text? = nil) {
    self.key = .signature(key)
    keyID = kid
  }

  /// Signs with a shared secret. Whoever verifies its tokens can also make them.
  public init(key: MACKey, kid: UTF8Text? = nil) {
    self.key = .mac(key)
    keyID = kid
  }

  /// The algorithm it signs by.
  public var algorithm: JWSAlgorithm {
    switch key {
    case .signature(let key): .signature(key.algorithm.inJOSE)
    case .mac(let key): .mac(key.algorithm)
    }
  }

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

    var header: JSONObject = [HeaderName.alg: .string(algorithm.joseName)]
    header[HeaderName.kid] = keyID.map(JSONValue.string)
    header[HeaderName.typ] = .string(type)
    var token = Base64URL.encode(JSONValue.object(header).encoded().span).utf8
    token.append(UInt8(ascii: "."))
    token += Base64URL.encode(payload.span).utf8
    let signature: [UInt8]
    do throws(CryptoError) {
      signature =
        switch key {
        case .signature(let key): try key.sign(token.span, ecdsa: .fixedWidth)
        case .mac(let key): try key.tag(for: token.span)
        }
    } catch {
      throw JWTError(.signingFailed, .signing)
    }
    token.append(UInt8(ascii: "."))
    token += Base64URL.encode(signature.span).utf8
    guard token.count <= JWS.maximumTokenBytes else {
      throw JWTError(.tooLarge(limit: JWS.maximumTokenBytes), .size)
    }
    return UTF8Text(unchecked: token)
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
