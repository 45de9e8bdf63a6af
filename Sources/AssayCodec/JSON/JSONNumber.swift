/// A JSON number, kept exactly as it was written (RFC 8259, 6).
///
/// Its text has at most `maximumLength` characters. Written as an integer it fits `Int64` or `UInt64`, otherwise it is
/// finite as a `Double`; other numbers are refused when they are read, so that none changes its value silently. Two numbers are equal if they were
/// written the same way: `1.0` differs from `1`.
public struct JSONNumber: Hashable, Sendable {
  /// The longest number that is read, in characters. No number a protocol needs comes near it.
  public static let maximumLength = 128

  private enum Storage: Hashable, Sendable {
    case integer(Int64)
    case other([UInt8])
  }
  private let storage: Storage

  /// An integer.
  public init(_ value: Int64) { storage = .integer(value) }

  /// An integer that is not negative, such as the counter of a one-time code.
  public init(unsigned value: UInt64) {
    storage = Int64(exactly: value).map { .integer($0) } ?? .other(Array(String(value).utf8))
  }

  /// A number from text that is known to follow RFC 8259's grammar; nil if it is out of range: an integer that fits no
  /// 64-bit type, or another number that is too large for a `Double`, or not zero but too small for one.
  package init?(grammatical text: [UInt8]) {
    if let integer = Int64(text), text.first != UInt8(ascii: "-") || integer != 0 {
      storage = .integer(integer)
      return
    }
    let mantissa = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let isInteger = mantissa.count == text.count && !text.contains(UInt8(ascii: "."))
    if isInteger, UInt64(text) == nil, text.first != UInt8(ascii: "-") || Int64(text) == nil { return nil }
    guard let double = Double(String(decoding: text, as: UTF8.self)), double.isFinite else { return nil }
    if double == 0, mantissa.contains(where: { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }) { return nil }
    storage = .other(text)
  }

  /// The number as it was written.
  public var text: UTF8Text {
    switch storage {
    case .integer(let value): UTF8Text(String(value))
    case .other(let text): UTF8Text(unchecked: text)
    }
  }

  /// The value, if it was written as an integer (no fraction, no exponent) and fits.
  public var int64: Int64? { if case .integer(let value) = storage { value } else { nil } }

  /// The value, if it was written as an integer that is not negative, and fits.
  public var uint64: UInt64? {
    switch storage {
    case .integer(let value): UInt64(exactly: value)
    case .other(let text): UInt64(text)
    }
  }

  /// The nearest `Double`, always finite.
  public var double: Double {
    switch storage {
    case .integer(let value): Double(value)
    case .other(let text): Double(String(decoding: text, as: UTF8.self)) ?? 0
    }
  }

  /// The largest whole number not above the value, if it fits.
  public var floor: Int64? {
    switch storage {
    case .integer(let value): value
    case .other: Int64(exactly: double.rounded(.down))
    }
  }
}

extension FixedWidthInteger {
  /// The decimal number in `text`: digits only, after a minus sign if the type has one; nil if it does not fit.
  fileprivate init?(_ text: [UInt8]) {
    let negative = Self.isSigned && text.first == UInt8(ascii: "-")
    let digits = text.dropFirst(negative ? 1 : 0)
    guard !digits.isEmpty else { return nil }
    var value: Self = 0
    for byte in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      let digit = Self(truncatingIfNeeded: byte & 0x0F)
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = negative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      guard !overflow, !carry else { return nil }
      value = sum
    }
    self = value
  }
}
