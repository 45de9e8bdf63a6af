internal import AssayCodec

/// Reads the fields of one message of Protocol Buffers, which is a range of the bytes borrowed, front to back.
///
/// Nothing is allocated by a length that the input states, and messages within it are read by a reader of their own.
struct ProtobufReader {
  /// One field.
  struct Entry {
    /// The field's number, 1 to 2^29-1.
    let number: UInt64
    let value: Value
    /// Where it begins.
    let offset: Int
  }

  enum Value {
    case varint(UInt64)
    /// Text, bytes or a message.
    case bytes(Range<Int>)
    /// Four or eight bytes; no field that has a meaning here is so.
    case fixed
  }

  private var position: Int
  private let end: Int

  init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  /// The next field, nil at the end. Throws `malformedVarint`, `malformedField`, `unsupportedWireType`, `truncated`.
  mutating func next(_ bytes: Span<UInt8>, _ message: Field) throws(OTPMigrationError) -> Entry? {
    guard position < end else { return nil }
    let offset = position
    let tag = try varint(bytes, message)
    let number = tag >> 3
    guard (1...0x1FFF_FFFF).contains(number) else { throw OTPMigrationError(.malformedField, message, at: offset) }
    let value: Value
    switch tag & 7 {
    case 0: value = .varint(try varint(bytes, message))
    case 1:
      _ = try take(8, message)
      value = .fixed
    case 2: value = .bytes(try take(varint(bytes, message), message))
    case 5:
      _ = try take(4, message)
      value = .fixed
    default: throw OTPMigrationError(.unsupportedWireType, message, at: offset)
    }
    return Entry(number: number, value: value, offset: offset)
  }

  private mutating func take(_ count: UInt64, _ message: Field) throws(OTPMigrationError) -> Range<Int> {
    guard let count = Int(exactly: count), count <= end - position else {
      throw OTPMigrationError(.truncated, message, at: position)
    }
    defer { position += count }
    return position..<(position + count)
  }

  /// At most ten bytes of seven bits, the least significant first; the tenth has room for one bit.
  private mutating func varint(_ bytes: Span<UInt8>, _ message: Field) throws(OTPMigrationError) -> UInt64 {
    let start = position
    var value: UInt64 = 0
    for index in 0..<10 {
      guard position < end else { throw OTPMigrationError(.truncated, message, at: position) }
      let byte = bytes[position]
      position += 1
      guard index < 9 || byte <= 1 else { throw OTPMigrationError(.malformedVarint, message, at: start) }
      value |= UInt64(byte & 0x7F) << UInt64(7 * index)
      if byte & 0x80 == 0 { return value }
    }
    throw OTPMigrationError(.malformedVarint, message, at: start)
  }
}

extension SecretBuffer {
  mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// A field that is a number.
  mutating func append(field number: UInt64, _ value: UInt64) {
    append(varint: number << 3)
    append(varint: value)
  }

  /// A field of bytes, of text or of a message.
  mutating func append(field number: UInt64, _ bytes: Span<UInt8>) {
    append(varint: number << 3 | 2)
    append(varint: UInt64(bytes.count))
    append(bytes)
  }
}
