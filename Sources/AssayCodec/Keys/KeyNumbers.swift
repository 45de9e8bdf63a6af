/// A public key as plain numbers, read from any format. It says nothing about whether the numbers make a usable key.
public enum PublicKeyNumbers: Hashable, Sendable {
  /// Modulus and public exponent, big-endian without leading zeros (RFC 8017, 3.1).
  case rsa(modulus: [UInt8], exponent: [UInt8])
  /// Coordinates on a curve, each exactly `byteCount` bytes, big-endian.
  case ec(EllipticCurve, x: [UInt8], y: [UInt8])
  /// An Edwards curve's encoded point (RFC 8032, 5.1.2 and 5.2.2), exactly `byteCount` bytes.
  case edwards(EllipticCurve, x: [UInt8])
}

extension PublicKeyNumbers {
  /// What kind of key this is, for messages: `RSA (2048 bits)`, `P-256`.
  public var kind: String {
    switch self {
    case .rsa(let modulus, _): "RSA (\(modulus.bitCount) bits)"
    case .ec(let curve, _, _), .edwards(let curve, _): curve.jwkName
    }
  }
}

/// A private key as plain numbers. Its secrets are wiped when it goes away.
public struct PrivateKeyNumbers: ~Copyable, Sendable {
  /// The secret part, by kind of key.
  public enum Secret: ~Copyable, Sendable {
    /// The private exponent and what belongs to it.
    case rsa(RSASecret)
    /// The scalar of an elliptic curve key, or the seed of an Edwards one: exactly the curve's `byteCount`.
    case scalar(SecretBytes)
  }

  /// The private exponent, and the factors with the numbers the Chinese remainder theorem needs (RFC 8017, 3.2): all
  /// big-endian without leading zeros. A struct, because Swift 6.3 cannot lend several payloads of one enum case.
  public struct RSASecret: ~Copyable, Sendable {
    /// The private exponent.
    public let d: SecretBytes
    /// The first factor of the modulus.
    public let p: SecretBytes
    /// The second factor of the modulus.
    public let q: SecretBytes
    /// d modulo p - 1.
    public let dp: SecretBytes
    /// d modulo q - 1.
    public let dq: SecretBytes
    /// The inverse of q modulo p.
    public let qi: SecretBytes

    package init(
      d: consuming SecretBytes, p: consuming SecretBytes, q: consuming SecretBytes, dp: consuming SecretBytes,
      dq: consuming SecretBytes, qi: consuming SecretBytes
    ) {
      self.d = d
      self.p = p
      self.q = q
      self.dp = dp
      self.dq = dq
      self.qi = qi
    }
  }

  /// The public half.
  public let publicKey: PublicKeyNumbers
  /// The private half.
  public let secret: Secret

  /// Joins the halves. Whether they belong together is checked where a signing key is made of them.
  package init(publicKey: PublicKeyNumbers, secret: consuming Secret) {
    self.publicKey = publicKey
    self.secret = secret
  }
}

extension Array where Element == UInt8 {
  /// The length in bits of a big-endian number without leading zeros.
  package var bitCount: Int {
    guard let first else { return 0 }
    return count * 8 - first.leadingZeroBitCount
  }
}
