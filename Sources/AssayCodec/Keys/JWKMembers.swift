/// The members of a JWK, fetched by name and type.
struct JWKMembers {
  private let object: JSONObject

  /// The members that hold private numbers (RFC 7518, 6.2.2 and 6.3.2).
  private static let privateMembers: [UTF8Text] = ["d", "p", "q", "dp", "dq", "qi", "oth"]

  /// Decodes JSON text.
  static func value(_ json: Span<UInt8>) throws(KeyError) -> JSONValue {
    do throws(CodecError) {
      return try JSONValue.decode(json)
    } catch {
      throw KeyError(.malformed(error))
    }
  }

  init(_ value: JSONValue) throws(KeyError) {
    guard let object = value.object else { throw KeyError(.invalid("JWK (a JSON object)", .wrongType)) }
    guard object["kty"] != nil || object["keys"] == nil else { throw KeyError(.notAKey(what: "a JWK Set")) }
    self.object = object
  }

  /// Whether any private member is there.
  var isPrivate: Bool { Self.privateMembers.contains { object[$0] != nil } }

  /// Whether a member is there.
  func has(_ name: UTF8Text) -> Bool { object[name] != nil }

  /// A string that may be left out.
  func text(_ field: Field) throws(KeyError) -> UTF8Text? {
    guard let member = object[UTF8Text(field.description)] else { return nil }
    guard let text = member.string else { throw KeyError(.invalid(field, .wrongType)) }
    return text
  }

  /// `key_ops` (RFC 7517, 4.3): an array of strings, none twice.
  func keyOps() throws(KeyError) -> [UTF8Text]? {
    guard let member = object["key_ops"] else { return nil }
    guard let elements = member.array else { throw KeyError(.invalid("key_ops", .wrongType)) }
    let operations = elements.compactMap(\.string)
    guard operations.count == elements.count else { throw KeyError(.invalid("key_ops", .wrongType)) }
    guard Set(operations).count == operations.count else { throw KeyError(.invalid("key_ops", .duplicateKey)) }
    return operations
  }

  /// The public key (RFC 7518, 6.2.1 and 6.3.1; RFC 8037, 2).
  func publicKey() throws(KeyError) -> PublicKeyNumbers {
    switch try required("kty") {
    case "RSA":
      return .rsa(
        modulus: try RSANumber.checked(bytes("n"), "n"), exponent: try RSANumber.checked(bytes("e"), "e"))
    case "EC":
      let curve = try curve(edwards: false)
      return .ec(curve, x: try curve.checked(bytes("x"), "x"), y: try curve.checked(bytes("y"), "y"))
    case "OKP":
      let curve = try curve(edwards: true)
      return .edwards(curve, x: try curve.checked(bytes("x"), "x"))
    case "oct": throw KeyError(.unsupported(what: "a symmetric key (kty oct)"))
    default: throw KeyError(.unsupported(what: "the key type (kty) of this JWK"))
    }
  }

  private func curve(edwards: Bool) throws(KeyError) -> EllipticCurve {
    let crv = try required("crv")
    if let curve = EllipticCurve.allCases.first(where: { $0.isEdwards == edwards && UTF8Text($0.jwkName) == crv }) {
      return curve
    }
    switch crv {
    case "X25519", "X448":
      throw KeyError(.unsupported(what: "a key for key agreement (crv X25519 or X448)"))
    default: throw KeyError(.unsupported(what: "the curve (crv) of this JWK"))
    }
  }

  /// The bytes of a member that must be there.
  private func bytes(_ field: Field) throws(KeyError) -> [UInt8] {
    let text = try required(field)
    do throws(CodecError) {
      return try Base64URL.decode(text.utf8.span, field: field)
    } catch {
      throw KeyError(.invalid(field, error.code))
    }
  }

  /// The secret bytes of a member that must be there.
  func secret(_ field: Field) throws(KeyError) -> SecretBytes {
    let text = try required(field)
    do throws(CodecError) {
      return try Base64URL.decodeSecret(text.utf8.span, field: field)
    } catch {
      throw KeyError(.invalid(field, error.code))
    }
  }

  /// A secret RSA number, in as few bytes as it can have.
  func secretNumber(_ field: Field) throws(KeyError) -> SecretBytes {
    let number = try secret(field)
    guard number.count > 0 else { throw KeyError(.invalid(field, .invalidLength)) }
    guard number.withSpan({ $0[0] }) != 0 else { throw KeyError(.leadingZero(field)) }
    return number
  }

  private func required(_ field: Field) throws(KeyError) -> UTF8Text {
    guard let text = try text(field) else { throw KeyError(.invalid(field, .missing)) }
    return text
  }
}
