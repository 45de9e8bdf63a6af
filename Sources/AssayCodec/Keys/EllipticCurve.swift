/// A named curve, with the names and numbers each key format gives it.
public enum EllipticCurve: Hashable, Sendable, CaseIterable {
  /// NIST P-256, secp256r1 (SEC 2, 2.4.2).
  case p256
  /// NIST P-384, secp384r1 (SEC 2, 2.5.1).
  case p384
  /// NIST P-521, secp521r1 (SEC 2, 2.6.1).
  case p521
  /// secp256k1 (SEC 2, 2.4.1).
  case secp256k1
  /// Edwards25519, for Ed25519 (RFC 8032).
  case ed25519
  /// Edwards448, for Ed448 (RFC 8032).
  case ed448

  /// The `crv` of a JWK (RFC 7518, 6.2.1.1; RFC 8037, 2; RFC 8812, 3.1).
  public var jwkName: String {
    switch self {
    case .p256: "P-256"
    case .p384: "P-384"
    case .p521: "P-521"
    case .secp256k1: "secp256k1"
    case .ed25519: "Ed25519"
    case .ed448: "Ed448"
    }
  }

  /// The `crv` of a COSE_Key (RFC 9053, 7.1; RFC 8812, 3.1).
  public var coseIdentifier: Int64 {
    switch self {
    case .p256: 1
    case .p384: 2
    case .p521: 3
    case .secp256k1: 8
    case .ed25519: 6
    case .ed448: 7
    }
  }

  /// The length of one coordinate, of a private scalar, and of an Edwards curve's public key, in bytes.
  public var byteCount: Int {
    switch self {
    case .p256, .secp256k1, .ed25519: 32
    case .p384: 48
    case .p521: 66
    case .ed448: 57
    }
  }

  /// Whether keys on this curve are a `kty` of OKP, a single byte string, and not a pair of coordinates.
  public var isEdwards: Bool { self == .ed25519 || self == .ed448 }
}

extension EllipticCurve {
  /// The coordinate or encoded point, if it has exactly this curve's length.
  package func checked(_ coordinate: [UInt8], _ field: Field) throws(KeyError) -> [UInt8] {
    guard coordinate.count == byteCount else {
      throw KeyError(.wrongLength(field: field, expected: byteCount, actual: coordinate.count))
    }
    return coordinate
  }
}

/// The big-endian numbers of an RSA key as JOSE and COSE write them.
package enum RSANumber {
  /// The number, if it has the fewest bytes it can have (RFC 7518, 6.3.1.1; RFC 8230, 4): a zero sign byte is refused.
  package static func checked(_ number: [UInt8], _ field: Field) throws(KeyError) -> [UInt8] {
    guard let first = number.first else { throw KeyError(.invalid(field, .invalidLength)) }
    guard first != 0 else { throw KeyError(.leadingZero(field)) }
    return number
  }
}
