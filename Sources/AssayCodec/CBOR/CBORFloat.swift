/// Floats of three widths (RFC 8949, 3.3), converted by their bits so that NaN payloads survive.
enum CBORFloat {
  private static let exponentMask: UInt64 = 0x7FF << 52
  private static let fractionMask: UInt64 = 1 << 52 - 1

  /// The half-precision float in the low 16 bits.
  static func widened(half bits: UInt64) -> Double {
    let sign = (bits & 0x8000) << 48
    let exponent = bits >> 10 & 0x1F
    let fraction = bits & 0x3FF
    switch exponent {
    case 0:
      let magnitude = Double(fraction) * 0x1p-24
      return sign == 0 ? magnitude : -magnitude
    case 0x1F: return Double(bitPattern: sign | exponentMask | fraction << 42)
    default: return Double(bitPattern: sign | (exponent + 1008) << 52 | fraction << 42)
    }
  }

  /// The single-precision float in the low 32 bits.
  static func widened(single bits: UInt64) -> Double {
    guard bits & 0x7F80_0000 == 0x7F80_0000 else {
      return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    }
    return Double(bitPattern: (bits & 0x8000_0000) << 32 | exponentMask | (bits & 0x7F_FFFF) << 29)
  }

  /// The half-precision float that is exactly `value`, if there is one.
  static func half(_ value: Double) -> UInt16? {
    let bits = value.bitPattern
    let sign = UInt16(truncatingIfNeeded: bits >> 48) & 0x8000
    let fraction = bits & fractionMask
    let exponent = bits >> 52 & 0x7FF
    let topOfFraction = UInt16(truncatingIfNeeded: fraction >> 42)
    let isExact = fraction & (1 << 42 - 1) == 0
    switch exponent {
    case 0x7FF: return isExact ? sign | 0x7C00 | topOfFraction : nil
    case 1009...1038:
      return isExact ? sign | UInt16(truncatingIfNeeded: exponent - 1008) << 10 | topOfFraction : nil
    default:  // zero, a multiple of 2^-24 below 2^-14, or out of range
      let steps = value.magnitude * 0x1p24
      guard steps < 1024, let whole = UInt16(exactly: steps) else { return nil }
      return sign | whole
    }
  }

  /// The single-precision float that is exactly `value`, if there is one.
  static func single(_ value: Double) -> UInt32? {
    let bits = value.bitPattern
    if bits & exponentMask == exponentMask {
      guard bits & (1 << 29 - 1) == 0 else { return nil }
      return UInt32(truncatingIfNeeded: bits >> 32) & 0x8000_0000 | 0x7F80_0000
        | UInt32(truncatingIfNeeded: (bits & fractionMask) >> 29)
    }
    let narrowed = Float(value)
    return Double(narrowed).bitPattern == bits ? narrowed.bitPattern : nil
  }
}
