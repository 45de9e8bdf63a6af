import AssayCodec
import AssayCrypto
import Testing

@Suite struct ECDSASignatureTests {
  static let order = PrivateKeyRefusalTests.order
  static let zero = number([])
  static let one = number([1])
  static let highest: [UInt8] = order.dropLast() + [0x50]

  /// A number in 32 bytes.
  static func number(_ digits: [UInt8]) -> [UInt8] { [UInt8](repeating: 0, count: 32 - digits.count) + digits }

  /// Every power of two, and the numbers around the places where the encoding changes its length.
  static let scalars: [[UInt8]] = {
    let edges: [[UInt8]] = [[1], [0x7F], [0x80], [0xFF], [1, 0], [0x7F, 0xFF], [0x80, 0], [0xFF, 0xFF]]
    return (0..<256).map { zero.flippingBit($0) } + edges.map(number) + [highest]
  }()

  private func read(_ bytes: [UInt8], _ format: ECDSASignatureFormat) -> ECDSASignature? {
    ECDSASignature(bytes.span, format)
  }

  @Test func bothFormatsHoldTheSameNumbers() throws {
    for scalar in Self.scalars {
      for fixed in [scalar + Self.one, Self.highest + scalar, scalar + scalar] {
        let signature = try #require(read(fixed, .fixedWidth))
        let der = signature.encoded(.der)
        #expect(der.count <= ECDSASignature.maximumDERByteCount)
        #expect(read(der, .der) == signature)
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
    let fixed = Self.number(r) + Self.number(s)
    let signature = try #require(read(fixed, .fixedWidth))
    #expect(signature.encoded(.der) == [UInt8](hex: der.filter { $0 != " " }))
  }

  @Test func numbersOutOfRangeAreRefused() {
    let beyond: [UInt8] = Self.order.dropLast() + [0x52]
    let all = [UInt8](repeating: 0xFF, count: 32)
    for wrong in [Self.zero, Self.order, beyond, all] {
      #expect(read(wrong + Self.one, .fixedWidth) == nil)
      #expect(read(Self.one + wrong, .fixedWidth) == nil)
      #expect(read(wrong + wrong, .fixedWidth) == nil)
    }
    #expect(read(Self.one + Self.highest, .fixedWidth) != nil)
  }

  /// CVE-2022-21449 in both formats, and DER where the fixed width belongs.
  @Test func psychicSignaturesAreRefused() throws {
    let key = try KnownSignature.rfc6979.key()
    let message = KnownSignature.rfc6979.message
    #expect(!key.accepts([UInt8](repeating: 0, count: 64), message, .fixedWidth))
    #expect(!key.accepts(Self.order + Self.order, message, .fixedWidth))
    #expect(!key.accepts([0x30, 6, 2, 1, 0, 2, 1, 0], message, .der))
    #expect(!key.accepts([0x30, 6, 2, 1, 0, 2, 1, 0], message, .fixedWidth))
    #expect(!key.accepts([], message, .der))
  }

  @Test func eachFormatIsRefusedAsTheOther() throws {
    let known = KnownSignature.rfc6979
    let key = try known.key()
    let der = try #require(read(known.signature, .fixedWidth)).encoded(.der)
    #expect(key.accepts(der, known.message, .der))
    #expect(!key.accepts(der, known.message, .fixedWidth))
    #expect(!key.accepts(known.signature, known.message, .der))
  }

  /// Whatever is accepted is spelled as we would spell it; whatever is cut or extended is refused.
  @Test func derHasOneSpelling() throws {
    for fixed in [KnownSignature.rfc6979.signature, Self.one + Self.highest, Self.one + Self.one] {
      let der = try #require(read(fixed, .fixedWidth)).encoded(.der)
      for count in 0..<der.count { #expect(read(Array(der[..<count]), .der) == nil) }
      for byte in UInt8.min...UInt8.max { #expect(read(der + [byte], .der) == nil) }
      for index in der.indices {
        for byte in UInt8.min...UInt8.max {
          var changed = der
          changed[index] = byte
          if let signature = read(changed, .der) { #expect(signature.encoded(.der) == changed) }
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
  ])
  func derIsRefused(_ what: String, _ der: String) {
    #expect(read([UInt8](hex: der), .der) == nil, "\(what)")
  }
}
