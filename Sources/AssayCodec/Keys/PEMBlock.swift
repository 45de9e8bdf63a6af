// The textual encoding of RFC 7468, in a text that `PEMText` went over: `-----BEGIN label-----`, base64,
// `-----END label-----`, with any text around. The first boundary stands at the beginning of a line, or behind a quotation
// mark or an equals sign (`KEY="-----BEGIN …`); between the two are base64 symbols and white space, and at most the
// headers of RFC 1421 that say how the contents are encrypted. Everything else is refused.

/// Where the parts of one armour lie in its text.
struct PEMBlock {
  let label: Range<Int>
  let body: Range<Int>

  private static let begin: StaticString = "-----BEGIN "
  private static let end: StaticString = "-----END "
  private static let dashes: StaticString = "-----"
  private static let dash = UInt8(ascii: "-")

  /// Whether there is an armour in the text.
  static func isPresent(in text: Span<UInt8>) -> Bool { firstBegin(in: text, from: 0) != nil }

  /// Every armour in the text, in order.
  static func all(in text: Span<UInt8>) throws(KeyError) -> [PEMBlock] {
    var blocks: [PEMBlock] = []
    var position = 0
    while let start = firstBegin(in: text, from: position) {
      let label = try label(
        in: text, from: start + begin.utf8CodeUnitCount, "BEGIN line of the PEM (-----BEGIN …-----)")
      let bodyStart = label.upperBound + dashes.utf8CodeUnitCount
      let bodyEnd = try end(of: text, from: bodyStart)
      let endLabel = try self.label(
        in: text, from: bodyEnd + end.utf8CodeUnitCount, "END line of the PEM (-----END …-----)")
      guard publicBytesEqual(text.extracting(label), text.extracting(endLabel)) else {
        throw KeyError(
          .malformed(CodecError(.invalidValue, "END line of the PEM (its label is not BEGIN's)", at: bodyEnd)))
      }
      blocks.append(PEMBlock(label: label, body: bodyStart..<bodyEnd))
      position = endLabel.upperBound + dashes.utf8CodeUnitCount
    }
    return blocks
  }

  private static func firstBegin(in text: Span<UInt8>, from start: Int) -> Int? {
    var mayBegin = true
    for index in start..<max(start, text.count) {
      switch text[index] {
      case 0x0A, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "="): mayBegin = true
      case 0x20: break
      default:
        if mayBegin, text[index] == dash, text.extracting(index..<text.count).hasPrefix(begin) { return index }
        mayBegin = false
      }
    }
    return nil
  }

  /// Where the END line begins. A second BEGIN line before it means that it is missing.
  private static func end(of text: Span<UInt8>, from start: Int) throws(KeyError) -> Int {
    for index in start..<max(start, text.count) where text[index] == dash {
      let rest = text.extracting(index..<text.count)
      if rest.hasPrefix(end) { return index }
      if rest.hasPrefix(begin) { break }
    }
    throw KeyError(.malformed(CodecError(.missing, "END line of the PEM (-----END …-----)", at: text.count)))
  }

  /// The label that starts at `start` and ends before five dashes on the same line.
  private static func label(in text: Span<UInt8>, from start: Int, _ field: Field) throws(KeyError) -> Range<Int> {
    var end = start
    while end < text.count, text[end] >= 0x20 {
      if text[end] == dash, text.extracting(end..<text.count).hasPrefix(dashes) {
        // A sixth dash would leave open which five are meant.
        let next = end + dashes.utf8CodeUnitCount
        guard next == text.count || text[next] != dash else { break }
        return start..<end
      }
      end += 1
    }
    throw KeyError(.malformed(CodecError(.malformed, field, at: start)))
  }
}
