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
      let day = Self.number(digits[8..<10]), year >= 1900, (1...12).contains(month)
    else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...days[month - 1]).contains(day) else { return nil }
    let before = year - 1
    let dayOfYear = days.prefix(month - 1).reduce(day - 1, +)
    // 719,162 days lie between 0001-01-01 and 1970-01-01.
    let since1970 = before * 365 + before / 4 - before / 100 + before / 400 + dayOfYear - 719_162
    self.text = text
    start = UnixTime(Int64(since1970) * 86_400)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = value * 10 + Int(digit & 0x0F)
    }
    return value
  }

  /// Whether `a` is the earlier day.
  public static func < (a: MetadataDate, b: MetadataDate) -> Bool { a.start < b.start }
}
