import AssayCodec
import Testing

/// `otp import` and `otp export`.
@Suite struct OTPMigrationCommandTests {
  private static let base32 = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
  private static let link =
    "otpauth-migration://offline?data=CjQKFDEyMzQ1Njc4OTAxMjM0NTY3ODkwEhB1c2VyQGV4YW1wbGUuY29tGgRBQ01FIAEoATACEAEYASAAKLlg"

  @Test func saysWhichKeysThereAre() throws {
    let run = try ToolRun.run(["otp", "import", "-"], input: Array("\n\(Self.link)\r\n".utf8))
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(
      run.text == """
        an export of 1 key
        a TOTP key
          type       totp
          issuer     ACME
          account    user@example.com
          algorithm  SHA1
          digits     6
          period     30 s
          secret     160 bits

        """)
    let json = try ToolRun.run(["otp", "import", "-", "--json", "--show-secret"], input: Array(Self.link.utf8))
    #expect(json.json?["keys"]?.array?.first?["secret"]?.string?.string == Self.base32)
  }

  @Test func uRIsGoThereAndBack() throws {
    let uris = (0..<5).map { index in
      "otpauth://totp/ACME:user\(index)?secret=\(Self.base32)&issuer=ACME&algorithm=SHA256&digits=8&period=30"
    }
    let input = Array((uris.joined(separator: "\n\n") + "\n").utf8)
    let links = try ToolRun.run(["otp", "export", "--keys-per-part", "2", "-"], input: input)
    #expect(links.status == 0 && links.errors.isEmpty)
    let lines = links.text.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.hasPrefix("otpauth-migration://offline?data=") })
    let back = try ToolRun.run(
      ["otp", "import", "--otpauth", "-"], input: Array(lines.reversed().joined(separator: "\n").utf8))
    #expect(back.status == 0 && back.errors.isEmpty)
    #expect(back.text == uris.joined(separator: "\n") + "\n")
    let incomplete = try ToolRun.run(
      ["otp", "import", "-"], input: Array(lines.dropLast().joined(separator: "\n").utf8))
    incomplete.expectRefusal("incomplete")
    #expect(incomplete.errors.contains("link 3 of the export is missing"))
    let twice = try ToolRun.run(
      ["otp", "import", "-"], input: Array([lines[0], lines[0]].joined(separator: "\n").utf8))
    twice.expectRefusal("twice")
    #expect(twice.errors.contains("line 2: link 1 of the export is there twice"))
  }

  /// What a QR code holds is tested by reading it, with the libraries of others.
  @Test func qrCodesAreDrawn() throws {
    let uris = (0..<3).map { "otpauth://totp/user\($0)?secret=\(Self.base32)" }
    let input = Array(uris.joined(separator: "\n").utf8)
    let svg = try ToolRun.run(["otp", "export", "--keys-per-part", "2", "--qr", "svg", "-"], input: input)
    #expect(svg.status == 0 && svg.errors.hasPrefix("WARNING: whoever sees or stores this has the secret"))
    #expect(svg.text.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "))
    #expect(svg.text.hasSuffix("z\"/>\n</svg>\n"))
    let text = try ToolRun.run(["otp", "uri", "make", "--account", "a", "--secret", Self.base32, "--qr", "text"])
    #expect(text.status == 0)
    let lines = text.text.split(separator: "\n")
    let width = lines.first?.count ?? 0
    #expect((21 + 8...177 + 8).contains(width) && lines.count == (width + 1) / 2)
    #expect(lines.allSatisfy { $0.count == width && $0.allSatisfy { "\u{2588}\u{2580}\u{2584} ".contains($0) } })
    let json = try ToolRun.run(["otp", "export", "--qr", "text", "--json", "-"], input: input)
    #expect(json.json?["warnings"]?.array?.count == 1 && json.errors.isEmpty)
    #expect(json.json?["qr"]?.string != nil && json.json?["uris"]?.array?.count == 1)
    let many = (0..<100).map { "otpauth://totp/user\($0)?secret=\(Self.base32)" }.joined(separator: "\n")
    let large = try ToolRun.run(
      ["otp", "export", "--keys-per-part", "100", "--qr", "svg", "-"], input: Array(many.utf8))
    large.expectRefusal("large")
    #expect(large.errors.contains("does not fit into a QR code"))
    try ToolRun.run(["otp", "export", "--qr", "png", "-"], input: input).expectRefusal("png")
  }

  @Test func whatWasSkippedIsSaid() throws {
    // The field 9, which no key has a meaning for.
    let run = try ToolRun.run(["otp", "import", "--uri", "otpauth-migration://offline?data=CgcKAQdIAUgB"])
    #expect(run.status == 0)
    #expect(run.text.contains("WARNING: 2 fields that have no meaning here were skipped"))
    #expect(run.text.contains("WARNING: a secret has fewer than 128 bits"))
  }

  static let refused: [(arguments: [String], input: String, says: String)] = [
    (["import"], "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQ", "line 1: the scheme is not otpauth-migration"),
    (["import"], "\notpauth-migration://offline", "line 2: the parameter data is missing"),
    (["import"], "otpauth-migration://offline?data=EAE%3D\notpauth-migration://offline?data=EAE%3D", "there twice"),
    (["export"], "otpauth-migration://offline?data=EAE", "line 1: the scheme is not otpauth"),
    (["export"], "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQ&digits=7", "neither 6 nor 8 digits"),
    (["export"], "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQ&period=60", "another period"),
    (["export"], "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQ&encoder=steam", "for Steam Guard"),
  ]

  @Test(arguments: refused) func saysWhatIsWrong(_ one: (arguments: [String], input: String, says: String)) throws {
    let run = try ToolRun.run(["otp"] + one.arguments + ["-"], input: Array(one.input.utf8))
    run.expectRefusal("\(one.input)")
    #expect(run.status == 1)
    #expect(run.errors.contains(one.says), "\(run.errors)")
    #expect(!run.errors.contains("GEZDGNBV"))
  }
}
