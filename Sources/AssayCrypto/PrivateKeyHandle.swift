internal import AssayCodec
internal import CAssayCrypto

/// Owns a private key of the C library and frees it once.
@safe  // the pointer never leaves this class
final class PrivateKeyHandle: @unchecked Sendable {  // the C key may be used from any thread
  private let key: OpaquePointer

  /// Makes a key of numbers whose public half has been checked for the scheme.
  init(_ numbers: borrowing PrivateKeyNumbers, _ scheme: SignatureScheme) throws(KeyError) {
    var made: OpaquePointer?
    let status: assayc_status
    switch numbers.secret {
    case .scalar(let scalar):
      switch numbers.publicKey {
      case .ec(let curve, let x, let y):
        try Self.checkLength(scalar, curve)
        status = unsafe Self.lend(scalar) { d in
          guard let d = unsafe d.bytes, let identifier = curve.coordinates, case .ecdsa(_, let digest) = scheme else {
            return ASSAYC_FAILED
          }
          return unsafe assayc_private_key_new_ec(identifier, digest.identifier, x, y, d, &made)
        }
      case .edwards(let curve, let x):
        try Self.checkLength(scalar, curve)
        status = unsafe Self.lend(scalar) { seed in
          guard let seed = unsafe seed.bytes, let identifier = curve.edwards else { return ASSAYC_FAILED }
          return unsafe assayc_private_key_new_edwards(identifier, x, seed, &made)
        }
      case .rsa: throw KeyError(.inconsistent)
      }
    case .rsa(let secret):
      guard case .rsa(let n, let e) = numbers.publicKey, let rsa = scheme.rsa else { throw KeyError(.inconsistent) }
      status = unsafe Self.lend(n, e, secret) { unsafe assayc_private_key_new_rsa(rsa, $0, &made) }
    }
    if let refusal = KeyError.reason(status) { throw refusal }
    guard let owned = unsafe made else { throw KeyError(.refused) }
    unsafe key = owned
  }

  /// Makes a fresh key; of EdDSA without a curve, on Ed25519.
  init(generating scheme: SignatureScheme, modulusBits: Int) throws(KeyError) {
    var made: OpaquePointer?
    var status = ASSAYC_FAILED
    switch scheme {
    case .ecdsa(let curve, let digest):
      if let identifier = curve.coordinates {
        status = unsafe assayc_private_key_generate_ec(identifier, digest.identifier, &made)
      }
    case .rsaPKCS1, .rsaPSS:
      try PublicKeyChecks.checkModulus(bits: modulusBits)
      if let rsa = scheme.rsa { status = unsafe assayc_private_key_generate_rsa(rsa, modulusBits, &made) }
    case .edDSA(let curve):
      if let identifier = (curve ?? .ed25519).edwards {
        status = unsafe assayc_private_key_generate_edwards(identifier, &made)
      }
    }
    if let refusal = KeyError.reason(status) { throw refusal }
    guard let owned = unsafe made else { throw KeyError(.refused) }
    unsafe key = owned
  }

  deinit { unsafe assayc_private_key_free(key) }

  /// A signature, in DER for ECDSA; nil on failure.
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

  /// The public half of a fresh key as plain numbers; nil on failure.
  func publicNumbers(for scheme: SignatureScheme) -> PublicKeyNumbers? {
    switch scheme {
    case .ecdsa(let curve, _):
      guard let x = number(ASSAYC_EC_X), let y = number(ASSAYC_EC_Y) else { return nil }
      return .ec(curve, x: x, y: y)
    case .rsaPKCS1, .rsaPSS:
      guard let n = number(ASSAYC_RSA_N), let e = number(ASSAYC_RSA_E) else { return nil }
      return .rsa(modulus: n, exponent: e)
    case .edDSA(let curve):
      guard let x = number(ASSAYC_EDWARDS_POINT) else { return nil }
      return .edwards(curve ?? .ed25519, x: x)
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
