public import AssayCodec
internal import AssayCrypto

/// What goes into an OCRA response besides secret, counter and time (RFC 6287, 5.1): questions, password, session.
///
/// It holds the hash of a password, which is wiped with it.
public struct OCRAInputs: ~Copyable, Sendable {
  /// The longest question, padded, in bytes.
  private static let questionBytes = 128

  let suite: OCRASuite
  /// Q, P and S, one after the other.
  let bytes: SecretBytes

  /// Checks the inputs against a suite without a password.
  ///
  /// - Parameters:
  ///   - suite: The suite.
  ///   - questions: One question; or two, for mutual authentication, in the order of RFC 6287, 7.2. Each has 1 to
  ///     `maximumQuestionLength` characters of the suite's format. Two are joined as text.
  ///   - session: The information about the session, if the suite has `S`, of exactly `sessionBytes`.
  /// - Throws: `invalidQuestion`; `invalidPassword` if the suite has `P`; `invalidSession`.
  public init(_ suite: OCRASuite, questions: [UTF8Text], session: [UInt8]? = nil) throws(OCRAError) {
    guard suite.passwordHash == nil else { throw OCRAError(.invalidPassword, "P") }
    let none = SecretBytes(copying: Span())
    bytes = try Self.message(suite, questions, none, session)
    self.suite = suite
  }

  /// Checks the inputs against a suite with a password.
  ///
  /// - Parameters:
  ///   - suite: The suite.
  ///   - questions: As without a password.
  ///   - passwordHash: The hash of the password: see `hash(password:for:)`.
  ///   - session: As without a password.
  /// - Throws: `invalidQuestion`; `invalidPassword` if the suite has no `P`, or one with a hash of another length;
  ///   `invalidSession`.
  public init(
    _ suite: OCRASuite, questions: [UTF8Text], passwordHash: borrowing SecretBytes, session: [UInt8]? = nil
  ) throws(OCRAError) {
    guard passwordHash.count == suite.passwordHash?.digest.byteCount else { throw OCRAError(.invalidPassword, "P") }
    bytes = try Self.message(suite, questions, passwordHash, session)
    self.suite = suite
  }

  private static func message(
    _ suite: OCRASuite, _ questions: [UTF8Text], _ hash: borrowing SecretBytes, _ session: [UInt8]?
  ) throws(OCRAError) -> SecretBytes {
    let question = try question(questions, suite)
    guard session?.count == suite.sessionBytes else { throw OCRAError(.invalidSession, "S") }
    var message = SecretBuffer()
    message.append(question.span)
    hash.withSpan { message.append($0) }
    if let session { message.append(session.span) }
    return message.secret()
  }

  /// Hashes a password or PIN as a suite asks for it. The hash of a PIN is as good as the PIN: there are few of them.
  ///
  /// - Throws: `invalidPassword` if the suite has no `P`; `unavailable`.
  public static func hash(password: Span<UInt8>, for suite: OCRASuite) throws(OCRAError) -> SecretBytes {
    guard let hash = suite.passwordHash else { throw OCRAError(.invalidPassword, "P") }
    do {
      var value = try hash.digest.hash(password)
      defer { wipe(&value) }
      return SecretBytes(copying: value.span)
    } catch { throw OCRAError(.unavailable, "P") }
  }

  /// The questions as 128 bytes: half bytes one after the other, zeros behind them.
  private static func question(_ questions: [UTF8Text], _ suite: OCRASuite) throws(OCRAError) -> [UInt8] {
    guard (1...2).contains(questions.count) else { throw OCRAError(.invalidQuestion, "Q") }
    for question in questions where !(1...suite.maximumQuestionLength).contains(question.utf8.count) {
      throw OCRAError(.invalidQuestion, "Q")
    }
    let text = questions.flatMap(\.utf8)
    var halves: [UInt8] = []
    switch suite.questionFormat {
    case .alphanumeric:
      guard text.allSatisfy(isAlphanumeric) else { throw OCRAError(.invalidQuestion, "Q") }
      halves = text.flatMap { [$0 >> 4, $0 & 0x0F] }
    case .hexadecimal:
      for byte in text {
        guard let digit = hexadecimal(byte) else { throw OCRAError(.invalidQuestion, "Q") }
        halves.append(digit)
      }
    case .numeric:
      for byte in text {
        guard let digit = hexadecimal(byte), digit < 10 else { throw OCRAError(.invalidQuestion, "Q") }
        multiplyByTen(&halves, adding: digit)
      }
      halves.reverse()
    }
    guard halves.count <= 2 * questionBytes else { throw OCRAError(.invalidQuestion, "Q") }
    halves += [UInt8](repeating: 0, count: 2 * questionBytes - halves.count)
    return (0..<questionBytes).map { halves[2 * $0] << 4 | halves[2 * $0 + 1] }
  }

  /// A number in half bytes, the least significant first and no zeros behind it, save that 0 has one.
  private static func multiplyByTen(_ halves: inout [UInt8], adding digit: UInt8) {
    if halves == [0] { halves = [] }
    var carry = digit
    for index in halves.indices {
      let value = halves[index] * 10 + carry
      halves[index] = value & 0x0F
      carry = value >> 4
    }
    if carry > 0 || halves.isEmpty { halves.append(carry) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
