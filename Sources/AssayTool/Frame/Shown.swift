internal import AssayCodec

/// Makes values from untrusted input fit for a terminal: one line, escaped, cut.
enum Shown {
  /// Text, without quotation marks.
  static func text(_ text: UTF8Text) -> String { text.printable() }

  /// A sentence that may repeat some of the input, with room for all of it.
  static func words(_ words: String) -> String { UTF8Text(words).printable(upTo: 300) }

  /// A path, whole: its end is what tells it from others.
  static func path(_ path: UTF8Text) -> String { path.printable(upTo: .max) }

  /// A JSON value on one line.
  static func value(_ value: JSONValue) -> String {
    if let string = value.string { return text(string) }
    return text(UTF8Text(unchecked: value.encoded()))
  }

  /// Bytes in base64url.
  static func bytes(_ bytes: [UInt8]) -> String { text(Base64URL.encode(bytes.span)) }

  /// Bytes that should be text: those that are no UTF-8 as `\xFF`, the rest as of text.
  static func bytesAsText(_ bytes: ArraySlice<UInt8>) -> String {
    var shown = ""
    var rest = bytes
    while let first = rest.first {
      // At most four bytes make a character.
      let count = (1...4).first { UTF8Text(validating: Array(rest.prefix($0)).span) != nil && rest.count >= $0 }
      guard let count, let character = UTF8Text(validating: Array(rest.prefix(count)).span) else {
        let digits = String(first, radix: 16, uppercase: true)
        shown += "\\x\(first < 0x10 ? "0" : "")\(digits)"
        rest = rest.dropFirst()
        continue
      }
      shown += text(character)
      rest = rest.dropFirst(count)
    }
    return shown
  }

  /// So many seconds, also in larger units: `3700 s (1 h 1 min)`.
  static func duration(_ seconds: Int64) -> String {
    let units: [(name: String, seconds: Int64)] = [("d", 86400), ("h", 3600), ("min", 60)]
    guard let largest = units.firstIndex(where: { seconds >= $0.seconds }) else { return "\(seconds) s" }
    var words: [String] = []
    var rest = seconds
    for unit in units[largest...].prefix(2) {
      if rest / unit.seconds > 0 { words.append("\(rest / unit.seconds) \(unit.name)") }
      rest %= unit.seconds
    }
    return "\(seconds) s (\(words.joined(separator: " ")))"
  }

  /// A moment in UTC, `2026-01-02T03:04:05Z`, or its seconds outside the years 1 to 9999.
  static func time(_ time: UnixTime) -> String {
    guard (-62_135_596_800...253_402_300_799).contains(time.seconds) else { return "\(time.seconds) s since 1970" }
    // Days are counted from 0000-03-01, so that the leap day is the last of its year (H. Hinnant, "chrono-Compatible
    // Low-Level Date Algorithms").
    let secondsSince = time.seconds + 62_162_035_200
    let (day, second) = (Int(secondsSince / 86400), secondsSince % 86400)
    let era = day / 146_097
    let dayOfEra = day % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    let clock = [second / 3600, second / 60 % 60, second % 60].map { padded(Int($0), 2) }.joined(separator: ":")
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))T\(clock)Z"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
