import AssayCodec
import AssayOTP
import TestSupport
import Testing

/// Responses to challenges (RFC 6287).
@Suite struct OCRATests {
  static let vectors = OTPVector.carried("rfc/rfc6287.json")
  private static let secret = Array("12345678901234567890".utf8)

  private static func suite(_ text: String) throws -> OCRASuite { try OCRASuite(Array(text.utf8).span) }

  private static func ocra(_ text: String) throws -> OCRA {
    try OCRA(suite(text), secret: SecretBytes(copying: secret.span))
  }

  private static func fault(_ text: [UInt8]) -> OCRAError? {
    do throws(OCRAError) {
      _ = try OCRASuite(text.span)
      return nil
    } catch { return error }
  }

  @Test func nothingIsMissing() { #expect(Self.vectors.count == 70) }

  @Test(arguments: vectors) func respondsAsPublished(_ vector: OTPVector) throws {
    let suite = try Self.suite(vector.string("suite"))
    let ocra = try OCRA(suite, secret: vector.secret())
    let questions = try #require(vector.json["questions"]?.array).compactMap(\.string)
    let pin = Array(vector.string("pin").utf8)
    let inputs =
      vector.has("pin")
      ? try OCRAInputs(suite, questions: questions, passwordHash: OCRAInputs.hash(password: pin.span, for: suite))
      : try OCRAInputs(suite, questions: questions)
    let counter = vector.uint64("counter")
    let time = vector.int64("time").map { UnixTime($0) }
    let response = try ocra.response(inputs, counter: counter, time: time).text
    #expect(response.string == vector.string("expected"))
    let nothingElse = TOTP.Window(back: 0, ahead: 0)
    let match = try ocra.verify(response.utf8.span, inputs, counter: counter, at: time, window: nothingElse)
    #expect(match.counter == counter && match.next == counter.map { $0 + 1 })
    #expect(match.step == time.map { UInt64($0.seconds / 60) })
    // Another question has another response.
    let other = questions.map {
      UTF8Text(String($0.string.reversed()) == $0.string ? "1" : String($0.string.reversed()))
    }
    guard !vector.has("pin") else { return }
    let others = try OCRAInputs(suite, questions: other)
    #expect(try ocra.response(others, counter: counter, time: time).text != response)
  }

  /// Every form of the grammar, each with what it means.
  @Test func everySuiteOfTheGrammar() throws {
    var count = 0
    let passwords: [(String, OTPAlgorithm?)] =
      [("", nil)] + OTPAlgorithm.allCases.map { ("-P\($0.name.string)", $0) }
    let sessions: [(String, Int?)] = [
      ("", nil), ("-S001", 1), ("-S064", 64), ("-S128", 128), ("-S512", 512), ("-S999", 999),
    ]
    let times: [(String, Int64?)] = [
      ("", nil), ("-T1S", 1), ("-T59S", 59), ("-T1M", 60), ("-T59M", 3540), ("-T1H", 3600), ("-T48H", 172_800),
    ]
    let formats: [(String, OCRASuite.QuestionFormat)] = [
      ("A", .alphanumeric), ("N", .numeric), ("H", .hexadecimal),
    ]
    for algorithm in OTPAlgorithm.allCases {
      for digits in [0, 4, 6, 10] {
        for counter in ["", "C-"] {
          for (format, meaning) in formats {
            for length in [4, 64] {
              for (password, hash) in passwords {
                for (session, bytes) in sessions {
                  for (time, period) in times {
                    let text =
                      "OCRA-1:HOTP-\(algorithm.name.string)-\(digits):\(counter)Q\(format)\(length == 4 ? "04" : "64")\(password)\(session)\(time)"
                    let suite = try Self.suite(text)
                    let isRight =
                      suite.text.string == text && suite.algorithm == algorithm && suite.digits == digits
                      && suite.hasCounter == !counter.isEmpty && suite.questionFormat == meaning
                      && suite.maximumQuestionLength == length && suite.passwordHash == hash
                      && suite.sessionBytes == bytes && suite.period == period
                    if !isRight { Issue.record("\(text)") }
                    count += 1
                  }
                }
              }
            }
          }
        }
      }
    }
    #expect(count == 3 * 4 * 2 * 3 * 2 * 4 * 6 * 7)
    for digits in 0...99 {
      let fault = Self.fault(Array("OCRA-1:HOTP-SHA1-\(digits):QN08".utf8))
      #expect(fault?.code == (digits == 0 || (4...10).contains(digits) ? nil : .unsupportedDigits), "\(digits)")
    }
    for length in 0...99 {
      let text = "OCRA-1:HOTP-SHA1-6:QN\(length < 10 ? "0" : "")\(length)"
      #expect(Self.fault(Array(text.utf8))?.code == ((4...64).contains(length) ? nil : .unsupportedInput), "\(length)")
    }
    // The one example of RFC 6287, 6.4 that its grammar does not have.
    #expect(try Self.suite("OCRA-1:HOTP-SHA1-4:QH8-S512").maximumQuestionLength == 8)
  }

  static let refused: [(String, OCRAError.Code)] = [
    ("", .malformedSuite), ("OCRA-1", .malformedSuite), ("OCRA-1:HOTP-SHA1-6", .malformedSuite),
    ("OCRA-1::QA08", .unsupportedFunction), ("OCRA-1:::QA08", .malformedSuite),
    ("OCRA-1:HOTP-SHA1-6:QN08:", .malformedSuite),
    ("OCRA-2:HOTP-SHA1-6:QN08", .unsupportedVersion), ("ocra-1:HOTP-SHA1-6:QN08", .unsupportedVersion),
    (" OCRA-1:HOTP-SHA1-6:QN08", .unsupportedVersion), ("OCRA-1:HTOP-SHA1-6:QN08", .unsupportedFunction),
    ("OCRA-1:TOTP-SHA1-6:QN08", .unsupportedFunction), ("OCRA-1:HOTP-MD5-6:QN08", .unsupportedFunction),
    ("OCRA-1:HOTP-SHA-6:QN08", .unsupportedFunction), ("OCRA-1:HOTP-SHA384-6:QN08", .unsupportedFunction),
    ("OCRA-1:HOTP-SHA1:QN08", .unsupportedFunction), ("OCRA-1:HOTP-SHA1-6-6:QN08", .unsupportedFunction),
    ("OCRA-1:HOTP-SHA1-:QN08", .unsupportedDigits), ("OCRA-1:HOTP-SHA1-a0:QN08", .unsupportedDigits),
    ("OCRA-1:HOTP-SHA1-06:QN08", .unsupportedDigits), ("OCRA-1:HOTP-SHA1-6:", .unsupportedInput),
    ("OCRA-1:HOTP-SHA1-6:C", .unsupportedInput), ("OCRA-1:HOTP-SHA1-6:C-", .unsupportedInput),
    ("OCRA-1:HOTP-SHA1-6:Q", .unsupportedInput), ("OCRA-1:HOTP-SHA1-6:QN", .unsupportedInput),
    ("OCRA-1:HOTP-SHA1-6:QX08", .unsupportedInput), ("OCRA-1:HOTP-SHA1-6:QN008", .unsupportedInput),
    ("OCRA-1:HOTP-SHA1-6:QN+8", .unsupportedInput), ("OCRA-1:HOTP-SHA1-6:qn08", .unsupportedInput),
    ("OCRA-1:HOTP-SHA1-6:QN08-", .unsupportedInput), ("OCRA-1:HOTP-SHA1-6:QN08-C", .unsupportedInput),
    ("OCRA-1:HOTP-SHA1-6:QN08-QN08", .unsupportedInput), ("OCRA-1:HOTP-SHA1-6:C-C-QN08", .unsupportedInput),
    ("OCRA-1:HOTP-SHA1-6:QN08-P", .unsupportedInput), ("OCRA-1:HOTP-SHA1-6:QN08-PMD5", .unsupportedInput),
    ("OCRA-1:HOTP-SHA1-6:QN08-PSHA1-PSHA1", .unsupportedInput), ("OCRA-1:HOTP-SHA1-6:QN08-S", .unsupportedInput),
    ("OCRA-1:HOTP-SHA1-6:QN08-S64", .unsupportedInput), ("OCRA-1:HOTP-SHA1-6:QN08-S000", .unsupportedInput),
    ("OCRA-1:HOTP-SHA1-6:QN08-S0064", .unsupportedInput), ("OCRA-1:HOTP-SHA1-6:QN08-S028---", .unsupportedInput),
    ("OCRA-1:HOTP-SHA1-6:QN08-S064-PSHA1", .unsupportedInput), ("OCRA-1:HOTP-SHA1-6:QN08-T", .unsupportedInput),
    ("OCRA-1:HOTP-SHA1-6:QN08-T1", .unsupportedInput), ("OCRA-1:HOTP-SHA1-6:QN08-TM", .unsupportedInput),
    ("OCRA-1:HOTP-SHA1-6:QN08-T0S", .unsupportedInput), ("OCRA-1:HOTP-SHA1-6:QN08-T60S", .unsupportedInput),
    ("OCRA-1:HOTP-SHA1-6:QN08-T0M", .unsupportedInput), ("OCRA-1:HOTP-SHA1-6:QN08-T60M", .unsupportedInput),
    ("OCRA-1:HOTP-SHA1-6:QN08-T0H", .unsupportedInput), ("OCRA-1:HOTP-SHA1-6:QN08-T49H", .unsupportedInput),
    ("OCRA-1:HOTP-SHA1-6:QN08-T1D", .unsupportedInput), ("OCRA-1:HOTP-SHA1-6:QN08-T001M", .unsupportedInput),
    ("OCRA-1:HOTP-SHA1-6:QN08-T1M-S064", .unsupportedInput), ("OCRA-1:HOTP-SHA1-6:QN08-X", .unsupportedInput),
    ("OCRA-1:HOTP-SHA1-6:QN08" + String(repeating: "-", count: 42), .tooLong),
  ]

  @Test(arguments: refused) func nothingElseIsASuite(_ text: String, _ code: OCRAError.Code) throws {
    let fault = try #require(Self.fault(Array(text.utf8)))
    #expect(fault.code == code, "\(fault)")
    #expect((0...text.utf8.count).contains(fault.offset))
  }

  @Test func everyTruncationAndEveryByteOfASuite() {
    let whole = Array("OCRA-1:HOTP-SHA512-10:C-QN64-PSHA256-S064-T1M".utf8)
    #expect(Self.fault(whole) == nil)
    // Also the question of one digit.
    let boundaries: Set<Int> = [27, 28, 36, 41]
    for count in whole.indices {
      #expect((Self.fault(Array(whole.prefix(count))) == nil) == boundaries.contains(count))
    }
    var accepted = 0
    for place in whole.indices {
      for byte in UInt8.min...UInt8.max where byte != whole[place] {
        var text = whole
        text[place] = byte
        if let fault = Self.fault(text) {
          #expect((0...text.count).contains(fault.offset))
        } else {
          accepted += 1
        }
      }
    }
    // A, H for N; lengths of questions and sessions; 1 to 9 and S, M, H of a step: each by one digit or letter.
    #expect(accepted == 2 + (6 + 4) + (9 + 9 + 9) + (8 + 2))
  }

  // MARK: Inputs

  private static func inputFault(
    _ suite: String, _ questions: [UTF8Text], password: String? = nil, session: Int? = nil
  ) throws -> OCRAError.Code? {
    let suite = try Self.suite(suite)
    let session = session.map { [UInt8](repeating: 1, count: $0) }
    do throws(OCRAError) {
      guard let password else {
        _ = try OCRAInputs(suite, questions: questions, session: session)
        return nil
      }
      let hash = try OCRAInputs.hash(password: Array(password.utf8).span, for: suite)
      _ = try OCRAInputs(suite, questions: questions, passwordHash: hash, session: session)
      return nil
    } catch { return error.code }
  }

  @Test func inputsAreThoseOfTheSuite() throws {
    let n = "OCRA-1:HOTP-SHA1-6:QN08"
    let a = "OCRA-1:HOTP-SHA1-6:QA08"
    let h = "OCRA-1:HOTP-SHA1-6:QH08"
    for (suite, questions, expected) in [
      (n, ["1"], nil), (n, ["12345678"], nil), (n, ["12345678", "87654321"], nil),
      (n, [], OCRAError.Code.invalidQuestion),
      (n, [""], .invalidQuestion), (n, ["123456789"], .invalidQuestion), (n, ["1", ""], .invalidQuestion),
      (n, ["1", "2", "3"], .invalidQuestion), (n, ["1234567a"], .invalidQuestion), (n, ["-1"], .invalidQuestion),
      (n, ["１"], .invalidQuestion), (a, ["aZ09"], nil), (a, ["a b"], .invalidQuestion), (a, ["é"], .invalidQuestion),
      (h, ["aF09"], nil), (h, ["g"], .invalidQuestion), (h, ["123456789"], .invalidQuestion),
    ] as [(String, [UTF8Text], OCRAError.Code?)] {
      #expect(try Self.inputFault(suite, questions) == expected, "\(suite) \(questions.map(\.string))")
    }
    for (suite, password, session, expected) in [
      (n, "1234", nil, OCRAError.Code.invalidPassword), (n + "-PSHA1", nil, nil, .invalidPassword),
      (n + "-PSHA512", "1234", nil, nil), (n, nil, 64, .invalidSession), (n + "-S064", nil, nil, .invalidSession),
      (n + "-S064", nil, 63, .invalidSession), (n + "-S064", nil, 65, .invalidSession), (n + "-S064", nil, 64, nil),
    ] as [(String, String?, Int?, OCRAError.Code?)] {
      #expect(try Self.inputFault(suite, ["1"], password: password, session: session) == expected, "\(suite)")
    }
    // A hash of another function.
    let other = try Self.suite(n + "-PSHA256")
    let hash = try OCRAInputs.hash(password: Array("1234".utf8).span, for: other)
    let sha1 = try Self.suite(n + "-PSHA1")
    do throws(OCRAError) {
      _ = try OCRAInputs(sha1, questions: ["1"], passwordHash: hash)
      Issue.record("taken")
    } catch { #expect(error.code == .invalidPassword) }
  }

  /// The longest questions of each format fit, in twos as well: 64 letters are 64 bytes.
  @Test(arguments: ["A", "N", "H"]) func theLongestQuestionsFit(_ format: String) throws {
    let ocra = try Self.ocra("OCRA-1:HOTP-SHA1-0:Q\(format)64")
    let question = UTF8Text(String(repeating: "9", count: 64))
    var seen: Set<String> = []
    for questions in [[question], [question, question], ["9"], ["90"]] as [[UTF8Text]] {
      let response = try ocra.response(OCRAInputs(ocra.suite, questions: questions)).text
      #expect(response.utf8.count == 40)
      seen.insert(response.string)
    }
    // Padded with zeros as it is, a hexadecimal 9 is the same as 90: RFC 6287 has it so.
    #expect(seen.count == (format == "H" ? 3 : 4))
  }

  // MARK: Verification

  private static func fault(
    _ ocra: OCRA, _ response: String, _ inputs: borrowing OCRAInputs, counter: UInt64? = nil, lookAhead: Int = 0,
    at now: Int64? = nil, after last: UInt64? = nil, window: TOTP.Window = .standard
  ) -> OTPError.Code? {
    do throws(OTPError) {
      _ = try ocra.verify(
        Array(response.utf8).span, inputs, counter: counter, lookAhead: lookAhead, at: now.map { UnixTime($0) },
        after: last, window: window)
      return nil
    } catch { return error.code }
  }

  @Test func theCounterIsSearchedAheadOnly() throws {
    let ocra = try Self.ocra("OCRA-1:HOTP-SHA1-8:C-QN08")
    let inputs = try OCRAInputs(ocra.suite, questions: ["12345678"])
    let response = try ocra.response(inputs, counter: 5).text
    #expect(try ocra.verify(response.utf8.span, inputs, counter: 2, lookAhead: 3).next == 6)
    for (counter, lookAhead, expected) in [
      (5, 0, nil), (2, 2, OTPError.Code.wrongCode), (6, 50, .wrongCode), (5, -1, .windowNotAllowed),
      (5, 51, .windowNotAllowed), (UInt64.max, 50, .wrongCode),
    ] as [(UInt64, Int, OTPError.Code?)] {
      #expect(Self.fault(ocra, response.string, inputs, counter: counter, lookAhead: lookAhead) == expected)
    }
    let last = try ocra.response(inputs, counter: .max).text
    let match = try ocra.verify(last.utf8.span, inputs, counter: .max - 3, lookAhead: 10)
    #expect(match.counter == .max && match.next == nil)
    let other = try OCRAInputs(ocra.suite, questions: ["12345679"])
    #expect(Self.fault(ocra, response.string, other, counter: 5) == .wrongCode)
  }

  @Test func theTimeHasAWindow() throws {
    let ocra = try Self.ocra("OCRA-1:HOTP-SHA256-8:QN08-T1M")
    let inputs = try OCRAInputs(ocra.suite, questions: ["12345678"])
    let response = try ocra.response(inputs, time: UnixTime(600)).text.string
    for (now, last, window, expected) in [
      (600, nil, TOTP.Window.standard, nil), (540, 9, .standard, nil), (719, nil, .standard, nil),
      (720, nil, .standard, OTPError.Code.wrongCode), (539, nil, .standard, .wrongCode),
      (600, 10, .standard, .wrongCode),
      (600, 11, .standard, .wrongCode), (720, nil, TOTP.Window(back: 2, ahead: 0), nil),
      (-1, nil, .standard, .timeBeforeStart),
      (600, nil, TOTP.Window(back: 11, ahead: 0), .windowNotAllowed),
    ] as [(Int64, UInt64?, TOTP.Window, OTPError.Code?)] {
      #expect(Self.fault(ocra, response, inputs, at: now, after: last, window: window) == expected, "\(now)")
    }
  }

  @Test func bothMoveTogetherWithinOneLimit() throws {
    let ocra = try Self.ocra("OCRA-1:HOTP-SHA512-10:C-QA08-T30S")
    let inputs = try OCRAInputs(ocra.suite, questions: ["abc"])
    let response = try ocra.response(inputs, counter: 7, time: UnixTime(60)).text
    let match = try ocra.verify(response.utf8.span, inputs, counter: 0, lookAhead: 20, at: UnixTime(30))
    #expect(match.counter == 7 && match.next == 8 && match.step == 2)
    #expect(Self.fault(ocra, response.string, inputs, counter: 0, lookAhead: 21, at: 30) == .windowNotAllowed)
  }

  @Test func onlyWhatTheSuiteAsksForIsGiven() throws {
    let plain = try Self.ocra("OCRA-1:HOTP-SHA1-6:QN08")
    let counting = try Self.ocra("OCRA-1:HOTP-SHA1-6:C-QN08")
    let inputs = try OCRAInputs(plain.suite, questions: ["1"])
    let countings = try OCRAInputs(counting.suite, questions: ["1"])
    #expect(Self.fault(plain, "000000", inputs, counter: 1) == .otherInputs)
    #expect(Self.fault(plain, "000000", inputs, at: 1) == .otherInputs)
    #expect(Self.fault(plain, "000000", countings) == .otherInputs)
    #expect(Self.fault(counting, "000000", countings) == .otherInputs)
    #expect(Self.fault(counting, "000000", inputs, counter: 1) == .otherInputs)
    // A look ahead or a last step that would be without effect.
    #expect(Self.fault(plain, "000000", inputs, lookAhead: 1) == .otherInputs)
    #expect(Self.fault(plain, "000000", inputs, after: 1) == .otherInputs)
    #expect(Self.fault(counting, "000000", countings, counter: 1, lookAhead: 1, after: 1) == .otherInputs)
    #expect(OTPTestFault.of { () throws(OTPError) in _ = try plain.step(at: UnixTime(0)) } == .otherInputs)
    #expect(OTPTestFault.of { () throws(OTPError) in _ = try plain.response(inputs, counter: 1) } == .otherInputs)
  }

  @Test func aResponseHasOneForm() throws {
    let digits = try Self.ocra("OCRA-1:HOTP-SHA1-6:QN08")
    let zeros = try OCRAInputs(digits.suite, questions: ["00000000"])
    #expect(Self.fault(digits, "237653", zeros) == nil)
    for response in ["", "23765", "2376530", "23765a", "237653 ", "２３７６５３"] {
      #expect(Self.fault(digits, response, zeros) == .malformedCode)
    }
    let whole = try Self.ocra("OCRA-1:HOTP-SHA256-0:QN08")
    let inputs = try OCRAInputs(whole.suite, questions: ["1"])
    let response = try whole.response(inputs).text.string
    #expect(response.count == 64 && Self.fault(whole, response, inputs) == nil)
    #expect(Self.fault(whole, response.uppercased(), inputs) == .malformedCode)
    #expect(Self.fault(whole, String(response.dropLast()), inputs) == .malformedCode)
    #expect(Self.fault(whole, String(repeating: "0", count: 64), inputs) == .wrongCode)
  }

  /// Neither a response nor what makes it shows anything of itself.
  @Test func nothingPrintsItself() throws {
    let ocra = try Self.ocra("OCRA-1:HOTP-SHA1-6:QN08")
    let response = try ocra.response(OCRAInputs(ocra.suite, questions: ["00000000"]))
    #expect("\(response)" == "OCRA response (6 characters)")
    var shown = "\(response) \(ocra)"
    dump(response, to: &shown)
    dump(ocra, to: &shown)
    #expect(shown.contains("HOTP-SHA1-6") || shown.contains("OCRASuite"))
    #expect(!shown.contains("237653") && !shown.contains("50, 51, 55") && !shown.contains("49, 50, 51"))
  }

  @Test func secretsHaveALeastLengthForResponsesToo() throws {
    let suite = try Self.suite("OCRA-1:HOTP-SHA1-6:QN08")
    for (count, allowed, expected) in [
      (0, true, OTPError.Code.emptySecret), (15, false, .shortSecret), (15, true, nil), (16, false, nil),
      (1025, true, .longSecret),
    ] as [(Int, Bool, OTPError.Code?)] {
      let bytes = [UInt8](repeating: 7, count: count)
      #expect(
        OTPTestFault.of { () throws(OTPError) in
          _ = try OCRA(suite, secret: SecretBytes(copying: bytes.span), allowShortSecret: allowed)
        } == expected)
    }
  }
}
