import AssayCodec
import Foundation
import TestSupport
import Testing

/// The noun `jwt`, over the token that PyJWT made.
@Suite struct JWTCommandTests {
  private static let demo = TestData.vectors.appending(path: "demo")
  private static let key = demo.appending(path: "token.jwk").path
  private static let tokenFile = demo.appending(path: "token.jwt")
  private static let verify = ["jwt", "verify", "--key", key]
  private static let right = ["--issuer", "https://id.example", "--audience", "api"]

  private static func token() throws -> String {
    String(decoding: try Data(contentsOf: tokenFile), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test func saysWhatWasChecked() throws {
    let arguments = Self.verify + Self.right + ["--at", "1767225610", "@\(Self.tokenFile.path)"]
    let run = try ToolRun.run(arguments)
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(
      run.text == """
        valid: a token of https://id.example
        checked, in this order:
           1. size: 262 bytes, at most 65536
           2. shape: three parts of strict base64url between two dots
           3. header: a JSON object, no name twice, no extension demanded (crit), typ JWT
           4. algorithm: ES256, the one allowed
           5. key: P-256, named demo-1, for this algorithm
           6. signature: made by that key over header and claims
           7. claims: from https://id.example, for api, valid at 2026-01-01T00:00:10Z, until 2026-01-01T01:00:00Z (exp), \
        issued 2026-01-01T00:00:00Z (iat)
          header alg  ES256
          header kid  demo-1
          header typ  JWT
          claim iss   https://id.example
          claim sub   alice
          claim aud   api
          claim iat   1767225600
          claim exp   1767229200

        """)
    let json = try ToolRun.run(arguments + ["--json"])
    #expect(json.json?["outcome"] == "valid")
    #expect(json.json?["claims"]?["sub"] == "alice")
    #expect(json.json?["header"]?["kid"] == "demo-1")
    #expect(json.json?["checked"]?.array?.count == 7)
    #expect(
      try ToolRun.run(Self.verify + Self.right + ["--at", "1767225610", "-"], input: Array(try Self.token().utf8))
        .output == run.output)
  }

  static let refused: [(arguments: [String], says: String)] = [
    (
      right + ["--at", "1767229200"],
      "at step 7, claims: exp: the token expired 0 s before the time of judging"
    ),
    (right + ["--at", "1767232800"], "expired 3600 s (1 h) before the time of judging (2026-01-01T01:00:00Z"),
    (right + ["--at", "1767225599"], "at step 7, claims: iat"),
    (right + ["--at", "1767225610", "--type", "at+jwt"], "at step 3, header: typ"),
    (
      ["--issuer", "https://id.example/", "--audience", "api", "--at", "1767225610"],
      "expected https://id.example/, the token says https://id.example"
    ),
    (
      ["--issuer", "https://id.example", "--audience", "other", "--at", "1767225610"],
      "expected other, the token says api"
    ),
    (
      ["--issuer", "https://id.example", "--at", "1767225610"],
      "the token is for a certain audience, and none was expected"
    ),
  ]

  @Test(arguments: refused) func saysAtWhichStep(_ one: (arguments: [String], says: String)) throws {
    let run = try ToolRun.run(Self.verify + one.arguments + ["--json", try Self.token()])
    run.expectRefusal(one.says)
    #expect(run.status == 1)
    #expect(run.errors.contains(one.says), "\(run.errors)")
  }

  /// Each character of the token changed: never accepted, and always refused at a step.
  @Test func everyAlteredTokenIsRefused() throws {
    let token = Array(try Self.token().utf8)
    let places = Array(stride(from: 0, to: token.count, by: 5)) + [token.count - 1]
    for place in places {
      var altered = token
      altered[place] = altered[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      let run = try ToolRun.run(Self.verify + Self.right + ["--at", "1767225610", "-"], input: altered)
      run.expectRefusal("character \(place)")
      #expect(run.status == 1)
      #expect(run.errors.contains("refused: at step "), "\(run.errors)")
    }
  }

  @Test func theWrongKeyIsWrongUsage() throws {
    let path = ToolRun.scratch.appending(path: UUID().uuidString).path
    #expect(try ToolRun.run(["key", "generate", "--alg", "ES256", "--out", path]).status == 0)
    let token = try Self.token()
    let run = try ToolRun.run(["jwt", "verify", "--key", path] + Self.right + [token])
    #expect(run.status == 2)
    run.expectRefusal("private key")
    #expect(run.errors.contains("this is a private key"))
    for alg in ["RS256", "HS256"] {
      let mismatch = try ToolRun.run(Self.verify + Self.right + ["--alg", alg, token])
      #expect(mismatch.status == 2)
      mismatch.expectRefusal(alg)
    }
    let sign = try ToolRun.run(["jwt", "sign", "--key", Self.key, "--claims", "{}", "--expires-in", "1"])
    #expect(sign.status == 2)
    sign.expectRefusal("public key")
  }

  @Test(arguments: ["HS256", "HS384", "HS512"]) func whatIsSignedWithASecretVerifiesWithIt(_ alg: String) throws {
    let path = ToolRun.scratch.appending(path: UUID().uuidString).path
    #expect(try ToolRun.run(["key", "generate", "--alg", alg, "--out", path]).status == 0)
    let signed = try ToolRun.run(
      ["jwt", "sign", "--key", path, "--claims", #"{"iss":"me"}"#, "--expires-in", "60", "--at", "1000"])
    #expect(signed.status == 0)
    let arguments = [
      "jwt", "verify", "--issuer", "me", "--at", "1000", signed.text.trimmingCharacters(in: .whitespacesAndNewlines),
    ]
    let verified = try ToolRun.run(arguments + ["--key", path, "--json"])
    #expect(verified.status == 0)
    #expect(verified.json?["header"]?["alg"]?.string?.string == alg)
    let another = try ToolRun.run(arguments + Array(Self.verify.dropFirst(2)))
    #expect(another.status == 1)
    another.expectRefusal(alg)
    for other in ["HS256", "HS384", "HS512", "ES256"] where other != alg {
      #expect(try ToolRun.run(arguments + ["--key", path, "--alg", other]).status == 2)
    }
  }

  @Test(arguments: KeyCommandTests.algorithms, ["jwk", "pem"])
  func whatIsSignedVerifies(_ alg: String, _ format: String) throws {
    let path = ToolRun.scratch.appending(path: UUID().uuidString).path
    let made = try ToolRun.run(["key", "generate", "--alg", alg, "--format", format, "--kid", "k", "--out", path])
    let publicKey = try ToolRun.file(made.output, "public.jwk")
    let claims = #"{"iss":"me","aud":["you","them"],"x":{"y":[1,2.50,"\u00e9"]}}"#
    let signed = try ToolRun.run(
      ["jwt", "sign", "--key", path, "--claims", "-", "--expires-in", "60", "--at", "1000", "--alg", alg],
      input: Array(claims.utf8))
    #expect(signed.status == 0)
    let verified = try ToolRun.run(
      ["jwt", "verify", "--key", publicKey, "--issuer", "me", "--audience", "them", "--at", "1059", "--json", "-"],
      input: signed.output)
    #expect(verified.status == 0, "\(verified.errors)")
    #expect(
      verified.json?["claims"]
        == ([
          "iss": "me", "aud": ["you", "them"], "x": verified.json?["claims"]?["x"] ?? .null, "iat": 1000, "exp": 1060,
        ]))
    #expect(verified.text.contains(#""x":{"y":[1,2.50,"é"]}"#))
    #expect(verified.json?["header"]?["kid"] == (format == "jwk" ? "k" : nil))
    #expect(verified.json?["header"]?["alg"]?.string?.string == alg)
  }

  @Test func onlyAcceptableClaimsAreSigned() throws {
    let path = ToolRun.scratch.appending(path: UUID().uuidString).path
    #expect(try ToolRun.run(["key", "generate", "--alg", "EdDSA", "--out", path]).status == 0)
    let sign = ["jwt", "sign", "--key", path]
    for claims in [
      "", "{", "[]", "null", #"{"iss":"a","iss":"b"}"#, #"{"iss":7}"#, #"{"iss":"a"}"#, #"{"exp":"soon"}"#,
    ] {
      let run = try ToolRun.run(sign + ["--claims", claims])
      run.expectRefusal(claims)
      #expect(run.status == 1)
    }
    #expect(try ToolRun.run(sign + ["--claims", #"{"iss":"a"}"#]).errors.contains("--expires-in"))
  }

  @Test func decodingSaysThatNothingWasVerified() throws {
    let run = try ToolRun.run([
      "jwt", "decode", "eyJhbGciOiJub25lIn0.eyJleHAiOjE3NjcyMjkyMDAsIlx1MDAxYlszMW0iOiJcdTIwMmUifQ.",
    ])
    #expect(run.status == 0)
    #expect(
      run.text == """
        WARNING: NOTHING WAS VERIFIED: anyone may have written every word of this token
          header alg        none
          claim exp         1767229200
          claim \\u{1B}[31m  \\u{202E}
          exp is            2026-01-01T01:00:00Z

        """)
    let json = try ToolRun.run(["jwt", "decode", "--json", try Self.token()])
    #expect(json.json?["warnings"]?.array?.count == 1)
    #expect(json.json?["claims"]?["sub"] == "alice")
  }
}
