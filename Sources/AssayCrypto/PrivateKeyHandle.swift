internal import AssayCodec
internal import CAssayCrypto

/// Owns a private key of the C library and frees it once.
@safe  // the pointer never leaves this class
final class PrivateKeyHandle: @unchecked Sendable {  // the C key may be used from any thread
  private let key: OpaquePointer

  /// Makes a key of numbers whose public half has been checked.
  init(_ numbers: borrowing PrivateKeyNumbers) throws(KeyError) {
    var made: OpaquePointer?
    let status: assayc_status
    switch numbers.secret {
    case .scalar(let scalar):
      switch numbers.publicKey {
      case .ec(let curve, let x, let y):
        try Self.checkLength(scalar, curve)
        status = unsafe Self.lend(scalar) { d in
          guard let d = unsafe d.bytes else { return ASSAYC_FAILED }
          return unsafe assayc_private_key_new_p256(x, y, d, &made)
        }
      case .edwards(let curve, let x):
        try Self.checkLength(scalar, curve)
        status = unsafe Self.lend(scalar) { seed in
          guard let seed = unsafe seed.bytes else { return ASSAYC_FAILED }
          return unsafe assayc_private_key_new_ed25519(x, seed, &made)
        }
      case .rsa: throw KeyError(.inconsistent)
      }
    case .rsa(let secret):
      guard case .rsa(let n, let e) = numbers.publicKey else { throw KeyError(.inconsistent) }
      status = unsafe Self.lend(n, e, secret) { unsafe assayc_private_key_new_rsa($0, &made) }
    }
    if let refusal = KeyError.reason(status) { throw refusal }
    guard let owned = unsafe made else { throw KeyError(.refused) }
    unsafe key = owned
  }

  /// Makes a fresh key.
  init(generating algorithm: SignatureAlgorithm, modulusBits: Int) throws(KeyError) {
    var made: OpaquePointer?
    let status: assayc_status
    switch algorithm {
    case .es256: status = unsafe assayc_private_key_generate_p256(&made)
    case .edDSA: status = unsafe assayc_private_key_generate_ed25519(&made)
    case .rs256:
      let allowed = PublicKeyChecks.modulusBits
      guard allowed.contains(modulusBits) else {
        throw KeyError(
          .modulusSize(bits: modulusBits, minimum: allowed.lowerBound, maximum: allowed.upperBound))
      }
      status = unsafe assayc_private_key_generate_rsa(modulusBits, &made)
    }
    if let refusal = KeyError.reason(status) { throw refusal }
    guard let owned = unsafe made else { throw KeyError(.refused) }
    unsafe key = owned
  }

  deinit { unsafe assayc_private_key_free(key) }

  /// A signature, in DER for P-256; nil on failure.
  func sign(_ message: Span<UInt8>) -> [UInt8]? {
    let capacity = unsafe assayc_private_key_signature_maximum_length(key)
    var done = false
    let signature = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      done = unsafe message.withPointer {
        unsafe assayc_private_key_sign(key, $0, $1, start, capacity, &count) == 1
      }
    }
    return done ? signature : nil
  }

  /// The public half as plain numbers; nil on failure.
  func publicNumbers(for algorithm: SignatureAlgorithm) -> PublicKeyNumbers? {
    switch algorithm {
    case .es256:
      guard let x = number(ASSAYC_P256_X), let y = number(ASSAYC_P256_Y) else { return nil }
      return .ec(.p256, x: x, y: y)
    case .rs256:
      guard let n = number(ASSAYC_RSA_N), let e = number(ASSAYC_RSA_E) else { return nil }
      return .rsa(modulus: n, exponent: e)
    case .edDSA:
      guard let x = number(ASSAYC_ED25519_POINT) else { return nil }
      return .edwards(.ed25519, x: x)
    }
  }

  private func number(_ number: assayc_number) -> [UInt8]? {
    unsafe [UInt8](count: assayc_private_key_number_length(key, number)) {
      unsafe assayc_private_key_number_copy(key, number, $0, $1)
    }
  }

  /// A private number.
  func secretNumber(_ number: assayc_number) throws(CryptoError) -> SecretBytes {
    let count = unsafe assayc_private_key_number_length(key, number)
    return try SecretBytes(count: count) { output throws(CryptoError) in
      let done = unsafe output.withUnsafeMutableBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return false }
        return unsafe assayc_private_key_number_copy(key, number, start, count) == 1
      }
      guard done else { throw CryptoLibraries.fault }
    }
  }

  private static func checkLength(_ secret: borrowing SecretBytes, _ curve: EllipticCurve) throws(KeyError) {
    guard secret.count == curve.byteCount else {
      throw KeyError(.wrongLength(field: "d", expected: curve.byteCount, actual: secret.count))
    }
  }

  /// Lends a secret to a C function.
  private static func lend<R>(_ secret: borrowing SecretBytes, _ body: (assayc_bytes) -> R) -> R {
    secret.withSpan { bytes in
      unsafe bytes.withPointer { unsafe body(assayc_bytes(bytes: $0, length: $1)) }
    }
  }

  /// Lends the numbers of an RSA key to a C function.
  private static func lend<R>(
    _ n: [UInt8], _ e: [UInt8], _ secret: borrowing PrivateKeyNumbers.RSASecret,
    _ body: (UnsafePointer<assayc_rsa_numbers>) -> R
  ) -> R {
    unsafe n.span.withPointer { n, nCount in
      unsafe e.span.withPointer { e, eCount in
        unsafe lend(secret.d) { d in
          unsafe lend(secret.p) { p in
            unsafe lend(secret.q) { q in
              unsafe lend(secret.dp) { dp in
                unsafe lend(secret.dq) { dq in
                  unsafe lend(secret.qi) { qi in
                    var numbers = unsafe assayc_rsa_numbers(
                      n: assayc_bytes(bytes: n, length: nCount), e: assayc_bytes(bytes: e, length: eCount),
                      d: d, p: p, q: q, dp: dp, dq: dq, qi: qi)
                    return unsafe body(&numbers)
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}
