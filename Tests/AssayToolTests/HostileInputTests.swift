import AssayCodec
import Foundation
import TestSupport
import Testing

/// Every verb that reads something, given what it cannot want.
@Suite struct HostileInputTests {
  /// Kinds of input, by name.
  static let inputs: [(name: String, bytes: [UInt8])] = [
    ("empty", []),
    ("huge", [UInt8](repeating: UInt8(ascii: "A"), count: 20 << 20)),
    ("large", [UInt8](repeating: UInt8(ascii: "A"), count: 300_001)),
    ("binary", (0..<1024).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 0xC5) }),
    ("zeros", [UInt8](repeating: 0, count: 4096)),
    ("nested JSON", [UInt8](repeating: UInt8(ascii: "["), count: 100_000)),
    ("nested objects", Array(String(repeating: #"{"a":"#, count: 50_000).utf8)),
    ("nested CBOR", [UInt8](repeating: 0x81, count: 100_000)),
    ("nested DER", (0..<20_000).flatMap { _ in [0x30, 0x84, 0x00, 0x01, 0x00, 0x00] as [UInt8] }),
    ("control characters", Array("\u{1B}[31mred\u{1B}]0;title\u{7}\r\n\u{0}".utf8)),
    ("JSON of another kind", Array(#"{"hello":"world"}"#.utf8)),
    ("half a JSON", Array(#"{"result":{"ok":true,"json":{"id":"Ex"#.utf8)),
    ("a PEM certificate", Array("-----BEGIN CERTIFICATE-----\nMIIB0189+/A=\n-----END CERTIFICATE-----\n".utf8)),
    ("half a PEM", Array("-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9m".utf8)),
    ("half a token", Array("eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJo".utf8)),
    ("a letter", Array("Dear colleague,\nplease find attached nothing at all.\n".utf8)),
  ]

  private static let demoKey = TestData.vectors.appending(path: "demo/token.jwk").path

  /// A certificate that could be a trust anchor.
  private static let root: String = {
    let name = "webauthn/swtpm/tpm-ak-ecc256-ecdsa-sha256-null-key-ecc256-ecdsa-sha256-null.json"
    let pem = (try? TestData.json(TestData.vectors.appending(path: name)))?["rootPem"] as? String ?? ""
    return (try? ToolRun.file(Array(pem.utf8))) ?? ""
  }()

  private static let signIn = TestData.vectors.appending(path: "webauthn/chromium/02-es256-none-get.json").path

  /// The state of a registration that has begun.
  private static let state: String = {
    let path = ToolRun.scratch.appending(path: "state").path
    _ = try? ToolRun.run(["passkey", "begin", "registration", "--rp-id", "example.com", "--state", path, "--force"])
    return path
  }()

  /// A file that is not made, because nothing succeeds.
  private static let nowhere = ToolRun.scratch.appending(path: "nowhere").path

  /// A verb, with `FILE` where the input goes, and the inputs it has no reason to refuse.
  static let verbs: [(arguments: [String], accepts: [String])] =
    otherVerbs + tokenVerbs.map { (arguments: $0, accepts: []) }

  /// The verbs of each profile: a token, or the key that signs one.
  private static let tokenVerbs: [[String]] = {
    let profiles: [(name: String, both: [String], issue: [String])] = [
      ("id-token", ["--issuer", "a", "--client-id", "b"], ["--subject", "c"]),
      ("access-token", ["--issuer", "a", "--audience", "b"], ["--subject", "c", "--client-id", "d"]),
      ("client-assertion", ["--client-id", "a", "--audience", "b"], []),
      ("request-object", ["--issuer", "a", "--client-id", "b"], ["--parameters", #"{"response_type":"code"}"#]),
      ("authentication-request", ["--issuer", "a", "--client-id", "b"], ["--parameters", "{}"]),
      ("logout-token", ["--issuer", "a", "--client-id", "b"], ["--subject", "c"]),
      ("identity-token", ["--app-id", "a", "--external-id", "b"], []),
    ]
    let request = ["dpop", "--method", "GET", "--uri", "https://a.example"]
    let noToken = "eyJhbGciOiJFUzI1NiJ9.e30.AA"
    var verbs: [[String]] = [
      ["token", "verify"] + request + ["@FILE"],
      ["token", "issue"] + request + ["--key", "FILE"],
      ["token", "issue", "request-object"] + profiles[3].both + ["--key", demoKey, "--parameters", "@FILE"],
      ["token", "verify", "id-token"] + profiles[0].both + ["--key", demoKey, "--access-token", "@FILE", noToken],
    ]
    for (name, both, issue) in profiles {
      verbs.append(["token", "verify", name, "--key", demoKey] + both + ["@FILE"])
      verbs.append(["token", "verify", name, "--key", "FILE"] + both + [noToken])
      verbs.append(["token", "issue", name, "--key", "FILE"] + both + issue)
    }
    return verbs
  }()

  private static let otherVerbs: [(arguments: [String], accepts: [String])] = [
    (["codec", "base64url", "encode", "FILE"], inputs.map(\.name).filter { $0 != "huge" }),
    (["codec", "base32", "encode", "FILE"], inputs.map(\.name).filter { $0 != "huge" }),
    (["codec", "base64url", "decode", "FILE"], ["empty"]),
    (["codec", "base32", "decode", "FILE"], ["empty"]),
    (["codec", "base32", "decode", "--profile", "typed-in", "FILE"], ["empty"]),
    (["codec", "cbor", "FILE"], []),
    (["codec", "cbor", "--encoding", "hex", "FILE"], []),
    (["codec", "cbor", "--encoding", "base64url", "FILE"], []),
    (["codec", "json", "FILE"], ["JSON of another kind"]),
    (["key", "inspect", "FILE"], []),
    (["key", "convert", "FILE", "--to", "pem"], []),
    (["key", "thumbprint", "FILE"], []),
    (["jwt", "decode", "@FILE"], []),
    (["jwt", "verify", "--key", demoKey, "--issuer", "a", "@FILE"], []),
    (["jwt", "verify", "--key", "FILE", "--issuer", "a", "eyJhbGciOiJFUzI1NiJ9.e30.AA"], []),
    (["jwt", "verify", "--roots", "FILE", "--signer", "any", "--issuer", "a", "eyJhbGciOiJFUzI1NiJ9.e30.AA"], []),
    (["jwt", "verify", "--roots", root, "--signer", "file:FILE", "--issuer", "a", "eyJhbGciOiJFUzI1NiJ9.e30.AA"], []),
    (["jwt", "verify", "--roots", root, "--signer", "any", "--issuer", "a", "@FILE"], []),
    (["jwt", "sign", "--key", demoKey, "--x5c", "FILE", "--claims", "{}", "--expires-in", "9"], []),
    (["jwt", "sign", "--key", "FILE", "--claims", "{}", "--expires-in", "9"], []),
    (["jwt", "sign", "--key", demoKey, "--claims", "@FILE", "--expires-in", "9"], []),
    (["passkey", "begin", "sign-in", "--rp-id", "example.com", "--state", nowhere, "--credential", "FILE"], []),
    (["passkey", "finish", "--rp-id", "example.com", "--state", state, "--out", nowhere, "FILE"], []),
    (["passkey", "finish", "--rp-id", "example.com", "--state", "FILE", "--out", nowhere, signIn], []),
    (
      ["passkey", "finish", "--rp-id", "example.com", "--state", state, "--out", nowhere, "--root", "FILE", signIn], []
    ),
    (
      [
        "passkey", "finish", "--rp-id", "example.com", "--state", state, "--out", nowhere, "--metadata", "FILE", signIn,
      ], []
    ),
    (["passkey", "verify", "FILE"], []),
    (["passkey", "verify", "--root", "FILE", signIn], []),
    (["passkey", "verify", "--metadata", "FILE", signIn], []),
    (["passkey", "verify", "--metadata", signIn, "--metadata-roots", "FILE", signIn], []),
    (["passkey", "verify", "--registration", "FILE", signIn], []),
    (["passkey", "inspect", "FILE"], []),
    (["passkey", "inspect", "--providers", "FILE", signIn], []),
    (["passkey", "metadata", "--blob", "FILE"], []),
    (["vectors", "run", "--scope", "FILE", "."], []),
    (["otp", "code", "--secret-file", "FILE"], []),
    (["otp", "verify", "--secret-file", "FILE", "123456"], []),
    (["otp", "uri", "make", "--account", "a", "--secret-file", "FILE"], []),
    (["otp", "uri", "read", "FILE"], []),
    (["otp", "ocra", "respond", "--suite", "OCRA-1:HOTP-SHA1-6:QN08", "--question", "1", "--secret-file", "FILE"], []),
    (
      [
        "otp", "ocra", "verify", "--suite", "OCRA-1:HOTP-SHA1-6:QN08-S064", "--question", "1", "--secret",
        "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "--session-file", "FILE", "123456",
      ], []
    ),
    (["otp", "import", "FILE"], []),
    (["otp", "import", "--otpauth", "FILE"], []),
    (["otp", "export", "FILE"], []),
  ]

  @Test(arguments: verbs) func endsWithOneClearLine(_ verb: (arguments: [String], accepts: [String])) throws {
    for input in Self.inputs {
      let path = try ToolRun.file(input.bytes)
      defer { try? FileManager.default.removeItem(atPath: path) }
      let name = "\(verb.arguments.joined(separator: " ")) on \(input.name)"
      let fromFile = try ToolRun.run(verb.arguments.map { $0.replacing("FILE", with: path) })
      if verb.accepts.contains(input.name) {
        #expect(fromFile.status == 0, "\(name): \(fromFile.errors)")
        continue
      }
      fromFile.expectRefusal(name)
      #expect(fromFile.output.isEmpty, "\(name)")
      // The same through a pipe, for programs.
      let arguments = verb.arguments.map { $0.replacing("@FILE", with: "-").replacing("FILE", with: "-") }
      let fromInput = try ToolRun.run(arguments + ["--json"], input: input.bytes)
      fromInput.expectRefusal(name)
      #expect(fromInput.json != nil, "\(name): \(fromInput.text)")
    }
  }

  /// A run of vectors tells of every file on standard output also where it is refused.
  @Test(arguments: inputs.indices) func vectorsThatAreNoneAreNamed(_ index: Int) throws {
    let input = Self.inputs[index]
    let path = try ToolRun.file(input.bytes)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let run = try ToolRun.run(["vectors", "run", path])
    #expect(run.status == 1, "\(input.name)")
    #expect(run.errors.split(separator: "\n").count == 1, "\(input.name): \(run.errors)")
    #expect(run.text.contains("FAILED"), "\(input.name)")
    #expect(run.text.utf8.count <= 1000, "\(input.name)")
    #expect(run.text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F }, "\(input.name)")
    let fromInput = try ToolRun.run(["vectors", "run", "-", "--json"], input: input.bytes)
    fromInput.expectRefusal(input.name)
    #expect(fromInput.json?["files"]?.array?.count == 1, "\(input.name)")
  }

  /// The commands that read no input.
  private static let withoutInput = ["key generate", "otp secret", "version"]

  @Test func everyCommandThatReadsInputIsHere() throws {
    let help = try ToolRun.run(["help"]).text.split(separator: "\n")
    let commands = help.filter { $0.hasPrefix("  assay ") }.compactMap { line -> String? in
      let rest = line.dropFirst("  assay ".count)
      return rest.range(of: "  ").map { String(rest[..<$0.lowerBound]) }
    }
    #expect(commands.count >= 17)
    let tried = Self.verbs.map { $0.arguments.joined(separator: " ") }
    for command in commands where !Self.withoutInput.contains(command) {
      #expect(tried.contains { $0.hasPrefix(command + " ") }, "\(command)")
    }
  }

  /// Good input that ends too early, at many places.
  @Test(arguments: [
    (["passkey", "verify", "FILE"], "webauthn/chromium/01-es256-none-create.json"),
    (["passkey", "inspect", "FILE"], "webauthn/chromium/02-es256-none-get.json"),
    (["jwt", "verify", "--key", demoKey, "--issuer", "https://id.example", "@FILE"], "demo/token.jwt"),
    (["jwt", "decode", "@FILE"], "demo/token.jwt"),
    (["key", "inspect", "FILE"], "demo/token.jwk"),
    (["codec", "json", "FILE"], "demo/token.jwk"),
    (["vectors", "run", "FILE"], "rfc/rfc4226.json"),
  ]) func everyTruncationIsRefused(_ arguments: [String], _ name: String) throws {
    let whole = [UInt8](try Data(contentsOf: TestData.vectors.appending(path: name)))
    let text = Array(whole.prefix { $0 != UInt8(ascii: "\n") || name.hasSuffix(".json") })
    for count in stride(from: 0, to: text.count - 2, by: max(1, text.count / 23)) {
      // Each part of a token is whole where the next one begins: decoding, but not verifying, may go that far.
      let path = try ToolRun.file(Array(text.prefix(count)))
      defer { try? FileManager.default.removeItem(atPath: path) }
      let run = try ToolRun.run(arguments.map { $0.replacing("FILE", with: path) })
      if arguments[0] == "jwt", arguments[1] == "decode", run.status == 0 { continue }
      #expect(run.status == 1, "\(arguments) \(count)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(arguments) \(count)")
    }
  }
}
