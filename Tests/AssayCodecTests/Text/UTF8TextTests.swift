import AssayCodec
import Testing

@Suite struct UTF8TextTests {
  /// Swift's own decoder, which repairs, is the other opinion: text it leaves as it is, is valid.
  @Test func everySequenceOfUpToFourEdgeBytesAgreesWithSwift() {
    let edges: [UInt8] = [
      0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5,
    ]
    var valid = 0
    var disagreements: [[UInt8]] = []
    for a in edges {
      for b in edges {
        for c in edges {
          for d in edges {
            for length in 1...4 {
              let bytes = Array([a, b, c, d].prefix(length))
              let expected = String(validating: bytes, as: UTF8.self) != nil
              if (UTF8Text(validating: bytes.span) != nil) != expected { disagreements.append(bytes) }
              valid += expected ? 1 : 0
            }
          }
        }
      }
    }
    #expect(disagreements.isEmpty)
    #expect(valid > 1000)
  }

  @Test func canonicallyEquivalentTextsDiffer() {
    let composed: UTF8Text = "\u{E9}"
    let decomposed: UTF8Text = "e\u{301}"
    #expect(composed.string == decomposed.string)
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
  }

  @Test(arguments: [
    ("plain text, with 1 § and é", "plain text, with 1 § and é"), ("a\\b", #"a\\b"#),
    ("\u{1B}[2J\r\n\u{9B}", #"\u{1B}[2J\u{D}\u{A}\u{9B}"#), ("\u{202E}x\u{200B}", #"\u{202E}x\u{200B}"#),
    ("e\u{301}\u{A0}\u{E000}", #"e\u{301}\u{A0}\u{E000}"#), ("", ""),
  ])
  func whatIsNotPlainIsEscaped(_ text: UTF8Text, _ shown: String) {
    #expect(text.printable().utf8.elementsEqual(shown.utf8))
  }

  @Test func longTextIsCut() {
    let text = UTF8Text(String(repeating: "a", count: 65))
    #expect(text.printable() == String(repeating: "a", count: 64) + "…")
    #expect(text.printable(upTo: 65) == text.string)
    #expect(UTF8Text("\u{1B}bc").printable(upTo: 2) == #"\u{1B}…"#)
  }
}
