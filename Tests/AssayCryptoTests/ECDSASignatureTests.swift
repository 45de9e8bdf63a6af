import AssayCodec
import AssayCrypto
import Testing

@Suite struct ECDSASignatureTests {
  /// A curve with its order (SEC 2), and signatures and a key of it.
  struct Curve: Sendable, CustomTestStringConvertible {
    let curve: EllipticCurve
    let order: [UInt8]
    let known: KnownSignature

    var testDescription: String { "\(curve)" }
    var zero: [UInt8] { number([]) }
    var one: [UInt8] { number([1]) }
    var highest: [UInt8] { order.dropLast() + [(order.last ?? 0) - 1] }

    /// A number in as many bytes as the curve's numbers have.
    func number(_ digits: [UInt8]) -> [UInt8] {
      [UInt8](repeating: 0, count: curve.byteCount - digits.count) + digits
    }

    /// Every power of two below the order, and the numbers around the places where the encoding changes its length.
    var scalars: [[UInt8]] {
      let edges: [[UInt8]] = [[1], [0x7F], [0x80], [0xFF], [1, 0], [0x7F, 0xFF], [0x80, 0], [0xFF, 0xFF]]
      let long = [0x7F, 0x80, 0xFF].map { (byte: UInt8) in zero.dropFirst(2) + [byte, byte] }.map { number($0) }
      let powers = (0..<curve.byteCount * 8).map { zero.flippingBit($0) }
      return (powers + edges.map(number) + long + [highest]).filter { $0.lexicographicallyPrecedes(order) }
    }

    func read(_ bytes: [UInt8], _ format: ECDSASignatureFormat) -> ECDSASignature? {
      ECDSASignature(bytes.span, format, on: curve)
    }
  }

  static let p256 = Curve(curve: .p256, order: PrivateKeyRefusalTests.order, known: .rfc6979)
  static let curves = [
    p256,
    Curve(
      curve: .p384,
      order: [UInt8](
        hex: "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973"),
      known: .rfc6979P384),
    Curve(
      curve: .p521,
      order: [UInt8](
        hex: "01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa"
          + "51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409"), known: .rfc6979P521),
    Curve(
      curve: .secp256k1, order: [UInt8](hex: "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"),
      known: .secp256k1),
  ]

  @Test(arguments: curves) func bothFormatsHoldTheSameNumbers(_ curve: Curve) throws {
    #expect(curve.scalars.count > curve.curve.byteCount * 8)
    for scalar in curve.scalars {
      for fixed in [scalar + curve.one, curve.highest + scalar, scalar + scalar] {
        let signature = try #require(curve.read(fixed, .fixedWidth))
        let der = signature.encoded(.der)
        #expect(der.count <= ECDSASignature.maximumDERByteCount)
        #expect(curve.read(der, .der) == signature)
        #expect(signature.encoded(.fixedWidth) == fixed)
      }
    }
  }

  /// X.690, 8.3: worked by hand.
  @Test(arguments: [
    ("01", "01", "3006020101020101"), ("7f", "80", "300702017f02020080"), ("0100", "ff", "3008020201000202 00ff"),
  ])
  func derIsAsExpected(_ r: String, _ s: String, _ der: String) throws {
    let r = [UInt8](hex: r)
    let s = [UInt8](hex: s)
    let fixed = Self.p256.number(r) + Self.p256.number(s)
    let signature = try #require(Self.p256.read(fixed, .fixedWidth))
    #expect(signature.encoded(.der) == [UInt8](hex: der.filter { $0 != " " }))
  }

  /// From 128 bytes on, the length takes a second byte, which shorter ones must not have (X.690, 10.1).
  @Test func derLengthsAround128() throws {
    let p521 = try #require(Self.curves.first { $0.curve == .p521 })
    for count in 50...66 {
      let r = p521.number([UInt8](repeating: 1, count: count))
      let signature = try #require(p521.read(r + r, .fixedWidth))
      let der = signature.encoded(.der)
      let content = 2 * (2 + count)
      #expect(Array(der.prefix(3)) == (content < 128 ? [0x30, UInt8(content), 2] : [0x30, 0x81, UInt8(content)]))
      #expect(p521.read(der, .der) == signature)
      let numbers = der.dropFirst(content < 128 ? 2 : 3)
      for header: [UInt8] in [[0x30, UInt8(content)], [0x30, 0x81, UInt8(content)], [0x30, 0x82, 0, UInt8(content)]] {
        #expect((p521.read(header + numbers, .der) == signature) == (header + numbers == der))
      }
    }
  }

  @Test(arguments: curves) func numbersOutOfRangeAreRefused(_ curve: Curve) {
    let beyond: [UInt8] = curve.order.dropLast() + [(curve.order.last ?? 0) + 1]
    let all = [UInt8](repeating: 0xFF, count: curve.curve.byteCount)
    for wrong in [curve.zero, curve.order, beyond, all] {
      #expect(curve.read(wrong + curve.one, .fixedWidth) == nil)
      #expect(curve.read(curve.one + wrong, .fixedWidth) == nil)
      #expect(curve.read(wrong + wrong, .fixedWidth) == nil)
    }
    #expect(curve.read(curve.one + curve.highest, .fixedWidth) != nil)
  }

  /// An Edwards curve has no such signatures.
  @Test(arguments: [EllipticCurve.ed25519, .ed448]) func noNumberIsInRangeOfAnEdwardsCurve(_ curve: EllipticCurve) {
    let one = [UInt8](repeating: 0, count: curve.byteCount - 1) + [1]
    #expect(ECDSASignature((one + one).span, .fixedWidth, on: curve) == nil)
    #expect(ECDSASignature([0x30, 6, 2, 1, 1, 2, 1, 1].span, .der, on: curve) == nil)
  }

  /// CVE-2022-21449 in both formats, and DER where the fixed width belongs.
  @Test(arguments: curves) func psychicSignaturesAreRefused(_ curve: Curve) throws {
    let key = try curve.known.key()
    let message = curve.known.message
    #expect(!key.accepts(curve.zero + curve.zero, message, .fixedWidth))
    #expect(!key.accepts(curve.order + curve.order, message, .fixedWidth))
    #expect(!key.accepts([0x30, 6, 2, 1, 0, 2, 1, 0], message, .der))
    #expect(!key.accepts([0x30, 6, 2, 1, 0, 2, 1, 0], message, .fixedWidth))
    #expect(!key.accepts([], message, .der))
  }

  @Test(arguments: curves) func eachFormatIsRefusedAsTheOther(_ curve: Curve) throws {
    let key = try curve.known.key()
    let der = try #require(curve.read(curve.known.signature, .fixedWidth)).encoded(.der)
    #expect(key.accepts(der, curve.known.message, .der))
    #expect(!key.accepts(der, curve.known.message, .fixedWidth))
    #expect(!key.accepts(curve.known.signature, curve.known.message, .der))
  }

  /// Whatever is accepted is spelled as we would spell it; whatever is cut or extended is refused.
  @Test(arguments: curves) func derHasOneSpelling(_ curve: Curve) throws {
    for fixed in [curve.known.signature, curve.one + curve.highest, curve.one + curve.one] {
      let der = try #require(curve.read(fixed, .fixedWidth)).encoded(.der)
      for count in 0..<der.count { #expect(curve.read(Array(der[..<count]), .der) == nil) }
      for byte in UInt8.min...UInt8.max { #expect(curve.read(der + [byte], .der) == nil) }
      for index in der.indices {
        for byte in UInt8.min...UInt8.max {
          var changed = der
          changed[index] = byte
          if let signature = curve.read(changed, .der) { #expect(signature.encoded(.der) == changed) }
        }
      }
    }
  }

  @Test(arguments: [
    ("a number with a superfluous zero", "300702020001020101"),
    ("a negative number", "3006020181020101"),
    ("an empty number", "30050200020101"),
    ("a length in the long form", "308106020101020101"),
    ("an indefinite length", "30800201010201010000"),
    ("a third number", "3009020101020101020101"),
    ("one number", "3003020101"),
    ("a set", "3106020101020101"),
    ("a string for a number", "3006040101020101"),
    ("a length that is too large", "3007020101020101"),
    ("a length that is too small", "3005020101020101"),
    ("a number of 34 bytes", "30270222" + String(repeating: "00", count: 33) + "01020101"),
    ("a number of 34 bytes that is positive", "30270222" + String(repeating: "01", count: 34) + "020101"),
    ("a number of 73 bytes", "304e0249" + String(repeating: "01", count: 73) + "020101"),
  ])
  func derIsRefused(_ what: String, _ der: String) {
    for curve in Self.curves { #expect(curve.read([UInt8](hex: der), .der) == nil || what.contains("34 bytes that")) }
    #expect(Self.p256.read([UInt8](hex: der), .der) == nil, "\(what)")
  }
}
