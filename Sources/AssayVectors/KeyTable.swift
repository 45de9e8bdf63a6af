internal import AssayCodec

/// The keys of a file, by name. A key that the engine refuses stays in the table: refusing it may be the point of a case.
struct KeyTable: Sendable {
  private var keys: [UTF8Text: JSONValue] = [:]

  init() {}

  init(_ value: JSONValue) throws(VectorFileError) {
    guard let object = value.object, !object.members.isEmpty else {
      throw VectorFileError("the file: keys must be an object with members")
    }
    for member in object.members { keys[member.name] = member.value }
  }

  /// The JWK that a case's `key` names.
  func jwk(_ reader: inout MemberReader) throws(VectorFileError) -> JSONValue {
    guard let value = keys[try reader.text("key")] else { throw reader.fault("key names no key of the file") }
    return value
  }

  /// The JWKs that a case's `keys` names.
  func jwks(_ reader: inout MemberReader) throws(VectorFileError) -> [JSONValue] {
    var jwks: [JSONValue] = []
    for name in try reader.texts("keys") {
      guard let value = keys[name] else { throw reader.fault("keys names no key of the file") }
      jwks.append(value)
    }
    return jwks
  }
}
