public import AssayCodec

/// A signature algorithm with all its parameters: one value is one way to sign, and nothing is left to choose.
public enum SignatureAlgorithm: Hashable, Sendable, CaseIterable {
  /// ECDSA on P-256 with SHA-256 (RFC 7518, 3.4).
  case es256
  /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518, 3.3), modulus of 2048 to 8192 bits.
  case rs256
  /// Ed25519 (RFC 8032, 5.1; RFC 8037, 3.1).
  case edDSA

  /// The `alg` of JOSE (RFC 7518, 3.1; RFC 8037, 3.1).
  public var joseName: UTF8Text { UTF8Text(name) }

  /// The `alg` of COSE (RFC 9053, 2.1 and 2.2; RFC 8812, 2).
  public var coseIdentifier: Int64 {
    switch self {
    case .es256: -7
    case .rs256: -257
    case .edDSA: -8
    }
  }

  /// The algorithm a JOSE `alg` names, compared byte for byte; nil if it is not supported.
  public init?(joseName: UTF8Text) {
    guard let match = Self.allCases.first(where: { $0.name.utf8.elementsEqual(joseName.utf8) }) else { return nil }
    self = match
  }

  /// The algorithm a COSE `alg` names; nil if it is not supported.
  public init?(coseIdentifier: Int64) {
    guard let match = Self.allCases.first(where: { $0.coseIdentifier == coseIdentifier }) else { return nil }
    self = match
  }

  /// The name for messages.
  var name: String {
    switch self {
    case .es256: "ES256"
    case .rs256: "RS256"
    case .edDSA: "EdDSA"
    }
  }

  /// The kind of key the algorithm needs.
  var keyKind: Field {
    switch self {
    case .es256: "P-256"
    case .rs256: "RSA"
    case .edDSA: "Ed25519"
    }
  }
}
