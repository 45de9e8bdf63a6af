/// A public key as a JSON Web Key (RFC 7517; RFC 7518, 6; RFC 8037, 2; RFC 8812, 3).
///
/// It was read strictly: unpadded base64url, coordinates of exactly the curve's length, RSA numbers without leading zeros,
/// every member that is known of the right type, an `alg` that is known of the right kind of key, and in `x5c` first a
/// certificate of this key. Members that are not known are ignored, and null stands for a member that is left out. Whether
/// the numbers make a usable key is for the one who uses the key; what the other members allow, AssayCrypto's
/// `check(for:)` says.
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
  /// Certificates, `x5c`, the first of which holds the key (RFC 7517, 4.7). They were not verified.
  public let x5c: [[UInt8]]
  /// The SHA-1 of the first certificate, `x5t` (RFC 7517, 4.8).
  public let x5t: [UInt8]?
  /// The SHA-256 of the first certificate, `x5t#S256` (RFC 7517, 4.9).
  public let x5tS256: [UInt8]?

  /// The most certificates of an `x5c`.
  public static let maximumCertificates = 16

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
    x5c = []
    x5t = nil
    x5tS256 = nil
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
    numbers = try members.publicKey()
    kid = try members.text("kid")
    alg = try members.text("alg")
    use = try members.text("use")
    keyOps = try members.keyOps()
    x5c = try members.certificates(of: numbers)
    x5t = try members.digest("x5t", byteCount: 20)
    x5tS256 = try members.digest("x5t#S256", byteCount: 32)
    if let alg, let requirement = KeyRequirement(alg: alg) { try requirement.check(numbers) }
  }

  /// The key as a JSON object: `kty` and the key's own members first, then those about it.
  public var json: JSONObject {
    var object = numbers.jwkMembers
    object["kid"] = kid.map { .string($0) }
    object["use"] = use.map { .string($0) }
    object["alg"] = alg.map { .string($0) }
    object["key_ops"] = keyOps.map { .array($0.map { .string($0) }) }
    if !x5c.isEmpty { object["x5c"] = .array(x5c.map { .string(Base64.encode($0.span)) }) }
    object["x5t"] = x5t.map { .string(Base64URL.encode($0.span)) }
    object["x5t#S256"] = x5tS256.map { .string(Base64URL.encode($0.span)) }
    return object
  }

  /// The key as JSON text.
  public func encoded() -> [UInt8] { JSONValue.object(json).encoded() }
}

extension PublicKeyNumbers {
  /// The members that a JWK of this key must have, in the order in which people expect them.
  fileprivate var jwkMembers: JSONObject {
    func base64URL(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes.span)) }
    func name(_ curve: EllipticCurve) -> JSONValue { .string(UTF8Text(curve.jwkName)) }
    switch self {
    case .rsa(let modulus, let exponent): return ["kty": "RSA", "n": base64URL(modulus), "e": base64URL(exponent)]
    case .ec(let curve, let x, let y):
      return ["kty": "EC", "crv": name(curve), "x": base64URL(x), "y": base64URL(y)]
    case .edwards(let curve, let x): return ["kty": "OKP", "crv": name(curve), "x": base64URL(x)]
    }
  }

  /// What a JWK's thumbprint is the digest of: those members, sorted by name, without white space (RFC 7638, 3.2).
  package var jwkThumbprintInput: [UInt8] {
    let members = jwkMembers.members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    var object: JSONObject = [:]
    for member in members { object[member.name] = member.value }
    return JSONValue.object(object).encoded()
  }
}
