import AssayCodec
import Testing

/// Keys of ML-DSA in every format: refused, with the reason. Their numbers are never looked at.
@Suite struct MLDSATests {
  private static let words = "ML-DSA is not supported: OpenSSL before 3.5 has none"

  private func refusal(_ bytes: [UInt8]) -> KeyError? {
    do throws(KeyError) {
      _ = try KeyFile.read(bytes.span)
      return nil
    } catch { return error }
  }

  @Test(arguments: [("ML-DSA-44", -48, 17), ("ML-DSA-65", -49, 18), ("ML-DSA-87", -50, 19)])
  func isRefusedWithTheReason(_ alg: String, _ coseAlg: Int, _ lastArc: Int) throws {
    let pub = Base64URL.encode([UInt8](repeating: 1, count: 8).span).string
    var files = [
      Array(#"{"kty":"AKP","alg":"\#(alg)","pub":"\#(pub)"}"#.utf8),
      Array(#"{"kty":"AKP","alg":"\#(alg)","pub":"\#(pub)","priv":"\#(pub)"}"#.utf8),
      CBORValue.map([
        CBORMapEntry(CBORValue(1), CBORValue(7)), CBORMapEntry(CBORValue(3), CBORValue(Int64(coseAlg))),
        CBORMapEntry(CBORValue(-1), .bytes([1, 2, 3])),
      ]).encoded(),
    ]
    let identifier: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, UInt8(lastArc)]
    for attributes in [[], [0xA0, 0x00], [0x81, 0x02, 0x00, 0x01]] as [[UInt8]] {
      var writer = DERWriter()
      writer.element(.sequence) { writer in
        writer.small(0)
        writer.element(.sequence) { writer in writer.objectIdentifier(identifier) }
        writer.element(.octetString, [0x80, 0x01, 0x07].span)
      }
      var pkcs8 = writer.publicBytes()
      pkcs8[1] += UInt8(attributes.count)
      files.append(pkcs8 + attributes)
    }
    var writer = DERWriter()
    writer.element(.sequence) { writer in
      writer.element(.sequence) { writer in writer.objectIdentifier(identifier) }
      writer.bitString([1, 2, 3])
    }
    let spki = writer.publicBytes()
    files += [spki, PEM.encode(.publicKey, spki.span)]
    #expect(files.count == 8)
    for file in files {
      #expect(refusal(file) == KeyError(.mlDSAUnsupported))
      #expect(refusal(file)?.description == Self.words)
    }
    // 2.16.840.1.101.3.4.3.16 is another algorithm.
    var other = spki
    other[14] = 0x10
    #expect(refusal(other) == KeyError(.unsupported(what: "the key's algorithm")))
  }

  @Test func otherAKPKeysAreNot() {
    let akp = KeyError(.unsupported(what: "the algorithm (alg) of this JWK, whose kty is AKP,"))
    #expect(refusal(Array(#"{"kty":"AKP","alg":"ES256","pub":"AA"}"#.utf8)) == akp)
    #expect(refusal(Array(#"{"kty":"AKP","pub":"AA"}"#.utf8)) == KeyError(.invalid("alg", .missing)))
  }
}
