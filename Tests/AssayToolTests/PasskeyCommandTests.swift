import AssayCodec
import Foundation
import TestSupport
import Testing

/// The noun `passkey`, over the ceremonies of a real browser.
@Suite struct PasskeyCommandTests {
  private static let chromium = TestData.vectors.appending(path: "webauthn/chromium")

  private static func path(_ name: String) -> String { chromium.appending(path: name).path }

  private static func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: chromium.appending(path: name)), as: UTF8.self)
  }

  @Test(arguments: [
    ("01-es256-none-create.json", "registers a passkey for localhost", "7.1", 29),
    ("05-rs256-none-create.json", "registers a passkey for localhost", "7.1", 29),
    ("09-eddsa-none-create.json", "registers a passkey for localhost", "7.1", 29),
    ("02-es256-none-get.json", "signs in with a passkey of localhost", "7.2", 25),
    ("06-rs256-none-get.json", "signs in with a passkey of localhost", "7.2", 25),
    ("10-eddsa-none-get.json", "signs in with a passkey of localhost", "7.2", 25),
  ])
  func listsEveryStep(_ name: String, _ says: String, _ section: String, _ steps: Int) throws {
    let run = try ToolRun.run(["passkey", "verify", Self.path(name)])
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(run.text.contains(says))
    for step in 1...steps { #expect(run.text.contains("\n  \(step < 10 ? " " : "")\(step). "), "step \(step)") }
    let json = try ToolRun.run(["passkey", "verify", "--json", Self.path(name)])
    #expect(json.json?["outcome"] == "valid")
    let checked = try #require(json.json?["checked"]?.array)
    #expect(checked.map { $0["step"]?.string?.string } == (1...steps).map { "\(section) step \($0)" })
    #expect(json.json?["userVerified"] == true)
  }

  @Test func severalFilesAreOneRun() throws {
    let names = ["58-allow-unknown-NotAllowed.json", "01-es256-none-create.json", "02-es256-none-get.json"]
    let run = try ToolRun.run(["passkey", "verify", "--json"] + names.dropFirst().map(Self.path))
    #expect(run.status == 0)
    #expect(run.json?["ceremonies"]?.array?.count == 2)
    let refused = try ToolRun.run(["passkey", "verify", "--json"] + names.map(Self.path))
    refused.expectRefusal("the browser's refusal")
    #expect(refused.errors.contains("1 of 3 ceremonies"))
    #expect(refused.errors.contains("the browser refused this ceremony"))
    #expect(refused.json?["ceremonies"]?.array?.map { $0["outcome"] } == ["refused", "valid", "valid"])
  }

  static let altered: [(file: String, old: String, new: String, says: String)] = [
    ("01-es256-none-create.json", "VikSZYN5YgO", "VikSZYN5YgP", "at 7.1 step 14, rpIdHash"),
    ("01-es256-none-create.json", #""challenge": "rXIK"#, #""challenge": "rXIL"#, "at 7.1 step 8, challenge"),
    (
      "01-es256-none-create.json", "localhost:8901", "localhost:8902",
      "expected http://localhost:8902, it says http://localhost:8901"
    ),
    ("01-es256-none-create.json", #""alg": -7"#, #""alg": -257"#, "at 7.1 step 20, alg"),
    (
      "02-es256-none-get.json", "MEQCIGF-31JPTa84Vq", "MEQCIGF-31JPTa84Vr",
      "at 7.2 step 21, signature: the signature does not verify"
    ),
    ("02-es256-none-get.json", #""challenge": "X8By"#, #""challenge": "X8Bz"#, "at 7.2 step 11, challenge"),
    ("02-es256-none-get.json", "l2MFAAAAAg", "l2MFAAAAAw", "at 7.2 step 21"),
    ("02-es256-none-get.json", "l2MFAAAAAg", "l2MAAAAAAg", "at 7.2 step 16"),
    ("02-es256-none-get.json", "M61W8jY0P_rVk7yF6V4ihD2fKFsPiQ1IzQWAXJpfFss", "AAAA", "at 7.2 step 6"),
    ("62-counter-rollback.json", "", "", "at 7.2 step 22, signCount"),
    ("63-override-isBogusSignature.json", "", "", "at 7.2 step 21"),
    ("64-override-isBadUV.json", "", "", "at 7.2 step 17"),
    ("27-be0-bs1-create.json", "", "", "at 7.1 step 17"),
  ]

  @Test(arguments: altered) func saysAtWhichStep(_ one: (file: String, old: String, new: String, says: String)) throws {
    let original = try Self.text(one.file)
    let text = original.replacing(one.old, with: one.new)
    #expect(one.old.isEmpty || text != original)
    // Beside the others, so that a sign-in finds its registration.
    let folder = ToolRun.scratch.appending(path: UUID().uuidString)
    try FileManager.default.copyItem(at: Self.chromium, to: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: one.file).path
    try Data(text.utf8).write(to: URL(filePath: path))
    // The counter that a rollback is measured against is that of an earlier sign-in.
    let before = one.file.hasPrefix("62") ? [folder.appending(path: "60-counter-3.json").path] : []
    let run = try ToolRun.run(["passkey", "verify", "--json"] + before + [path])
    run.expectRefusal(one.says)
    #expect(run.status == 1)
    #expect(run.errors.contains(one.says), "\(run.errors)")
    let told = run.json?["ceremonies"]?.array?.last ?? run.json
    #expect(told?["stepNumber"] != nil)
  }

  @Test func aSignInNeedsItsOwnRegistration() throws {
    let get = try ToolRun.file(Array(try Self.text("02-es256-none-get.json").utf8), "get.json")
    let alone = try ToolRun.run(["passkey", "verify", get])
    alone.expectRefusal("no registration")
    let given = ["passkey", "verify", "--registration", Self.path("01-es256-none-create.json"), get]
    #expect(try ToolRun.run(given).status == 0)
    let other = try ToolRun.run(["passkey", "verify", "--registration", Self.path("05-rs256-none-create.json"), get])
    other.expectRefusal("another registration")
    #expect(other.status == 2)
    // The name of the registration comes from the file: it leads nowhere else.
    let elsewhere = try Self.text("02-es256-none-get.json").replacing(
      "01-es256-none-create.json", with: "../../etc/passwd")
    let escaping = try ToolRun.run(["passkey", "verify", try ToolRun.file(Array(elsewhere.utf8), "get.json")])
    escaping.expectRefusal("a way elsewhere")
    #expect(escaping.errors.contains("--registration"))
  }

  @Test func inspectingSaysThatNothingWasVerified() throws {
    let run = try ToolRun.run(["passkey", "inspect", Self.path("02-es256-none-get.json")])
    #expect(run.status == 0)
    #expect(
      run.text == """
        WARNING: NOTHING WAS VERIFIED: anyone may have written every word of this
          type                webauthn.get
          challenge           X8ByjoMxbDv8fJEAJ0ExAq09g2EaMJwLETXaDEYdlfw
          origin              http://localhost:8901
          crossOrigin         false
          rpIdHash            49960de5880e8c687434170f6476605b8fe4aeb9a28632c7995cf3ba831d9763
          user present (UP)   yes
          user verified (UV)  yes
          may be copied (BE)  no
          is backed up (BS)   no
          signature counter   2
          signature           MEQCIGF-31JPTa84Vq_wahX9DNUM3d4R6un-axvISXS_el1hAiB07oxPd4PZsj4e…
          user handle         M61W8jY0P_rVk7yF6V4ihD2fKFsPiQ1IzQWAXJpfFss

        """)
    // The browser's answer alone is enough.
    let file = try JSONValue.decode(Array(try Self.text("01-es256-none-create.json").utf8).span)
    let answer = try #require(file["result"]?["json"])
    let json = try ToolRun.run(["passkey", "inspect", "--json", "-"], input: answer.encoded())
    #expect(json.json?["fmt"] == "none")
    #expect(json.json?["origin"] == "http://localhost:8901")
    #expect(json.json?["warnings"]?.array?.count == 1)
    let broken = try ToolRun.run(
      ["passkey", "inspect", "-"], input: Array(#"{"response":{"clientDataJSON":"!"}}"#.utf8))
    #expect(broken.status == 0)
    #expect(broken.text.contains("the client data cannot be read"))
    #expect(broken.text.contains("the authenticator data cannot be read"))
  }

  @Test func inspectingNamesTheProviderThatIsListed() throws {
    for (uuid, name) in [("01020304-0506-0708-0102-030405060708", "Keys"), (UUID().uuidString, nil)] {
      let list = try ToolRun.file(Array(#"{"\#(uuid)":{"name":"Keys"}}"#.utf8), "providers.json")
      let run = try ToolRun.run(
        ["passkey", "inspect", "--json", "--providers", list, Self.path("01-es256-none-create.json")])
      #expect(run.status == 0)
      #expect(run.json?["provider"]?.string?.string == name)
    }
  }

  // MARK: begin and finish. Whole ceremonies are in the peers' test, which has an authenticator.

  /// A new file's name.
  private static func name() -> String { ToolRun.scratch.appending(path: UUID().uuidString).path }

  @Test func beginPrintsOptionsAndKeepsAState() throws {
    let state = Self.name()
    let common = ["--rp-id", "example.com", "--state", state, "--at", "1790000000"]
    let run = try ToolRun.run(
      ["passkey", "begin", "registration", "--attestation", "direct", "--name", "alice"] + common)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(run.json?["rp"]?["id"] == "example.com")
    #expect(run.json?["user"]?["name"] == "alice")
    #expect(run.json?["attestation"] == "direct")
    let permissions = try FileManager.default.attributesOfItem(atPath: state)[.posixPermissions] as? Int
    #expect(permissions == 0o600)
    // A state is not overwritten unless that is asked for.
    try ToolRun.run(["passkey", "begin", "sign-in"] + common).expectRefusal("an existing state")
    let signIn = try ToolRun.run(["passkey", "begin", "sign-in", "--force"] + common)
    #expect(signIn.json?["allowCredentials"] == [])
    let facts = try ToolRun.run(["passkey", "begin", "sign-in", "--force", "--json"] + common)
    #expect(facts.json?["options"]?["rpId"] == "example.com")
    #expect(facts.json?["stateFile"]?.string == UTF8Text(state))
  }

  @Test func finishRefusesAnAnswerToSomethingElse() throws {
    let (state, out) = (Self.name(), Self.name())
    let capture = try JSONValue.decode(Array(Self.text("01-es256-none-create.json").utf8).span)
    let answer = try ToolRun.file(capture["result"]?["json"]?.encoded() ?? [])
    let common = ["--rp-id", "localhost", "--state", state, "--at", "1790000000"]
    _ = try ToolRun.run(
      ["passkey", "begin", "registration", "--origin", "http://localhost:*", "--user-verification", "discouraged"]
        + common)
    func finish(_ arguments: [String]) throws -> ToolRun {
      try ToolRun.run(["passkey", "finish", "--out", out, "--json"] + arguments)
    }
    let other = try finish(common + [answer])
    other.expectRefusal("another challenge")
    #expect(other.json?["step"] == "7.1 step 8")
    let late = try finish(["--rp-id", "localhost", "--state", state, "--at", "1790000300", answer])
    late.expectRefusal("too late")
    #expect(late.errors.contains("too long ago"))
    let elsewhere = try finish(["--rp-id", "example.com", "--state", state, "--at", "1790000000", answer])
    elsewhere.expectRefusal("another relying party")
    let noState = try finish(["--rp-id", "localhost", "--state", answer, answer])
    noState.expectRefusal("an answer for a state")
    let noCredential = try finish(common + ["--credential", state, answer])
    noCredential.expectRefusal("a state for a credential")
    #expect(!FileManager.default.fileExists(atPath: out))
  }

  @Test(arguments: [
    ["registration"], ["registration", "--state", "s"], ["party", "--rp-id", "example.com", "--state", "s"],
    ["registration", "--rp-id", "Example.com", "--state", "s"],
    ["registration", "--rp-id", "example.com", "--origin", "http://example.com", "--state", "s"],
    ["registration", "--rp-id", "example.com", "--user", "!", "--state", "s"],
    ["registration", "--rp-id", "example.com", "--credential", "c", "--state", "s"],
    ["registration", "--rp-id", "example.com", "--attestation", "some", "--state", "s"],
    ["registration", "--rp-id", "example.com", "--aaguid", "0102", "--state", "s"],
    ["registration", "--rp-id", "example.com", "--format", "packed,banana", "--state", "s"],
    ["sign-in", "--rp-id", "example.com", "--name", "n", "--state", "s"],
    ["sign-in", "--rp-id", "example.com", "--require-trust", "--state", "s"],
  ]) func beginSaysWhatIsWrong(_ arguments: [String]) throws {
    let run = try ToolRun.run(["passkey", "begin"] + arguments)
    #expect(run.status == 2)
    run.expectRefusal("\(arguments)")
  }
}
