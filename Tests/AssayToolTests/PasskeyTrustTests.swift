import AssayCodec
import Foundation
import TestSupport
import Testing

/// What the verbs of `passkey` say of who vouches for an authenticator, over a ceremony of a real browser.
@Suite struct PasskeyTrustTests {
  private static let chromium = TestData.vectors.appending(path: "webauthn/chromium")
  /// Its attestation certificate is Chromium's, and nobody's that is trusted by name.
  private static let direct = chromium.appending(path: "03-es256-direct-create.json").path
  private static let none = chromium.appending(path: "01-es256-none-create.json").path

  /// A file in PEM with the attestation certificate of `direct`.
  private static func root() throws -> String {
    let bytes = Array(try Data(contentsOf: URL(filePath: direct)))
    let file = try JSONValue.decode(bytes.span)
    let text = try #require(file["result"]?["json"]?["response"]?["attestationObject"]?.string)
    let encoded = try Base64URL.decode(text.utf8.span)
    let object = try CBORValue.decode(encoded.span, form: .wellFormed)
    let leaf = try #require(object["attStmt"]?["x5c"]?.array?.first?.bytes)
    let body = Base64.encode(leaf.span).string
    return try ToolRun.file(
      Array("-----BEGIN CERTIFICATE-----\n\(body)\n-----END CERTIFICATE-----\n".utf8), "chromium.pem")
  }

  private static func verify(_ arguments: String..., file: String = direct) throws -> ToolRun {
    try ToolRun.run(["passkey", "verify", "--json"] + arguments + [file])
  }

  @Test func peopleReadWhoVouches() throws {
    let root = try Self.root()
    let name = URL(filePath: root).lastPathComponent
    let run = try ToolRun.run([
      "passkey", "verify", Self.direct, "--root", root, "--require-trust", "--format", "packed,tpm",
      "--aaguid", "01020304-0506-0708-0102-030405060708",
    ])
    #expect(run.status == 0, "\(run.errors)")
    let facts = run.text.components(separatedBy: "attestation  ").last ?? ""
    let lines = facts.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let expected = [
      "packed: a certificate vouches (basic or attCA)", "trusted: its certificates lead to \(name)",
      "attestation trust: met: required trusted; found trusted", "fmt: met: required packed, tpm; found packed",
      "aaguid: met: required 01020304050607080102030405060708; found 01020304050607080102030405060708",
      "US, Chromium, Authenticator Attestation, Batch Certificate", "01",
      "2017-07-14T02:40:00Z to 2046-11-25T16:02:35Z",
      "91911058ed2712de8c987778d64d74fe3c6d7a4d6c4fec6424518def3e979965", "de9dd16faf6d87f03bdcb5c1b70d11213801997e",
    ]
    #expect(lines.count == expected.count, "\(run.text)")
    for (line, words) in zip(lines, expected) { #expect(line.hasSuffix(words), "\(line)") }
  }

  @Test func programsReadTheLibrarysRecord() throws {
    let open = try Self.verify()
    #expect(open.status == 0)
    #expect(open.json?["attestation"]?["trust"] == "not evaluated")
    #expect(open.json?["attestation"]?["certificate"]?["serialNumber"] == "01")
    let root = try Self.root()
    let trusted = try Self.verify("--root", root, "--trust", "apple,google", "--trust", "microsoft")
    #expect(trusted.json?["attestation"]?["trust"] == "trusted")
    #expect(
      trusted.json?["attestation"]?["trustedBy"]?.string?.string == URL(filePath: root).lastPathComponent)
    let without = try Self.verify(file: Self.none)
    #expect(without.json?["attestation"] == ["fmt": "none", "type": "none", "trust": "not applicable"])
    // Another's root does not vouch, and where that is not demanded it is said.
    let extra = ["--root", root, "--at", "1400000000"]
    let early = try ToolRun.run(["passkey", "verify", Self.direct] + extra)
    #expect(
      early.status == 0 && early.text.contains("NOT TRUSTED: certificate 0 (0 is the first): it is not valid yet"))
  }

  @Test func whatIsDemandedIsRefusedWithAdvice() throws {
    let root = try Self.root()
    let cases: [(arguments: [String], file: String, says: String)] = [
      (["--require-trust", "--trust", "apple"], Self.direct, "found not evaluated"),
      (["--require-trust", "--root", root], Self.none, "found not applicable"),
      (["--require-trust", "--root", root, "--at", "1400000000"], Self.direct, "not valid yet"),
      (["--root", root, "--format", "tpm,fido-u2f"], Self.direct, "required tpm, fido-u2f; found packed"),
      (["--root", root, "--aaguid", "11020304050607080102030405060708"], Self.direct, "aaguid"),
    ]
    for (arguments, file, says) in cases {
      let run = try ToolRun.run(["passkey", "verify", "--json", file] + arguments)
      run.expectRefusal("\(arguments)")
      #expect(run.status == 1 && run.json?["stepNumber"] == 24, "\(arguments): \(run.text)")
      #expect(run.errors.contains(says), "\(arguments): \(run.errors)")
      let advice =
        file == Self.none ? "--attestation direct" : arguments.contains("--require-trust") ? "--trust, --root" : ""
      #expect(run.errors.contains(advice) || advice.isEmpty, "\(run.errors)")
    }
  }

  @Test(arguments: [
    (["--require-trust"], "--root"), (["--aaguid", "01020304-0506-0708-0102-030405060708"], "--trust"),
    (["--trust", "apple", "--aaguid", "1"], "--aaguid"), (["--trust", "apple", "--aaguid", ""], "--aaguid"),
    (["--trust", "acme"], "apple, google, microsoft"), (["--trust", "apple,"], "apple, google, microsoft"),
    (["--format", "packt"], "packed, tpm"), (["--metadata-roots", "x"], "--metadata"),
    (["--metadata-signer", "x"], "--metadata"),
    (["--root", "/nowhere/root.pem"], "/nowhere/root.pem"),
  ]) func wrongUsageSaysWhatToDo(_ arguments: [String], _ says: String) throws {
    let run = try ToolRun.run(["passkey", "verify", Self.direct] + arguments)
    run.expectRefusal("\(arguments)")
    #expect(run.status == 2 && run.errors.contains(says), "\(run.errors)")
  }

  @Test(.enabled(if: TestData.hasExtra)) func metadataIsVerifiedBeforeItCounts() throws {
    let folder = try #require(TestData.extra).appending(path: "webauthn/mds")
    let blob = folder.appending(path: "tweag-small.jwt").path
    let roots = folder.appending(path: "tweag-small-root.crt").path
    func run(_ arguments: [String]) throws -> ToolRun {
      try ToolRun.run(
        ["passkey", "verify", "--json", Self.direct, "--at", "1620000000", "--metadata", blob] + arguments)
    }
    // It does not know Chromium's authenticator.
    let signed = ["--metadata-roots", roots, "--metadata-signer", "any"]
    let good = try run(signed + ["--metadata-grace", "500"])
    #expect(good.status == 0, "\(good.errors)")
    #expect(good.json?["attestation"]?["trust"] == "not evaluated")
    let late = try run(signed)
    late.expectRefusal("out of date")
    #expect(late.errors.contains("nextUpdate"))
    let stranger = try run(["--metadata-grace", "500"])
    stranger.expectRefusal("signed by nobody whom FIDO's roots know")
    #expect(stranger.errors.contains("x5c"))
    let other = try run(["--metadata-roots", roots, "--metadata-grace", "500"])
    other.expectRefusal("signed by whom the roots know, and not by FIDO's service")
    #expect(other.errors.contains("subjectAltName"))
    let demanding = try run(signed + ["--metadata-grace", "500", "--require-trust"])
    demanding.expectRefusal("a model that metadata does not know")
    #expect(demanding.json?["stepNumber"] == 24)
  }

  @Test func aKeyThatNobodyRegisteredIsInTheVerdict() throws {
    let injected = Self.chromium.appending(path: "87-injected-p256.json").path
    let run = try ToolRun.run(["passkey", "verify", injected])
    #expect(run.status == 0)
    #expect(run.text.hasPrefix("valid signature by an UNVERIFIED key: "), "\(run.text)")
    #expect(try Self.verify(file: injected).json?["keyVerified"] == false)
    let registered = try Self.verify(file: Self.chromium.appending(path: "02-es256-none-get.json").path)
    #expect(registered.json?["keyVerified"] == true)
  }

  @Test func everyOfSeveralFilesIsToldOf() throws {
    let broken = try ToolRun.file(Array("{}".utf8), "broken.json")
    let files = [Self.none, broken, "/nowhere/absent.json", Self.direct]
    let run = try ToolRun.run(["passkey", "verify"] + files)
    #expect(run.status == 1)
    #expect(run.errors.split(separator: "\n").count == 1 && run.errors.contains("2 of 4"), "\(run.errors)")
    let verdicts = run.text.split(separator: "\n").filter { $0.hasPrefix("valid: ") || $0.hasPrefix("REFUSED: ") }
    #expect(verdicts.map { $0.prefix(3) } == ["val", "REF", "REF", "val"], "\(run.text)")
    let json = try ToolRun.run(["passkey", "verify", "--json"] + files)
    #expect(json.json?["outcome"] == "refused")
    let outcomes = try #require(json.json?["ceremonies"]?.array).map { $0["outcome"] }
    #expect(outcomes == ["valid", "refused", "refused", "valid"])
  }

  @Test func whatABeginningDemandsIsInItsState() throws {
    let state = ToolRun.scratch.appending(path: UUID().uuidString).path
    func begin(_ arguments: [String]) throws -> (options: JSONValue?, state: CBORValue) {
      let run = try ToolRun.run(
        ["passkey", "begin", "registration", "--rp-id", "example.com", "--state", state, "--force"] + arguments)
      #expect(run.status == 0, "\(run.errors)")
      let bytes = Array(try Data(contentsOf: URL(filePath: state)))
      return (run.json, try CBORValue.decode(bytes.span, form: .ctap2Canonical))
    }
    let plain = try begin([])
    #expect(plain.options?["attestation"] == "none")
    #expect(plain.state["attestationRequirement"]?.text == "none")
    for name in ["allowsSHA1", "allowsPaddedSignature", "allowsFirefox117Key"] as [UTF8Text] {
      #expect(plain.state[name]?.bool == false)
    }
    let demanding = try begin([
      "--require-trust", "--aaguid", "01020304-0506-0708-0102-030405060708", "--format", "packed", "--format", "tpm",
      "--allow-sha1", "--allow-padded-signature", "--allow-firefox-117-key", "--allow-unknown-format",
    ])
    #expect(demanding.options?["attestation"] == "direct")
    #expect(demanding.options?["attestationFormats"] == ["packed", "tpm"])
    #expect(demanding.state["attestationRequirement"]?.text == "trusted")
    #expect(demanding.state["acceptedAAGUIDs"]?.array?.count == 1)
    #expect(demanding.state["acceptedFormats"]?.array?.compactMap(\.text) == ["packed", "tpm"])
    #expect(demanding.state["unknownFormat"]?.text == "ignore")
    for name in ["allowsSHA1", "allowsPaddedSignature", "allowsFirefox117Key"] as [UTF8Text] {
      #expect(demanding.state[name]?.bool == true)
    }
    let signIn = ["passkey", "begin", "sign-in", "--rp-id", "example.com", "--state", state, "--force"]
    for option in ["--require-trust", "--allow-sha1"] {
      #expect(try ToolRun.run(signIn + [option]).status == 2)
    }
  }
}
