public import AssayCodec

/// A message authentication algorithm with all its parameters: HMAC (RFC 2104) with a tag of full length.
///
/// It is no `SignatureAlgorithm`, and a `MACKey` no `VerificationKey`: who can verify can also sign, so that one kind of key
/// must never be taken for the other.
public enum MACAlgorithm: Hashable, Sendable, CaseIterable {
  /// HMAC with SHA-256 (RFC 7518, 3.2).
  case hs256
  /// HMAC with SHA-384 (RFC 7518, 3.2).
  case hs384
  /// HMAC with SHA-512 (RFC 7518, 3.2).
  case hs512

  /// The `alg` of JOSE (RFC 7518, 3.1).
  public var joseName: UTF8Text {
    switch self {
    case .hs256: "HS256"
    case .hs384: "HS384"
    case .hs512: "HS512"
    }
  }

  /// The `alg` of COSE (RFC 9053, 3.1).
  public var coseIdentifier: Int64 {
    switch self {
    case .hs256: 5
    case .hs384: 6
    case .hs512: 7
    }
  }

  /// The algorithm a JOSE `alg` names, compared byte for byte; nil if it is none of these.
  public init?(joseName: UTF8Text) {
    guard let match = Self.byJOSEName[joseName] else { return nil }
    self = match
  }

  /// The algorithm a COSE `alg` names; nil if it is none of these.
  public init?(coseIdentifier: Int64) {
    guard let match = Self.allCases.first(where: { $0.coseIdentifier == coseIdentifier }) else { return nil }
    self = match
  }

  /// The fewest bytes of a secret, which are as many as the digest has (RFC 7518, 3.2).
  public var minimumSecretByteCount: Int { digest.byteCount }

  var digest: Digest {
    switch self {
    case .hs256: .sha256
    case .hs384: .sha384
    case .hs512: .sha512
    }
  }

  private static let byJOSEName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.joseName, $0) })
}
