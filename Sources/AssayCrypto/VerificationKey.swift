public import AssayCodec
internal import CAssayCrypto

/// A public key that is known to be usable, with the one algorithm it is for.
///
/// To make one decodes and checks the key (some 20 µs); to keep and share it saves that, and lets the library reuse its
/// working memory from one verification to the next. Copies share the key. It may be used from any number of threads.
public struct VerificationKey: Sendable {
  /// The algorithm the key is for. Signatures made any other way are not valid under it.
  public let algorithm: SignatureAlgorithm
  /// The key as plain numbers.
  public let numbers: PublicKeyNumbers

  private let handle: PublicKeyHandle

  /// Makes a key of its numbers.
  ///
  /// Success proves that the key fits the algorithm and cannot make every signature valid: P-256 and Ed25519 keys are
  /// points of their curve, in their only encoding and not of small order; RSA moduli are odd, of 2048 to 8192 bits, and
  /// exponents odd, at least 3 and below 2^64. An Ed25519 key with a small-order component is accepted, as RFC 8032 does.
  public init(_ numbers: PublicKeyNumbers, for algorithm: SignatureAlgorithm) throws(KeyError) {
    try PublicKeyChecks.check(numbers, for: algorithm)
    handle = try PublicKeyHandle(numbers)
    self.algorithm = algorithm
    self.numbers = numbers
  }

  /// Whether `signature` is this key's signature of `message`.
  ///
  /// `true` proves that whoever signed held the private key. It does not say when, nor for whom. ECDSA signatures must be
  /// in the given format and no other; RSA signatures as long as the modulus; Ed25519 signatures 64 bytes with S below
  /// the group order (RFC 8032, 5.1.7). There is one answer for every kind of wrong signature.
  public func isValid(
    _ signature: Span<UInt8>, for message: Span<UInt8>, ecdsa format: ECDSASignatureFormat
  ) -> Bool {
    guard algorithm == .es256 else { return handle.verify(signature, message) }
    guard let numbers = ECDSASignature(signature, format) else { return false }
    switch format {
    case .der: return handle.verify(signature, message)
    case .fixedWidth:
      return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: ECDSASignature.maximumDERByteCount) {
        buffer in
        var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
        numbers.appendDER(to: &output)
        return handle.verify(output.span, message)
      }
    }
  }
}

/// Owns a public key of the C library and frees it once.
@safe  // the pointer never leaves this class
private final class PublicKeyHandle: @unchecked Sendable {  // the C key may be used from any thread
  private let key: OpaquePointer

  init(_ numbers: PublicKeyNumbers) throws(KeyError) {
    var made: OpaquePointer?
    let status =
      switch numbers {
      case .ec(_, let x, let y): unsafe assayc_public_key_new_p256(x, y, &made)
      case .rsa(let modulus, let exponent):
        unsafe assayc_public_key_new_rsa(modulus, modulus.count, exponent, exponent.count, &made)
      case .edwards(_, let x): unsafe assayc_public_key_new_ed25519(x, &made)
      }
    if let refusal = KeyError.reason(status) { throw refusal }
    guard let owned = unsafe made else { throw KeyError(.refused) }
    unsafe key = owned
  }

  deinit { unsafe assayc_public_key_free(key) }

  func verify(_ signature: Span<UInt8>, _ message: Span<UInt8>) -> Bool {
    unsafe signature.withPointer { signature, signatureCount in
      unsafe message.withPointer { message, messageCount in
        unsafe assayc_public_key_verify(key, signature, signatureCount, message, messageCount) == 1
      }
    }
  }
}
