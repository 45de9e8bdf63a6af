internal import AssayCodec

// Records are what the caller stores between two calls and hands back: one map of CTAP2 canonical CBOR with the members
// `kind` (text) and `version` (unsigned) and those of the kind, each of which must be there and none else. They come from
// the caller's own store, so what they say is trusted; that they are whole is checked.

/// Writes a record.
struct RecordWriter {
  private var entries: [CBORMapEntry]

  init(kind: UTF8Text, version: UInt64) {
    entries = []
    put("kind", .text(kind))
    put("version", .unsigned(version))
  }

  mutating func put(_ name: Field, _ value: CBORValue) {
    entries.append(CBORMapEntry(.text(name.text), value))
  }

  mutating func put(_ name: Field, texts: [UTF8Text]) { put(name, .array(texts.map { .text($0) })) }

  func encoded() -> [UInt8] { CBORValue.map(entries).encoded() }
}

/// Reads a record, member by member, and makes sure that nothing is left.
struct RecordReader {
  private let record: CBORValue
  private var taken = 0

  init(_ bytes: Span<UInt8>, kind: UTF8Text, version: UInt64) throws(WebAuthnError) {
    do throws(CodecError) {
      record = try CBORValue.decode(bytes, form: .ctap2Canonical, field: "record")
    } catch {
      throw WebAuthnError(.malformedRecord, "record", at: nil, .encoding(error))
    }
    guard try text("kind") == kind else { throw WebAuthnError(.wrongRecord, "kind") }
    guard try integer("version") == Int64(exactly: version) else {
      throw WebAuthnError(.unknownRecordVersion, "version")
    }
  }

  /// A value that must be there: nil means that the member has the wrong type or a value it cannot have.
  static func valid<T>(_ value: T?, _ name: Field) throws(WebAuthnError) -> T {
    guard let value else { throw WebAuthnError(.malformedRecord, name) }
    return value
  }

  private mutating func member(_ name: Field) throws(WebAuthnError) -> CBORValue {
    taken += 1
    return try Self.valid(record[name.text], name)
  }

  mutating func bytes(_ name: Field) throws(WebAuthnError) -> [UInt8] { try Self.valid(member(name).bytes, name) }

  mutating func text(_ name: Field) throws(WebAuthnError) -> UTF8Text { try Self.valid(member(name).text, name) }

  mutating func bool(_ name: Field) throws(WebAuthnError) -> Bool { try Self.valid(member(name).bool, name) }

  mutating func integer(_ name: Field) throws(WebAuthnError) -> Int64 { try Self.valid(member(name).int64, name) }

  mutating func word<Word: SpecificationWord>(_ name: Field) throws(WebAuthnError) -> Word {
    try Self.valid(Word(word: text(name)), name)
  }

  mutating func list<T>(_ name: Field, of element: (CBORValue) -> T?) throws(WebAuthnError) -> [T] {
    let elements = try Self.valid(member(name).array, name)
    let values = elements.compactMap(element)
    guard values.count == elements.count else { throw WebAuthnError(.malformedRecord, name) }
    return values
  }

  /// Whether a member is null; if so it counts as read.
  mutating func isNull(_ name: Field) -> Bool {
    guard case .null? = record[name.text] else { return false }
    taken += 1
    return true
  }

  /// Makes sure that every member was read.
  func end() throws(WebAuthnError) {
    guard record.map?.count == taken else { throw WebAuthnError(.malformedRecord, "record") }
  }
}
