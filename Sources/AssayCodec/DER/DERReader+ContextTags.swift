// Context-specific tags of any number (X.690, 8.1.2): up to 30 in the one byte, from 31 on in base-128 digits that follow
// it, as few as there can be.

extension ByteReader {
  /// The largest tag number that is read, in bits: four digits.
  private static let maximumTagNumberBits = 28

  /// Reads an element whose tag is context-specific and constructed, as every explicit one is, with `body`, which is given
  /// the tag's number and must read all of the contents.
  package mutating func readExplicitDER<T: ~Copyable>(
    _ field: Field, _ body: (_ number: Int, inout ByteReader) throws(CodecError) -> T
  ) throws(CodecError) -> T {
    let start = offset
    let first = try byte(field)
    guard first & 0xE0 == 0xA0 else { throw CodecError(.wrongType, field, at: start) }
    let number = first & 0x1F == 0x1F ? try tagNumberDER(field) : Int(first & 0x1F)
    let count = try lengthDER(field)
    let contents = try take(count, field)
    return try ByteReader.readAll(contents, field, base: offset - count) { (reader) throws(CodecError) in
      try body(number, &reader)
    }
  }

  /// X.690, 8.1.2.4.2.
  private mutating func tagNumberDER(_ field: Field) throws(CodecError) -> Int {
    let start = offset
    var number = 0
    var bits = 0
    while true {
      guard bits < Self.maximumTagNumberBits else { throw CodecError(.numberOutOfRange, field, at: start) }
      let digit = try byte(field)
      number = number << 7 | Int(digit & 0x7F)
      bits += 7
      guard number > 0 else { throw CodecError(.nonCanonical, field, at: start) }
      if digit < 0x80 { break }
    }
    guard number >= 0x1F else { throw CodecError(.nonCanonical, field, at: start) }
    return number
  }
}
