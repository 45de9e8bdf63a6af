// When a certificate is valid (RFC 5280, 4.1.2.5):
//
//   Validity ::= SEQUENCE { notBefore Time, notAfter Time }
//   Time     ::= UTCTime YYMMDDHHMMSSZ (1950 to 2049) | GeneralizedTime YYYYMMDDHHMMSSZ
//
// Refused: other forms of the two types, days and times that are on no calendar. A GeneralizedTime before 2050, which the
// RFC tells authorities not to write, is read as what it says.

extension X509Certificate {
  /// The time in which a certificate is valid, both ends included (RFC 5280, 4.1.2.5).
  public struct Validity: Hashable, Sendable {
    /// The first second.
    public let notBefore: UnixTime
    /// The last second.
    public let notAfter: UnixTime
  }

  /// When the certificate is valid. It is read when asked for, so that a certificate without good dates can still be read.
  ///
  /// - Throws: `CodecError`, its field `notBefore` or `notAfter`.
  public func validity() throws(CodecError) -> Validity {
    try ByteReader.readAll(validityContents.span, "validity", base: validityOffset) { (reader) throws(CodecError) in
      Validity(notBefore: try reader.timeDER("notBefore"), notAfter: try reader.timeDER("notAfter"))
    }
  }
}

extension ByteReader {
  /// Reads a Time.
  fileprivate mutating func timeDER(_ field: Field) throws(CodecError) -> UnixTime {
    let isShort = isNext(.utcTime)
    let text = try takeDER(isShort ? .utcTime : .generalizedTime, field)
    let start = offset - text.count
    let yearDigits = isShort ? 2 : 4
    guard text.count == yearDigits + 11 else { throw CodecError(.invalidLength, field, at: start) }
    guard text[text.count - 1] == UInt8(ascii: "Z") else {
      throw CodecError(.invalidCharacter, field, at: start + text.count - 1)
    }
    var numbers: [Int64] = []
    var index = 0
    while index < text.count - 1 {
      let end = index + (index == 0 ? yearDigits : 2)
      var number: Int64 = 0
      while index < end {
        let byte = text[index]
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
          throw CodecError(.invalidCharacter, field, at: start + index)
        }
        number = number * 10 + Int64(byte - UInt8(ascii: "0"))
        index += 1
      }
      numbers.append(number)
    }
    // RFC 5280, 4.1.2.5.1: years from 50 on are of the last century.
    let year = isShort ? numbers[0] + (numbers[0] >= 50 ? 1900 : 2000) : numbers[0]
    guard let time = UnixTime(year, numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]) else {
      throw CodecError(.invalidValue, field, at: start)
    }
    return time
  }
}

extension UnixTime {
  /// The moment of a date and time of day in UTC; nil if there is no such day or time. The year has at most four digits.
  fileprivate init?(_ year: Int64, _ month: Int64, _ day: Int64, _ hour: Int64, _ minute: Int64, _ second: Int64) {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month) else { return nil }
    let months = lengths.prefix(Int(month) - 1)
    guard (1...lengths[months.count]).contains(day), hour < 24, minute < 60, second < 60 else { return nil }
    // The days before this year, counted from the year 0, which is a leap year and has 366.
    let years = year == 0 ? 0 : 366 + (year - 1) * 365 + (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400
    let dayNumber = years + months.reduce(0, +) + day - 1
    let daysBefore1970: Int64 = 719_528
    self.init((((dayNumber - daysBefore1970) * 24 + hour) * 60 + minute) * 60 + second)
  }
}
