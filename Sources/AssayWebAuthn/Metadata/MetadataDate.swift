public import AssayCodec

/// A day as metadata writes it, `2026-11-01` (ISO 8601), taken as a day in UTC.
public struct MetadataDate: Hashable, Comparable, Sendable {
  /// The day as it was written.
  public let text: UTF8Text
  /// When it begins.
  public let start: UnixTime

  /// When it is over.
  public var end: UnixTime { start.adding(seconds: 86_400) }

  /// Reads `YYYY-MM-DD`, from 1900 on; nil if it is anything else, or a day that no calendar has.
  public init?(_ text: UTF8Text) {
    let digits = text.utf8
    guard digits.count == 10, digits[4] == UInt8(ascii: "-"), digits[7] == UInt8(ascii: "-"),
      let year = Self.number(digits[0..<4]), let month = Self.number(digits[5..<7]),
      let day = Self.number(digits[8..<10]), year >= 1900, let start = UnixTime(year, month, day)
    else { return nil }
    self.text = text
    self.start = start
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    var value: Int64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int64(digit & 0x0F)
    }
    return value
  }

  /// Whether `a` is the earlier day.
  public static func < (a: MetadataDate, b: MetadataDate) -> Bool { a.start < b.start }
}
