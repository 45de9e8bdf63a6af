package import AssayCodec
internal import CAssayCrypto

/// A key for HMAC (RFC 2104), held ready: a second message costs a third of the first.
///
/// The key is wiped when it goes away. It may be shared between threads.
@safe  // the pointer never leaves this type
package struct HMACKey: ~Copyable, @unchecked Sendable {  // the C object may be used from any thread
  /// The digest, and so the length of the codes.
  package let digest: Digest

  private let handle: OpaquePointer

  /// Takes a key of at least one byte: under an empty one, anyone can authenticate anything.
  package init(_ key: borrowing SecretBytes, _ digest: Digest) throws(CryptoError) {
    let made = unsafe key.withSpan { bytes in
      unsafe bytes.withPointer { unsafe assayc_hmac_new(digest.identifier, $0, $1) }
    }
    guard let owned = unsafe made else { throw CryptoLibraries.fault }
    unsafe handle = owned
    self.digest = digest
  }

  deinit { unsafe assayc_hmac_free(handle) }

  /// The authentication code of `message`, of the digest's length. Compare it with `constantTimeEqual` only.
  package borrowing func authenticate(_ message: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    let handle = unsafe handle
    let code = unsafe message.withPointer { message, count in
      unsafe [UInt8](count: digest.byteCount) { unsafe assayc_hmac_copy(handle, message, count, $0, $1) }
    }
    guard let code else { throw CryptoLibraries.fault }
    return code
  }
}
