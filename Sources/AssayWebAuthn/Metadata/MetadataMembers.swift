internal import AssayCodec

/// Reads the members of an object within an entry. One that is not there is nil or empty; one of another type is a fault.
struct MetadataMembers {
  let object: JSONObject
  let entry: Int

  func fault(_ code: MetadataError.Code, _ field: Field) -> MetadataError {
    MetadataError(code, field, entry: entry)
  }

  private func read<T>(_ name: Field, _ value: (JSONValue) -> T?) throws(MetadataError) -> T? {
    guard let member = object[name.text] else { return nil }
    guard let value = value(member) else { throw fault(.wrongType, name) }
    return value
  }

  func text(_ name: Field) throws(MetadataError) -> UTF8Text? { try read(name, \.string) }

  func bool(_ name: Field) throws(MetadataError) -> Bool? { try read(name, \.bool) }

  func unsigned(_ name: Field) throws(MetadataError) -> UInt64? { try read(name) { $0.number?.uint64 } }

  func object(_ name: Field) throws(MetadataError) -> JSONObject? { try read(name, \.object) }

  func date(_ name: Field) throws(MetadataError) -> MetadataDate? {
    guard let text = try text(name) else { return nil }
    guard let date = MetadataDate(text) else { throw fault(.invalidValue, name) }
    return date
  }

  /// The elements of an array, each of one type.
  func list<T>(_ name: Field, _ element: (JSONValue) -> T?) throws(MetadataError) -> [T] {
    guard let array = try read(name, \.array) else { return [] }
    let elements = array.compactMap(element)
    guard elements.count == array.count else { throw fault(.wrongType, name) }
    return elements
  }

  func texts(_ name: Field) throws(MetadataError) -> [UTF8Text] { try list(name, \.string) }

  func objects(_ name: Field) throws(MetadataError) -> [MetadataMembers] {
    try list(name) { $0.object.map { MetadataMembers(object: $0, entry: entry) } }
  }

  /// A certificate in base64. FIDO's own examples break its lines, so white space in it is put up with.
  func certificate(_ text: UTF8Text, _ name: Field) throws(MetadataError) -> [UInt8] {
    do throws(CodecError) {
      return try Base64.decode(text.utf8.span, [.separators, .padding], field: name)
    } catch {
      throw fault(.invalidValue, name)
    }
  }
}
