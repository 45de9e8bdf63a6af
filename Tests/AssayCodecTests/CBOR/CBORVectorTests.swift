import AssayCodec
import Foundation
import TestSupport
import Testing

/// CBOR against RFC 8949's appendices and against the rules of CTAP2's canonical form, one case each.
@Suite struct CBORVectorTests {
  struct Canonical: Decodable {
    let id: String
    let hex: HexBytes
    let wellFormed: Bool
    let valid: Bool
    let ctap2: Bool
    let coreDeterministic: Bool
    let reasons: [String]
  }

  /// What a case is refused for, in our words.
  static let codes: [String: CodecError.Code] = [
    "non-minimal-int": .nonCanonical, "non-minimal-length": .nonCanonical, "non-minimal-tag": .nonCanonical,
    "indefinite-length": .nonCanonical, "ctap2-key-order": .nonCanonical, "duplicate-key": .duplicateKey,
    "tag": .unsupported, "trailing-data": .trailingBytes, "depth>4": .tooDeep, "invalid-utf8": .invalidUTF8,
    "reserved-simple": .malformed,
  ]

  /// Valid, and deeper than any limit that can be set.
  static let beyondEveryLimit = ["ctap2-113"]

  @Test func ctap2Canonical() throws {
    let tests = try VectorFile<Canonical>.read("cbor/ctap2_canonical.json")
    #expect(tests.count == 147)
    #expect(tests.filter(\.ctap2).count == 61)
    let deep = CBORLimits(maximumDepth: CBORLimits.deepest)
    for test in tests {
      let input = test.hex.bytes
      let canonical = decoding(input, .ctap2Canonical)
      #expect((canonical.value != nil) == test.ctap2, "\(test.id)")
      if let code = canonical.fault?.code {
        #expect(test.reasons.contains { Self.codes[$0] == code }, "\(test.id): \(code)")
      }
      let wellFormed = decoding(input, .wellFormed, deep)
      #expect((wellFormed.value != nil) == (test.valid && !Self.beyondEveryLimit.contains(test.id)), "\(test.id)")
      if test.ctap2 { #expect(canonical.value == wellFormed.value) }
      if test.wellFormed { #expect(wellFormed.fault?.code != .malformed) }
      if test.coreDeterministic, let value = wellFormed.value { #expect(value.encoded() == input, "\(test.id)") }
    }
  }

  struct NotWellFormed: Decodable {
    let id: Int
    let hex: HexBytes
    let kind: String
  }

  /// Not well-formed only after a key was repeated, which is found first.
  static let repeatsAKeyFirst = [31, 38, 91]

  @Test func appendixF() throws {
    let tests = try VectorFile<NotWellFormed>.read("cbor/rfc8949_appendix_f.json")
    #expect(tests.count == 99)
    for test in tests {
      let expected: CodecError.Code =
        Self.repeatsAKeyFirst.contains(test.id)
        ? .duplicateKey : test.kind == "1" ? .truncated : test.kind == "2" ? .trailingBytes : .malformed
      #expect(decoding(test.hex.bytes, .wellFormed).fault?.code == expected, "\(test.id)")
      #expect(decoding(test.hex.bytes, .ctap2Canonical).value == nil, "\(test.id)")
    }
  }

  struct Example: Decodable {
    let hex: HexBytes
    let roundtrip: Bool
    let decoded: DecodedItem?
    let diagnostic: String?
    let wellFormed8949: Bool?
  }

  /// Where ours differs from the table on purpose: bignums stay tagged byte strings, and chunks are not kept apart.
  static let ownNotation: [[UInt8]: String] = [
    [0xC2, 0x49, 1, 0, 0, 0, 0, 0, 0, 0, 0]: "2(h'010000000000000000')",
    [0xC3, 0x49, 1, 0, 0, 0, 0, 0, 0, 0, 0]: "3(h'010000000000000000')",
    [0x5F, 0x42, 1, 2, 0x43, 3, 4, 5, 0xFF]: "h'0102030405'",
  ]

  @Test func appendixA() throws { try check(VectorFile<Example>.read("cbor/rfc8949_appendix_a.json")) }

  @Test(.enabled(if: TestData.hasExtra)) func appendixAOfRFC7049() throws {
    let file = try #require(TestData.extra).appending(path: "cbor/appendix_a.json")
    try check(JSONDecoder().decode([Example].self, from: Data(contentsOf: file)))
  }

  private func check(_ tests: [Example]) throws {
    #expect(tests.count == 82)
    var compared = 0
    for test in tests {
      let input = test.hex.bytes
      if input == [0xF8, 0x18] {  // simple(24), which RFC 8949, 3.3 took out of RFC 7049
        #expect(decoding(input, .wellFormed).fault?.code == .malformed)
        continue
      }
      let value = try CBORValue.decode(input.span, form: .wellFormed)
      if let own = Self.ownNotation[input] {
        #expect(value.diagnostic == own)
      } else if let decoded = test.decoded {
        #expect(decoded.matches(value), "\(value.diagnostic)")
      } else if let diagnostic = test.diagnostic {
        #expect(value.diagnostic == diagnostic)
      } else {
        #expect(value == .null)  // `"decoded": null` reads as absent
      }
      #expect((value.encoded() == input) == test.roundtrip, "\(value.diagnostic)")
      compared += 1
    }
    #expect(compared == 81)
  }
}

/// The value or the fault.
func decoding(
  _ bytes: [UInt8], _ form: CBORForm, _ limits: CBORLimits = .default
) -> (value: CBORValue?, fault: CodecError?) {
  do throws(CodecError) {
    return (try CBORValue.decode(bytes.span, form: form, limits: limits), nil)
  } catch {
    return (nil, error)
  }
}
