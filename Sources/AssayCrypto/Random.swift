public import AssayCodec
internal import CAssayCrypto

/// Unpredictable bytes from the operating system.
public enum Random {
  /// Bytes that may be shown, such as challenges and identifiers. A negative count is an error.
  public static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
    guard count > 0 else {
      guard count == 0, CryptoLibraries.areAvailable else { throw CryptoLibraries.fault }
      return []
    }
    guard let bytes = unsafe [UInt8](count: count, writtenBy: { unsafe assayc_random_copy($0, $1) }) else {
      throw CryptoLibraries.fault
    }
    return bytes
  }

  /// Bytes that must stay secret, such as keys. A negative count is an error.
  public static func secret(_ count: Int) throws(CryptoError) -> SecretBytes {
    guard count >= 0 else { throw CryptoError(.failed) }
    return try SecretBytes(count: count) { output throws(CryptoError) in
      let done = unsafe output.withUnsafeMutableBufferPointer {
        unsafe assayc_random_copy($0.baseAddress, $0.count) == 1
      }
      guard done else { throw CryptoLibraries.fault }
    }
  }
}
