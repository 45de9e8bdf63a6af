// DER (X.690) as far as SubjectPublicKeyInfo, PKCS#8, SEC1, PKCS#1 and certificates need it: tags of one byte, definite
// lengths in their shortest form, everything inside an element read to its end. Nothing recurses on input: a structure's
// depth is that of the code that reads it.

extension ByteReader {
  /// Whether the next element has this tag.
  package func isNext(_ tag: DERTag) -> Bool { next == tag.rawValue }

  /// Takes an element of exactly this tag and returns its contents.
  @_lifetime(copy self)
  package mutating func takeDER(_ tag: DERTag, _ field: Field) throws(CodecError) -> Span<UInt8> {
    guard let next else { throw fault(.truncated, field) }
    guard next == tag.rawValue else { throw fault(.wrongType, field) }
    skipByte()
    return try take(lengthDER(field), field)
  }

  /// Reads an element of exactly this tag with `body`, which must read all of its contents.
  package mutating func readDER<T: ~Copyable>(
    _ tag: DERTag, _ field: Field, _ body: (inout ByteReader) throws(CodecError) -> T
  ) throws(CodecError) -> T {
    let contents = try takeDER(tag, field)
    return try ByteReader.readAll(contents, field, base: offset - contents.count, body)
  }

  /// Takes an element of any tag of one byte and returns its contents; what the tag is, `next` says before.
  @_lifetime(copy self)
  package mutating func takeAnyDER(_ field: Field) throws(CodecError) -> Span<UInt8> {
    guard let next else { throw fault(.truncated, field) }
    // X.690, 8.1.2.4: a tag number of 31 and above goes on in the bytes that follow.
    guard next & 0x1F != 0x1F else { throw fault(.wrongType, field) }
    skipByte()
    return try take(lengthDER(field), field)
  }

  /// Reads a BOOLEAN. One that is false may be written out where DER leaves it away: deployed certificates do so.
  package mutating func booleanDER(_ field: Field) throws(CodecError) -> Bool {
    let contents = try takeDER(.boolean, field)
    let start = offset - contents.count
    guard contents.count == 1 else { throw CodecError(.invalidLength, field, at: start) }
    switch contents[0] {
    case 0x00: return false
    case 0xFF: return true
    default: throw CodecError(.nonCanonical, field, at: start)
    }
  }

  /// Reads an INTEGER that is not negative and returns its magnitude without a leading zero: nothing for 0.
  @_lifetime(copy self)
  package mutating func unsignedDER(_ field: Field) throws(CodecError) -> Span<UInt8> {
    let contents = try takeDER(.integer, field)
    let start = offset - contents.count
    guard contents.count > 0 else { throw CodecError(.invalidLength, field, at: start) }
    guard contents[0] < 0x80 else { throw CodecError(.numberOutOfRange, field, at: start) }
    guard contents[0] == 0 else { return contents }
    // X.690, 8.3.2: a zero byte is there only to keep the next one from being read as a sign.
    guard contents.count == 1 || contents[1] >= 0x80 else { throw CodecError(.nonCanonical, field, at: start) }
    return contents.extracting(1..<contents.count)
  }

  /// Reads an INTEGER from 0 to 2^64 - 1.
  package mutating func numberDER(_ field: Field) throws(CodecError) -> UInt64 {
    let start = offset
    let magnitude = try unsignedDER(field)
    guard magnitude.count <= 8 else { throw CodecError(.numberOutOfRange, field, at: start) }
    var number: UInt64 = 0
    for index in magnitude.indices { number = number << 8 | UInt64(magnitude[index]) }
    return number
  }

  /// Reads an INTEGER from 0 to 127, such as a version.
  package mutating func smallDER(_ field: Field) throws(CodecError) -> UInt8 {
    let start = offset
    let magnitude = try unsignedDER(field)
    switch magnitude.count {
    case 0: return 0
    case 1 where magnitude[0] < 0x80: return magnitude[0]
    default: throw CodecError(.numberOutOfRange, field, at: start)
    }
  }

  /// Reads an OBJECT IDENTIFIER and returns its contents.
  @_lifetime(copy self)
  package mutating func objectIdentifierDER(_ field: Field) throws(CodecError) -> Span<UInt8> {
    let contents = try takeDER(.objectIdentifier, field)
    let start = offset - contents.count
    var isFirstOfArc = true
    for index in contents.indices {
      guard !(isFirstOfArc && contents[index] == 0x80) else {
        throw CodecError(.nonCanonical, field, at: start + index)
      }
      isFirstOfArc = contents[index] < 0x80
    }
    guard contents.count > 0, isFirstOfArc else { throw CodecError(.malformed, field, at: start) }
    return contents
  }

  /// Reads a BIT STRING of whole bytes and returns them; `tag` may be an implicit one.
  @_lifetime(copy self)
  package mutating func bitStringDER(_ field: Field, tag: DERTag = .bitString) throws(CodecError) -> Span<UInt8> {
    let contents = try takeDER(tag, field)
    let start = offset - contents.count
    guard contents.count > 0 else { throw CodecError(.invalidLength, field, at: start) }
    guard contents[0] == 0 else { throw CodecError(.invalidValue, field, at: start) }
    return contents.extracting(1..<contents.count)
  }

  /// Reads a NULL.
  package mutating func nullDER(_ field: Field) throws(CodecError) {
    guard try takeDER(.null, field).count == 0 else { throw fault(.invalidLength, field) }
  }

  /// Leaves behind whatever is left of the structure being read.
  package mutating func skipRest(_ field: Field) throws(CodecError) { _ = try take(remaining, field) }

  /// X.690, 8.1.3 and 10.1.
  mutating func lengthDER(_ field: Field) throws(CodecError) -> Int {
    let start = offset
    let first = try byte(field)
    guard first >= 0x80 else { return Int(first) }
    switch first & 0x7F {
    case 0: throw CodecError(.nonCanonical, field, at: start)  // indefinite
    case 1...4: break
    default: throw CodecError(.invalidLength, field, at: start)
    }
    let count = Int(first & 0x7F)
    let length = try unsigned(bytes: count, field)
    guard length >= 0x80, length >> (8 * UInt64(count - 1)) > 0 else {
      throw CodecError(.nonCanonical, field, at: start)
    }
    guard let length = Int(exactly: length) else { throw CodecError(.invalidLength, field, at: start) }
    return length
  }
}
