extension ByteReader {
  /// Reads a JSON string (RFC 8259, 7), from its opening quotation mark to its closing one.
  mutating func jsonString(_ field: Field) throws(CodecError) -> UTF8Text {
    _ = try byte(field)
    var unescaped: [UInt8] = []
    while true {
      // A stretch without escapes is checked and copied whole; nearly every string is one such stretch.
      let start = offset
      var ascii = true
      while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        guard byte >= 0x20 else { throw fault(.invalidCharacter, field) }
        if byte >= 0x80 { ascii = false }
        skipByte()
      }
      let stretch = bytesRead(since: start)
      if !ascii, let bad = UTF8Text.firstInvalidByte(of: stretch) {
        throw CodecError(.invalidUTF8, field, at: start + bad)
      }
      let isEscape = try byte(field) == UInt8(ascii: "\\")
      if !isEscape, unescaped.isEmpty { return UTF8Text(unchecked: Array(copying: stretch)) }
      for index in stretch.indices { unescaped.append(stretch[index]) }
      if !isEscape { return UTF8Text(unchecked: unescaped) }
      unescaped.append(contentsOf: String(try escapedScalar(field)).utf8)
    }
  }

  /// Reads what follows a backslash.
  mutating func escapedScalar(_ field: Field) throws(CodecError) -> Unicode.Scalar {
    let start = offset
    switch try byte(field) {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try fourHexDigits(field)
      if let scalar = Unicode.Scalar(unit) { return scalar }
      // A high surrogate must be followed by an escaped low one; anything else has no meaning in Unicode.
      guard (0xD800...0xDBFF).contains(unit) else { throw CodecError(.invalidUTF8, field, at: start) }
      for expected in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
        guard next == expected else { throw CodecError(.invalidUTF8, field, at: start) }
        skipByte()
      }
      let low = try fourHexDigits(field)
      guard (0xDC00...0xDFFF).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
      else { throw CodecError(.invalidUTF8, field, at: start) }
      return scalar
    default: throw CodecError(.invalidCharacter, field, at: start)
    }
  }

  private mutating func fourHexDigits(_ field: Field) throws(CodecError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      let start = offset
      let digit: UInt8
      switch try byte(field) {
      case let byte where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte): digit = byte & 0x0F
      case let byte where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20): digit = (byte & 0x0F) + 9
      default: throw CodecError(.invalidCharacter, field, at: start)
      }
      value = value << 4 | UInt16(digit)
    }
    return value
  }
}
