import AssayCodec
import Testing

@Suite struct DERTests {
  /// What reading all of `bytes` with `body` says.
  private func fault(_ bytes: [UInt8], _ body: (inout ByteReader) throws(CodecError) -> Void) -> CodecError.Code? {
    do throws(CodecError) {
      try ByteReader.readAll(bytes.span, "test", body)
      return nil
    } catch {
      return error.code
    }
  }

  private func unsigned(_ bytes: [UInt8]) -> (magnitude: [UInt8]?, fault: CodecError.Code?) {
    do throws(CodecError) {
      let magnitude = try ByteReader.readAll(bytes.span, "test") { reader throws(CodecError) in
        Array(copying: try reader.unsignedDER("test"))
      }
      return (magnitude, nil)
    } catch {
      return (nil, error.code)
    }
  }

  @Test func integersThatAreNotNegative() {
    #expect(unsigned([2, 1, 0]).magnitude == [])
    #expect(unsigned([2, 1, 0x7F]).magnitude == [0x7F])
    #expect(unsigned([2, 2, 0, 0x80]).magnitude == [0x80])
    #expect(unsigned([2, 2, 0x7F, 0xFF]).magnitude == [0x7F, 0xFF])
    #expect(unsigned([2, 0]).fault == .invalidLength)
    #expect(unsigned([2, 1, 0x80]).fault == .numberOutOfRange)
    #expect(unsigned([2, 2, 0, 0x7F]).fault == .nonCanonical)
    #expect(unsigned([2, 2, 0, 0]).fault == .nonCanonical)
    #expect(unsigned([2, 2, 0xFF, 0x80]).fault == .numberOutOfRange)
    #expect(unsigned([0x22, 1, 0]).fault == .wrongType)
    #expect(unsigned([2, 1, 0, 0]).fault == .trailingBytes)
  }

  @Test func lengthsHaveTheirShortestForm() {
    let long = [UInt8](repeating: 1, count: 0x80)
    #expect(unsigned([2, 0x81, 0x80] + long).magnitude == long)
    #expect(unsigned([2, 0x81, 0x01, 0x01]).fault == .nonCanonical)
    #expect(unsigned([2, 0x81, 0x7F] + long.dropLast()).fault == .nonCanonical)
    #expect(unsigned([2, 0x82, 0x00, 0x80] + long).fault == .nonCanonical)
    #expect(unsigned([2, 0x80, 1, 0, 0]).fault == .nonCanonical)
    #expect(unsigned([2, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 1]).fault == .truncated)
    #expect(unsigned([2, 0x85, 1, 0, 0, 0, 0, 1]).fault == .invalidLength)
    #expect(unsigned([2, 0xFF]).fault == .invalidLength)
    for first in UInt8(0x80)...0xFF { #expect(unsigned([2, first]).magnitude == nil) }
  }

  @Test func objectIdentifiers() {
    let read: (inout ByteReader) throws(CodecError) -> Void = { reader throws(CodecError) in
      _ = try reader.objectIdentifierDER("test")
    }
    #expect(fault([6, 3, 0x2B, 0x65, 0x70], read) == nil)
    #expect(fault([6, 2, 0x86, 0x48], read) == nil)
    #expect(fault([6, 0], read) == .malformed)
    #expect(fault([6, 2, 0x2B, 0x86], read) == .malformed)
    #expect(fault([6, 3, 0x2B, 0x80, 0x01], read) == .nonCanonical)
  }

  @Test func bitStringsAndNulls() {
    let bits: (inout ByteReader) throws(CodecError) -> Void = { reader throws(CodecError) in
      _ = try reader.bitStringDER("test")
    }
    #expect(fault([3, 2, 0, 0xFF], bits) == nil)
    #expect(fault([3, 1, 0], bits) == nil)
    #expect(fault([3, 0], bits) == .invalidLength)
    #expect(fault([3, 2, 1, 0xFE], bits) == .invalidValue)
    let null: (inout ByteReader) throws(CodecError) -> Void = { reader throws(CodecError) in try reader.nullDER("test")
    }
    #expect(fault([5, 0], null) == nil)
    #expect(fault([5, 1, 0], null) == .invalidLength)
    #expect(fault([], null) == .truncated)
  }

  @Test func whatIsInsideIsReadToItsEnd() {
    let read: (inout ByteReader) throws(CodecError) -> Void = { reader throws(CodecError) in
      try reader.readDER(.sequence, "outer") { reader throws(CodecError) in
        #expect(try reader.smallDER("version") == 1)
        try reader.readDER(.context0, "inner") { reader throws(CodecError) in try reader.nullDER("null") }
      }
    }
    #expect(fault([0x30, 7, 2, 1, 1, 0xA0, 2, 5, 0], read) == nil)
    #expect(fault([0x30, 9, 2, 1, 1, 0xA0, 2, 5, 0, 5, 0], read) == .trailingBytes)
    #expect(fault([0x30, 9, 2, 1, 1, 0xA0, 4, 5, 0, 5, 0], read) == .trailingBytes)
    #expect(fault([0x30, 7, 2, 1, 1, 0xA0, 3, 5, 0], read) == .truncated)
    #expect(fault([0x30, 5, 2, 1, 1, 0xA0, 0], read) == .truncated)
  }

  @Test func offsetsPointIntoTheWholeInput() {
    let bytes: [UInt8] = [0x30, 6, 0x30, 4, 2, 2, 0, 1]
    #expect(throws: CodecError(.nonCanonical, "n", at: 6)) {
      try ByteReader.readAll(bytes.span, "test") { reader throws(CodecError) in
        try reader.readDER(.sequence, "a") { reader throws(CodecError) in
          try reader.readDER(.sequence, "b") { reader throws(CodecError) in _ = try reader.unsignedDER("n") }
        }
      }
    }
  }

  @Test(arguments: [0, 1, 127, 128, 255, 256, 600, 65_535, 65_536])
  func lengthsAreWrittenAsTheyAreRead(_ count: Int) throws {
    let contents = [UInt8](repeating: 7, count: count)
    var writer = DERWriter()
    writer.element(.sequence) { writer in
      writer.element(.octetString, contents.span)
      writer.small(127)
      writer.unsigned([0x80])
      writer.unsigned([])
    }
    let bytes = writer.publicBytes()
    let read = try ByteReader.readAll(bytes.span, "test") { reader throws(CodecError) in
      try reader.readDER(.sequence, "test") { reader throws(CodecError) in
        let contents = Array(copying: try reader.takeDER(.octetString, "test"))
        #expect(try reader.smallDER("test") == 127)
        #expect(try reader.unsignedDER("test").count == 1)
        #expect(try reader.smallDER("test") == 0)
        return contents
      }
    }
    #expect(read == contents)
  }
}
