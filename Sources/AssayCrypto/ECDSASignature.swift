package import AssayCodec

/// How the two numbers of an ECDSA signature are written.
public enum ECDSASignatureFormat: Hashable, Sendable {
  /// r and s, each as long as the curve's order, big-endian (RFC 7518, 3.4): JOSE and COSE.
  case fixedWidth
  /// ECDSA-Sig-Value in DER (RFC 3279, 2.2.3): WebAuthn, X.509.
  case der
}

/// The two numbers of an ECDSA signature, both in 1 ... n - 1 for the curve's order n (FIPS 186-5, 6.4.2 step 1).
///
/// That range is checked here, before any library sees the signature: r = s = 0 once verified everything in another
/// implementation (CVE-2022-21449). Nothing else is accepted that has more than one spelling:
/// - fixed width: exactly 64, 96 or 132 bytes;
/// - DER: `30 length 02 length r 02 length s`, lengths and numbers in their shortest form, nothing after them.
package struct ECDSASignature: Equatable, Sendable {
  /// The most bytes of a signature in DER, on any curve.
  package static let maximumDERByteCount = 139

  /// The length of a number of fixed width.
  private let width: Int
  private let r: Scalar
  private let s: Scalar

  private init?(_ r: Scalar, _ s: Scalar, on curve: EllipticCurve) {
    guard r.isNonzero, s.isNonzero, r < curve.order, s < curve.order else { return nil }
    width = curve.byteCount
    self.r = r
    self.s = s
  }

  /// Reads a signature in one of its two formats; nil unless it is one, spelled in the only way.
  package init?(_ bytes: Span<UInt8>, _ format: ECDSASignatureFormat, on curve: EllipticCurve) {
    let width = curve.byteCount
    switch format {
    case .fixedWidth:
      guard bytes.count == 2 * width else { return nil }
      self.init(
        Scalar(bytes.extracting(first: width)), Scalar(bytes.extracting(last: width)), on: curve)
    case .der:
      guard bytes.count <= Self.maximumDERByteCount, let signature = try? Self.readDER(bytes, curve) else {
        return nil
      }
      self = signature
    }
  }

  /// Writes the signature.
  package func encoded(_ format: ECDSASignatureFormat) -> [UInt8] {
    switch format {
    case .fixedWidth:
      Array(capacity: 2 * width) { output in
        r.append(byteCount: width, to: &output)
        s.append(byteCount: width, to: &output)
      }
    case .der: Array(capacity: Self.maximumDERByteCount) { output in appendDER(to: &output) }
    }
  }

  /// Appends the signature in DER, at most `maximumDERByteCount` bytes.
  func appendDER(to output: inout OutputSpan<UInt8>) {
    // At most 2 + 66 bytes a number: only the length of both together can take a second byte.
    let length = 4 + r.derByteCount + s.derByteCount
    output.append(0x30)
    if length > 0x7F { output.append(0x81) }
    output.append(UInt8(truncatingIfNeeded: length))
    r.appendDER(to: &output)
    s.appendDER(to: &output)
  }

  private static func readDER(_ bytes: Span<UInt8>, _ curve: EllipticCurve) throws(CodecError) -> ECDSASignature {
    try ByteReader.readAll(bytes, "ECDSA-Sig-Value") { reader throws(CodecError) in
      guard try reader.byte("ECDSA-Sig-Value") == 0x30 else { throw reader.fault(.malformed, "ECDSA-Sig-Value") }
      var length = try reader.byte("ECDSA-Sig-Value")
      if length > 0x7F {
        guard length == 0x81 else { throw reader.fault(.malformed, "ECDSA-Sig-Value") }
        length = try reader.byte("ECDSA-Sig-Value")
        guard length > 0x7F else { throw reader.fault(.nonCanonical, "ECDSA-Sig-Value") }
      }
      guard Int(length) == reader.remaining else { throw reader.fault(.invalidLength, "ECDSA-Sig-Value") }
      let r = try Scalar(der: &reader, "r")
      let s = try Scalar(der: &reader, "s")
      guard let signature = ECDSASignature(r, s, on: curve) else {
        throw reader.fault(.invalidValue, "ECDSA-Sig-Value")
      }
      return signature
    }
  }
}

/// A number of at most 72 bytes in nine 64-bit digits, the highest first.
///
/// Digits and not an array, so that a verification allocates nothing for its signature.
private struct Scalar: Equatable, Sendable {
  static let maximumByteCount = 72

  private var digits: InlineArray<9, UInt64>

  init(digits: InlineArray<9, UInt64>) { self.digits = digits }

  /// A big-endian number; of one that is too long, only the last bytes.
  init(_ bytes: Span<UInt8>) {
    digits = InlineArray(repeating: 0)
    for place in 0..<min(bytes.count, Self.maximumByteCount) {
      digits[8 - place / 8] |= UInt64(bytes[bytes.count - 1 - place]) << UInt64(place % 8 * 8)
    }
  }

  /// An INTEGER in its one DER form: not negative, no superfluous leading zero (X.690, 8.3.2).
  init(der reader: inout ByteReader, _ field: Field) throws(CodecError) {
    guard try reader.byte(field) == 0x02 else { throw reader.fault(.malformed, field) }
    let length = try reader.byte(field)
    guard length > 0, length <= Self.maximumByteCount else { throw reader.fault(.invalidLength, field) }
    let bytes = try reader.take(Int(length), field)
    guard bytes[0] & 0x80 == 0 else { throw reader.fault(.invalidValue, field) }
    guard bytes[0] != 0 || bytes.count == 1 || bytes[1] & 0x80 != 0 else { throw reader.fault(.nonCanonical, field) }
    self.init(bytes)
  }

  var isNonzero: Bool { digits.indices.contains { digits[$0] != 0 } }

  /// The byte at a place, the lowest being 0.
  private func byte(_ place: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: digits[8 - place / 8] >> UInt64(place % 8 * 8))
  }

  /// Appends the number's lowest bytes, big-endian.
  func append(byteCount: Int, to output: inout OutputSpan<UInt8>) {
    for place in (0..<byteCount).reversed() { output.append(byte(place)) }
  }

  /// The length of the INTEGER's content: one bit more than the number has, for the sign.
  var derByteCount: Int {
    var bits = 0
    for index in digits.indices.reversed() where digits[index] != 0 {
      bits = (8 - index) * 64 + 64 - digits[index].leadingZeroBitCount
    }
    return bits / 8 + 1
  }

  /// Appends the number as an INTEGER.
  func appendDER(to output: inout OutputSpan<UInt8>) {
    let count = derByteCount
    output.append(0x02)
    output.append(UInt8(truncatingIfNeeded: count))
    append(byteCount: count, to: &output)
  }

  static func == (a: Scalar, b: Scalar) -> Bool { a.digits.indices.allSatisfy { a.digits[$0] == b.digits[$0] } }

  static func < (a: Scalar, b: Scalar) -> Bool {
    for index in a.digits.indices where a.digits[index] != b.digits[index] {
      return a.digits[index] < b.digits[index]
    }
    return false
  }
}

extension EllipticCurve {
  /// The order n of the curve's generator (SEC 2, 2.4 to 2.6); zero, which nothing is below, for Edwards curves.
  fileprivate var order: Scalar {
    switch self {
    case .p256:
      Scalar(digits: [
        0, 0, 0, 0, 0, 0xFFFF_FFFF_0000_0000, 0xFFFF_FFFF_FFFF_FFFF, 0xBCE6_FAAD_A717_9E84, 0xF3B9_CAC2_FC63_2551,
      ])
    case .p384:
      Scalar(digits: [
        0, 0, 0, 0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF, 0xC763_4D81_F437_2DDF,
        0x581A_0DB2_48B0_A77A, 0xECEC_196A_CCC5_2973,
      ])
    case .p521:
      Scalar(digits: [
        0x1FF, 0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFA,
        0x5186_8783_BF2F_966B, 0x7FCC_0148_F709_A5D0, 0x3BB5_C9B8_899C_47AE, 0xBB6F_B71E_9138_6409,
      ])
    case .secp256k1:
      Scalar(digits: [
        0, 0, 0, 0, 0, 0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFE, 0xBAAE_DCE6_AF48_A03B, 0xBFD2_5E8C_D036_4141,
      ])
    case .ed25519, .ed448: Scalar(digits: InlineArray(repeating: 0))
    }
  }
}
