// A large JSON text (RFC 8259) read in one pass without being kept: whoever walks over it takes what he wants of it, as
// values or as the place where they stand, and leaves the rest behind. What is left behind is read by the same rules as
// what is taken: a walk refuses exactly the texts that `JSONValue.decode` refuses, with the same error.

extension JSONLimits {
  /// Limits and a place in a text: how much deeper it may go from there.
  package struct Depth: Sendable {
    let left: Int
  }
}

extension ByteReader {
  /// Walks over one JSON text, all of it. `body` must read exactly one value.
  package static func walkJSON<T>(
    _ text: Span<UInt8>, limits: JSONLimits,
    _ body: (inout ByteReader, JSONLimits.Depth) throws(CodecError) -> T
  ) throws(CodecError) -> T {
    guard text.count <= limits.maximumBytes else { throw CodecError(.tooLarge, "JSON", at: limits.maximumBytes) }
    return try readAll(text, "JSON") { (reader) throws(CodecError) in
      reader.skipWhiteSpace()
      let result = try body(&reader, JSONLimits.Depth(left: limits.maximumDepth))
      reader.skipWhiteSpace()
      return result
    }
  }

  /// Takes one value.
  package mutating func takeJSON(_ depth: JSONLimits.Depth) throws(CodecError) -> JSONValue {
    try jsonValue(depthLeft: depth.left)
  }

  /// Leaves one value behind, and returns where it stood.
  @discardableResult
  package mutating func skipJSON(_ depth: JSONLimits.Depth) throws(CodecError) -> Range<Int> {
    let start = offset
    guard let byte = next else { throw fault(.truncated, "JSON value") }
    switch byte {
    case UInt8(ascii: "\""): try skipJSONString("JSON string")
    case UInt8(ascii: "{"):
      try walkJSONObject(depth) { _, reader, depth throws(CodecError) in try reader.skipJSON(depth) }
    case UInt8(ascii: "["): try walkJSONArray(depth) { reader, depth throws(CodecError) in try reader.skipJSON(depth) }
    // A number, a literal, or no value at all.
    default: _ = try jsonValue(depthLeft: depth.left)
    }
    return start..<offset
  }

  /// Walks over an array. `body` must read exactly one value, an element.
  package mutating func walkJSONArray(
    _ depth: JSONLimits.Depth, _ body: (inout ByteReader, JSONLimits.Depth) throws(CodecError) -> Void
  ) throws(CodecError) {
    guard depth.left > 0 else { throw fault(.tooDeep, "JSON array") }
    guard next == UInt8(ascii: "[") else { throw fault(.wrongType, "JSON array") }
    skipByte()
    skipWhiteSpace()
    if next == UInt8(ascii: "]") { return skipByte() }
    while true {
      skipWhiteSpace()
      try body(&self, JSONLimits.Depth(left: depth.left - 1))
      skipWhiteSpace()
      if try byteOf("JSON array", UInt8(ascii: ","), UInt8(ascii: "]")) == UInt8(ascii: "]") { return }
    }
  }

  /// Walks over an object. `body` is given a member's name and must read exactly one value, that member's.
  package mutating func walkJSONObject(
    _ depth: JSONLimits.Depth, _ body: (UTF8Text, inout ByteReader, JSONLimits.Depth) throws(CodecError) -> Void
  ) throws(CodecError) {
    guard depth.left > 0 else { throw fault(.tooDeep, "JSON object") }
    guard next == UInt8(ascii: "{") else { throw fault(.wrongType, "JSON object") }
    skipByte()
    skipWhiteSpace()
    if next == UInt8(ascii: "}") { return skipByte() }
    var names = JSONNames()
    while true {
      skipWhiteSpace()
      let name = try names.next(from: &self)
      skipWhiteSpace()
      _ = try byteOf("JSON object", UInt8(ascii: ":"), UInt8(ascii: ":"))
      skipWhiteSpace()
      try body(name, &self, JSONLimits.Depth(left: depth.left - 1))
      skipWhiteSpace()
      if try byteOf("JSON object", UInt8(ascii: ","), UInt8(ascii: "}")) == UInt8(ascii: "}") { return }
    }
  }

  /// The next byte is a quotation mark: leaves the string behind that it begins.
  private mutating func skipJSONString(_ field: Field) throws(CodecError) {
    skipByte()
    while true {
      let start = offset
      var ascii = true
      while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        guard byte >= 0x20 else { throw fault(.invalidCharacter, field) }
        if byte >= 0x80 { ascii = false }
        skipByte()
      }
      if !ascii, let bad = UTF8Text.firstInvalidByte(of: bytesRead(since: start)) {
        throw CodecError(.invalidUTF8, field, at: start + bad)
      }
      if try byte(field) == UInt8(ascii: "\"") { return }
      _ = try escapedScalar(field)
    }
  }
}

/// The names of one object while it is read: few are compared one by one, many through a hash.
struct JSONNames {
  private var few: [UTF8Text] = []
  private var many: Set<UTF8Text> = []

  /// Reads a member's name, which must not have been read before.
  mutating func next(from reader: inout ByteReader) throws(CodecError) -> UTF8Text {
    guard reader.next == UInt8(ascii: "\"") else {
      throw reader.fault(reader.next == nil ? .truncated : .invalidCharacter, "JSON member name")
    }
    let start = reader.offset
    let name = try reader.jsonString("JSON member name")
    guard insert(name) else { throw CodecError(.duplicateKey, "JSON member name", at: start) }
    return name
  }

  private mutating func insert(_ name: UTF8Text) -> Bool {
    if few.count < 16 {
      guard !few.contains(name) else { return false }
      few.append(name)
      return true
    }
    if many.isEmpty { many = Set(few) }
    return many.insert(name).inserted
  }
}
