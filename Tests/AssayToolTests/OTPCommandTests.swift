import AssayCodec
import Testing

/// The noun `otp`, good input and the verdicts that differ only in time.
@Suite struct OTPCommandTests {
  private static let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

  static let good: [(arguments: [String], text: String, json: String)] = [
    (
      ["code", "--at", "59", "--digits", "8"], "94287082\n",
      #"{"outcome":"done","code":"94287082","step":1,"time":59}"#
    ),
    (
      ["code", "--steam", "--at", "59"], "PV9M4\n", #"{"outcome":"done","code":"PV9M4","step":1,"time":59}"#
    ),
    (
      ["verify", "--steam", "--at", "59", "--after", "0", "PV9M4"],
      """
      valid: this is the code of time step 1
      checked, in this order:
         1. the code has exactly 5 characters of Steam Guard's
         2. it is that of a step from 0 to 2, around 1970-01-01T00:00:59Z, all compared in constant time
         3. step 1 comes after step 0, the last one accepted: the code was not used before
        step to store  1

      """,
      #"{"outcome":"valid","message":"valid: this is the code of time step 1","step":1,"checked":["the code has exactly "#
        + #"5 characters of Steam Guard's","it is that of a step from 0 to 2, around 1970-01-01T00:00:59Z, all compared in "#
        + #"constant time","step 1 comes after step 0, the last one accepted: the code was not used before"]}"#
    ),
    (["code", "--counter", "9"], "520489\n", #"{"outcome":"done","code":"520489","counter":9}"#),
    (
      ["code", "--counter", "18446744073709551615"], "094451\n",
      #"{"outcome":"done","code":"094451","counter":18446744073709551615}"#
    ),
    (
      ["verify", "--at", "1700000010", "--after", "56666666", "732303"],
      """
      valid: this is the code of time step 56666667
      checked, in this order:
         1. the code has exactly 6 digits
         2. it is that of a step from 56666666 to 56666668, around 2023-11-14T22:13:30Z, all compared in constant time
         3. step 56666667 comes after step 56666666, the last one accepted: the code was not used before
        step to store  56666667

      """,
      #"{"outcome":"valid","message":"valid: this is the code of time step 56666667","step":56666667,"#
        + #""checked":["the code has exactly 6 digits","it is that of a step from 56666666 to 56666668, around 2023-11-14T22:13:30Z, all compared in constant time","step 56666667 comes after step 56666666, the last one accepted: the code "#
        + #"was not used before"]}"#
    ),
    (
      ["verify", "--counter", "5", "--look-ahead", "3", "399871"],
      """
      valid: this is the code of counter 8
      checked, in this order:
         1. the code has exactly 6 digits
         2. it is that of counter 5 or one of the next 3, all compared in constant time
        counter           8
        counter to store  9

      """,
      #"{"outcome":"valid","message":"valid: this is the code of counter 8","counter":8,"next":9,"checked":["the code has "#
        + #"exactly 6 digits","it is that of counter 5 or one of the next 3, all compared in constant time"]}"#
    ),
    (
      ["verify", "--counter", "2", "--next-code", "520489", "399871"],
      """
      valid: these are two codes in a row, the second that of counter 9
      checked, in this order:
         1. each code has exactly 6 digits
         2. the first is that of counter 2 or one of the next 100, the second follows it, all compared in constant time
        counter           9
        counter to store  10

      """,
      #"{"outcome":"valid","message":"valid: these are two codes in a row, the second that of counter 9","counter":9,"#
        + #""next":10,"checked":["each code has exactly 6 digits","the first is that of counter 2 or one of the next 100, "#
        + #"the second follows it, all compared in constant time"]}"#
    ),
  ]

  @Test(arguments: good) func prints(_ one: (arguments: [String], text: String, json: String)) throws {
    let text = try ToolRun.run(["otp"] + one.arguments + ["--secret", Self.secret])
    #expect(text.status == 0 && text.errors.isEmpty)
    #expect(text.text == one.text)
    let json = try ToolRun.run(
      ["otp"] + one.arguments + ["--json", "--secret-file", "-"], input: Array("\(Self.secret)\n".utf8))
    #expect(json.status == 0 && json.errors.isEmpty)
    #expect(json.text == one.json + "\n")
    #expect(json.json != nil)
  }

  static let refused: [(arguments: [String], says: String)] = [
    (["verify", "--at", "1700000010", "732304"], "not that of any step near 2023-11-14T22:13:30Z"),
    (["verify", "--at", "1700000010", "--after", "56666667", "732303"], "step 56666667 was accepted already"),
    (["verify", "--at", "1700000100", "732303"], "step 56666667, 3 before the current one"),
    (["verify", "--at", "1699999920", "732303"], "step 56666667, 3 after the current one"),
    (["verify", "--at", "1700000010", "73230"], "exactly the agreed number of digits"),
    (["verify", "--at", "1700000010", "732303 "], "exactly the agreed number of digits"),
    (["verify", "--steam", "--at", "59", "287082"], "Steam Guard's characters"),
    (["verify", "--steam", "--at", "149", "PV9M4"], "step 1, 3 before the current one"),
    (["verify", "--at", "-1", "732303"], "before the time of the first step"),
    (["verify", "--counter", "5", "338314"], "not right, or was used already"),
    (["verify", "--counter", "9", "--next-code", "520489", "399871"], "not right, or was used already"),
    (["verify", "--counter", "2", "--next-code", "399871", "520489"], "not right, or was used already"),
    (
      ["verify", "--counter", "2", "--resync-window", "5", "--next-code", "520489", "399871"],
      "not right, or was used already"
    ),
    (["verify", "--counter", "2", "--next-code", "52048", "399871"], "exactly the agreed number of digits"),
  ]

  @Test(arguments: refused) func tellsTheOperatorWhy(_ one: (arguments: [String], says: String)) throws {
    let run = try ToolRun.run(["otp"] + one.arguments + ["--json", "--secret", Self.secret])
    run.expectRefusal("\(one.arguments)")
    #expect(run.status == 1)
    #expect(run.errors.contains(one.says), "\(run.errors)")
    #expect(run.json?["message"]?.string?.string.contains(one.says) == true)
  }

  @Test func theResynchronizationWindowIsGiven() throws {
    let run = try ToolRun.run([
      "otp", "verify", "--counter", "2", "--resync-window", "6", "--next-code", "520489", "399871", "--secret",
      Self.secret,
    ])
    #expect(run.status == 0)
    let wrong = [
      ["--next-code", "520489"], ["--resync-window", "6"], ["--counter", "2", "--resync-window", "6"],
      ["--counter", "2", "--next-code", "520489", "--look-ahead", "6"],
      ["--counter", "2", "--next-code", "520489", "--resync-window", "1001"],
    ]
    for arguments in wrong {
      let run = try ToolRun.run(["otp", "verify"] + arguments + ["399871", "--secret", Self.secret])
      #expect(run.status == 2, "\(arguments)")
      run.expectRefusal("\(arguments)")
    }
  }

  /// All codes of Steam Guard are made the same way.
  @Test func steamTakesNoSettings() throws {
    for setting in [
      ["--digits", "6"], ["--algorithm", "SHA1"], ["--period", "30"], ["--start", "0"], ["--counter", "1"],
    ] {
      for verb in [["code"], ["verify", "PV9M4"]] {
        let run = try ToolRun.run(["otp"] + verb + ["--steam", "--secret", Self.secret] + setting)
        #expect(run.status == 2, "\(setting)")
        run.expectRefusal("\(setting)")
      }
    }
  }

  @Test func aReplayThatIsNotCheckedIsSaidSo() throws {
    let run = try ToolRun.run(["otp", "verify", "--at", "1700000010", "--secret", Self.secret, "732303"])
    #expect(run.status == 0)
    #expect(run.text.contains("WARNING: not checked: whether the code was used before"))
  }

  @Test func aShortSecretNeedsItsOption() throws {
    let short = ["otp", "code", "--at", "59", "--secret", "JBSWY3DPEHPK3PXP"]
    let refused = try ToolRun.run(short)
    refused.expectRefusal("short")
    #expect(refused.errors.contains("--allow-short-secret"))
    #expect(try ToolRun.run(short + ["--allow-short-secret"]).status == 0)
    try ToolRun.run(["otp", "code", "--allow-short-secret", "--secret", ""]).expectRefusal("empty")
  }
}
