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
