import AssayCodec
import Testing

/// Canonical text is decoded by a way of its own, everything else by the general one: both must agree.
@Suite struct Base64URLPathsTests {
  private func decode(_ text: [UInt8], _ leniency: RadixLeniency) -> Result<[UInt8], CodecError> {
    Result { () throws(CodecError) in try Base64URL.decode(text.span, leniency) }
  }

  @Test func everyByteAtEveryPlace() {
    for length in 0...12 {
      let text = [UInt8](repeating: UInt8(ascii: "A"), count: length)
      #expect(decode(text, []) == decode(text, .separators))
      for place in 0..<length {
        // White space is what the other way would skip.
        for byte in UInt8.min...UInt8.max where ![0x09, 0x0A, 0x0D, 0x20].contains(byte) {
          var changed = text
          changed[place] = byte
          #expect(decode(changed, []) == decode(changed, .separators))
        }
      }
    }
  }

  @Test func everyLengthReturns() throws {
    for count in 0..<200 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
      #expect(try decode(Base64URL.encode(bytes.span).utf8, []).get() == bytes)
    }
  }
}
