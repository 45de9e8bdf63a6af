/// A symmetric key as a JSON Web Key (`kty` oct; RFC 7518, 6.4), read as strictly as `JWK`.
///
/// An empty secret is refused, and one that is too short for the `alg` it names. Without `alg`, whether it is long enough is
/// judged where it is used. The secret is wiped with this value; the JSON text it was read from, and what was decoded of that
/// text on the way, are ordinary memory: they are not.
public struct SymmetricJWK: ~Copyable, Sendable {
  /// The secret, `k`.
  public let secret: SecretBytes
  /// Key ID, `kid` (RFC 7517, 4.5).
  public let kid: UTF8Text?
  /// The one algorithm the key is meant for, `alg` (RFC 7517, 4.4).
  public let alg: UTF8Text?
  /// Public key use, `use` (RFC 7517, 4.2).
  public let use: UTF8Text?
  /// Key operations, `key_ops`, none twice (RFC 7517, 4.3).
  public let keyOps: [UTF8Text]?

  /// Joins a secret with what is said about it.
  public init(
    _ secret: consuming SecretBytes, kid: UTF8Text? = nil, alg: UTF8Text? = nil, use: UTF8Text? = nil,
    keyOps: [UTF8Text]? = nil
  ) {
    self.secret = secret
    self.kid = kid
    self.alg = alg
    self.use = use
    self.keyOps = keyOps
  }

  /// Reads the JSON text of a symmetric key.
  public init(_ json: Span<UInt8>) throws(KeyError) { try self.init(JWKMembers.value(json)) }

  /// Reads a symmetric key. A key of another `kty` is refused.
  public init(_ value: JSONValue) throws(KeyError) {
    let members = try JWKMembers(value)
    guard members.isSymmetric else { throw KeyError(.invalid("kty (oct is needed)", .invalidValue)) }
    let secret = try members.secret("k")
    guard secret.count > 0 else { throw KeyError(.secretTooShort(bytes: 0, minimum: 1)) }
    let alg = try members.text("alg")
    if let alg, let requirement = KeyRequirement(alg: alg) { try requirement.check(secret) }
    self.init(
      secret, kid: try members.text("kid"), alg: alg, use: try members.text("use"), keyOps: try members.keyOps())
  }

  /// The secret, without what is said about it.
  consuming func secretAlone() -> SecretBytes { secret }

  /// The key as JSON text.
  public borrowing func encoded() -> SecretBytes {
    var about: JSONObject = ["kty": "oct"]
    about["kid"] = kid.map { .string($0) }
    about["use"] = use.map { .string($0) }
    about["alg"] = alg.map { .string($0) }
    about["key_ops"] = keyOps.map { .array($0.map { .string($0) }) }
    let start = JSONValue.object(about).encoded()
    var text = SecretBuffer()
    text.append(start.span.extracting(0..<max(0, start.count - 1)))  // without the closing brace
    text.append(",\"k\":\"")
    let encoded = secret.withSpan { Base64URL.encodeSecret($0) }
    encoded.withSpan { text.append($0) }
    text.append("\"}")
    return text.secret()
  }

  /// What the thumbprint is the digest of (RFC 7638, 3.2).
  package static func thumbprintInput(_ secret: borrowing SecretBytes) -> SecretBytes {
    var text = SecretBuffer()
    text.append("{\"k\":\"")
    let encoded = secret.withSpan { Base64URL.encodeSecret($0) }
    encoded.withSpan { text.append($0) }
    text.append("\",\"kty\":\"oct\"}")
    return text.secret()
  }
}
