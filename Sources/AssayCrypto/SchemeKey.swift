package import AssayCodec
internal import CAssayCrypto

/// A public key that is known to be usable, with the one scheme it verifies by. Owns the key of the C library.
@safe  // the pointer never leaves this class
package final class SchemeKey: @unchecked Sendable {  // the C key may be used from any thread
  private let scheme: SignatureScheme
  private let key: OpaquePointer

  /// Makes a key of its numbers, which are checked as `VerificationKey` says. `name` is the scheme's for messages.
  package init(
    _ numbers: PublicKeyNumbers, _ scheme: SignatureScheme, named name: String = "this scheme"
  ) throws(KeyError) {
    try PublicKeyChecks.check(numbers, for: scheme, named: name)
    var made: OpaquePointer?
    var status = ASSAYC_FAILED
    switch numbers {
    case .ec(let curve, let x, let y):
      if let identifier = curve.coordinates, case .ecdsa(_, let digest) = scheme {
        status = unsafe assayc_public_key_new_ec(identifier, digest.identifier, x, y, &made)
      }
    case .rsa(let modulus, let exponent):
      if let rsa = scheme.rsa {
        status = unsafe assayc_public_key_new_rsa(rsa, modulus, modulus.count, exponent, exponent.count, &made)
      }
    case .edwards(let curve, let x):
      if let identifier = curve.edwards { status = unsafe assayc_public_key_new_edwards(identifier, x, &made) }
    }
    if let refusal = KeyError.reason(status) { throw refusal }
    guard let owned = unsafe made else { throw KeyError(.refused) }
    unsafe key = owned
    self.scheme = scheme
  }

  deinit { unsafe assayc_public_key_free(key) }

  /// Whether `signature` is this key's signature of `message`. The format counts for ECDSA only.
  package func isValid(
    _ signature: Span<UInt8>, for message: Span<UInt8>, ecdsa format: ECDSASignatureFormat
  ) -> Bool {
    guard case .ecdsa(let curve, _) = scheme else { return verify(signature, message) }
    guard let numbers = ECDSASignature(signature, format, on: curve) else { return false }
    switch format {
    case .der: return verify(signature, message)
    case .fixedWidth:
      return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: ECDSASignature.maximumDERByteCount) {
        buffer in
        var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
        numbers.appendDER(to: &output)
        return verify(output.span, message)
      }
    }
  }

  private func verify(_ signature: Span<UInt8>, _ message: Span<UInt8>) -> Bool {
    unsafe signature.withPointer { signature, signatureCount in
      unsafe message.withPointer { message, messageCount in
        unsafe assayc_public_key_verify(key, signature, signatureCount, message, messageCount) == 1
      }
    }
  }
}
