#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// Bytes that are wiped when their owner lets go of them: private numbers, MAC keys, one-time-code secrets.
///
/// It cannot be copied, printed, interpolated or compared with `==`. It is ordinary memory (guarded pages run out at some
/// 16,000 live secrets): it may be swapped out or appear in a core dump while it is alive.
@safe  // owns `storage` alone, and hands it out only as spans that cannot outlive the call
public struct SecretBytes: ~Copyable, @unchecked Sendable {  // changed by its one owner alone, through `mutating`
  private let storage: UnsafeMutableBufferPointer<UInt8>

  /// Copies `bytes`. The caller wipes its own copy.
  public init(copying bytes: Span<UInt8>) {
    self.init(count: bytes.count) { output in
      for index in bytes.indices { output[index] = bytes[index] }
    }
  }

  /// Makes a secret of `count` bytes, all zero until `fill` writes them.
  package init<E>(count: Int, filledBy fill: (inout MutableSpan<UInt8>) throws(E) -> Void) throws(E) {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
    unsafe memory.initialize(repeating: 0)
    var span = unsafe memory.mutableSpan
    do throws(E) {
      try fill(&span)
    } catch {
      unsafe Self.wipeAndFree(memory)
      throw error
    }
    unsafe storage = memory
  }

  /// How many bytes there are. A length is not secret.
  public var count: Int { unsafe storage.count }

  /// Lends the bytes to `body`.
  public borrowing func withSpan<R: ~Copyable, E>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    try body(unsafe storage.span)
  }

  /// Lends the bytes to `body` for writing.
  package mutating func withMutableSpan<R: ~Copyable, E>(
    _ body: (inout MutableSpan<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    var span = unsafe storage.mutableSpan
    return try body(&span)
  }

  /// A second owner of the same bytes.
  public borrowing func clone() -> SecretBytes { SecretBytes(copying: unsafe storage.span) }

  deinit { unsafe Self.wipeAndFree(storage) }

  private static func wipeAndFree(_ storage: UnsafeMutableBufferPointer<UInt8>) {
    if let start = storage.baseAddress { unsafe explicit_bzero(start, storage.count) }
    unsafe storage.deallocate()
  }
}
