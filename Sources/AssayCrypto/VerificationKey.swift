public import AssayCodec

/// A public key that is known to be usable, with the one algorithm it is for.
///
/// To make one decodes and checks the key (some 20 µs, on the larger curves up to 200); to keep and share it saves that, and
/// lets the library reuse its working memory from one verification to the next. Copies share the key. It may be used from
/// any number of threads.
public struct VerificationKey: Sendable {
  /// The algorithm the key is for. Signatures made any other way are not valid under it.
  public let algorithm: SignatureAlgorithm
  /// The key as plain numbers.
  public let numbers: PublicKeyNumbers

  private let key: SchemeKey

  /// Makes a key of its numbers.
  ///
  /// Success proves that the key fits the algorithm and cannot make every signature valid: keys on curves are points of
  /// their curve, in their only encoding and not of small order; RSA moduli are odd, of 2048 to 8192 bits, and exponents
  /// odd, at least 3 and below 2^64. An Ed25519 or Ed448 key with a small-order component is accepted, as RFC 8032 does.
  public init(_ numbers: PublicKeyNumbers, for algorithm: SignatureAlgorithm) throws(KeyError) {
    key = try SchemeKey(numbers, algorithm.scheme, named: algorithm.name)
    self.algorithm = algorithm
    self.numbers = numbers
  }

  /// Whether `signature` is this key's signature of `message`.
  ///
  /// `true` proves that whoever signed held the private key. It does not say when, nor for whom. ECDSA signatures must be
  /// in the given format and no other; RSA signatures as long as the modulus, with a salt of exactly the digest's length in
  /// PSS; Ed25519 signatures 64 bytes and Ed448 signatures 114, with S below the group order (RFC 8032, 5.1.7 and 5.2.7).
  /// There is one answer for every kind of wrong signature.
  public func isValid(
    _ signature: Span<UInt8>, for message: Span<UInt8>, ecdsa format: ECDSASignatureFormat
  ) -> Bool {
    key.isValid(signature, for: message, ecdsa: format)
  }
}
