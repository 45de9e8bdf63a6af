import AssayCodec
import Foundation
import Testing

/// What is asked of the command line itself.
@Suite struct UsageTests {
  static let wrong: [[String]] = [
    [], ["nonsense"], ["otp"], ["codec", "base32"], ["codec", "rot13"], ["--json"], ["version", "extra"],
    ["version", "--nonsense"], ["version", "-v"], ["version", "--json", "--json"], ["version", "--json=yes"],
    ["codec", "json"], ["codec", "json", "a", "b"], ["codec", "json", "--text"], ["codec", "json", "--text", "--json"],
    ["codec", "json", "--text", "1", "--text", "2"], ["codec", "json", "--text", "1", "file"],
    ["codec", "json", "/nonexistent"], ["codec", "json", "/"], ["codec", "json", "/dev/zero"], ["codec", "json", ""],
    ["codec", "cbor", "--encoding", "utf-16", "--text", "00"],
    ["otp", "code"], ["otp", "code", "--secret", "A", "--secret-file", "B"], ["otp", "verify", "--secret", "A"],
    ["otp", "code", "--secret", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "--digits", "5"],
    ["otp", "code", "--secret", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "--digits", "+6"],
    ["otp", "code", "--secret", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "--digits", "６"],
    ["otp", "code", "--secret", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "--period", "0"],
    ["otp", "code", "--secret", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "--at", "99999999999999999999"],
    ["otp", "code", "--secret", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "--algorithm", "sha3"],
    ["otp", "code", "--secret", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "--counter", "-1"],
    ["otp", "code", "--secret", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "--counter", "1", "--at", "1"],
    ["otp", "verify", "--secret-file", "-", "-"],
    ["otp", "verify", "--secret", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "--look-ahead", "1", "755224"],
    ["otp", "verify", "--secret", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "--back", "11", "755224"],
  ]

  @Test(arguments: wrong) func isRefusedWithStatus2(_ arguments: [String]) throws {
    let run = try ToolRun.run(arguments)
    #expect(run.status == 2)
    run.expectRefusal("\(arguments)")
  }

  /// What was typed in the wrong place may be a secret.
  @Test(arguments: [
    ["otp", "code", "--secrets=GEZDGNBVGY3TQOJQ"], ["otp", "code", "GEZDGNBVGY3TQOJQ"], ["GEZDGNBVGY3TQOJQ"],
    ["otp", "GEZDGNBVGY3TQOJQ"], ["otp", "code", "--secret", "GEZDGNBVGY3TQOJQ"],
    ["otp", "code", "--secret", "GEZDGNBVGY3TQOJQ!"],
    ["otp", "verify", "--secret", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "GEZDGN"],
  ]) func nothingTypedIsEchoed(_ arguments: [String]) throws {
    let run = try ToolRun.run(arguments)
    run.expectRefusal("\(arguments)")
    #expect(!run.errors.contains("GEZDGN"))
    #expect(!run.text.contains("GEZDGN"))
  }

  @Test func namesAreEscapedAndCut() throws {
    let run = try ToolRun.run(["version", "--\u{1B}[31m\u{202E}\u{9B}" + String(repeating: "x", count: 1000)])
    run.expectRefusal("control characters")
    #expect(run.errors.contains("--\\u{1B}[31m\\u{202E}\\u{9B}xxx"))
    #expect(!run.errors.contains(String(repeating: "x", count: 65)))
  }

  @Test func helpIsThereForEverything() throws {
    let all = try ToolRun.run(["help"])
    #expect(all.status == 0 && all.errors.isEmpty)
    let commands = all.text.split(separator: "\n").filter { $0.hasPrefix("  assay ") }
    #expect(commands.count >= 8)
    for line in commands {
      let words = line.dropFirst(2).split(separator: "  ")[0].split(separator: " ").dropFirst().map(String.init)
      for asked in [words + ["--help"], words + ["-h"], ["help"] + words] {
        let help = try ToolRun.run(asked)
        #expect(help.status == 0 && help.errors.isEmpty, "\(asked)")
        #expect(help.text.contains("usage: assay \(words.joined(separator: " "))"), "\(asked)")
        #expect(help.text.contains("--json"), "\(asked)")
      }
      let noun = try ToolRun.run([words[0], "help"])
      #expect(noun.status == 0 && noun.text.contains("assay \(words.joined(separator: " "))"))
    }
    #expect(try ToolRun.run(["--help"]).output == all.output)
  }

  /// Status 0 means valid: a token, code or file that is called like a request for help must not come by it.
  @Test(arguments: [
    ["jwt", "verify", "--key", "k", "--issuer", "i", "--help"], ["jwt", "verify", "--key", "k", "--issuer", "i", "-h"],
    ["otp", "verify", "--secret", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "--help"],
    ["otp", "verify", "123456", "--help"], ["otp", "verify", "--help", "--", "123456"],
    ["passkey", "verify", "help"], ["passkey", "verify", "a.json", "-h"], ["jwt", "verify", "--help", "--json"],
  ]) func helpIsNoVerdict(_ arguments: [String]) throws {
    let run = try ToolRun.run(arguments)
    #expect(run.status == 2)
    run.expectRefusal("\(arguments)")
  }

  @Test(arguments: [
    (
      ["otp", "code", "--secret", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "--at", "noon"],
      "--at must be a time in whole seconds since 1970"
    ),
    (["otp", "code", "--secret", "A", "--start", "1e3"], "--start must be a time in whole seconds since 1970"),
    (["otp", "code", "--secret", "A", "--digits", "5"], "--digits must be an integer from 6 to 10"),
    (["key", "generate", "--alg", "RS256", "--out", "-", "--bits", "2049"], "--bits must be an even number"),
  ]) func wrongNumbersAreExplained(_ arguments: [String], _ words: String) throws {
    let run = try ToolRun.run(arguments)
    #expect(run.status == 2)
    run.expectRefusal("\(arguments)")
    #expect(run.errors.contains(words))
  }

  @Test func argumentsMustBeUTF8() throws {
    for line in [#"$0 codec base64url encode --text "$(printf '\377')""#, #"$0 key inspect "$(printf '/tmp/\377')""#] {
      let run = try ToolRun.shell(line)
      #expect(run.status == 2)
      run.expectRefusal(line)
      #expect(run.errors.contains("UTF-8"))
    }
  }

  @Test(arguments: [("/dev/full", "the disk is full"), ("&-", "it is not open")])
  func outputThatCannotBeWrittenIsAFault(_ output: String, _ reason: String) throws {
    let run = try ToolRun.shell("$0 version >\(output)")
    #expect(run.status == 2)
    run.expectRefusal(output)
    #expect(run.errors.contains(reason))
  }

  @Test(arguments: [
    ["key", "inspect", ""], ["jwt", "decode", "@"], ["key", "generate", "--alg", "ES256", "--out", ""],
  ])
  func emptyFileNamesAreCalledEmpty(_ arguments: [String]) throws {
    let run = try ToolRun.run(arguments)
    #expect(run.status == 2)
    #expect(run.errors.contains("empty"))
  }

  @Test func whatPeopleTryFirstIsAnswered() throws {
    #expect(try ToolRun.run(["--version"]).text == ToolRun.run(["version"]).text)
    let missing = try ToolRun.run(["key", "generate", "--alg", "ES256"])
    #expect(missing.status == 2 && missing.errors.contains("--out is missing: "))
    let age = try ToolRun.run([
      "token", "verify", "dpop", "--method", "GET", "--uri", "https://a", "--max-age", "1h", "a.b.c",
    ])
    #expect(age.status == 2 && age.errors.contains("--max-age must be a whole number of seconds, from 0 ("))
  }

  /// What is given in another way than it is expected says so, and a URI, which may hold a secret, is not repeated.
  @Test func filesAndTextsAreToldApart() throws {
    let file = ToolRun.scratch.appending(path: "token-\(UUID().uuidString)")
    try Data("a.b.c".utf8).write(to: file)
    for arguments in [
      ["jwt", "decode", file.path], ["jwt", "sign", "--key", "k", "--expires-in", "1", "--claims", file.path],
    ] {
      let run = try ToolRun.run(arguments)
      #expect(run.status == 2 && run.errors.contains("write @ before it"), "\(run.errors)")
    }
    let run = try ToolRun.run(["otp", "uri", "read", "otpauth://totp/a?secret=JBSWY3DPEHPK3PXP"])
    #expect(run.status == 2 && run.errors.contains("looks like a URI") && !run.errors.contains("JBSW"))
  }

  @Test func valuesMayBeginWithHyphens() throws {
    #expect(try ToolRun.run(["codec", "base64url", "encode", "--text=--"]).text == "LS0\n")
    #expect(try ToolRun.run(["codec", "base64url", "encode", "--text", "-a"]).text == "LWE\n")
    #expect(try ToolRun.run(["codec", "json", "--", "--nonexistent"]).status == 2)
  }

  /// A named pipe without a writer must not hold the tool up for ever.
  @Test func aPipeThatNobodyWritesIsEmpty() throws {
    let path = ToolRun.scratch.appending(path: "pipe-\(UUID().uuidString)").path
    let made = unsafe mkfifo(path, 0o600)
    #expect(made == 0)
    try ToolRun.run(["codec", "json", path]).expectRefusal("pipe")
  }
}
