/// The members of an object.
struct JSONKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let codingPath: [any CodingKey]
  private let object: JSONObject
  /// Where each name stands. Few are compared one by one.
  private let index: [UTF8Text: Int]

  init(_ object: JSONObject, path: [any CodingKey]) throws {
    self.object = object
    codingPath = path
    index =
      object.members.count < 16
      ? [:] : Dictionary(object.members.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    // A Swift dictionary would keep one of two names that are equal as `String` only.
    guard Key.isOpen, object.members.contains(where: { $0.name.utf8.contains { $0 >= 0x80 } }) else { return }
    guard Set(object.members.map(\.name.string)).count == object.members.count else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: path, debugDescription: DecodingFault.equivalentNames.rawValue))
    }
  }

  var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.name.string) } }

  func contains(_ key: Key) -> Bool { position(of: key) != nil }

  private func position(of key: some CodingKey) -> Int? {
    let name = UTF8Text(key.stringValue)
    return object.members.count < 16 ? object.members.firstIndex { $0.name == name } : index[name]
  }

  /// A decoder of the member, if there is one.
  private func member(_ key: some CodingKey) -> JSONValueDecoder? {
    guard let position = position(of: key) else { return nil }
    // The name may come from the input.
    let step: any CodingKey = type(of: key).isOpen ? PathKey(position) : key
    return JSONValueDecoder(object.members[position].value, path: codingPath + [step])
  }

  private func required(_ key: Key) throws -> JSONValueDecoder {
    guard let decoder = member(key) else {
      throw DecodingError.keyNotFound(
        key, DecodingError.Context(codingPath: codingPath, debugDescription: DecodingFault.missing.rawValue))
    }
    return decoder
  }

  func decodeNil(forKey key: Key) throws -> Bool { try required(key).value == .null }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try required(key).decoded(as: type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try required(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try required(key).unkeyedContainer()
  }

  /// The member `super`, or a decoder of `null` if there is none: what the superclass asks for is then missing.
  func superDecoder() -> any Decoder {
    let key = SuperKey.super
    return member(key) ?? JSONValueDecoder(.null, path: codingPath + [key])
  }

  func superDecoder(forKey key: Key) -> any Decoder {
    member(key) ?? JSONValueDecoder(.null, path: codingPath + [key])
  }
}

private enum SuperKey: String, CodingKey { case `super` }
