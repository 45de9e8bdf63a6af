import AssayCodec
import AssayCrypto
import Testing

@Suite struct VerificationKeyTests {
  @Test(arguments: KnownSignature.all) func knownSignatureIsValid(_ known: KnownSignature) throws {
    let key = try known.key()
    #expect(key.accepts(known.signature, known.message))
    #expect(key.algorithm == known.algorithm)
    #expect(key.numbers == known.numbers)
  }

  /// Also: a context that has said no says yes again.
  @Test(arguments: KnownSignature.all) func everyChangedBitIsRefused(_ known: KnownSignature) throws {
    let key = try known.key()
    for bit in 0..<known.signature.count * 8 {
      let changed = known.signature.flippingBit(bit)
      #expect(!key.accepts(changed, known.message), "bit \(bit)")
    }
    for bit in 0..<known.message.count * 8 {
      let changed = known.message.flippingBit(bit)
      #expect(!key.accepts(known.signature, changed), "message bit \(bit)")
    }
    #expect(key.accepts(known.signature, known.message))
  }

  @Test(arguments: KnownSignature.all) func everyOtherLengthIsRefused(_ known: KnownSignature) throws {
    let key = try known.key()
    for count in 0..<known.signature.count {
      #expect(!key.accepts(Array(known.signature[..<count]), known.message))
    }
    for extended in [known.signature + [0], [0] + known.signature, known.signature + known.signature] {
      #expect(!key.accepts(extended, known.message))
    }
  }
}
