import AssayCodec
import AssayCrypto
import Testing

/// Every reason for which a public key is refused, each from a key that differs in one thing from an accepted one.
@Suite struct KeyRefusalTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let what: String
    let algorithm: SignatureAlgorithm
    let numbers: PublicKeyNumbers
    let reason: KeyError.Reason

    init(_ what: String, _ algorithm: SignatureAlgorithm, _ numbers: PublicKeyNumbers, _ reason: KeyError.Reason) {
      self.what = what
      self.algorithm = algorithm
      self.numbers = numbers
      self.reason = reason
    }

    var testDescription: String { what }
  }

  static let x = [UInt8](hex: "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6")
  static let y = [UInt8](hex: "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")
  static let p = [UInt8](hex: "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
  static let edwards = [UInt8](hex: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025")
  /// RFC 8032, 7.4.
  static let edwards448 = [UInt8](
    hex:
      "43ba28f430cdff456ae531545f7ecd0ac834a55d9358c0372bfa0c6c6798c0866aea01eb00742802b8438ea4cb82169c235160627b4c3a94"
      + "80")
  /// The right shape; nobody needs its factors to be refused.
  static func modulus(bits: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xA5, count: (bits + 7) / 8)
    bytes[0] = 1 << UInt8((bits - 1) % 8)
    bytes[bytes.count - 1] = 0x01
    return bytes
  }
  static func rsa(_ modulus: [UInt8], _ exponent: [UInt8] = [1, 0, 1]) -> PublicKeyNumbers {
    .rsa(modulus: modulus, exponent: exponent)
  }
  static let zeros = [UInt8](repeating: 0, count: 32)

  static let accepted: [(SignatureAlgorithm, PublicKeyNumbers)] = [
    (.es256, .ec(.p256, x: x, y: y)),
    (.esp256, .ec(.p256, x: x, y: y)),
    (.rs256, rsa(modulus(bits: 2048))),
    (.rs512, rsa(modulus(bits: 2048))),
    (.ps256, rsa(modulus(bits: 2048))),
    (.ps512, rsa(modulus(bits: 8192), [3])),
    (.ed25519, .edwards(.ed25519, x: edwards)),
    (.ed448, .edwards(.ed448, x: edwards448)),
    (.edDSA, .edwards(.ed448, x: edwards448)),
    (.rs256, rsa(modulus(bits: 2049))),
    (.rs256, rsa(modulus(bits: 3482))),
    (.rs256, rsa(modulus(bits: 8192))),
    (.rs256, rsa(modulus(bits: 2048), [3])),
    (.rs256, rsa(modulus(bits: 2048), [UInt8](repeating: 0xFF, count: 8))),
    (.edDSA, .edwards(.ed25519, x: edwards)),
    // The point above plus the point of order 2.
    (
      .edDSA,
      .edwards(.ed25519, x: [UInt8](hex: "f1ad32719de75e5c725b812ffdcf0fa7f7e912ec45ccfc53a2146eeab76f7fda"))
    ),
  ]

  static let refused = [
    Case(
      "P-384 for ES256", .es256, .ec(.p384, x: zeros, y: zeros),
      .wrongKind(key: "P-384", algorithm: "ES256", needed: "P-256")),
    Case(
      "secp256k1 for ES256", .es256, .ec(.secp256k1, x: x, y: y),
      .wrongKind(key: "secp256k1", algorithm: "ES256", needed: "P-256")),
    Case(
      "Ed25519 for ES256", .es256, .edwards(.ed25519, x: edwards),
      .wrongKind(key: "Ed25519", algorithm: "ES256", needed: "P-256")),
    Case(
      "RSA for ES256", .es256, rsa(modulus(bits: 2048)),
      .wrongKind(key: "RSA (2048 bits)", algorithm: "ES256", needed: "P-256")),
    Case(
      "P-256 for RS256", .rs256, .ec(.p256, x: x, y: y),
      .wrongKind(key: "P-256", algorithm: "RS256", needed: "RSA")),
    Case(
      "P-256 for EdDSA", .edDSA, .ec(.p256, x: x, y: y),
      .wrongKind(key: "P-256", algorithm: "EdDSA", needed: "Ed25519 or Ed448")),
    Case(
      "Ed448 for Ed25519", .ed25519, .edwards(.ed448, x: edwards448),
      .wrongKind(key: "Ed448", algorithm: "Ed25519", needed: "Ed25519")),
    Case(
      "Ed25519 for Ed448", .ed448, .edwards(.ed25519, x: edwards),
      .wrongKind(key: "Ed25519", algorithm: "Ed448", needed: "Ed448")),
    Case(
      "an elliptic curve key on Ed25519", .edDSA, .ec(.ed25519, x: x, y: y),
      .wrongKind(key: "Ed25519", algorithm: "EdDSA", needed: "Ed25519 or Ed448")),
    Case(
      "an Edwards key on P-256", .edDSA, .edwards(.p256, x: x),
      .wrongKind(key: "P-256", algorithm: "EdDSA", needed: "Ed25519 or Ed448")),
    Case(
      "P-256 for ES256K", .es256k, .ec(.p256, x: x, y: y),
      .wrongKind(key: "P-256", algorithm: "ES256K", needed: "secp256k1")),
    Case(
      "P-256 for PS256", .ps256, .ec(.p256, x: x, y: y), .wrongKind(key: "P-256", algorithm: "PS256", needed: "RSA")),
    Case("coordinates of P-256 for secp256k1", .es256k, .ec(.secp256k1, x: x, y: y), .notOnCurve),
    Case(
      "1024 bits for PS256", .ps256, rsa(modulus(bits: 1024)), .modulusSize(bits: 1024, minimum: 2048, maximum: 8192)),
    Case("a short P-521 key", .es512, .ec(.p521, x: x, y: y), .wrongLength(field: "x", expected: 66, actual: 32)),
    Case("a short Ed448 key", .ed448, .edwards(.ed448, x: edwards), .wrongLength(field: "x", expected: 57, actual: 32)),

    Case(
      "short x", .es256, .ec(.p256, x: [UInt8](x.dropFirst()), y: y), .wrongLength(field: "x", expected: 32, actual: 31)
    ),
    Case("long y", .es256, .ec(.p256, x: x, y: [0] + y), .wrongLength(field: "y", expected: 32, actual: 33)),
    Case("no x", .es256, .ec(.p256, x: [], y: y), .wrongLength(field: "x", expected: 32, actual: 0)),
    Case("the origin", .es256, .ec(.p256, x: zeros, y: zeros), .notOnCurve),
    Case("x = p", .es256, .ec(.p256, x: p, y: y), .notOnCurve),
    Case("y = p", .es256, .ec(.p256, x: x, y: p), .notOnCurve),
    Case("x and y exchanged", .es256, .ec(.p256, x: y, y: x), .notOnCurve),

    Case("2047 bits", .rs256, rsa(modulus(bits: 2047)), .modulusSize(bits: 2047, minimum: 2048, maximum: 8192)),
    Case("1024 bits", .rs256, rsa(modulus(bits: 1024)), .modulusSize(bits: 1024, minimum: 2048, maximum: 8192)),
    Case("8193 bits", .rs256, rsa(modulus(bits: 8193)), .modulusSize(bits: 8193, minimum: 2048, maximum: 8192)),
    Case("no modulus", .rs256, rsa([]), .modulusSize(bits: 0, minimum: 2048, maximum: 8192)),
    Case(
      "a modulus with a leading zero", .rs256, rsa([0] + modulus(bits: 2048)),
      .malformed(CodecError(.nonCanonical, "n", at: 0))),
    Case(
      "an exponent with a leading zero", .rs256, rsa(modulus(bits: 2048), [0, 1, 0, 1]),
      .malformed(CodecError(.nonCanonical, "e", at: 0))),
    Case("an even modulus", .rs256, rsa(modulus(bits: 2048).dropLast() + [2]), .evenModulus),
    Case("e = 1", .rs256, rsa(modulus(bits: 2048), [1]), .badExponent),
    Case("e = 2", .rs256, rsa(modulus(bits: 2048), [2]), .badExponent),
    Case("an even exponent", .rs256, rsa(modulus(bits: 2048), [1, 0, 0]), .badExponent),
    Case("no exponent", .rs256, rsa(modulus(bits: 2048), []), .badExponent),
    Case("e = 2^64 + 1", .rs256, rsa(modulus(bits: 2048), [1, 0, 0, 0, 0, 0, 0, 0, 1]), .badExponent),

    Case(
      "31 bytes", .edDSA, .edwards(.ed25519, x: [UInt8](edwards.dropLast())),
      .wrongLength(field: "x", expected: 32, actual: 31)),
    Case(
      "33 bytes", .edDSA, .edwards(.ed25519, x: edwards + [0]), .wrongLength(field: "x", expected: 32, actual: 33)),
  ]

  @Test(arguments: accepted) func isAccepted(_ algorithm: SignatureAlgorithm, _ numbers: PublicKeyNumbers) throws {
    _ = try VerificationKey(numbers, for: algorithm)
  }

  @Test(arguments: refused) func isRefused(_ refused: Case) {
    #expect(throws: KeyError(refused.reason)) { try VerificationKey(refused.numbers, for: refused.algorithm) }
  }

  @Test func theMessageSaysWhatIsNeeded() {
    let error = KeyError(.wrongKind(key: "P-384", algorithm: "ES256", needed: "P-256"))
    #expect("\(error)" == "this is a P-384 key, ES256 needs P-256")
  }

  @Test(arguments: [KnownSignature.rfc6979, .rfc6979P384, .rfc6979P521, .secp256k1])
  func noChangedBitOfACoordinateIsAKey(_ known: KnownSignature) throws {
    guard case .ec(let curve, let x, let y) = known.numbers else { throw KeyError(.refused) }
    for bit in 0..<curve.byteCount * 8 {
      #expect(throws: KeyError(.notOnCurve)) {
        try VerificationKey(.ec(curve, x: x.flippingBit(bit), y: y), for: known.algorithm)
      }
      #expect(throws: KeyError(.notOnCurve)) {
        try VerificationKey(.ec(curve, x: x, y: y.flippingBit(bit)), for: known.algorithm)
      }
    }
  }

  private static func edwardsRefusal(_ point: [UInt8], _ curve: EllipticCurve = .ed25519) -> KeyError.Reason? {
    do throws(KeyError) {
      _ = try VerificationKey(.edwards(curve, x: point), for: .edDSA)
      return nil
    } catch {
      return error.reason
    }
  }

  /// The eight points of small order, and their encodings with the sign bit that x = 0 cannot have (RFC 8032, 5.1.3).
  @Test(arguments: [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  ])
  func smallOrderPointsAreRefused(_ y: String) {
    let point = [UInt8](hex: y)
    #expect(Self.edwardsRefusal(point) == .smallOrder)
    #expect(Self.edwardsRefusal(point.flippingBit(255)) == .smallOrder)
  }

  /// y = p ... 2^255 - 1, the nineteen that have a second spelling, with both signs.
  @Test func longSpellingsOfEdwardsPointsAreRefused() {
    for lowest in UInt8(0xED)...0xFF {
      let point = [lowest] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]
      #expect(Self.edwardsRefusal(point) == .notOnCurve)
      #expect(Self.edwardsRefusal(point.flippingBit(255)) == .notOnCurve)
    }
  }

  /// Of y = 2 ... 255, 126 belong to points of the curve: (y² - 1) / (dy² + 1) is a square.
  @Test func halfOfAllYBelongToNoPoint() {
    var onCurve: [UInt8] = []
    for y in UInt8(2)...255 {
      let point = [y] + [UInt8](repeating: 0, count: 31)
      let reason = Self.edwardsRefusal(point)
      #expect(reason == nil || reason == .notOnCurve)
      #expect(Self.edwardsRefusal(point.flippingBit(255)) == reason)
      if reason == nil { onCurve.append(y) }
    }
    #expect(onCurve.count == 126)
    #expect(onCurve.prefix(8) == [3, 4, 5, 6, 9, 10, 14, 15])
  }

  // MARK: Ed448

  /// p = 2^448 - 2^224 - 1, little-endian.
  static let p448 =
    [UInt8](repeating: 0xFF, count: 28) + [0xFE] + [UInt8](repeating: 0xFF, count: 27) + [UInt8(0)]
  static func ed448(_ y: UInt8) -> [UInt8] { [y] + [UInt8](repeating: 0, count: 56) }

  /// y = 0, 1 and -1 belong to the four points of small order, with both signs.
  @Test func smallOrderPointsOfEd448AreRefused() {
    for point in [Self.ed448(0), Self.ed448(1), [0xFE] + Self.p448.dropFirst()] {
      #expect(Self.edwardsRefusal(point, .ed448) == .smallOrder)
      #expect(Self.edwardsRefusal(point.flippingBit(455), .ed448) == .smallOrder)
    }
  }

  /// y of p and more has a second spelling, and the last byte holds the sign alone (RFC 8032, 5.2.3).
  @Test func otherSpellingsOfEd448PointsAreRefused() {
    var beyond = Self.p448
    beyond[28] = 0xFF
    for wrong in [Self.p448, beyond, [UInt8](repeating: 0xFF, count: 56) + [0]] {
      #expect(Self.edwardsRefusal(wrong, .ed448) == .notOnCurve)
    }
    for bit in 448..<455 { #expect(Self.edwardsRefusal(Self.edwards448.flippingBit(bit), .ed448) == .notOnCurve) }
    #expect(Self.edwardsRefusal(Self.edwards448.flippingBit(455), .ed448) == nil)
  }

  /// Of y = 2 ... 255, so many belong to points of the curve: (1 - y²) / (1 + 39081 y²) is a square.
  @Test func halfOfAllYOfEd448BelongToNoPoint() {
    var onCurve: [UInt8] = []
    for y in UInt8(2)...255 {
      let reason = Self.edwardsRefusal(Self.ed448(y), .ed448)
      #expect(reason == nil || reason == .notOnCurve)
      #expect(Self.edwardsRefusal(Self.ed448(y).flippingBit(455), .ed448) == reason)
      if reason == nil { onCurve.append(y) }
    }
    #expect(onCurve.count == 124)
    #expect(onCurve.prefix(8) == [3, 4, 5, 7, 8, 9, 12, 13])
  }
}
