public import AssayCodec
internal import CAssayCrypto

/// Unpredictable bytes from the operating system.
public enum Random {
  /// The most bytes that are made at once.
  public static let maximumBytes = 1 << 20

  /// Bytes that may be shown, such as challenges and identifiers: 0 to `maximumBytes`, another count is an error.
  public static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
    try check(count)
    guard count > 0 else {
      guard CryptoLibraries.areAvailable else { throw CryptoLibraries.fault }
      return []
    }
    guard let bytes = unsafe [UInt8](count: count, writtenBy: { unsafe assayc_random_copy($0, $1) }) else {
      throw CryptoLibraries.fault
    }
    return bytes
  }

  /// Bytes that must stay secret, such as keys: 0 to `maximumBytes`, another count is an error.
  public static func secret(_ count: Int) throws(CryptoError) -> SecretBytes {
    try check(count)
    return try SecretBytes(count: count) { output throws(CryptoError) in
      let done = unsafe output.withUnsafeMutableBufferPointer {
        unsafe assayc_random_copy($0.baseAddress, $0.count) == 1
      }
      guard done else { throw CryptoLibraries.fault }
    }
  }

  private static func check(_ count: Int) throws(CryptoError) {
    guard (0...maximumBytes).contains(count) else { throw CryptoError(.countNotAllowed(maximum: maximumBytes)) }
  }
}
