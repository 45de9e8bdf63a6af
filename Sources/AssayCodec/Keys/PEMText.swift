/// The text of a PEM file without what editors, shells, variables and web pages did to it.
///
/// Each byte stays in its place or becomes white space there, so that offsets in errors are those of the file:
/// - a byte order mark at the beginning (also twice), no-break spaces at the beginning of a line, tabs, form feeds and
///   vertical tabs become spaces; CR becomes LF;
/// - `\n` and `\r` written out, as in an environment variable or a JSON string, become line ends, `\t` a space; the
///   backslash of `\/` and `\"` goes.
///
/// Quotes, indentation, blank lines, and text around the armour need nothing: see `PEMBlock`. It may hold a private key and
/// is wiped.
struct PEMText: ~Copyable {
  private let bytes: SecretBytes

  /// Reads the text once, from front to back.
  init(_ text: Span<UInt8>) {
    bytes = SecretBytes(count: text.count) { output in Self.normalise(text, into: &output) }
  }

  /// Lends the text to `body`.
  borrowing func withSpan<R: ~Copyable, E>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    try bytes.withSpan(body)
  }

  private static let space = UInt8(ascii: " ")
  private static let lineEnd = UInt8(ascii: "\n")
  private static let backslash = UInt8(ascii: "\\")

  private static func normalise(_ text: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    var index = 0
    while text.hasBytes([0xEF, 0xBB, 0xBF], at: index) {
      for _ in 0..<3 {
        output[index] = space
        index += 1
      }
    }
    var isLineStart = true
    while index < text.count {
      let byte = text[index]
      switch byte {
      case 0x0A, 0x0D:
        output[index] = lineEnd
        isLineStart = true
      case 0x09, 0x0B, 0x0C, 0x20: output[index] = space
      case 0xC2 where isLineStart && text.hasBytes([0xC2, 0xA0], at: index):
        output[index] = space
        index += 1
        output[index] = space
      case backslash:
        // A text that went through two programs may have two backslashes.
        var end = index + 1
        while end < text.count, text[end] == backslash { end += 1 }
        let replacement = end < text.count ? replacement(ofEscaped: text[end]) : nil
        for position in index..<end { output[position] = replacement == nil ? backslash : space }
        isLineStart = replacement == lineEnd
        index = end
        guard let replacement else { continue }
        output[index] = replacement
      default:
        output[index] = byte
        isLineStart = false
      }
      index += 1
    }
  }

  private static func replacement(ofEscaped byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "n"), UInt8(ascii: "r"): lineEnd
    case UInt8(ascii: "t"): space
    case UInt8(ascii: "/"), UInt8(ascii: "\""): byte
    default: nil
    }
  }
}

extension Span<UInt8> {
  func hasBytes(_ bytes: [UInt8], at index: Int) -> Bool {
    bytes.count <= count - index && publicBytesEqual(extracting(index..<(index + bytes.count)), bytes.span)
  }

  func hasPrefix(_ words: StaticString) -> Bool { hasBytes(Array(words.description.utf8), at: 0) }

  func isEqual(to words: StaticString) -> Bool { count == words.utf8CodeUnitCount && hasPrefix(words) }
}
