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
    if object["kty"] == nil {
      if object["keys"] != nil { throw KeyError(.notAKey(what: "a JWK Set")) }
      if object["private_key"] != nil {
        throw KeyError(.notAKey(what: "a JSON file with a PEM key in it (take the text of its member private_key)"))
      }
    }
    self.object = object
  }

  /// Whether this is a symmetric key.
  var isSymmetric: Bool { object["kty"]?.string == "oct" }

  /// Whether any private member is there.
  var isPrivate: Bool { Self.privateMembers.contains { object[$0] != nil } }

  /// Whether a member is there.
  func has(_ name: UTF8Text) -> Bool { object[name] != nil }

  /// A member that may be left out. Some writers put null for what they leave out.
  private func optional(_ field: Field) -> JSONValue? {
    let member = object[UTF8Text(field.description)]
    return member == .null ? nil : member
  }

  /// A string that may be left out.
  func text(_ field: Field) throws(KeyError) -> UTF8Text? {
    guard let member = optional(field) else { return nil }
    guard let text = member.string else { throw KeyError(.invalid(field, .wrongType)) }
    return text
  }

  /// `key_ops` (RFC 7517, 4.3): an array of strings, none twice.
  func keyOps() throws(KeyError) -> [UTF8Text]? {
    guard let member = optional("key_ops") else { return nil }
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
    case "oct": throw KeyError(.symmetricKeyNotAllowed)
    case "AKP":
      guard MLDSA.joseNames.contains(try required("alg")) else {
        throw KeyError(.unsupported(what: "the algorithm (alg) of this JWK, whose kty is AKP,"))
      }
      throw KeyError(.mlDSAUnsupported)
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

  /// `x5c` (RFC 7517, 4.7): an array of certificates in base64, the first of which holds `key`; none if it is left out.
  func certificates(of key: PublicKeyNumbers) throws(KeyError) -> [[UInt8]] {
    guard let member = optional("x5c") else { return [] }
    guard let elements = member.array else { throw KeyError(.invalid("x5c", .wrongType)) }
    guard elements.count <= JWK.maximumCertificates else { throw KeyError(.invalid("x5c", .tooLarge)) }
    var certificates: [[UInt8]] = []
    for element in elements {
      guard let text = element.string else { throw KeyError(.invalid("x5c", .wrongType)) }
      do throws(CodecError) {
        certificates.append(try Base64.decode(text.utf8.span, field: "x5c"))
      } catch {
        throw KeyError(.invalid("x5c (base64 of certificates)", error.code))
      }
    }
    guard let first = certificates.first else { throw KeyError(.invalid("x5c", .missing)) }
    let certified: PublicKeyContents
    do throws(KeyError) {
      certified = try PublicKeyContents(certificate: first.span)
    } catch {
      throw KeyError(.invalid("x5c (base64 of certificates)", .malformed))
    }
    guard certified.describes(key) else { throw KeyError(.contradiction("x5c", "kty")) }
    return certificates
  }

  /// A digest of `byteCount` bytes in base64url that may be left out.
  func digest(_ field: Field, byteCount: Int) throws(KeyError) -> [UInt8]? {
    guard let text = try text(field) else { return nil }
    let digest = try Self.decoded(text, field)
    guard digest.count == byteCount else {
      throw KeyError(.wrongLength(field: field, expected: byteCount, actual: digest.count))
    }
    return digest
  }

  /// The bytes of a member that must be there.
  private func bytes(_ field: Field) throws(KeyError) -> [UInt8] { try Self.decoded(required(field), field) }

  private static func decoded(_ text: UTF8Text, _ field: Field) throws(KeyError) -> [UInt8] {
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
