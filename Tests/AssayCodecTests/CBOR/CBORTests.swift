import AssayCodec
import Testing

@Suite struct CBORTests {
  /// Every kind of item, nested: `{1: [h'0102', "ab", null], "k": {-1: 1.5}, [true]: 23(undefined)}` and more.
  static let sample: [UInt8] =
    [0xA4, 0x01, 0x83, 0x42, 0x01, 0x02, 0x62, 0x61, 0x62, 0xF6]  // 1: [h'0102', "ab", null]
    + [0x61, 0x6B, 0xA1, 0x20, 0xF9, 0x3E, 0x00]  // "k": {-1: 1.5}
    + [0x81, 0xF5, 0xD7, 0xF7]  // [true]: 23(undefined)
    + [0x5F, 0x41, 0x61, 0x40, 0xFF, 0x9F, 0x18, 0x64, 0xBF, 0xFF, 0xFF]  // (_ h'61', h''): [_ 100, {_ }]

  /// A registration's COSE key: `{1: 2, 3: -7, -1: 1, -2: h'0102', -3: h'0304'}`.
  static let canonicalSample: [UInt8] =
    [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x42, 0x01, 0x02, 0x22, 0x42, 0x03, 0x04]

  @Test func valuesAreFoundByLabelAndByName() throws {
    let value = try CBORValue.decode(Self.sample.span, form: .wellFormed)
    #expect(value[1]?.array?.first?.bytes == [1, 2])
    #expect(value[1]?.array?[1].text == "ab")
    #expect(value["k"]?[-1] == .float(1.5))
    #expect(value["k"]?.map?.count == 1)
    #expect(value[2] == nil)
    #expect(value["K"] == nil)
    #expect(CBORValue.null[1] == nil)
    #expect(CBORValue.bool(true).bool == true)
    #expect(value.diagnostic == #"{1: [h'0102', "ab", null], "k": {-1: 1.5}, [true]: 23(undefined), h'61': [100, {}]}"#)
  }

  static let integers: [(Int64, [UInt8])] = [
    (.max, [0x1B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
    (.min, [0x3B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]), (-1, [0x20]), (0, [0x00]), (-257, [0x39, 1, 0]),
  ]

  @Test(arguments: integers) func integersOfInt64(_ number: Int64, _ encoded: [UInt8]) throws {
    #expect(CBORValue(number).encoded() == encoded)
    #expect(try CBORValue.decode(encoded.span, form: .ctap2Canonical).int64 == number)
  }

  @Test func integersBeyondInt64HaveNoInt64() {
    #expect(CBORValue.unsigned(1 << 63).int64 == nil)
    #expect(CBORValue.negative(1 << 63).int64 == nil)
    #expect(CBORValue.negative(.max).diagnostic == "-18446744073709551616")
    #expect(CBORValue.negative(.max - 1).diagnostic == "-18446744073709551615")
  }

  @Test func everyTruncationIsReported() throws {
    for (sample, form) in [(Self.sample, CBORForm.wellFormed), (Self.canonicalSample, .ctap2Canonical)] {
      #expect(decoding(sample, form).value != nil)
      for count in 0..<sample.count {
        #expect(decoding(Array(sample.prefix(count)), form).fault?.code == .truncated, "\(count)")
      }
    }
  }

  @Test func everyChangeOfOneByteIsRefusedOrReadAsAnotherValue() throws {
    let original = try CBORValue.decode(Self.canonicalSample.span, form: .ctap2Canonical)
    var accepted = 0
    for index in Self.canonicalSample.indices {
      for byte in UInt8.min...UInt8.max where byte != Self.canonicalSample[index] {
        var changed = Self.canonicalSample
        changed[index] = byte
        _ = decoding(changed, .wellFormed)
        guard let value = decoding(changed, .ctap2Canonical).value else { continue }
        accepted += 1
        #expect(value != original)
        #expect(value.encoded() == changed || value.diagnostic.contains("."))
      }
    }
    #expect(accepted > 1000)
  }

  /// Every input of up to two bytes, and many of three: no trap, canonical implies well-formed, and canonical input is what we write.
  @Test func allSmallInputs() {
    var accepted = 0
    for number in 0..<(1 << 24) where number < 1 << 16 || number & 0xFF < 2 {
      let bytes = [
        UInt8(truncatingIfNeeded: number >> 16), UInt8(truncatingIfNeeded: number >> 8), UInt8(number & 0xFF),
      ]
      let input = number < 1 << 8 ? [bytes[2]] : number < 1 << 16 ? [bytes[1], bytes[2]] : bytes
      guard let value = decoding(input, .ctap2Canonical).value else { continue }
      accepted += 1
      #expect(value == decoding(input, .wellFormed).value)
      #expect(value.encoded() == input)
    }
    #expect(accepted > 1000)
  }

  @Test func declaredCountsAllocateNothing() {
    for major in [0x5B, 0x7B, 0x9B, 0xBB] as [UInt8] {
      for count in [0x00, 0x7F, 0xFF] as [UInt8] {
        let input = [major, count] + [UInt8](repeating: 0xFF, count: 7)
        #expect(decoding(input, .wellFormed).fault?.code == .truncated)
        #expect(decoding(input, .ctap2Canonical).fault?.code == .truncated)
      }
    }
  }

  @Test(arguments: [0x81, 0x9F, 0xD7] as [UInt8]) func depthIsLimited(_ opening: UInt8) {
    for depth in [31, 32, 33, 100_000] {
      let input = [UInt8](repeating: opening, count: depth) + [0x00] + (opening == 0x9F ? Self.breaks(depth) : [])
      #expect(decoding(input, .wellFormed).fault?.code == (depth <= 32 ? nil : .tooDeep))
    }
    let tooMuch = [UInt8](repeating: opening, count: 1000) + [0x00] + (opening == 0x9F ? Self.breaks(1000) : [])
    #expect(decoding(tooMuch, .wellFormed, CBORLimits(maximumDepth: .max)).fault?.code == .tooDeep)
  }

  static func breaks(_ count: Int) -> [UInt8] { [UInt8](repeating: 0xFF, count: count) }

  @Test func itemsAreLimited() {
    let four: [UInt8] = [0x83, 0x01, 0x02, 0x03]
    #expect(decoding(four, .wellFormed, CBORLimits(maximumItems: 4)).fault == nil)
    #expect(decoding(four, .wellFormed, CBORLimits(maximumItems: 3)).fault == CodecError(.tooLarge, "CBOR", at: 3))
  }

  @Test func bytesAreLimited() throws {
    let input: [UInt8] = [0x43, 0x01, 0x02, 0x03]
    #expect(decoding(input, .wellFormed, CBORLimits(maximumBytes: 4)).fault == nil)
    #expect(decoding(input, .wellFormed, CBORLimits(maximumBytes: 3)).fault?.code == .tooLarge)
    #expect(throws: CodecError(.tooLarge, "CBOR", at: 0)) {
      try ByteReader.readAll(input.span, "CBOR") { reader throws(CodecError) in
        try CBORValue.decodeFirst(reader: &reader, form: .wellFormed, limits: CBORLimits(maximumBytes: 3))
      }
    }
  }

  /// A key is encoded again at every level of keys around it: the limits hold for all of that.
  @Test func keysWithinKeysAreLimited() {
    let depth = 31
    for inner in [
      [0x9A, 0, 0, 0x40, 0] + [UInt8](repeating: 0, count: 0x4000),
      [0x5A, 0, 1, 0, 0] + [UInt8](repeating: 0, count: 0x10000),
    ] {
      let alone = decoding([0xA1] + inner + [0], .wellFormed)
      #expect(alone.value?.map?.count == 1)
      let nested = decoding(
        [UInt8](repeating: 0xA1, count: depth) + inner + [UInt8](repeating: 0, count: depth), .wellFormed)
      #expect(nested.fault?.code == .tooLarge)
    }
    let small = [UInt8](repeating: 0xA1, count: depth) + [0] + [UInt8](repeating: 0, count: depth)
    #expect(decoding(small, .wellFormed).value?.encoded() == small)
  }

  @Test func chunksMustEachBeText() {
    // U+00FC cut in two: the whole would be valid (RFC 8949, 3.2.3).
    #expect(
      decoding([0x7F, 0x61, 0xC3, 0x61, 0xBC, 0xFF], .wellFormed).fault == CodecError(.invalidUTF8, "CBOR", at: 2))
    #expect(decoding([0x7F, 0x62, 0xC3, 0xBC, 0x60, 0xFF], .wellFormed).value == .text("ü"))
  }

  /// The time is that of reading once: each chunk must not cost a copy of all before it.
  @Test func manyChunksAreReadInLinearTime() {
    let chunks = [UInt8](repeating: 0x41, count: 500_000)  // each the head of one and the content of another
    let elapsed = ContinuousClock().measure {
      #expect(decoding([0x5F] + chunks + [0xFF], .wellFormed).value?.bytes?.count == 250_000)
    }
    #expect(elapsed < .seconds(20))
  }

  @Test func oneItemIsTakenAndItsBytesKept() throws {
    // As in authenticator data: a key, then extensions.
    let input = [0xFF, 0xFF] + Self.canonicalSample + [0xA0]
    let taken = try ByteReader.readAll(input.span, "authData") { reader throws(CodecError) in
      _ = try reader.take(2, "authData")
      let start = reader.offset
      let key = try CBORValue.decodeFirst(reader: &reader, form: .ctap2Canonical, field: "credentialPublicKey")
      let raw = Array(copying: reader.bytesRead(since: start))
      let extensions = try CBORValue.decodeFirst(reader: &reader, form: .ctap2Canonical, field: "extensions")
      return (key, raw, extensions)
    }
    #expect(taken.0[3]?.int64 == -7)
    #expect(taken.1 == Self.canonicalSample)
    #expect(taken.2 == .map([]))
  }

  @Test func faultsNameFieldAndAbsoluteOffset() {
    let fault = decoding([0x82, 0x01, 0x18, 0x00], .ctap2Canonical).fault
    #expect(fault == CodecError(.nonCanonical, "CBOR", at: 2))
  }

  @Test func equalityIsThatOfTheDataModel() {
    let a = CBORValue.map([CBORMapEntry(CBORValue(1), .null), CBORMapEntry(.text("a"), .undefined)])
    let b = CBORValue.map([CBORMapEntry(.text("a"), .undefined), CBORMapEntry(CBORValue(1), .null)])
    #expect(a == b)
    #expect(Set([a, b]).count == 1)
    #expect(CBORValue.float(.nan) == .float(.nan))
    #expect(CBORValue.float(0.0) != .float(-0.0))
    #expect(CBORValue.float(1) != .unsigned(1))
  }

  @Test func mapsAreWrittenInCTAP2Order() throws {
    let keys: [CBORValue] = [
      .text("aa"), .text("b"), CBORValue(-2), CBORValue(-1), CBORValue(3), CBORValue(1), .bytes([9]),
    ]
    let encoded = CBORValue.map(keys.map { CBORMapEntry($0, .null) }).encoded()
    let read = try CBORValue.decode(encoded.span, form: .ctap2Canonical)
    let expected: [CBORValue] = [
      CBORValue(1), CBORValue(3), CBORValue(-1), CBORValue(-2), .bytes([9]), .text("b"), .text("aa"),
    ]
    #expect(read.map?.map(\.key) == expected)
  }

  /// Every half is widened, and every half's value is written as that half again.
  @Test func everyHalfFloatRoundTrips() throws {
    for bits in UInt16.min...UInt16.max {
      let encoded: [UInt8] = [0xF9, UInt8(bits >> 8), UInt8(bits & 0xFF)]
      #expect(try CBORValue.decode(encoded.span, form: .wellFormed).encoded() == encoded)
    }
  }

  @Test(arguments: [
    (65504.0, 3), (65505.0, 5), (65536.0, 5), (0x1p-24, 3), (0x1p-25, 5), (0x1.8p-24, 5), (0x1p-14, 3),
    (0x1.004p-14, 3),
    (0x1.002p-14, 5), (0x1p-149, 5), (0x1p-150, 9), (1.1, 9), (0x1.fffffep127, 5), (0x1p128, 9), (-0.0, 3),
  ]) func floatsAreWrittenAtTheirShortest(_ value: Double, _ count: Int) throws {
    let encoded = CBORValue.float(value).encoded()
    #expect(encoded.count == count)
    #expect(try CBORValue.decode(encoded.span, form: .wellFormed) == .float(value))
  }

  @Test func diagnosticTextIsSafeToShow() {
    let text = CBORValue.text("\u{1B}[2J \u{202E}x\u{200B} \"\\\n\u{E000}\u{1F600}ü")
    #expect(text.diagnostic == #""\u001b[2J \u202ex\u200b \"\\\n\ue000😀ü""#)
  }

  @Test func diagnosticIsBounded() {
    let long = CBORValue.array([CBORValue](repeating: .bytes([UInt8](repeating: 0xAB, count: 1000)), count: 1000))
    #expect(long.diagnostic(maximumBytes: 6) == "[h'ab…")
    #expect(long.diagnostic(maximumBytes: 100).utf8.count <= 103)
    #expect(long.diagnostic.utf8.count <= 65_536 + 3)
    #expect(CBORValue.text("üü").diagnostic(maximumBytes: 4) == "\"ü…")
  }
}
