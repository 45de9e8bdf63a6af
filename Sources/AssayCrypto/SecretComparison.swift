internal import CAssayCrypto

/// Whether both hold the same bytes, in a time that depends on their lengths only.
///
/// Lengths are not secret: different ones give an early answer. Where the libraries are unavailable, nothing is equal.
package func constantTimeEqual(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
  guard a.count == b.count else { return false }
  return unsafe a.withPointer { a, count in
    unsafe b.withPointer { b, _ in unsafe assayc_equal(a, b, count) == 1 }
  }
}

/// Overwrites bytes that were secret with zeros. Copies the array has made before are not reached.
package func wipe(_ bytes: inout [UInt8]) {
  unsafe bytes.withUnsafeMutableBufferPointer { unsafe assayc_wipe($0.baseAddress, $0.count) }
}
