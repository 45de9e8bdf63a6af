internal import AssayCodec

/// The label of an `otpauth` URI: an issuer, a colon, an account; or an account alone.
struct OTPLabel {
  let issuer: UTF8Text?
  let account: UTF8Text

  /// Splits a label. A name may itself have a colon, which issuers escape or do not, so the places are tried in this order:
  /// after an issuer that is also a parameter (`issuers` has its possible readings); the first plain colon; the first
  /// escaped one.
  init(_ uri: Span<UInt8>, _ range: Range<Int>, issuers: [UTF8Text]) throws(OTPKeyError) {
    let colon = UInt8(ascii: ":")
    let label = try URIText.decoded(uri, range, "label").utf8
    let issuer: UTF8Text
    let account: UTF8Text
    if let known = issuers.first(where: { label.starts(with: $0.utf8 + [colon]) }) {
      issuer = known
      account = UTF8Text(unchecked: Array(label[(known.utf8.count + 1)...]))
    } else if let place = range.first(where: { uri[$0] == colon }) {
      issuer = try URIText.decoded(uri, range.lowerBound..<place, "label")
      account = try URIText.decoded(uri, (place + 1)..<range.upperBound, "label")
    } else if let place = label.firstIndex(of: colon) {
      issuer = UTF8Text(unchecked: Array(label[..<place]))
      account = UTF8Text(unchecked: Array(label[(place + 1)...]))
    } else {
      issuer = ""
      account = UTF8Text(unchecked: label)
    }
    let trimmed = Self.trimmed(issuer)
    self.issuer = trimmed.isEmpty ? nil : trimmed
    self.account = Self.trimmed(account)
  }

  /// The text without the spaces around it.
  static func trimmed(_ text: UTF8Text) -> UTF8Text {
    let space = UInt8(ascii: " ")
    guard let first = text.utf8.firstIndex(where: { $0 != space }),
      let last = text.utf8.lastIndex(where: { $0 != space })
    else { return "" }
    return UTF8Text(unchecked: Array(text.utf8[first...last]))
  }

  /// Whether the text has a character of Unicode's category Cc, which could command a terminal or end a line.
  static func hasControlCharacter(_ text: UTF8Text) -> Bool {
    text.string.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}
