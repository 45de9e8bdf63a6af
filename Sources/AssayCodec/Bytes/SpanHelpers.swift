extension Array where Element == UInt8 {
  /// Copies the bytes of a span.
  package init(copying bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
  }
}

/// Whether two spans hold the same bytes. It stops at the first difference, so it is for public data only.
package func publicBytesEqual(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
  guard a.count == b.count else { return false }
  for index in a.indices where a[index] != b[index] { return false }
  return true
}
