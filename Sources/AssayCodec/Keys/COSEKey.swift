/// A credential public key: a COSE_Key (RFC 9052, 7; RFC 9053, 7; RFC 8230, 4) under the rules of WebAuthn L3, 5.8.5.
///
/// It is a map of CTAP2 canonical CBOR that holds `kty`, `alg` and the public parameters of that kind of key, and nothing
/// else. `alg` is known here and fits `kty` and `crv`; coordinates have exactly the curve's length and are uncompressed;
/// RSA numbers have no leading zeros. Whether the numbers make a usable key (a point on the curve, a modulus of an
/// allowed size) is not checked: a `VerificationKey` of AssayCrypto is made for that.
public struct COSEKey: Hashable, Sendable {
  /// The key itself.
  public let numbers: PublicKeyNumbers
  /// The algorithm's number (IANA "COSE Algorithms"), such as −7 for ES256.
  public let alg: Int64

  /// Joins a key with its algorithm.
  ///
  /// - Throws: `KeyError` if the algorithm is not known here, or is one of another kind of key or curve.
  public init(_ numbers: PublicKeyNumbers, alg: Int64) throws(KeyError) {
    switch (try Requirement(alg: alg), numbers) {
    case (.rsa, .rsa): break
    case (.curve(let needed), .ec(let curve, _, _)), (.curve(let needed), .edwards(let curve, _)):
      guard curve == needed else { throw KeyError(.contradiction("alg", "crv")) }
    default: throw KeyError(.contradiction("alg", "kty"))
    }
    self.numbers = numbers
    self.alg = alg
  }

  /// Reads a COSE_Key; bytes after it are an error.
  public init(_ bytes: Span<UInt8>) throws(KeyError) {
    let value: CBORValue
    do throws(CodecError) {
      value = try CBORValue.decode(bytes, form: .ctap2Canonical, field: "COSE_Key")
    } catch {
      throw KeyError(.malformed(error))
    }
    try self.init(value)
  }

  /// Reads a COSE_Key that was decoded from CTAP2 canonical CBOR.
  package init(_ value: CBORValue) throws(KeyError) {
    guard let entries = value.map else { throw KeyError(.invalid("COSE_Key", .wrongType)) }
    let kty = try Self.integer(value, Label.kty, "kty")
    let alg = try Self.integer(value, Label.alg, "alg")
    let requirement = try Requirement(alg: alg)
    guard kty == requirement.kty else { throw KeyError(.contradiction("alg", "kty")) }
    for entry in entries {
      guard let label = entry.key.int64 else {
        throw KeyError(.unsupported(what: "a COSE_Key label that is no integer"))
      }
      guard !requirement.privateLabels.contains(label) else { throw KeyError(.privateKeyNotAllowed) }
      guard requirement.labels.contains(label) else {
        throw KeyError(.unsupported(what: "an additional parameter in a credential's COSE_Key"))
      }
    }
    let numbers: PublicKeyNumbers
    switch requirement {
    case .rsa:
      numbers = .rsa(
        modulus: try RSANumber.checked(Self.bytes(value, Label.n, "n"), "n"),
        exponent: try RSANumber.checked(Self.bytes(value, Label.e, "e"), "e"))
    case .curve(let curve):
      guard try Self.integer(value, Label.crv, "crv") == curve.coseIdentifier else {
        throw KeyError(.contradiction("alg", "crv"))
      }
      let x = try curve.checked(Self.bytes(value, Label.x, "x"), "x")
      guard !curve.isEdwards else {
        numbers = .edwards(curve, x: x)
        break
      }
      guard value[Label.y]?.bool == nil else {
        throw KeyError(.unsupported(what: "a compressed point (y as a sign bit)"))
      }
      numbers = .ec(curve, x: x, y: try curve.checked(Self.bytes(value, Label.y, "y"), "y"))
    }
    try self.init(numbers, alg: alg)
  }

  /// The COSE_Key in CTAP2 canonical CBOR: exactly what `init` reads.
  public func encoded() -> [UInt8] {
    Self.encoded([(Label.alg, CBORValue(alg))] + Self.entries(numbers))
  }

  /// What a COSE_Key's thumbprint is the digest of: the parameters that a key must have, without `alg` (RFC 9679, 3 and 4).
  package static func thumbprintInput(_ key: PublicKeyNumbers) -> [UInt8] { encoded(entries(key)) }

  private static func entries(_ key: PublicKeyNumbers) -> [(Int64, CBORValue)] {
    switch key {
    case .rsa(let modulus, let exponent):
      [(Label.kty, CBORValue(KeyType.rsa)), (Label.n, .bytes(modulus)), (Label.e, .bytes(exponent))]
    case .ec(let curve, let x, let y):
      [
        (Label.kty, CBORValue(KeyType.ec2)), (Label.crv, CBORValue(curve.coseIdentifier)), (Label.x, .bytes(x)),
        (Label.y, .bytes(y)),
      ]
    case .edwards(let curve, let x):
      [(Label.kty, CBORValue(KeyType.okp)), (Label.crv, CBORValue(curve.coseIdentifier)), (Label.x, .bytes(x))]
    }
  }

  private static func encoded(_ entries: [(Int64, CBORValue)]) -> [UInt8] {
    CBORValue.map(entries.map { CBORMapEntry(CBORValue($0), $1) }).encoded()
  }

  private static func integer(_ value: CBORValue, _ label: Int64, _ field: Field) throws(KeyError) -> Int64 {
    guard let member = value[label] else { throw KeyError(.invalid(field, .missing)) }
    if let number = member.int64 { return number }
    switch member {
    case .unsigned, .negative: throw KeyError(.invalid(field, .numberOutOfRange))
    default: throw KeyError(.invalid(field, .wrongType))
    }
  }

  private static func bytes(_ value: CBORValue, _ label: Int64, _ field: Field) throws(KeyError) -> [UInt8] {
    guard let member = value[label] else { throw KeyError(.invalid(field, .missing)) }
    guard let bytes = member.bytes else { throw KeyError(.invalid(field, .wrongType)) }
    return bytes
  }
}

/// The labels of COSE_Key parameters (RFC 9052, 7.1; RFC 9053, 7.1; RFC 8230, 4). Those below zero depend on `kty`.
private enum Label {
  static let kty: Int64 = 1
  static let alg: Int64 = 3
  static let crv: Int64 = -1
  static let x: Int64 = -2
  static let y: Int64 = -3
  static let d: Int64 = -4
  static let n: Int64 = -1
  static let e: Int64 = -2
}

/// The values of `kty` (IANA "COSE Key Types").
private enum KeyType {
  static let okp: Int64 = 1
  static let ec2: Int64 = 2
  static let rsa: Int64 = 3
}

/// What kind of key an algorithm needs.
private enum Requirement {
  case rsa
  case curve(EllipticCurve)

  /// WebAuthn L3, 5.8.5 ties ES256, ES384, ES512 and EdDSA to one curve each; RFC 8812 and RFC 9864 do so for theirs.
  /// RS1 (−65535) is left out: SHA-1 signs nothing here.
  init(alg: Int64) throws(KeyError) {
    switch alg {
    case -7, -9: self = .curve(.p256)
    case -35, -51: self = .curve(.p384)
    case -36, -52: self = .curve(.p521)
    case -47: self = .curve(.secp256k1)
    case -8, -19: self = .curve(.ed25519)
    case -53: self = .curve(.ed448)
    case -257, -258, -259, -37, -38, -39: self = .rsa
    case MLDSA.coseIdentifiers: throw KeyError(.mlDSAUnsupported)
    default: throw KeyError(.unsupported(what: "the algorithm (alg) of this key"))
    }
  }

  var kty: Int64 {
    switch self {
    case .rsa: KeyType.rsa
    case .curve(let curve): curve.isEdwards ? KeyType.okp : KeyType.ec2
    }
  }

  var labels: Set<Int64> {
    switch self {
    case .rsa: [Label.kty, Label.alg, Label.n, Label.e]
    case .curve(let curve):
      curve.isEdwards
        ? [Label.kty, Label.alg, Label.crv, Label.x] : [Label.kty, Label.alg, Label.crv, Label.x, Label.y]
    }
  }

  /// `d`, and for RSA everything from `d` to `t_i` (RFC 8230, 4).
  var privateLabels: ClosedRange<Int64> {
    switch self {
    case .rsa: -12 ... -3
    case .curve: Label.d...Label.d
    }
  }
}
