/// A private key as a JSON Web Key (RFC 7517; RFC 7518, 6.2.2 and 6.3.2; RFC 8037, 2), read as strictly as `JWK`.
///
/// Its private numbers are wiped with it. The JSON text they were read from, and what was decoded of that text on the way,
/// are ordinary memory: they are not.
public struct PrivateJWK: ~Copyable, Sendable {
  /// The public half and what is said about the key.
  public let publicJWK: JWK
  /// Both halves.
  public let numbers: PrivateKeyNumbers

  /// Joins a private key with what is said about it.
  public init(
    _ numbers: consuming PrivateKeyNumbers, kid: UTF8Text? = nil, alg: UTF8Text? = nil, use: UTF8Text? = nil,
    keyOps: [UTF8Text]? = nil
  ) {
    publicJWK = JWK(numbers.publicKey, kid: kid, alg: alg, use: use, keyOps: keyOps)
    self.numbers = numbers
  }

  /// Reads the JSON text of a private key. A public key is refused as `privateKeyRequired`.
  public init(_ json: Span<UInt8>) throws(KeyError) { try self.init(JWKMembers.value(json)) }

  /// Reads a private key. A public key is refused as `privateKeyRequired`.
  public init(_ value: JSONValue) throws(KeyError) {
    let members = try JWKMembers(value)
    guard members.isPrivate else { throw KeyError(.privateKeyRequired) }
    let publicJWK = try JWK(members)
    let secret: PrivateKeyNumbers.Secret
    switch publicJWK.numbers {
    case .rsa:
      guard members.has("p") || members.has("q") else {
        throw KeyError(.unsupported(what: "an RSA private key without its prime factors p and q"))
      }
      guard !members.has("oth") else { throw KeyError(.unsupported(what: "an RSA key of more than two primes (oth)")) }
      secret = .rsa(
        PrivateKeyNumbers.RSASecret(
          d: try members.secretNumber("d"), p: try members.secretNumber("p"), q: try members.secretNumber("q"),
          dp: try members.secretNumber("dp"), dq: try members.secretNumber("dq"), qi: try members.secretNumber("qi")))
    case .ec(let curve, _, _), .edwards(let curve, _):
      let scalar = try members.secret("d")
      guard scalar.count == curve.byteCount else {
        throw KeyError(.wrongLength(field: "d", expected: curve.byteCount, actual: scalar.count))
      }
      secret = .scalar(scalar)
    }
    self.publicJWK = publicJWK
    numbers = PrivateKeyNumbers(publicKey: publicJWK.numbers, secret: secret)
  }

  /// The numbers, without what is said about the key.
  package consuming func numbersAlone() -> PrivateKeyNumbers { numbers }

  /// The key as JSON text, private members last.
  public borrowing func encoded() -> SecretBytes {
    let publicText = publicJWK.encoded()
    var text = SecretBuffer()
    text.append(publicText.span.extracting(0..<max(0, publicText.count - 1)))  // without the closing brace
    switch numbers.secret {
    case .scalar(let d): Self.append("d", d, to: &text)
    case .rsa(let secret):
      Self.append("d", secret.d, to: &text)
      Self.append("p", secret.p, to: &text)
      Self.append("q", secret.q, to: &text)
      Self.append("dp", secret.dp, to: &text)
      Self.append("dq", secret.dq, to: &text)
      Self.append("qi", secret.qi, to: &text)
    }
    text.append("}")
    return text.secret()
  }

  private static func append(_ name: StaticString, _ secret: borrowing SecretBytes, to text: inout SecretBuffer) {
    text.append(",\"")
    text.append(name)
    text.append("\":\"")
    let encoded = secret.withSpan { Base64URL.encodeSecret($0) }
    encoded.withSpan { text.append($0) }
    text.append("\"")
  }
}
