public import AssayCodec
public import AssayCrypto

/// An `alg` of a signed token: a signature, which only the owner of a private key makes, or a MAC, which everyone makes who
/// can check it (RFC 7518, 3.1).
public enum JWSAlgorithm: Hashable, Sendable {
  /// A signature algorithm.
  case signature(SignatureAlgorithm)
  /// A MAC algorithm.
  case mac(MACAlgorithm)

  /// The value of `alg`.
  public var joseName: UTF8Text {
    switch self {
    case .signature(let algorithm): algorithm.joseName
    case .mac(let algorithm): algorithm.joseName
    }
  }

  /// The algorithm that `alg` names, compared byte for byte; nil if it is not supported.
  public init?(joseName: UTF8Text) {
    if let algorithm = SignatureAlgorithm(joseName: joseName) {
      self = .signature(algorithm)
    } else if let algorithm = MACAlgorithm(joseName: joseName) {
      self = .mac(algorithm)
    } else {
      return nil
    }
  }
}
