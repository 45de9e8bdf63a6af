public import AssayCodec

/// What an OCRA response is made of and how, as its `OCRASuite` says (RFC 6287, 6): `OCRA-1:HOTP-SHA256-8:C-QN08-PSHA1`.
public struct OCRASuite: Hashable, Sendable {
  /// The longest text of a suite, in bytes; the longest that the grammar allows is shorter.
  public static let maximumBytes = 64
  /// How long a question may be, in characters of its format (RFC 6287, 6.3 "QFxx").
  public static let questionLengthsAllowed = 4...64
  /// How many digits a response may have; 0 stands for the whole MAC (RFC 6287, 6.2).
  public static let digitsAllowed = 4...10

  /// How a question is written (RFC 6287, 6.3 "F").
  public enum QuestionFormat: Hashable, Sendable, CaseIterable {
    /// Letters and digits.
    case alphanumeric
    /// Decimal digits, which stand for one number.
    case numeric
    /// Hexadecimal digits.
    case hexadecimal
  }

  /// The text, byte for byte: it is a part of what is authenticated.
  public let text: UTF8Text
  /// The hash function under HMAC.
  public let algorithm: OTPAlgorithm
  /// How many digits a response has; 0 stands for the whole MAC.
  public let digits: Int
  /// Whether a counter goes into it (`C`).
  public let hasCounter: Bool
  /// How a question is written (`Q`).
  public let questionFormat: QuestionFormat
  /// The longest question, in characters.
  public let maximumQuestionLength: Int
  /// With what a password or PIN is hashed, nil if none goes into it (`P`).
  public let passwordHash: OTPAlgorithm?
  /// How long the information about the session is, in bytes, nil if none goes into it (`S`).
  public let sessionBytes: Int?
  /// The length of a time step in seconds, nil if the time does not go into it (`T`).
  public let period: Int64?

  /// Reads a suite.
  ///
  /// Every form of the grammar is taken, and nothing else: the names are in capitals, each input is there once, in the
  /// order C, Q, P, S, T. A question's length has two digits; the one that RFC 6287, 6.4 writes with one (`QH8`) is taken.
  ///
  /// - Throws: The first fault with its place: `tooLong`, `malformedSuite`, `unsupportedVersion`, `unsupportedFunction`,
  ///   `unsupportedDigits`, `unsupportedInput`.
  public init(_ text: Span<UInt8>) throws(OCRAError) {
    guard text.count <= Self.maximumBytes else { throw OCRAError(.tooLong, "OCRASuite", at: Self.maximumBytes) }
    let bytes = Array(copying: text)
    let parts = Self.split(bytes, 0..<bytes.count, at: UInt8(ascii: ":"))
    guard parts.count == 3, let whole = UTF8Text(validating: text) else {
      throw OCRAError(.malformedSuite, "OCRASuite")
    }
    guard bytes[parts[0]].elementsEqual("OCRA-1".utf8) else { throw OCRAError(.unsupportedVersion, "Algorithm") }
    self.text = whole
    (algorithm, digits) = try Self.function(bytes, parts[1])
    var inputs = DataInput(bytes, parts[2])
    hasCounter = inputs.takeCounter()
    (questionFormat, maximumQuestionLength) = try inputs.takeQuestion()
    passwordHash = try inputs.takePassword()
    sessionBytes = try inputs.takeSession()
    period = try inputs.takeTime()
    try inputs.finish()
  }

  fileprivate static func split(_ bytes: [UInt8], _ range: Range<Int>, at separator: UInt8) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    for index in range where bytes[index] == separator {
      parts.append(start..<index)
      start = index + 1
    }
    return parts + [start..<range.upperBound]
  }

  /// `HOTP-H-t` (RFC 6287, 6.2).
  private static func function(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(OCRAError) -> (OTPAlgorithm, digits: Int) {
    let parts = split(bytes, range, at: UInt8(ascii: "-"))
    guard parts.count == 3, bytes[parts[0]].elementsEqual("HOTP".utf8),
      let algorithm = OTPAlgorithm.allCases.first(where: { bytes[parts[1]].elementsEqual($0.name.utf8) })
    else { throw OCRAError(.unsupportedFunction, "CryptoFunction", at: range.lowerBound) }
    guard let digits = ([0] + digitsAllowed).first(where: { bytes[parts[2]].elementsEqual(String($0).utf8) }) else {
      throw OCRAError(.unsupportedDigits, "CryptoFunction", at: parts[2].lowerBound)
    }
    return (algorithm, digits)
  }
}

/// The inputs after the second colon (RFC 6287, 6.3), taken in their order.
private struct DataInput {
  private let bytes: [UInt8]
  private var parts: ArraySlice<Range<Int>>

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    parts = OCRASuite.split(bytes, range, at: UInt8(ascii: "-"))[...]
  }

  /// What stands behind the letter of the next input if it is this one.
  private mutating func take(_ letter: UInt8) -> Range<Int>? {
    guard let part = parts.first, let first = part.first, bytes[first] == letter else { return nil }
    parts.removeFirst()
    return (first + 1)..<part.upperBound
  }

  /// A number of exactly so many digits; nil for anything else.
  private func number(_ range: Range<Int>, digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(range.count), digits.upperBound <= 3 else { return nil }
    var value = 0
    for byte in bytes[range] {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }

  private func fault(_ field: Field, _ range: Range<Int>) -> OCRAError {
    OCRAError(.unsupportedInput, field, at: range.lowerBound)
  }

  mutating func takeCounter() -> Bool {
    guard let part = parts.first, bytes[part].elementsEqual("C".utf8) else { return false }
    parts.removeFirst()
    return true
  }

  mutating func takeQuestion() throws(OCRAError) -> (OCRASuite.QuestionFormat, Int) {
    guard let rest = take(UInt8(ascii: "Q")), let letter = rest.first else {
      throw fault("Q", parts.first ?? bytes.endIndex..<bytes.endIndex)
    }
    let format: OCRASuite.QuestionFormat
    switch bytes[letter] {
    case UInt8(ascii: "A"): format = .alphanumeric
    case UInt8(ascii: "N"): format = .numeric
    case UInt8(ascii: "H"): format = .hexadecimal
    default: throw fault("Q", rest)
    }
    guard let length = number(rest.dropFirst(), digits: 1...2), OCRASuite.questionLengthsAllowed.contains(length) else {
      throw fault("Q", rest)
    }
    return (format, length)
  }

  mutating func takePassword() throws(OCRAError) -> OTPAlgorithm? {
    guard let rest = take(UInt8(ascii: "P")) else { return nil }
    guard let hash = OTPAlgorithm.allCases.first(where: { bytes[rest].elementsEqual($0.name.utf8) }) else {
      throw fault("P", rest)
    }
    return hash
  }

  mutating func takeSession() throws(OCRAError) -> Int? {
    guard let rest = take(UInt8(ascii: "S")) else { return nil }
    guard let count = number(rest, digits: 3...3), count > 0 else { throw fault("S", rest) }
    return count
  }

  /// 1 to 59 seconds or minutes, 1 to 48 hours. RFC 6287 also writes 0 hours, which is no step.
  mutating func takeTime() throws(OCRAError) -> Int64? {
    guard let rest = take(UInt8(ascii: "T")) else { return nil }
    guard let unit = rest.last, let count = number(rest.dropLast(), digits: 1...2) else { throw fault("T", rest) }
    switch bytes[unit] {
    case UInt8(ascii: "S") where (1...59).contains(count): return Int64(count)
    case UInt8(ascii: "M") where (1...59).contains(count): return Int64(count) * 60
    case UInt8(ascii: "H") where (1...48).contains(count): return Int64(count) * 3600
    default: throw fault("T", rest)
    }
  }

  /// Nothing may be left.
  func finish() throws(OCRAError) {
    if let part = parts.first { throw fault("DataInput", part) }
  }
}
