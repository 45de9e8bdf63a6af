import AssayCodec
import Testing

/// The verbs that hand secrets over: `otp secret`, `otp uri make`, `otp uri read`.
@Suite struct OTPKeyCommandTests {
  private static let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
  private static let uri =
    "otpauth://totp/ACME%20%26%20Co:john%40example.com?secret=\(secret)&issuer=ACME%20%26%20Co&algorithm=SHA1&digits=6&period=30"

  @Test func makesASecretAndItsURI() throws {
    let plain = try ToolRun.run(["otp", "secret", "--json"])
    let base32 = try #require(plain.json?["secret"]?.string)
    #expect(plain.status == 0 && base32.utf8.count == 32 && plain.json?["uri"] == nil)
    let again = try ToolRun.run(["otp", "secret", "--json", "--bytes", "16"])
    #expect(again.json?["secret"]?.string?.utf8.count == 26)

    let full = try ToolRun.run(["otp", "secret", "--account", "john@example.com", "--issuer", "ACME & Co"])
    let lines = full.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(lines.count == 3 && full.errors.isEmpty)
    #expect(lines[2][1] == Self.uri.replacing(Self.secret, with: lines[1][1]))
    for bytes in ["15", "129", "x"] { #expect(try ToolRun.run(["otp", "secret", "--bytes", bytes]).status == 2) }
    for option in ["--issuer", "--digits", "--counter"] {
      #expect(try ToolRun.run(["otp", "secret", option, "6"]).status == 2)
    }
  }

  @Test func aNewSecretIsOneLineThatItReads() throws {
    let made = try ToolRun.run(["otp", "secret"])
    #expect(made.status == 0 && made.errors.isEmpty)
    #expect(made.output.count == 33 && made.output.last == UInt8(ascii: "\n"))
    let path = try ToolRun.file(made.output, "secret.txt")
    let code = try ToolRun.run(["otp", "code", "--secret-file", path, "--at", "59"])
    #expect(code.status == 0 && code.output.count == 7)
    let digits = String(code.text.dropLast())
    #expect(try ToolRun.run(["otp", "verify", "--secret-file", path, "--at", "59", digits]).status == 0)
  }

  @Test func makesAURIThatItReads() throws {
    let arguments = ["--issuer", "ACME & Co", "--account", "john@example.com"]
    let made = try ToolRun.run(
      ["otp", "uri", "make", "--secret-file", "-"] + arguments, input: Array(Self.secret.utf8))
    #expect(made.text == Self.uri + "\n" && made.errors.isEmpty)
    for strict in [["--strict"], []] {
      let read = try ToolRun.run(["otp", "uri", "read", "-", "--json"] + strict, input: made.output)
      #expect(read.status == 0)
      let expected = """
        {"outcome":"done","message":"a TOTP key","type":"totp","issuer":"ACME & Co","account":"john@example.com",\
        "algorithm":"SHA1","digits":6,"period":30,"secretBits":160}

        """
      #expect(read.text == expected)
    }
    let shown = try ToolRun.run(["otp", "uri", "read", "--uri", Self.uri, "--show-secret"])
    #expect(shown.text.contains("secret in base32  \(Self.secret)"))
  }

  /// The URI stays fit for a pipe; what apps ignore is said beside it.
  @Test func whatAppsIgnoreIsSaidBesideTheURI() throws {
    let arguments = [
      "otp", "uri", "make", "--secret", Self.secret, "--account", "a", "--algorithm", "SHA512", "--digits", "8",
      "--counter", "7",
    ]
    let made = try ToolRun.run(arguments)
    #expect(made.text == "otpauth://hotp/a?secret=\(Self.secret)&algorithm=SHA512&digits=8&counter=7\n")
    #expect(made.errors.split(separator: "\n").count == 4)
    #expect(made.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("WARNING: ") })
    let json = try ToolRun.run(arguments + ["--json"])
    #expect(json.errors.isEmpty && json.json?["warnings"]?.array?.count == 4)
  }

  @Test func aShortSecretIsWrittenByNameOnly() throws {
    let make = ["otp", "uri", "make", "--account", "a", "--secret", "JBSWY3DPEHPK3PXP"]
    try ToolRun.run(make).expectRefusal("short")
    let run = try ToolRun.run(make + ["--allow-short-secret"])
    #expect(run.status == 0 && run.text.contains("secret=JBSWY3DPEHPK3PXP&"))
  }

  @Test func oddURIsAreExplained() throws {
    let odd = "otpauth://totp/Some+Company%3auser?secret=jbswy3dpehpk3pxp&issuer=Microsoft&image=x"
    let run = try ToolRun.run(["otp", "uri", "read", "-"], input: Array(odd.utf8))
    #expect(run.status == 0)
    for words in [
      "WARNING: the secret has fewer than 128 bits", "WARNING: the label names another issuer",
      "issuer in the label      Some+Company", "ignored parameter image  x", "secret                   80 bits",
    ] { #expect(run.text.contains(words), "\(run.text)") }
    #expect(!run.text.uppercased().contains("JBSWY3DP"))
    let steam = try ToolRun.run(
      ["otp", "uri", "read", "-"], input: Array(Self.uri.utf8) + Array("&encoder=steam".utf8))
    #expect(steam.text.hasPrefix("a Steam Guard key\n"))
  }

  static let refused: [(from: String, to: String, says: String)] = [
    ("?secret", "?amp;secret", "&amp; must become &"), ("JQGEZ", "JQ0EZ", "not base32"),
    ("otpauth:", "otpauth-migration:", "another format"), ("digits=6", "digits=11", "from 6 to 10"),
    ("SHA1", "MD5", "SHA1, SHA256, SHA512"), ("digits=6", "digits=6&digits=8", "digits is there twice"),
    ("john", "jo%hn", "byte"), ("john", "jo%00hn", "control character"),
  ]

  /// pass-otp#220: the error printed the secret.
  @Test(arguments: refused) func refusalsSayWhyAndShowNoSecret(_ one: (from: String, to: String, says: String)) throws {
    let changed = Self.uri.replacing(one.from, with: one.to)
    #expect(changed != Self.uri)
    let run = try ToolRun.run(["otp", "uri", "read", "-", "--json"], input: Array(changed.utf8))
    run.expectRefusal("\(one)")
    #expect(run.status == 1 && run.errors.contains(one.says), "\(run.errors)")
    #expect(!run.errors.contains("GEZD") && !run.text.contains("GEZD"))
  }

  @Test(arguments: [
    ["make"], ["make", "--secret", secret], ["make", "--account", "a"], ["read"], ["read", "-", "--uri", "x"],
    ["make", "--secret", secret, "--account", "a", "--counter", "1", "--period", "30"],
    ["make", "--secret", secret, "--account", "a", "--period", "0"],
  ]) func wrongUsage(_ arguments: [String]) throws {
    let run = try ToolRun.run(["otp", "uri"] + arguments)
    #expect(run.status == 2)
    run.expectRefusal("\(arguments)")
  }

  @Test(arguments: [
    ["--account", "a:b"], ["--account", " "], ["--account", "a", "--issuer", "a\nb"],
  ]) func namesAreJudged(_ arguments: [String]) throws {
    let run = try ToolRun.run(["otp", "uri", "make", "--secret", Self.secret] + arguments)
    #expect(run.status == 1)
    run.expectRefusal("\(arguments)")
  }
}
