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
}
