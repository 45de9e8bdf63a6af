extension Span where Element == UInt8 {
  /// Lends the bytes to a C function as pointer and length. The pointer is nil if there are no bytes.
  @unsafe func withPointer<R>(_ body: (UnsafePointer<UInt8>?, Int) -> R) -> R {
    unsafe withUnsafeBufferPointer { unsafe body($0.baseAddress, $0.count) }
  }
}

extension Array where Element == UInt8 {
  /// The bytes a C function writes into memory of `count` bytes, or nil if it says that it did not.
  @unsafe init?(count: Int, writtenBy write: (UnsafeMutablePointer<UInt8>, Int) -> Int32) {
    var done = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      guard let start = buffer.baseAddress else { return }
      done = unsafe write(start, count) == 1
      initializedCount = done ? count : 0
    }
    guard done else { return nil }
    self = bytes
  }
}
