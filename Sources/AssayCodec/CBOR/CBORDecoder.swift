// RFC 8949, 3: an item is a head (3 bits major type, 5 bits additional information, an argument of 0, 1, 2, 4 or 8 bytes)
// and its content. Refused in every form: reserved additional information 28–30, simple values below 32 in two bytes,
// indefinite length where there is none (integers, tags), chunks of another type or of indefinite length, a break where
// none belongs, duplicate map keys, text (each chunk of it) that is not UTF-8.

extension CBORValue {
  /// Reads exactly one data item; bytes after it are an error.
  ///
  /// - Throws: `CodecError`. Its code is `truncated`, `trailingBytes`, `malformed` (not well-formed), `nonCanonical`
  ///   (well-formed, but not in the form asked for), `duplicateKey`, `invalidUTF8`, `unsupported` (a tag in CTAP2 form),
  ///   `tooDeep` or `tooLarge`.
  public static func decode(
    _ bytes: Span<UInt8>, form: CBORForm, limits: CBORLimits = .default, field: Field = "CBOR"
  ) throws(CodecError) -> CBORValue {
    guard bytes.count <= limits.maximumBytes else { throw CodecError(.tooLarge, field, at: limits.maximumBytes) }
    return try ByteReader.readAll(bytes, field) { reader throws(CodecError) in
      try decodeFirst(reader: &reader, form: form, limits: limits, field: field)
    }
  }

  /// Reads one data item and leaves `reader` at the first byte after it.
  package static func decodeFirst(
    reader: inout ByteReader, form: CBORForm, limits: CBORLimits = .default, field: Field = "CBOR"
  ) throws(CodecError) -> CBORValue {
    var decoder = CBORDecoder(form: form, limits: limits, field: field, start: reader.offset)
    return try decoder.item(&reader, depth: 0)
  }
}

/// The state of reading one data item with everything in it.
private struct CBORDecoder {
  let form: CBORForm
  let limits: CBORLimits
  let field: Field
  /// Where the outermost item starts.
  let start: Int
  private var items = 0
  /// The items and bytes of map keys that were encoded again, counted each time.
  private var keyItems = 0
  private var keyBytes = 0

  init(form: CBORForm, limits: CBORLimits, field: Field, start: Int) {
    self.form = form
    self.limits = limits
    self.field = field
    self.start = start
  }

  private var isCanonical: Bool { form == .ctap2Canonical }
  private var maximumDepth: Int { isCanonical ? min(4, limits.maximumDepth) : limits.maximumDepth }
  private static let breakByte: UInt8 = 0xFF

  private func fault(_ code: CodecError.Code, _ head: CBORHead) -> CodecError {
    CodecError(code, field, at: head.offset)
  }

  mutating func item(_ reader: inout ByteReader, depth: Int) throws(CodecError) -> CBORValue {
    let head = try CBORHead(&reader, form, field)
    items += 1
    guard items <= limits.maximumItems else { throw fault(.tooLarge, head) }
    switch head.major {
    case 0: return .unsigned(head.argument)
    case 1: return .negative(head.argument)
    case 2: return .bytes(try string(&reader, head))
    case 3: return .text(UTF8Text(unchecked: try string(&reader, head)))
    case 4...6:
      guard depth < maximumDepth else { throw fault(.tooDeep, head) }
      switch head.major {
      case 4: return .array(try elements(&reader, head, depth: depth + 1))
      case 5: return .map(try entries(&reader, head, depth: depth + 1))
      default:
        guard !isCanonical else { throw fault(.unsupported, head) }
        return .tagged(head.argument, try item(&reader, depth: depth + 1))
      }
    default: return try simpleOrFloat(head)
    }
  }

  // MARK: Strings

  private func string(_ reader: inout ByteReader, _ head: CBORHead) throws(CodecError) -> [UInt8] {
    guard head.isIndefinite else { return Array(copying: try content(&reader, head)) }
    var whole: [UInt8] = []
    while reader.next != Self.breakByte {
      let chunk = try CBORHead(&reader, form, field)
      guard chunk.major == head.major, !chunk.isIndefinite else { throw fault(.malformed, chunk) }
      let bytes = try content(&reader, chunk)
      for index in bytes.indices { whole.append(bytes[index]) }
    }
    _ = try reader.byte(field)
    return whole
  }

  /// Takes the content of one string, or of one chunk, of definite length.
  @_lifetime(copy reader)
  private func content(_ reader: inout ByteReader, _ head: CBORHead) throws(CodecError) -> Span<UInt8> {
    let offset = reader.offset
    guard let count = Int(exactly: head.argument) else { throw reader.fault(.truncated, field) }
    let bytes = try reader.take(count, field)
    guard reader.offset - start <= limits.maximumBytes else { throw fault(.tooLarge, head) }
    if head.major == 3, let invalid = UTF8Text.firstInvalidByte(of: bytes) {
      throw CodecError(.invalidUTF8, field, at: offset + invalid)
    }
    return bytes
  }

  // MARK: Arrays and maps

  /// Whether another element follows, when `read` of them were read. Takes the break that ends an indefinite length.
  private func isMore(_ reader: inout ByteReader, _ head: CBORHead, read: UInt64) throws(CodecError) -> Bool {
    guard head.isIndefinite else { return read < head.argument }
    guard reader.next == Self.breakByte else { return true }
    _ = try reader.byte(field)
    return false
  }

  // Each element takes a byte or more, so a count beyond what is left can be refused at once. Nothing is ever allocated
  // for a count that was only declared.
  private func checkCount(_ reader: borrowing ByteReader, _ head: CBORHead) throws(CodecError) {
    guard head.isIndefinite || head.argument <= UInt64(reader.remaining) else { throw reader.fault(.truncated, field) }
  }

  private mutating func elements(
    _ reader: inout ByteReader, _ head: CBORHead, depth: Int
  ) throws(CodecError) -> [CBORValue] {
    try checkCount(reader, head)
    var elements: [CBORValue] = []
    while try isMore(&reader, head, read: UInt64(elements.count)) {
      elements.append(try item(&reader, depth: depth))
    }
    return elements
  }

  private mutating func entries(
    _ reader: inout ByteReader, _ head: CBORHead, depth: Int
  ) throws(CodecError) -> [CBORMapEntry] {
    try checkCount(reader, head)
    var entries: [CBORMapEntry] = []
    var seen: Set<[UInt8]> = []  // for the well-formed form
    var previous: [UInt8] = []  // for the canonical form, whose keys ascend
    while try isMore(&reader, head, read: UInt64(entries.count)) {
      let offset = reader.offset
      let itemsBefore = items
      let key = try item(&reader, depth: depth)
      if isCanonical {
        let encoded = Array(copying: reader.bytesRead(since: offset))
        guard encoded != previous else { throw CodecError(.duplicateKey, field, at: offset) }
        guard entries.isEmpty || CBORValue.keyPrecedes(previous, encoded) else {
          throw CodecError(.nonCanonical, field, at: offset)
        }
        previous = encoded
      } else {
        // A map within a key within a key is encoded once for each: the limits hold for all of that work too.
        keyItems += items - itemsBefore
        keyBytes += reader.offset - offset
        guard keyItems <= limits.maximumItems, keyBytes <= limits.maximumBytes else {
          throw CodecError(.tooLarge, field, at: offset)
        }
        guard seen.insert(key.encoded()).inserted else { throw CodecError(.duplicateKey, field, at: offset) }
      }
      entries.append(CBORMapEntry(key, try item(&reader, depth: depth)))
    }
    return entries
  }

  // MARK: Major type 7

  private func simpleOrFloat(_ head: CBORHead) throws(CodecError) -> CBORValue {
    switch head.information {
    case 20: .bool(false)
    case 21: .bool(true)
    case 22: .null
    case 23: .undefined
    case 25: .float(CBORFloat.widened(half: head.argument))
    case 26: .float(CBORFloat.widened(single: head.argument))
    case 27: .float(Double(bitPattern: head.argument))
    case 31: throw fault(.malformed, head)  // a break where no indefinite length is open
    default: .simple(UInt8(truncatingIfNeeded: head.argument))  // one byte, by `CBORHead`
    }
  }
}

/// The head of a data item (RFC 8949, 3).
private struct CBORHead {
  let offset: Int
  let major: UInt8
  /// The additional information, 0–27 or 31.
  let information: UInt8
  /// The additional information itself, or the 1, 2, 4 or 8 bytes after it.
  let argument: UInt64

  /// Of indefinite length; with major type 7, the break.
  var isIndefinite: Bool { information == 31 }

  init(_ reader: inout ByteReader, _ form: CBORForm, _ field: Field) throws(CodecError) {
    offset = reader.offset
    let initial = try reader.byte(field)
    major = initial >> 5
    information = initial & 0x1F
    switch information {
    case 24...27: argument = try reader.unsigned(bytes: 1 << Int(information - 24), field)
    case 28...30: throw CodecError(.malformed, field, at: offset)
    default: argument = UInt64(information)
    }
    switch major {
    case 7:
      // RFC 8949, 3.3: a value below 32 in two bytes is not well-formed.
      guard information != 24 || argument >= 32 else { throw CodecError(.malformed, field, at: offset) }
    case 0, 1, 6:
      guard !isIndefinite else { throw CodecError(.malformed, field, at: offset) }
      fallthrough
    default:
      guard form == .wellFormed || (!isIndefinite && isShortest) else {
        throw CodecError(.nonCanonical, field, at: offset)
      }
    }
  }

  private var isShortest: Bool {
    switch information {
    case 24: argument >= 24
    case 25: argument > 0xFF
    case 26: argument > 0xFFFF
    case 27: argument > 0xFFFF_FFFF
    default: true
    }
  }
}
