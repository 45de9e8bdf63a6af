import AssayCodec
import Foundation
import TestSupport
import Testing

/// base64url, base64, base32 and hexadecimal against RFC 4648, 10 and against edge cases of each.
@Suite struct RadixTests {
  /// RFC 4648, 10.
  static let rfc4648: [(plain: String, base64: String, base32: String, base16: String)] = [
    ("", "", "", ""), ("f", "Zg==", "MY======", "66"), ("fo", "Zm8=", "MZXQ====", "666f"),
    ("foo", "Zm9v", "MZXW6===", "666f6f"), ("foob", "Zm9vYg==", "MZXW6YQ=", "666f6f62"),
    ("fooba", "Zm9vYmE=", "MZXW6YTB", "666f6f6261"), ("foobar", "Zm9vYmFy", "MZXW6YTBOI======", "666f6f626172"),
  ]

  @Test(arguments: rfc4648) func publishedTable(_ row: (plain: String, base64: String, base32: String, base16: String))
    throws
  {
    let plain = Array(row.plain.utf8)
    let base64 = Array(row.base64.utf8)
    let unpadded = base64.filter { $0 != UInt8(ascii: "=") }
    let base32 = Array(row.base32.utf8)
    let base16 = Array(row.base16.utf8)
    #expect(Base64.encode(plain.span).utf8 == base64)
    #expect(try Base64.decode(base64.span) == plain)
    #expect(Base64URL.encode(plain.span).utf8 == unpadded)
    #expect(try Base64URL.decode(unpadded.span) == plain)
    #expect(Base32.encode(plain.span, padded: true).utf8 == base32)
    #expect(try bytes(ofBase32: base32, .padded) == plain)
    #expect(Base16.encode(plain.span).utf8 == base16)
    #expect(try Base16.decode(base16.span) == plain)
  }

  @Test func everyByteAndEveryLengthRoundTrips() throws {
    let all = (0...255).map { UInt8($0) }
    for count in 0...all.count {
      let bytes = Array(all.suffix(count))
      #expect(try Base64URL.decode(Base64URL.encode(bytes.span).utf8.span) == bytes)
      #expect(try self.bytes(ofBase32: Base32.encode(bytes.span).utf8, .unpadded) == bytes)
      #expect(try self.bytes(ofBase32: Base32.encode(bytes.span, padded: true).utf8, .padded) == bytes)
    }
  }

  /// Of all 2^16 texts of two characters, exactly 256 are the encoding of a byte, and no two of the same byte.
  @Test func strictBase64URLHasOneTextForEachByte() {
    var seen: [UInt8] = []
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        if let decoded = try? Base64URL.decode([first, second].span) { seen += decoded }
      }
    }
    #expect(seen.count == 256)
    #expect(Set(seen).count == 256)
  }

  @Test(.enabled(if: TestData.hasExtra)) func base64URLEdgeCases() throws {
    let cases: [[String: Any]] = try TestData.extraJSON("codec/base64url.json").get("cases")
    #expect(cases.count == 70)
    for one in cases {
      let id: String = try one.get("id")
      let input = Array(try one.get("input", as: String.self).utf8)
      let everything: RadixLeniency = [.padding, .otherAlphabet, .separators, .spareBits]
      try compare(one.get("strict"), id) { try Base64URL.decode(input.span) }
      try compare(one.get("lenient"), id) { try Base64URL.decode(input.span, everything) }
    }
  }

  @Test(.enabled(if: TestData.hasExtra)) func base32EdgeCases() throws {
    let cases: [[String: Any]] = try TestData.extraJSON("codec/base32.json").get("cases")
    #expect(cases.count == 75)
    for one in cases {
      let id: String = try one.get("id")
      let input = Array(try one.get("input", as: String.self).utf8)
      try compare(one.get("strict"), id) { try bytes(ofBase32: input, .padded) }
      try compare(one.get("strictUnpadded"), id) { try bytes(ofBase32: input, .unpadded) }
      try compare(one.get("lenient"), id) { try bytes(ofBase32: input, .typedIn) }
    }
  }

  @Test func eachLeniencyAllowsOnlyItsOwn() throws {
    let departures: [(text: String, needs: RadixLeniency)] = [
      ("Zg==", .padding), ("+/+/", .otherAlphabet), ("Zm 9v", .separators), ("Zh", .spareBits),
    ]
    let all: [RadixLeniency] = [.padding, .otherAlphabet, .anyCase, .separators, .spareBits]
    for (text, needed) in departures {
      for leniency in all {
        let decoded = try? Base64URL.decode(Array(text.utf8).span, leniency)
        #expect((decoded != nil) == (leniency == needed), "\(text) under \(leniency)")
      }
    }
  }

  @Test func errorsSayWhere() {
    #expect(throws: CodecError(.invalidCharacter, "signature", at: 102)) {
      try Base64URL.decode(Array("Zm=v".utf8).span, field: "signature", base: 100)
    }
    #expect(throws: CodecError(.invalidLength, "base64url", at: 5)) { try Base64URL.decode(Array("Zm9vY".utf8).span) }
    #expect(throws: CodecError(.nonZeroTrailingBits, "base64url", at: 2)) {
      try Base64URL.decode(Array("Zh".utf8).span)
    }
  }

  private func bytes(ofBase32 text: [UInt8], _ profile: Base32.Profile) throws(CodecError) -> [UInt8] {
    try Base32.decode(text.span, profile).withSpan { Array(copying: $0) }
  }

  private func compare(_ expected: [String: Any], _ id: String, _ decode: () throws -> [UInt8]) throws {
    let decoded = try? decode()
    if try expected.get("ok") {
      let hex: String = try expected.get("hex")
      #expect(decoded == (try Base16.decode(Array(hex.utf8).span)), "\(id)")
    } else {
      #expect(decoded == nil, "\(id)")
    }
  }
}
