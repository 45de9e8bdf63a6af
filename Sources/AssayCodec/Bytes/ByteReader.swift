/// Reads untrusted bytes front to back: it never traps, never copies, never reads a byte twice and, because `readAll` is
/// the only way to get one for a whole input, never leaves a byte unread.
package struct ByteReader: ~Escapable {
  private let bytes: Span<UInt8>
  /// Where `bytes` begins in the caller's input, so that offsets in errors point there.
  private let base: Int
  private var position = 0

  @_lifetime(copy bytes)
  private init(_ bytes: Span<UInt8>, base: Int) {
    self.bytes = bytes
    self.base = base
  }

  /// Runs `body` over all of `bytes`; leftover input is an error that names `field`.
  package static func readAll<T: ~Copyable>(
    _ bytes: Span<UInt8>, _ field: Field, base: Int = 0, _ body: (inout ByteReader) throws(CodecError) -> T
  ) throws(CodecError) -> T {
    var reader = ByteReader(bytes, base: base)
    let value = try body(&reader)
    guard reader.remaining == 0 else { throw reader.fault(.trailingBytes, field) }
    return value
  }

  /// The absolute offset of the next byte.
  package var offset: Int { base + position }
  /// How many bytes are left.
  package var remaining: Int { bytes.count - position }
  /// The next byte, which stays unread; nil at the end.
  package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// An error at the next byte.
  package func fault(_ code: CodecError.Code, _ field: Field) -> CodecError { CodecError(code, field, at: offset) }

  /// Takes one byte.
  package mutating func byte(_ field: Field) throws(CodecError) -> UInt8 {
    guard position < bytes.count else { throw fault(.truncated, field) }
    defer { position += 1 }
    return bytes[position]
  }

  /// Leaves the next byte behind, if there is one.
  package mutating func skipByte() { if position < bytes.count { position += 1 } }

  /// Takes `count` bytes as a view of the input.
  @_lifetime(copy self)
  package mutating func take(_ count: Int, _ field: Field) throws(CodecError) -> Span<UInt8> {
    guard count >= 0, count <= remaining else { throw fault(.truncated, field) }
    defer { position += count }
    return bytes.extracting(position..<(position + count))
  }

  /// Takes a big-endian unsigned integer of `count` bytes, at most 8.
  package mutating func unsigned(bytes count: Int, _ field: Field) throws(CodecError) -> UInt64 {
    let digits = try take(count, field)
    var value: UInt64 = 0
    for index in digits.indices { value = value << 8 | UInt64(digits[index]) }
    return value
  }

  /// Everything read since `start`, an earlier `offset` of this reader.
  @_lifetime(copy self)
  package func bytesRead(since start: Int) -> Span<UInt8> {
    bytes.extracting(max(0, start - base)..<position)
  }
}
