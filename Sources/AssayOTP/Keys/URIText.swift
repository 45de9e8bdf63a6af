internal import AssayCodec
internal import AssayCrypto

/// Text of a part of a URI, `range` of the bytes borrowed; `part` is its name in errors.
enum URIText {
  /// The first character that a URI has only escaped there (RFC 3986, 3.3 and 3.4), or nil.
  static func firstReserved(_ uri: Span<UInt8>, _ range: Range<Int>) -> Int? { range.first { !isPlain(uri[$0]) } }

  /// The text with its escapes replaced, once (RFC 3986, 2.1). A plus sign stays one unless `plusIsSpace`: that is a rule
  /// of HTML forms, not of URIs.
  static func decoded(
    _ uri: Span<UInt8>, _ range: Range<Int>, _ part: Field, plusIsSpace: Bool = false
  ) throws(OTPKeyError) -> UTF8Text {
    let bytes = try unescaped(uri, range, part, plusIsSpace: plusIsSpace)
    guard let text = UTF8Text(validating: bytes.span) else {
      throw OTPKeyError(.invalidPercentEncoding, part, at: range.lowerBound)
    }
    guard !OTPLabel.hasControlCharacter(text) else { throw OTPKeyError(.controlCharacter, part, at: range.lowerBound) }
    return text
  }

  /// The same bytes, not looked into. For a secret, which the caller wipes: nothing else holds a copy of it.
  static func unescaped(
    _ uri: Span<UInt8>, _ range: Range<Int>, _ part: Field, plusIsSpace: Bool
  ) throws(OTPKeyError) -> [UInt8] {
    var text: [UInt8] = []
    // Growing would leave copies behind.
    text.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = uri[index]
      if byte == UInt8(ascii: "%") {
        guard range.upperBound - index >= 3, let high = digit(uri[index + 1]), let low = digit(uri[index + 2]) else {
          wipe(&text)
          throw OTPKeyError(.invalidPercentEncoding, part, at: range.lowerBound)
        }
        text.append(high << 4 | low)
        index += 3
      } else {
        text.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        index += 1
      }
    }
    return text
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// The characters that stand for themselves everywhere (RFC 3986, 2.3).
  static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// The characters of a path or a query, and the percent sign that begins an escape (RFC 3986, 3.3 and 3.4).
  private static func isPlain(_ byte: UInt8) -> Bool {
    isUnreserved(byte) || plain.contains(byte)
  }

  private static let plain = Array("!$&'()*+,;=:@/?%".utf8)
}
