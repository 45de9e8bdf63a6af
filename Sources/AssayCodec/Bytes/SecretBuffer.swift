/// A secret that is being written: it grows, and wipes what it grew out of.
package struct SecretBuffer: ~Copyable {
  private var storage = SecretBytes(count: 512) { _ in }
  /// How many bytes were written.
  package private(set) var count = 0

  /// An empty buffer.
  package init() {}

  /// Adds bytes at the end.
  package mutating func append(_ bytes: Span<UInt8>) {
    let start = count
    makeRoom(bytes.count)
    storage.withMutableSpan { output in
      for index in bytes.indices { output[start + index] = bytes[index] }
    }
  }

  /// Adds a byte at the end.
  package mutating func append(_ byte: UInt8) {
    let start = count
    makeRoom(1)
    storage.withMutableSpan { output in output[start] = byte }
  }

  /// Adds the bytes of our own words at the end.
  package mutating func append(_ words: StaticString) { append(Array(words.description.utf8).span) }

  /// Puts bytes before those from `index` on.
  package mutating func insert(_ bytes: Span<UInt8>, at index: Int) {
    let end = count
    makeRoom(bytes.count)
    storage.withMutableSpan { output in
      for moved in (index..<end).reversed() { output[moved + bytes.count] = output[moved] }
      for offset in bytes.indices { output[index + offset] = bytes[offset] }
    }
  }

  /// Lends what was written to `body`.
  package borrowing func withSpan<R: ~Copyable, E>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    try storage.withSpan { bytes throws(E) in try body(bytes.extracting(0..<count)) }
  }

  /// What was written, as a secret of exactly that length.
  package borrowing func secret() -> SecretBytes { withSpan { SecretBytes(copying: $0) } }

  private mutating func makeRoom(_ more: Int) {
    let needed = count + more
    if needed > storage.count {
      let larger = SecretBytes(count: max(needed, 2 * storage.count)) { output in
        withSpan { bytes in
          for index in bytes.indices { output[index] = bytes[index] }
        }
      }
      storage = larger
    }
    count = needed
  }
}
