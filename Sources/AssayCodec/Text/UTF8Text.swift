/// Text that is compared byte for byte, as protocols compare names and values.
///
/// Swift's `String` treats canonically equivalent texts as equal, so two different names on the wire could pass for one;
/// this type does not. It is always valid UTF-8.
public struct UTF8Text: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The text's bytes.
  public let utf8: [UInt8]

  /// The text of a Swift string, with exactly its bytes.
  public init(_ string: String) { utf8 = Array(string.utf8) }

  /// The text of a literal.
  public init(stringLiteral string: String) { self.init(string) }

  /// The text in `bytes`, or nil if they are not UTF-8 (RFC 3629: no surrogates, no longer forms, at most U+10FFFF).
  public init?(validating bytes: Span<UInt8>) {
    guard UTF8Text.firstInvalidByte(of: bytes) == nil else { return nil }
    utf8 = Array(copying: bytes)
  }

  /// Takes bytes that are known to be UTF-8.
  package init(unchecked utf8: [UInt8]) { self.utf8 = utf8 }

  /// The text as a Swift string, for showing and for storing. Compare the `UTF8Text`, not this.
  public var string: String { String(decoding: utf8, as: UTF8.self) }

  /// Whether the text has no bytes.
  public var isEmpty: Bool { utf8.isEmpty }

  /// The index of the first byte that is not part of valid UTF-8, or nil.
  package static func firstInvalidByte(of bytes: Span<UInt8>) -> Int? {
    var index = 0
    while index < bytes.count {
      let lead = bytes[index]
      if lead < 0x80 {
        index += 1
        continue
      }
      // RFC 3629, 4: the length of the sequence, and the range its second byte is confined to.
      let length: Int
      let second: ClosedRange<UInt8>
      switch lead {
      case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
      case 0xE0: (length, second) = (3, 0xA0...0xBF)
      case 0xE1...0xEC, 0xEE...0xEF: (length, second) = (3, 0x80...0xBF)
      case 0xED: (length, second) = (3, 0x80...0x9F)
      case 0xF0: (length, second) = (4, 0x90...0xBF)
      case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
      case 0xF4: (length, second) = (4, 0x80...0x8F)
      default: return index
      }
      guard length <= bytes.count - index, second.contains(bytes[index + 1]) else { return index }
      for following in 2..<max(2, length) where bytes[index + following] & 0xC0 != 0x80 { return index }
      index += length
    }
    return nil
  }
}
