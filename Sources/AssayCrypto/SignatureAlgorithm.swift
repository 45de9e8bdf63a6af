public import AssayCodec

/// A signature algorithm with all its parameters: one value is one way to sign, and nothing is left to choose.
///
/// One value is also one name. Where two names mean the same signatures (`es256` and `esp256`, `edDSA` and `ed25519`), they
/// are two values all the same: to allow the one is not to allow the other.
public enum SignatureAlgorithm: Hashable, Sendable, CaseIterable {
  /// ECDSA on P-256 with SHA-256 (RFC 7518, 3.4).
  case es256
  /// ECDSA on P-384 with SHA-384 (RFC 7518, 3.4).
  case es384
  /// ECDSA on P-521 with SHA-512 (RFC 7518, 3.4).
  case es512
  /// ECDSA on secp256k1 with SHA-256 (RFC 8812, 3.2).
  case es256k
  /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518, 3.3), modulus of 2048 to 8192 bits.
  case rs256
  /// RSASSA-PKCS1-v1_5 with SHA-384 (RFC 7518, 3.3), modulus of 2048 to 8192 bits.
  case rs384
  /// RSASSA-PKCS1-v1_5 with SHA-512 (RFC 7518, 3.3), modulus of 2048 to 8192 bits.
  case rs512
  /// RSASSA-PSS with SHA-256, MGF1 with SHA-256 and a salt of 32 bytes (RFC 7518, 3.5), modulus of 2048 to 8192 bits.
  case ps256
  /// RSASSA-PSS with SHA-384, MGF1 with SHA-384 and a salt of 48 bytes (RFC 7518, 3.5), modulus of 2048 to 8192 bits.
  case ps384
  /// RSASSA-PSS with SHA-512, MGF1 with SHA-512 and a salt of 64 bytes (RFC 7518, 3.5), modulus of 2048 to 8192 bits.
  case ps512
  /// EdDSA on the curve of its key: Ed25519 or Ed448 (RFC 8032; RFC 8037, 3.1). Fresh keys, and those of WebAuthn, are on
  /// Ed25519.
  case edDSA
  /// Ed25519 by the name that says so (RFC 9864, 2.2).
  case ed25519
  /// Ed448 by the name that says so (RFC 9864, 2.2).
  case ed448
  /// What `es256` is, by the number that COSE has for this curve alone (RFC 9864, 2.1). JOSE has no second name for it.
  case esp256
  /// What `es384` is, by the number that COSE has for this curve alone (RFC 9864, 2.1). JOSE has no second name for it.
  case esp384
  /// What `es512` is, by the number that COSE has for this curve alone (RFC 9864, 2.1). JOSE has no second name for it.
  case esp512

  /// The `alg` of JOSE (RFC 7518, 3.1; RFC 8037, 3.1; RFC 8812, 3.2; RFC 9864, 2). For `esp256`, `esp384` and `esp512` it is
  /// that of `es256`, `es384` and `es512`.
  public var joseName: UTF8Text { UTF8Text(name) }

  /// The `alg` of COSE (RFC 9053, 2.1 and 2.2; RFC 8230, 2; RFC 8812, 2 and 3.2; RFC 9864, 2).
  public var coseIdentifier: Int64 {
    switch self {
    case .es256: -7
    case .es384: -35
    case .es512: -36
    case .es256k: -47
    case .rs256: -257
    case .rs384: -258
    case .rs512: -259
    case .ps256: -37
    case .ps384: -38
    case .ps512: -39
    case .edDSA: -8
    case .ed25519: -19
    case .ed448: -53
    case .esp256: -9
    case .esp384: -51
    case .esp512: -52
    }
  }

  /// The algorithm a JOSE `alg` names, compared byte for byte; nil if it is not supported. Never one that only COSE names.
  public init?(joseName: UTF8Text) {
    guard let match = Self.byJOSEName[joseName] else { return nil }
    self = match
  }

  /// The algorithm a COSE `alg` names; nil if it is not supported.
  public init?(coseIdentifier: Int64) {
    guard let match = Self.allCases.first(where: { $0.coseIdentifier == coseIdentifier }) else { return nil }
    self = match
  }

  /// The algorithm that JOSE has for the same signatures: this one, unless only COSE names it.
  package var inJOSE: SignatureAlgorithm {
    switch self {
    case .esp256: .es256
    case .esp384: .es384
    case .esp512: .es512
    default: self
    }
  }

  /// Why an algorithm that is known by this JOSE `alg` is not supported; nil if it is, or is not known.
  package static func refusal(joseName: UTF8Text) -> KeyError? {
    MLDSA.joseNames.contains(joseName) ? KeyError(.mlDSAUnsupported) : nil
  }

  /// Why an algorithm that is known by this COSE `alg` is not supported; nil if it is, or is not known.
  package static func refusal(coseIdentifier: Int64) -> KeyError? {
    MLDSA.coseIdentifiers.contains(coseIdentifier) ? KeyError(.mlDSAUnsupported) : nil
  }

  private static let byJOSEName = Dictionary(
    uniqueKeysWithValues: allCases.filter { $0.inJOSE == $0 }.map { ($0.joseName, $0) })

  /// The name for messages.
  var name: String {
    switch self {
    case .es256, .esp256: "ES256"
    case .es384, .esp384: "ES384"
    case .es512, .esp512: "ES512"
    case .es256k: "ES256K"
    case .rs256: "RS256"
    case .rs384: "RS384"
    case .rs512: "RS512"
    case .ps256: "PS256"
    case .ps384: "PS384"
    case .ps512: "PS512"
    case .edDSA: "EdDSA"
    case .ed25519: "Ed25519"
    case .ed448: "Ed448"
    }
  }
}
