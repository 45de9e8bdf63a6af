import AssayCodec
import Testing

@Suite struct COSEKeyTests {
  struct Case: Decodable {
    let id: String
    let hex: HexBytes
    let expected: String
    let reason: String?
  }

  @Test func validKeys() throws {
    let cases = try VectorFile<Case>.read("cose/cose_keys_valid.json")
    #expect(cases.count == 13)
    for one in cases {
      let key = try COSEKey(one.hex.bytes.span)
      #expect(key.encoded() == one.hex.bytes, "\(one.id)")
      #expect(try COSEKey(key.numbers, alg: key.alg) == key)
    }
    // Every algorithm that is read, in the order of the file.
    #expect(
      try cases.map { try COSEKey($0.hex.bytes.span).alg } == [
        -7, -35, -36, -47, -8, -257, -37, -257, -259, -9, -51, -52, -19,
      ])
  }

  /// What a refused case is refused for. Reasons that need arithmetic are not for this layer: see `decidedByCrypto`.
  static func isRight(_ error: KeyError, for reason: String) -> Bool {
    switch (reason, error.reason) {
    case ("key:kty-missing", .invalid("kty", .missing)), ("key:kty-type", .invalid("kty", .wrongType)),
      ("key:alg-missing", .invalid("alg", .missing)), ("key:alg-type", .invalid("alg", .wrongType)),
      ("key:crv-missing", .invalid("crv", .missing)), ("key:crv-type", .invalid("crv", .wrongType)),
      ("key:alg-kty-mismatch", .contradiction("alg", "kty")), ("key:crv-mismatch", .contradiction("alg", "crv")),
      ("key:alg-kty-mismatch", .invalid("kty", .numberOutOfRange)),
      ("key:alg-unsupported", .invalid("alg", .numberOutOfRange)), ("key:alg-unsupported", .unsupported),
      ("key:coordinate-missing", .invalid("x", .missing)), ("key:coordinate-missing", .invalid("y", .missing)),
      ("key:x-missing", .invalid("x", .missing)), ("key:coordinate-type", .invalid("x", .wrongType)),
      ("key:coordinate-type", .unsupported(what: "a compressed point (y as a sign bit)")),
      ("key:coordinate-length", .wrongLength), ("key:x-length", .wrongLength),
      ("key:extra-parameter", .unsupported), ("key:extra-parameter", .privateKeyNotAllowed),
      ("key:label-type", .unsupported), ("key:not-a-map", .invalid("COSE_Key", .wrongType)),
      ("key:rsa-leading-zero", .leadingZero), ("key:rsa-leading-zero", .invalid("e", .invalidLength)),
      ("key:rsa-missing", .invalid("n", .missing)), ("key:rsa-missing", .invalid("e", .missing)),
      ("key:rsa-type", .invalid("e", .wrongType)):
      true
    case (let reason, .malformed(let fault)):
      reason.split(separator: ":").map(String.init) == ["cbor", Self.words[fault.code] ?? "?"]
        || fault.code == .nonCanonical && Self.nonCanonical.contains(reason)
    default: false
    }
  }

  static let words: [CodecError.Code: String] = [
    .duplicateKey: "duplicate-key", .trailingBytes: "trailing-data", .truncated: "too-little-data", .unsupported: "tag",
  ]
  static let nonCanonical = [
    "cbor:ctap2-key-order", "cbor:indefinite-length", "cbor:non-minimal-int", "cbor:non-minimal-length",
  ]

  /// Cases whose syntax is right: they are read here, and refused where a verification key is made of the numbers.
  static let decidedByCrypto: Set<String> = [
    "key:not-on-curve", "key:small-order", "key:non-canonical", "key:rsa-too-small", "key:rsa-too-large",
    "key:rsa-exponent", "key:rsa-even-modulus",
  ]

  @Test func badKeys() throws {
    let cases = try VectorFile<Case>.read("cose/cose_keys_bad.json")
    #expect(cases.count == 93)
    var read = 0
    for one in cases {
      let reason = try #require(one.reason)
      do throws(KeyError) {
        let key = try COSEKey(one.hex.bytes.span)
        #expect(Self.decidedByCrypto.contains(reason), "\(one.id): \(reason)")
        #expect(key.encoded() == one.hex.bytes)
        read += 1
      } catch {
        #expect(Self.isRight(error, for: reason), "\(one.id): \(reason): \(error)")
      }
    }
    #expect(read == 17)
  }

  /// Each private parameter in an otherwise good key.
  @Test func privateParametersAreNamed() throws {
    let good = try VectorFile<Case>.read("cose/cose_keys_valid.json")
    for (index, labels) in [(0, [-4]), (4, [-4]), (5, Array(-12 ... -3))] as [(Int, [Int64])] {
      let bytes = good[index].hex.bytes
      let key = try CBORValue.decode(bytes.span, form: .ctap2Canonical)
      var entries = try #require(key.map)
      for label in labels {
        entries.append(CBORMapEntry(CBORValue(label), .bytes([1])))
        let encoded = CBORValue.map(entries).encoded()
        #expect(throws: KeyError(.privateKeyNotAllowed)) { try COSEKey(encoded.span) }
        entries.removeLast()
      }
    }
  }

  @Test func everyTruncationAndEveryChangedByteIsRefusedOrAnotherKey() throws {
    for one in try VectorFile<Case>.read("cose/cose_keys_valid.json") {
      let bytes = one.hex.bytes
      let key = try COSEKey(bytes.span)
      for count in 0..<bytes.count {
        let prefix = Array(bytes.prefix(count))
        #expect(throws: KeyError.self) { try COSEKey(prefix.span) }
      }
      for index in bytes.indices {
        for change in [0x01, 0x20, 0x80, 0xFF] as [UInt8] {
          var changed = bytes
          changed[index] ^= change
          if let other = try? COSEKey(changed.span) {
            #expect(other != key)
            #expect(other.encoded() == changed)
          }
        }
      }
    }
  }

  @Test func algorithmMustFitTheNumbers() throws {
    let zeros = [UInt8](repeating: 0, count: 32)
    #expect(throws: KeyError(.contradiction("alg", "crv"))) { try COSEKey(.ec(.p256, x: zeros, y: zeros), alg: -47) }
    #expect(throws: KeyError(.contradiction("alg", "kty"))) { try COSEKey(.ec(.p256, x: zeros, y: zeros), alg: -257) }
    #expect(throws: KeyError(.contradiction("alg", "crv"))) { try COSEKey(.edwards(.ed25519, x: zeros), alg: -7) }
    #expect(throws: KeyError.self) { try COSEKey(.edwards(.ed25519, x: zeros), alg: -65535) }
  }
}
