import AssayCodec
import Foundation
import TestSupport
import Testing

/// `jwt verify` with the JWK Set of an issuer, over the token that PyJWT made.
@Suite struct JWKSetCommandTests {
  private static let demo = TestData.vectors.appending(path: "demo")
  private static let rest = [
    "--issuer", "https://id.example", "--audience", "api", "--at", "1767225610",
    "@\(demo.appending(path: "token.jwt").path)",
  ]

  /// The key that signed the token, with another name or algorithm.
  private static func key(kid: String? = "demo-1", alg: String? = nil) throws -> String {
    let text = [UInt8](try Data(contentsOf: demo.appending(path: "token.jwk")))
    let jwk = try JWK(text.span)
    let changed = JWK(jwk.numbers, kid: kid.map { UTF8Text($0) }, alg: alg.map { UTF8Text($0) })
    return String(decoding: changed.encoded(), as: UTF8.self)
  }

  /// A public key that signed nothing.
  private static func other(kid: String, alg: String = "ES256") throws -> String {
    let path = ToolRun.scratch.appending(path: UUID().uuidString).path
    return try ToolRun.run(["key", "generate", "--alg", alg, "--kid", kid, "--out", path]).text
  }

  private static func verify(_ keys: [String], _ options: [String] = []) throws -> ToolRun {
    let path = try ToolRun.file(Array(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8), "jwks.json")
    return try ToolRun.run(["jwt", "verify", "--key", path, "--json"] + options + rest)
  }

  @Test func theNamedKeyVerifies() throws {
    let run = try Self.verify([try Self.other(kid: "a"), try Self.key(), try Self.other(kid: "b", alg: "RS256")])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.json?["warnings"] == nil)
    let checked = (run.json?["checked"]?.array ?? []).compactMap(\.string?.string)
    #expect(checked.contains("algorithm: ES256, one of those allowed: ES256, RS256"))
    #expect(checked.contains("key: one of a JWK Set (3 in use), named demo-1, for this algorithm"))
    for alg in ["ES256", "RS256,ES256"] {
      #expect(try Self.verify([try Self.key(), try Self.other(kid: "a")], ["--alg", alg]).status == 0)
    }
  }

  @Test func keysThatCannotBeUsedAreNamed() throws {
    let odd = #"{"kty":"EC","kid":"odd\u001b","crv":"P-192","x":"AA","y":"AA"}"#
    let run = try Self.verify([odd, try Self.key()])
    #expect(run.status == 0)
    #expect(
      run.json?["warnings"]
        == ["not used: key 0 (odd\\u{1B}): the curve (crv) of this JWK is not supported"])
  }

  /// Refusals of the token: the step, and which name was looked for among which.
  @Test func noOtherKeyStandsIn() throws {
    let long = String(repeating: "k", count: 100)
    let cases: [(keys: [String], options: [String], says: String)] = [
      ([try Self.key(kid: "a")], [], "expected a, the token says demo-1"),
      ([try Self.key(kid: nil)], [], "expected no name, the token says demo-1"),
      ([try Self.key(kid: "a\u{1B}[1m"), try Self.key(kid: "Demo-1")], [], #"one of a\u{1B}[1m, Demo-1, the token"#),
      ([try Self.key(kid: long)], [], "expected \(long.prefix(64))…, the token"),
      (try (1...5).map { try Self.key(kid: "k\($0)") }, [], "expected one of k1, k2, k3 and 2 more, the token says"),
      ([try Self.key(kid: "demo-1", alg: "ES384"), try Self.other(kid: "a")], [], "not used: key 0 (demo-1)"),
      (
        [try Self.key(), try Self.other(kid: "a", alg: "RS256")], ["--alg", "RS256"],
        "expected RS256, the token says ES256"
      ),
      ([try Self.other(kid: "demo-1")], [], "at step 6, signature"),
    ]
    for one in cases {
      let run = try Self.verify(one.keys, one.options)
      #expect(run.status == 1, "\(one.says)")
      run.expectRefusal(one.says)
      #expect(run.errors.contains(one.says), "\(run.errors)")
    }
  }

  /// A token without `kid` is tried with every key that fits, up to a limit.
  @Test(arguments: [8, 9]) func aNamelessTokenIsTriedWithFewKeys(_ count: Int) throws {
    let path = ToolRun.scratch.appending(path: UUID().uuidString).path
    let made = try ToolRun.run(["key", "generate", "--alg", "ES256", "--out", path])
    let token = try ToolRun.run(
      ["jwt", "sign", "--key", path, "--claims", #"{"iss":"me"}"#, "--expires-in", "60", "--at", "1000"])
    let keys = try (2...count).map { try Self.other(kid: "k\($0)") } + [made.text]
    let file = try ToolRun.file(Array(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8), "jwks.json")
    let run = try ToolRun.run(
      ["jwt", "verify", "--key", file, "--issuer", "me", "--at", "1000", "-"], input: token.output)
    #expect(run.status == (count == 8 ? 0 : 1))
    if count > 8 { #expect(run.errors.contains("more than 8 keys fit it")) }
  }

  /// Faults of the command, not of the token.
  @Test func aSetWithoutAUsableKeyIsWrongUsage() throws {
    let path = ToolRun.scratch.appending(path: UUID().uuidString).path
    #expect(try ToolRun.run(["key", "generate", "--alg", "ES256", "--kid", "p", "--out", path]).status == 0)
    let privateKey = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    let cases: [(keys: [String], options: [String], says: String)] = [
      ([], [], "the JWK Set is empty"),
      ([privateKey], [], "no key of the JWK Set can be used: key 0 (p): this is a private key"),
      ([try Self.key()], ["--alg", "RS256"], "no key of the JWK Set can be used: key 0 (demo-1)"),
      ([try Self.key()], ["--alg", "HS256"], "HS256 needs a shared secret"),
      ([try Self.key()], ["--alg", "ES256,"], "--alg must be one of"),
      ([try Self.key()], ["--alg", "ES256, RS256"], "--alg must be one of"),
    ]
    for one in cases {
      let run = try Self.verify(one.keys, one.options)
      #expect(run.status == 2, "\(one.says)")
      run.expectRefusal(one.says)
      #expect(run.errors.contains(one.says), "\(run.errors)")
    }
    let single = try ToolRun.file(Array(try Self.key().utf8), "key.jwk")
    let run = try ToolRun.run(["jwt", "verify", "--key", single, "--alg", "ES256,RS256"] + Self.rest)
    #expect(run.status == 2)
    #expect(run.errors.contains("for a JWK Set only"))
    let broken = try ToolRun.file(Array(#"{"keys":{}}"#.utf8), "jwks.json")
    #expect(try ToolRun.run(["jwt", "verify", "--key", broken] + Self.rest).errors.contains("an array of JWKs"))
  }
}
