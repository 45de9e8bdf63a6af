/// The elements of an array, one after the other. An element that could not be decoded is still the next one.
struct JSONUnkeyedContainer: UnkeyedDecodingContainer {
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0
  private let elements: [JSONValue]

  init(_ elements: [JSONValue], path: [any CodingKey]) {
    self.elements = elements
    codingPath = path
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  private mutating func next<Result>(
    _ type: any Any.Type, _ body: (JSONValueDecoder) throws -> Result
  ) throws -> Result {
    let path = codingPath + [PathKey(currentIndex)]
    guard currentIndex < elements.count else {
      throw DecodingError.valueNotFound(
        type, DecodingError.Context(codingPath: path, debugDescription: DecodingFault.atEnd.rawValue))
    }
    let result = try body(JSONValueDecoder(elements[currentIndex], path: path))
    currentIndex += 1
    return result
  }

  mutating func decodeNil() throws -> Bool {
    guard currentIndex < elements.count else { return try next(Never?.self) { _ in false } }
    guard elements[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next(type) { try $0.decoded(as: type) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next(KeyedDecodingContainer<Nested>.self) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next([JSONValue].self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try next((any Decoder).self) { $0 } }
}
