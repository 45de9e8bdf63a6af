/// Limits on a JSON text.
public struct JSONLimits: Sendable {
  /// The deepest nesting any caller can ask for: each level costs the reader a stack frame.
  public static let deepestNesting = 128

  /// The longest text, in bytes.
  public var maximumBytes: Int
  /// The deepest nesting, counting the outermost array or object as 1.
  public var maximumDepth: Int { didSet { maximumDepth = min(maximumDepth, Self.deepestNesting) } }

  /// Limits of your own; `maximumDepth` is cut to `deepestNesting`.
  public init(maximumBytes: Int = 1 << 20, maximumDepth: Int = 32) {
    self.maximumBytes = maximumBytes
    self.maximumDepth = min(maximumDepth, Self.deepestNesting)
  }
}

extension JSONValue {
  /// Reads one JSON text (RFC 8259), all of it.
  ///
  /// Refused beyond the grammar: a byte order mark, text that is not UTF-8, a member name that occurs twice in one object
  /// (compared after unescaping, at every level), an escaped surrogate without its partner, a number outside what a
  /// `Double` can hold or longer than `JSONNumber.maximumLength`, and whatever exceeds `limits`.
  public static func decode(_ text: Span<UInt8>, limits: JSONLimits = JSONLimits()) throws(CodecError) -> JSONValue {
    guard text.count <= limits.maximumBytes else { throw CodecError(.tooLarge, "JSON", at: limits.maximumBytes) }
    return try ByteReader.readAll(text, "JSON") { (reader) throws(CodecError) in
      reader.skipWhiteSpace()
      let value = try reader.jsonValue(depthLeft: limits.maximumDepth)
      reader.skipWhiteSpace()
      return value
    }
  }
}

extension ByteReader {
  mutating func skipWhiteSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { skipByte() }
  }

  mutating func jsonValue(depthLeft: Int) throws(CodecError) -> JSONValue {
    guard let byte = next else { throw fault(.truncated, "JSON value") }
    switch byte {
    case UInt8(ascii: "\""): return .string(try jsonString("JSON string"))
    case UInt8(ascii: "{"): return .object(try jsonObject(depthLeft: depthLeft))
    case UInt8(ascii: "["): return .array(try jsonArray(depthLeft: depthLeft))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try jsonNumber())
    case UInt8(ascii: "t"): return try jsonLiteral("true", .bool(true))
    case UInt8(ascii: "f"): return try jsonLiteral("false", .bool(false))
    case UInt8(ascii: "n"): return try jsonLiteral("null", .null)
    default: throw fault(.invalidCharacter, "JSON value")
    }
  }

  mutating func jsonLiteral(_ word: StaticString, _ value: JSONValue) throws(CodecError) -> JSONValue {
    for expected in word.description.utf8 {
      guard next == expected else { throw fault(next == nil ? .truncated : .invalidCharacter, "JSON literal") }
      skipByte()
    }
    return value
  }

  private mutating func jsonArray(depthLeft: Int) throws(CodecError) -> [JSONValue] {
    guard depthLeft > 0 else { throw fault(.tooDeep, "JSON array") }
    skipByte()
    skipWhiteSpace()
    var elements: [JSONValue] = []
    if next == UInt8(ascii: "]") {
      skipByte()
      return elements
    }
    while true {
      skipWhiteSpace()
      elements.append(try jsonValue(depthLeft: depthLeft - 1))
      skipWhiteSpace()
      switch try byteOf("JSON array", UInt8(ascii: ","), UInt8(ascii: "]")) {
      case UInt8(ascii: "]"): return elements
      default: continue
      }
    }
  }

  private mutating func jsonObject(depthLeft: Int) throws(CodecError) -> JSONObject {
    guard depthLeft > 0 else { throw fault(.tooDeep, "JSON object") }
    skipByte()
    skipWhiteSpace()
    var members: [JSONObject.Member] = []
    var names = NameSet()
    if next == UInt8(ascii: "}") {
      skipByte()
      return JSONObject(unique: members)
    }
    while true {
      skipWhiteSpace()
      guard next == UInt8(ascii: "\"") else {
        throw fault(next == nil ? .truncated : .invalidCharacter, "JSON member name")
      }
      let start = offset
      let name = try jsonString("JSON member name")
      guard names.insert(name, besides: members) else { throw CodecError(.duplicateKey, "JSON member name", at: start) }
      skipWhiteSpace()
      _ = try byteOf("JSON object", UInt8(ascii: ":"), UInt8(ascii: ":"))
      skipWhiteSpace()
      members.append(JSONObject.Member(name: name, value: try jsonValue(depthLeft: depthLeft - 1)))
      skipWhiteSpace()
      if try byteOf("JSON object", UInt8(ascii: ","), UInt8(ascii: "}")) == UInt8(ascii: "}") {
        return JSONObject(unique: members)
      }
    }
  }

  /// Takes one of two bytes.
  mutating func byteOf(_ field: Field, _ a: UInt8, _ b: UInt8) throws(CodecError) -> UInt8 {
    guard let byte = next else { throw fault(.truncated, field) }
    guard byte == a || byte == b else { throw fault(.invalidCharacter, field) }
    skipByte()
    return byte
  }

  mutating func jsonNumber() throws(CodecError) -> JSONNumber {
    let start = offset
    if next == UInt8(ascii: "-") { skipByte() }
    if next == UInt8(ascii: "0") { skipByte() } else { try digits() }
    if next == UInt8(ascii: ".") {
      skipByte()
      try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      skipByte()
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { skipByte() }
      try digits()
    }
    let text = bytesRead(since: start)
    guard text.count <= JSONNumber.maximumLength else { throw CodecError(.tooLarge, "JSON number", at: start) }
    guard let number = JSONNumber(grammatical: Array(copying: text)) else {
      throw CodecError(.numberOutOfRange, "JSON number", at: start)
    }
    return number
  }

  private mutating func digits() throws(CodecError) {
    guard let first = next else { throw fault(.truncated, "JSON number") }
    guard first.isDigit else { throw fault(.invalidCharacter, "JSON number") }
    while let byte = next, byte.isDigit { skipByte() }
  }
}

/// The names of one object while it is read: few are compared one by one, many through a hash.
private struct NameSet {
  private var hashed: Set<UTF8Text> = []

  /// Whether `name` is not among `members`.
  mutating func insert(_ name: UTF8Text, besides members: [JSONObject.Member]) -> Bool {
    if members.count < 16 { return !members.contains { $0.name == name } }
    if hashed.isEmpty { hashed = Set(members.map(\.name)) }
    return hashed.insert(name).inserted
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
