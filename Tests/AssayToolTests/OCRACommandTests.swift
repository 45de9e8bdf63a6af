import AssayCodec
import Testing

/// `otp ocra respond` and `otp ocra verify`.
@Suite struct OCRACommandTests {
  private static let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA"

  private static func arguments(_ verb: String, _ suite: String, _ question: String, _ more: [String]) -> [String] {
    ["otp", "ocra", verb, "--suite", suite, "--question", question, "--secret", secret] + more
  }

  @Test func answersAndChecks() throws {
    let suite = "OCRA-1:HOTP-SHA256-8:C-QN08-PSHA1"
    let pin = try ToolRun.file(Array("1234\n".utf8))
    let more = ["--pin-file", pin, "--counter"]
    let response = try ToolRun.run(Self.arguments("respond", suite, "12345678", more + ["9"]))
    #expect(response.status == 0 && response.text == "08522129\n")
    let run = try ToolRun.run(
      Self.arguments("verify", suite, "12345678", more + ["7", "--look-ahead", "2", "08522129"]))
    #expect(
      run.text == """
        valid: this is the response to the challenge
        checked, in this order:
           1. the response has exactly 8 digits
           2. it is that of the suite, the questions and what else goes into it, all compared in constant time
        WARNING: not checked: whether the challenge was random, and answered once only
          counter           9
          counter to store  10

        """)
    let mutual = try ToolRun.run(
      Self.arguments("respond", "OCRA-1:HOTP-SHA256-8:QA08", "CLI22220", ["--second-question", "SRV11110"]))
    #expect(mutual.text == "28247970\n")
    let timed = try ToolRun.run(
      Self.arguments("verify", "OCRA-1:HOTP-SHA256-8:QA08-T1M", "a", ["--at", "60", "--after", "1", "00000000"]))
    timed.expectRefusal("timed")
  }

  static let refused: [(suite: String, question: String, more: [String], says: String)] = [
    ("OCRA-1:HOTP-MD5-8:QN08", "1", [], "HOTP-SHA1, HOTP-SHA256, HOTP-SHA512"),
    ("OCRA-1:HOTP-SHA1-8:QN08", "x", [], "a question must have"),
    ("OCRA-1:HOTP-SHA1-8:QN08-PSHA1", "1", [], "if the suite has P"),
    ("OCRA-1:HOTP-SHA1-8:QN08-S064", "1", [], "if the suite has S"),
    ("OCRA-1:HOTP-SHA1-8:C-QN08", "1", [], "if the suite has C"),
    ("OCRA-1:HOTP-SHA1-8:QN08", "1", ["--at", "1"], "the time if it has T"),
    ("OCRA-1:HOTP-SHA1-8:QN08", "1", ["--counter", "1"], "if the suite has C"),
  ]

  /// A search or a limit that the suite leaves without effect is a mistake.
  @Test(arguments: [["--back", "0"], ["--ahead", "2"], ["--look-ahead", "2"], ["--after", "7"]])
  func limitsWithoutEffectAreRefused(_ more: [String]) throws {
    let run = try ToolRun.run(Self.arguments("verify", "OCRA-1:HOTP-SHA1-6:QN08", "00000000", more + ["237653"]))
    run.expectRefusal("\(more)")
    #expect(run.errors.contains("suites with T") || run.errors.contains("if the suite has"), "\(run.errors)")
  }

  @Test(arguments: refused)
  func saysWhatIsWrong(_ one: (suite: String, question: String, more: [String], says: String)) throws {
    for (verb, operands) in [("respond", []), ("verify", ["12345678"])] {
      let run = try ToolRun.run(Self.arguments(verb, one.suite, one.question, one.more + operands))
      run.expectRefusal("\(one.suite)")
      #expect(run.status == 1)
      #expect(run.errors.contains(one.says), "\(run.errors)")
    }
  }
}
