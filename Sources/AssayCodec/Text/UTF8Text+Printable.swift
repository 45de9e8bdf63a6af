// Text from elsewhere goes into messages only through here: what is shown to a person must not be able to command a
// terminal, break a line, or look like another text.

extension UTF8Text {
  /// The text on one line, safe to show: what is not plain is escaped as `\u{1B}`, and what comes after about `maximum`
  /// characters is cut off with `…`.
  package func printable(upTo maximum: Int = 64) -> String {
    var shown = ""
    var count = 0
    for scalar in string.unicodeScalars {
      guard count < maximum else { return shown + "…" }
      let piece: String
      switch scalar {
      case "\\": piece = "\\\\"
      case _ where scalar.isPlain: piece = String(scalar)
      default: piece = "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
      shown += piece
      count += piece.unicodeScalars.count
    }
    return shown
  }
}

extension Unicode.Scalar {
  /// Letters, digits, punctuation and symbols, and the space. Control characters could command the terminal; format
  /// characters, marks and other separators could make a text look like another one.
  var isPlain: Bool {
    if isASCII { return (0x20...0x7E).contains(value) }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .otherSymbol:
      return true
    default: return false
    }
  }
}
