internal import CAssayCrypto

/// A digest algorithm (FIPS 180-4).
package enum Digest: Hashable, Sendable, CaseIterable {
  /// SHA-1: for HMAC in one-time codes, and for old attestation where that is allowed. Collisions can be made.
  case sha1
  /// SHA-256.
  case sha256
  /// SHA-384.
  case sha384
  /// SHA-512.
  case sha512

  /// The length of the digest in bytes.
  package var byteCount: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  /// The digest of `bytes`.
  package func hash(_ bytes: Span<UInt8>) throws(CryptoError) -> [UInt8] { try hash(bytes, then: Span()) }

  /// The digest of `first` followed by `second`.
  package func hash(_ first: Span<UInt8>, then second: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    let digest = unsafe first.withPointer { first, firstCount in
      unsafe second.withPointer { second, secondCount in
        unsafe [UInt8](count: byteCount) {
          unsafe assayc_digest_copy(identifier, first, firstCount, second, secondCount, $0, $1)
        }
      }
    }
    guard let digest else { throw CryptoLibraries.fault }
    return digest
  }

  /// What the C functions call it.
  var identifier: assayc_digest {
    switch self {
    case .sha1: ASSAYC_SHA1
    case .sha256: ASSAYC_SHA256
    case .sha384: ASSAYC_SHA384
    case .sha512: ASSAYC_SHA512
    }
  }
}
