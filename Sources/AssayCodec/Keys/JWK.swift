/// A public key as a JSON Web Key (RFC 7517; RFC 7518, 6; RFC 8037, 2; RFC 8812, 3).
///
/// It was read strictly: unpadded base64url, coordinates of exactly the curve's length, RSA numbers without leading zeros,
/// every member that is known of the right type. Members that are not known are ignored. Whether the numbers make a usable
/// key, and whether `alg`, `use` and `keyOps` allow a use, is for the one who uses the key.
public struct JWK: Hashable, Sendable {
  /// The key itself.
  public let numbers: PublicKeyNumbers
  /// Key ID, `kid` (RFC 7517, 4.5).
  public let kid: UTF8Text?
  /// The one algorithm the key is meant for, `alg` (RFC 7517, 4.4).
  public let alg: UTF8Text?
  /// Public key use, `use`: `sig` or `enc` or another (RFC 7517, 4.2).
  public let use: UTF8Text?
  /// Key operations, `key_ops`, none twice (RFC 7517, 4.3).
  public let keyOps: [UTF8Text]?

  /// Joins a key with what is said about it.
  public init(
    _ numbers: PublicKeyNumbers, kid: UTF8Text? = nil, alg: UTF8Text? = nil, use: UTF8Text? = nil,
    keyOps: [UTF8Text]? = nil
  ) {
    self.numbers = numbers
    self.kid = kid
    self.alg = alg
    self.use = use
    self.keyOps = keyOps
  }

  /// Reads the JSON text of a public key. A private key is refused as `privateKeyNotAllowed`: see `PrivateJWK`.
  public init(_ json: Span<UInt8>) throws(KeyError) { try self.init(JWKMembers.value(json)) }

  /// Reads a public key. A private key is refused as `privateKeyNotAllowed`: see `PrivateJWK`.
  public init(_ value: JSONValue) throws(KeyError) {
    let members = try JWKMembers(value)
    guard !members.isPrivate else { throw KeyError(.privateKeyNotAllowed) }
    try self.init(members)
  }

  /// Reads the public members and those about the key.
  init(_ members: JWKMembers) throws(KeyError) {
    self.init(
      try members.publicKey(), kid: try members.text("kid"), alg: try members.text("alg"), use: try members.text("use"),
      keyOps: try members.keyOps())
  }

  /// The key as a JSON object: `kty` and the key's own members first, then those about it.
  public var json: JSONObject {
    var object: JSONObject
    switch numbers {
    case .rsa(let modulus, let exponent):
      object = ["kty": "RSA", "n": Self.base64URL(modulus), "e": Self.base64URL(exponent)]
    case .ec(let curve, let x, let y):
      object = ["kty": "EC", "crv": Self.name(curve), "x": Self.base64URL(x), "y": Self.base64URL(y)]
    case .edwards(let curve, let x):
      object = ["kty": "OKP", "crv": Self.name(curve), "x": Self.base64URL(x)]
    }
    object["kid"] = kid.map { .string($0) }
    object["use"] = use.map { .string($0) }
    object["alg"] = alg.map { .string($0) }
    object["key_ops"] = keyOps.map { .array($0.map { .string($0) }) }
    return object
  }

  /// The key as JSON text.
  public func encoded() -> [UInt8] { JSONValue.object(json).encoded() }

  private static func base64URL(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes.span)) }
  private static func name(_ curve: EllipticCurve) -> JSONValue { .string(UTF8Text(curve.jwkName)) }
}
