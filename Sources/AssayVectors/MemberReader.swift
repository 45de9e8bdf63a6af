internal import AssayCodec

/// Reads the members of a JSON object of a vector file: each by its type, each once, and none left over, so that a member
/// this version does not know fails the file and is never ignored.
struct MemberReader {
  private let object: JSONObject
  private let place: String
  private var read: Set<UTF8Text> = []

  init(_ value: JSONValue, _ place: String) throws(VectorFileError) {
    guard let object = value.object else { throw VectorFileError("\(place): an object is expected") }
    self.object = object
    self.place = place
  }

  /// An error about this object.
  func fault(_ problem: String) -> VectorFileError { VectorFileError("\(place): \(problem)") }

  /// Fails if a member was not asked for.
  func finish() throws(VectorFileError) {
    for member in object.members where !read.contains(member.name) {
      throw fault("unknown member \"\(member.name.printable())\"")
    }
  }

  /// Reads past members that are for people.
  mutating func ignore(_ names: UTF8Text...) { read.formUnion(names) }

  mutating func optional(_ name: UTF8Text) -> JSONValue? {
    read.insert(name)
    return object[name]
  }

  /// A member that may be absent or null: ceremonies write null for what does not apply.
  mutating func optionalOrNull(_ name: UTF8Text) -> JSONValue? {
    let value = optional(name)
    return value == .null ? nil : value
  }

  mutating func value(_ name: UTF8Text) throws(VectorFileError) -> JSONValue {
    guard let value = optional(name) else { throw fault("the member \(name.string) is missing") }
    return value
  }

  private func typed<T>(_ name: UTF8Text, _ type: String, _ value: T?) throws(VectorFileError) -> T {
    guard let value else { throw fault("the member \(name.string) must be \(type)") }
    return value
  }

  mutating func text(_ name: UTF8Text) throws(VectorFileError) -> UTF8Text {
    try typed(name, "a string", try value(name).string)
  }

  mutating func optionalText(_ name: UTF8Text) throws(VectorFileError) -> UTF8Text? {
    guard let value = optional(name) else { return nil }
    return try typed(name, "a string", value.string)
  }

  mutating func integer(_ name: UTF8Text) throws(VectorFileError) -> Int64 {
    try typed(name, "an integer", try value(name).number?.int64)
  }

  mutating func optionalInteger(_ name: UTF8Text) throws(VectorFileError) -> Int64? {
    guard let value = optional(name) else { return nil }
    return try typed(name, "an integer", value.number?.int64)
  }

  mutating func unsigned(_ name: UTF8Text) throws(VectorFileError) -> UInt64 {
    try typed(name, "an integer that is not negative", try value(name).number?.uint64)
  }

  mutating func optionalUnsigned(_ name: UTF8Text) throws(VectorFileError) -> UInt64? {
    guard let value = optional(name) else { return nil }
    return try typed(name, "an integer that is not negative", value.number?.uint64)
  }

  mutating func bool(_ name: UTF8Text) throws(VectorFileError) -> Bool {
    try typed(name, "true or false", try value(name).bool)
  }

  mutating func optionalBool(_ name: UTF8Text) throws(VectorFileError) -> Bool? {
    guard let value = optional(name) else { return nil }
    return try typed(name, "true or false", value.bool)
  }

  mutating func optionalIntegers(_ name: UTF8Text) throws(VectorFileError) -> [Int64]? {
    guard let value = optional(name) else { return nil }
    var integers: [Int64] = []
    for element in try typed(name, "an array", value.array) {
      integers.append(try typed(name, "an array of integers", element.number?.int64))
    }
    return integers
  }

  mutating func array(_ name: UTF8Text) throws(VectorFileError) -> [JSONValue] {
    try typed(name, "an array", try value(name).array)
  }

  /// Empty if it is absent.
  mutating func optionalArray(_ name: UTF8Text) throws(VectorFileError) -> [JSONValue] {
    object[name] == nil ? [] : try array(name)
  }

  mutating func texts(_ name: UTF8Text) throws(VectorFileError) -> [UTF8Text] {
    var texts: [UTF8Text] = []
    for element in try array(name) { texts.append(try typed(name, "an array of strings", element.string)) }
    return texts
  }

  mutating func hex(_ name: UTF8Text) throws(VectorFileError) -> [UInt8] {
    let text = try text(name)
    return try typed(name, "lower-case hexadecimal", try? Base16.decode(text.utf8.span))
  }

  mutating func optionalHex(_ name: UTF8Text) throws(VectorFileError) -> [UInt8]? {
    optional(name) == nil ? nil : try hex(name)
  }

  mutating func base64URL(_ name: UTF8Text) throws(VectorFileError) -> [UInt8] {
    let text = try text(name)
    return try typed(name, "base64url", try? Base64URL.decode(text.utf8.span))
  }

  /// The longest text a case may describe by its parts, in bytes.
  private static var maximumTextBytes: Int { 64 << 20 }

  /// A text: as it is, or as parts to be repeated and joined.
  mutating func text(_ name: UTF8Text, orParts parts: UTF8Text) throws(VectorFileError) -> [UInt8] {
    if let whole = try optionalText(name) { return whole.utf8 }
    var joined: [UInt8] = []
    for part in try array(parts) {
      guard let pair = part.array, pair.count == 2, let text = pair[0].string,
        let times = pair[1].number?.int64, let times = Int(exactly: times), times >= 0, !text.isEmpty
      else { throw fault("\(parts.string) must hold pairs of a string that is not empty and a number") }
      let (count, overflow) = text.utf8.count.multipliedReportingOverflow(by: times)
      guard !overflow, count <= Self.maximumTextBytes - joined.count else { throw fault("\(name.string) is too long") }
      for _ in 0..<times { joined += text.utf8 }
    }
    return joined
  }

  mutating func verdict(_ name: UTF8Text = "expected") throws(VectorFileError) -> Verdict {
    switch try text(name) {
    case "valid": .valid
    case "invalid": .invalid
    default: throw fault("the member \(name.string) must be valid or invalid")
    }
  }
}
