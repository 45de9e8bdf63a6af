import AssayCodec
import Foundation
import Testing

/// The noun `key`.
@Suite struct KeyCommandTests {
  static let algorithms = [
    "ES256", "ES384", "ES512", "ES256K", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "EdDSA", "Ed25519",
    "Ed448",
  ]

  @Test(arguments: algorithms, ["jwk", "pem"])
  func aGeneratedKeyIsForItsOwnerOnly(_ alg: String, _ format: String) throws {
    let path = ToolRun.scratch.appending(path: UUID().uuidString).path
    let made = try ToolRun.run(["key", "generate", "--alg", alg, "--format", format, "--kid", "k1", "--out", path])
    #expect(made.status == 0 && made.errors.isEmpty)
    #expect(made.json?["alg"]?.string?.string == alg)
    #expect(made.json?["kid"] == "k1")
    #expect(made.json?["d"] == nil)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(attributes[.type] as? FileAttributeType == .typeRegular)

    let inspected = try ToolRun.run(["key", "inspect", "--json", path])
    #expect(inspected.status == 0)
    #expect(inspected.json?["private"] == true)
    // A JWK names its algorithm; other files leave open what their kind of key can do.
    let usable = inspected.json?["usableFor"]?.array ?? []
    #expect(usable.contains(.string(UTF8Text(alg))) && (format == "pem" || usable.count == 1))
    #expect(inspected.json?["format"]?.string == (format == "jwk" ? "JWK" : "PKCS #8 in PEM"))

    // What is there is not replaced unless that is asked for.
    let before = try Data(contentsOf: URL(filePath: path))
    try ToolRun.run(["key", "generate", "--alg", "EdDSA", "--out", path]).expectRefusal("existing file")
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try ToolRun.run(["key", "generate", "--alg", "EdDSA", "--out", path, "--force"]).status == 0)
    #expect(try Data(contentsOf: URL(filePath: path)) != before)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    #expect(!FileManager.default.fileExists(atPath: path + ".assay-new"))
  }

  @Test(arguments: [("HS256", 32), ("HS384", 48), ("HS512", 64)])
  func aSecretIsMadeAndHasNoPublicHalf(_ alg: String, _ count: Int) throws {
    let path = ToolRun.scratch.appending(path: UUID().uuidString).path
    let made = try ToolRun.run(["key", "generate", "--alg", alg, "--kid", "k1", "--out", path])
    #expect(made.status == 0 && made.errors.isEmpty && !made.text.contains("\"k\""))
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    let jwk = try JSONValue.decode([UInt8](Data(contentsOf: URL(filePath: path))).span)
    #expect(jwk["kty"] == "oct" && jwk["alg"]?.string?.string == alg && jwk["kid"] == "k1")
    #expect(jwk["k"]?.string.flatMap { try? Base64URL.decode($0.utf8.span).count } == count)
    let inspected = try ToolRun.run(["key", "inspect", "--json", path])
    #expect(inspected.json?["usableFor"] == .array([.string(UTF8Text(alg))]))
    try ToolRun.run(["key", "generate", "--alg", alg, "--format", "pem", "--out", path + "2"]).expectRefusal("--format")
  }

  @Test func aKeyCanGoThroughAPipe() throws {
    let made = try ToolRun.run(["key", "generate", "--alg", "EdDSA", "--out", "-"])
    #expect(made.status == 0)
    #expect(made.json?["d"] != nil)
    let inspected = try ToolRun.run(["key", "inspect", "-"], input: made.output)
    #expect(
      inspected.text == """
        a private key: Ed25519
          kind        Ed25519
          private     yes: keep it secret
          format      JWK
          alg         EdDSA
          use         sig
          usable for  EdDSA

        """)
  }

  /// A file that is a link elsewhere is not written through.
  @Test func aLinkIsNotFollowed() throws {
    let target = ToolRun.scratch.appending(path: UUID().uuidString).path
    let link = ToolRun.scratch.appending(path: UUID().uuidString).path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    try ToolRun.run(["key", "generate", "--alg", "EdDSA", "--out", link]).expectRefusal("link")
    #expect(!FileManager.default.fileExists(atPath: target))
  }

  static let bad: [(text: String, says: String)] = [
    ("-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----\n", "certificate request"),
    ("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGqZ me@example", "OpenSSH"),
    ("eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJo", "token"),
    (#"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#, "32"),
    (#"{"kty":"oct","k":""}"#, "empty"),
    ("hello", "none of PEM"),
  ]

  @Test(arguments: bad) func saysWhatIsWrong(_ one: (text: String, says: String)) throws {
    let path = try ToolRun.file(Array(one.text.utf8), "key")
    let run = try ToolRun.run(["key", "inspect", path])
    run.expectRefusal(one.says)
    #expect(run.status == 1)
    #expect(run.errors.contains(one.says), "\(run.errors)")
  }

  @Test(arguments: [
    ["--alg", "ES256"], ["--out", "x"], ["--alg", "HS1", "--out", "x"],
    ["--alg", "RS256", "--bits", "1024", "--out", "x"],
    ["--alg", "ES256", "--bits", "2048", "--out", "x"], ["--alg", "ES256", "--format", "der", "--out", "x"],
    ["--alg", "ES256", "--out", "/nonexistent/folder/key"], ["--alg", "ES256", "--out", "/"],
  ]) func wrongUsage(_ arguments: [String]) throws {
    let run = try ToolRun.run(["key", "generate"] + arguments)
    #expect(run.status == 2)
    run.expectRefusal("\(arguments)")
  }
}
