/// A type that is made of one JSON value by our rules, whatever its own `init(from:)` would do.
package protocol DirectlyDecodable: Decodable {
  /// Takes a value that is not null.
  init(json value: JSONValue) throws(DecodingFault)
}

extension Bool: DirectlyDecodable {
  package init(json value: JSONValue) throws(DecodingFault) {
    guard let value = value.bool else { throw .wrongType }
    self = value
  }
}

extension String: DirectlyDecodable {
  package init(json value: JSONValue) throws(DecodingFault) {
    guard let text = value.string else { throw .wrongType }
    self = text.string
  }
}

extension FixedWidthInteger {
  /// An integer, exactly.
  package init(json value: JSONValue) throws(DecodingFault) {
    guard let number = value.number else { throw .wrongType }
    if let integer = number.int64 {
      guard let exact = Self(exactly: integer) else { throw .outOfRange }
      self = exact
    } else if let integer = number.uint64 {
      guard let exact = Self(exactly: integer) else { throw .outOfRange }
      self = exact
    } else {
      throw .notAnInteger
    }
  }
}

extension Int: DirectlyDecodable {}
extension Int8: DirectlyDecodable {}
extension Int16: DirectlyDecodable {}
extension Int32: DirectlyDecodable {}
extension Int64: DirectlyDecodable {}
extension UInt: DirectlyDecodable {}
extension UInt8: DirectlyDecodable {}
extension UInt16: DirectlyDecodable {}
extension UInt32: DirectlyDecodable {}
extension UInt64: DirectlyDecodable {}

extension Double: DirectlyDecodable {
  /// The nearest one.
  package init(json value: JSONValue) throws(DecodingFault) {
    guard let number = value.number else { throw .wrongType }
    self = number.double
  }
}

extension Float: DirectlyDecodable {
  /// The nearest one, if it is neither infinite nor zero in place of something else.
  package init(json value: JSONValue) throws(DecodingFault) {
    let exact = try Double(json: value)
    let nearest = Float(exact)
    guard nearest.isFinite, nearest != 0 || exact == 0 else { throw .outOfRange }
    self = nearest
  }
}

extension UTF8Text: DirectlyDecodable {
  package init(json value: JSONValue) throws(DecodingFault) {
    guard let text = value.string else { throw .wrongType }
    self = text
  }

  /// Decodes text, from any decoder.
  public init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(String.self)) }
}

extension UnixTime: DirectlyDecodable {
  package init(json value: JSONValue) throws(DecodingFault) {
    guard let number = value.number else { throw .wrongType }
    guard let time = UnixTime(numericDate: number) else { throw .notATime }
    self = time
  }

  /// Decodes a NumericDate (RFC 7519, 2): a number from 0 to the end of the year 9999, fractions of a second rounded up.
  ///
  /// Decoders other than Assay's give whole seconds only.
  public init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(Int64.self)) }

  /// 9999-12-31T23:59:59Z. Later moments are mistakes, such as milliseconds for seconds.
  package static let latestNumericDate: Int64 = 253_402_300_799

  /// The whole second at or after the moment: comparing it with a clock that tells whole seconds gives the same answer
  /// as comparing the exact moment. Nil before 1970 and after the year 9999.
  package init?(numericDate number: JSONNumber) {
    guard let seconds = number.int64 ?? Int64(exactly: number.double.rounded(.up)),
      number.double >= 0, seconds <= Self.latestNumericDate
    else { return nil }
    self.init(seconds)
  }
}

extension JSONValue: Decodable {
  /// Takes the value as it is, `null` too, from Assay's own decoder; others do not keep what was written, and are refused.
  public init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? JSONValueDecoder else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: DecodingFault.foreignDecoder.rawValue))
    }
    self = decoder.value
  }
}

extension JSONObject: Decodable {
  /// Takes an object as it is, from Assay's own decoder.
  public init(from decoder: any Decoder) throws {
    guard case .object(let object) = try JSONValue(from: decoder) else {
      throw DecodingError.typeMismatch(
        JSONObject.self,
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: DecodingFault.notAnObject.rawValue))
    }
    self = object
  }
}
