internal import AssayCodec

/// How the two numbers of an ECDSA signature are written.
public enum ECDSASignatureFormat: Hashable, Sendable {
  /// r and s, 32 bytes each, big-endian (RFC 7518, 3.4): JOSE.
  case fixedWidth
  /// ECDSA-Sig-Value in DER (RFC 3279, 2.2.3): WebAuthn, X.509.
  case der
}

/// The two numbers of an ECDSA signature on P-256, both in 1 ... n - 1 (FIPS 186-5, 6.4.2 step 1).
///
/// That range is checked here, before any library sees the signature: r = s = 0 once verified everything in another
/// implementation (CVE-2022-21449). Nothing else is accepted that has more than one spelling:
/// - fixed width: exactly 64 bytes;
/// - DER: `30 length 02 length r 02 length s`, lengths in one byte, numbers in their shortest form, nothing after them.
package struct ECDSASignature: Hashable, Sendable {
  /// The most bytes of a signature in DER.
  package static let maximumDERByteCount = 72
  /// The bytes of a signature of fixed width.
  package static let fixedWidthByteCount = 2 * Scalar.byteCount

  private let r: Scalar
  private let s: Scalar

  private init?(r: Scalar?, s: Scalar?) {
    guard let r, let s else { return nil }
    self.r = r
    self.s = s
  }

  /// Reads a signature in one of its two formats; nil unless it is one, spelled in the only way.
  package init?(_ bytes: Span<UInt8>, _ format: ECDSASignatureFormat) {
    switch format {
    case .fixedWidth:
      guard bytes.count == Self.fixedWidthByteCount else { return nil }
      self.init(
        r: Scalar(bytes.extracting(first: Scalar.byteCount)), s: Scalar(bytes.extracting(last: Scalar.byteCount)))
    case .der:
      guard bytes.count <= Self.maximumDERByteCount, let signature = try? Self.readDER(bytes) else { return nil }
      self = signature
    }
  }

  /// Writes the signature.
  package func encoded(_ format: ECDSASignatureFormat) -> [UInt8] {
    switch format {
    case .fixedWidth:
      Array(capacity: Self.fixedWidthByteCount) { output in
        r.append(to: &output)
        s.append(to: &output)
      }
    case .der: Array(capacity: Self.maximumDERByteCount) { output in appendDER(to: &output) }
    }
  }

  /// Appends the signature in DER, at most `maximumDERByteCount` bytes.
  func appendDER(to output: inout OutputSpan<UInt8>) {
    // At most 2 + 33 bytes a number: every length fits in one byte.
    output.append(0x30)
    output.append(UInt8(truncatingIfNeeded: 4 + r.derByteCount + s.derByteCount))
    r.appendDER(to: &output)
    s.appendDER(to: &output)
  }

  private static func readDER(_ bytes: Span<UInt8>) throws(CodecError) -> ECDSASignature {
    try ByteReader.readAll(bytes, "ECDSA-Sig-Value") { reader throws(CodecError) in
      let tag = try reader.byte("ECDSA-Sig-Value")
      let length = try reader.byte("ECDSA-Sig-Value")
      guard tag == 0x30, Int(length) == reader.remaining else { throw reader.fault(.malformed, "ECDSA-Sig-Value") }
      let r = try Scalar(der: &reader, "r")
      let s = try Scalar(der: &reader, "s")
      guard let signature = ECDSASignature(r: r, s: s) else { throw reader.fault(.invalidValue, "ECDSA-Sig-Value") }
      return signature
    }
  }
}

extension ECDSASignature {
  /// A number in 1 ... n - 1, n being the order of P-256, in four 64-bit digits, the highest first.
  ///
  /// Digits and not an array, so that a verification allocates nothing for its signature.
  private struct Scalar: Hashable {
    static let byteCount = 32

    let digits: (UInt64, UInt64, UInt64, UInt64)

    /// A big-endian number of at most 32 bytes; nil if it is out of range.
    init?(_ bytes: Span<UInt8>) {
      guard bytes.count <= Self.byteCount else { return nil }
      var digits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
      for index in bytes.indices {
        digits.0 = digits.0 << 8 | digits.1 >> 56
        digits.1 = digits.1 << 8 | digits.2 >> 56
        digits.2 = digits.2 << 8 | digits.3 >> 56
        digits.3 = digits.3 << 8 | UInt64(bytes[index])
      }
      // SEC 2, 2.4.2: n. Tuples compare from the first element on, as numbers do.
      let order: (UInt64, UInt64, UInt64, UInt64) = (
        0xFFFF_FFFF_0000_0000, 0xFFFF_FFFF_FFFF_FFFF, 0xBCE6_FAAD_A717_9E84, 0xF3B9_CAC2_FC63_2551
      )
      guard digits != (0, 0, 0, 0), digits < order else { return nil }
      self.digits = digits
    }

    /// An INTEGER in its one DER form: not negative, no superfluous leading zero (X.690, 8.3.2).
    init?(der reader: inout ByteReader, _ field: Field) throws(CodecError) {
      guard try reader.byte(field) == 0x02 else { throw reader.fault(.malformed, field) }
      let length = try reader.byte(field)
      guard length > 0, length <= Self.byteCount + 1 else { throw reader.fault(.invalidLength, field) }
      var bytes = try reader.take(Int(length), field)
      if bytes[0] & 0x80 != 0 { throw reader.fault(.invalidValue, field) }
      if bytes[0] == 0, bytes.count > 1 {
        guard bytes[1] & 0x80 != 0 else { throw reader.fault(.nonCanonical, field) }
        bytes = bytes.extracting(droppingFirst: 1)
      }
      self.init(bytes)
    }

    private func byte(_ index: Int) -> UInt8 {
      let digit =
        switch index / 8 {
        case 0: digits.0
        case 1: digits.1
        case 2: digits.2
        default: digits.3
        }
      return UInt8(truncatingIfNeeded: digit >> UInt64(56 - index % 8 * 8))
    }

    /// Appends the number in 32 bytes.
    func append(to output: inout OutputSpan<UInt8>) {
      for index in 0..<Self.byteCount { output.append(byte(index)) }
    }

    /// The length of the INTEGER's content.
    var derByteCount: Int {
      let leadingZeros =
        if digits.0 != 0 {
          digits.0.leadingZeroBitCount
        } else if digits.1 != 0 {
          64 + digits.1.leadingZeroBitCount
        } else if digits.2 != 0 {
          128 + digits.2.leadingZeroBitCount
        } else {
          192 + digits.3.leadingZeroBitCount
        }
      return 33 - leadingZeros / 8 - (leadingZeros % 8 == 0 ? 0 : 1)
    }

    /// Appends the number as an INTEGER.
    func appendDER(to output: inout OutputSpan<UInt8>) {
      let count = derByteCount
      output.append(0x02)
      output.append(UInt8(truncatingIfNeeded: count))
      if count > Self.byteCount { output.append(0) }
      for index in max(0, Self.byteCount - count)..<Self.byteCount { output.append(byte(index)) }
    }

    static func == (a: Scalar, b: Scalar) -> Bool { a.digits == b.digits }

    func hash(into hasher: inout Hasher) {
      hasher.combine(digits.0)
      hasher.combine(digits.1)
      hasher.combine(digits.2)
      hasher.combine(digits.3)
    }
  }
}
