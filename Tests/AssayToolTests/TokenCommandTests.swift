import AssayCodec
import Foundation
import TestSupport
import Testing

/// The noun `token`: what `issue` makes `verify` takes, for each profile, and no other profile's `verify` does.
@Suite struct TokenCommandTests {
  private struct Profile {
    let name: String
    let issue: [String]
    let verify: [String]
    /// What `--json` must say of a valid one.
    let member: UTF8Text
    let value: JSONValue
  }

  private static let server = ["--issuer", "https://as.example", "--client-id", "client-1"]
  private static let api = ["--issuer", "https://as.example", "--audience", "https://api.example"]
  private static let request = ["--method", "POST", "--uri", "https://api.example/things?page=2"]
  private static let user = ["--app-id", "7b1f3c52-6a3e-4d8e-9a52-1d6a40c2f7aa", "--external-id", "alice"]
  private static let at = ["--at", "1700000000"]

  private static let profiles: [Profile] = [
    Profile(
      name: "id-token",
      issue: server + ["--subject", "alice", "--nonce", "n", "--access-token", "a", "--claims", #"{"acr":"2"}"#],
      verify: server + ["--nonce", "n", "--access-token", "a", "--front-channel", "--acr", "2"],
      member: "subject", value: "alice"),
    Profile(
      name: "access-token", issue: api + ["--subject", "alice", "--client-id", "client-1", "--scope", "read,write"],
      verify: api + ["--scope", "read", "--client-id", "client-1"], member: "scopes", value: ["read", "write"]),
    Profile(
      name: "dpop", issue: request + ["--access-token", "a", "--nonce", "n"],
      verify: request + ["--access-token", "a", "--nonce", "n"], member: "outcome", value: "valid"),
    Profile(
      name: "client-assertion", issue: ["--client-id", "client-1", "--audience", "https://as.example"],
      verify: server, member: "outcome", value: "valid"),
    Profile(
      name: "request-object", issue: server + ["--parameters", #"{"response_type":"code","scope":"openid"}"#],
      verify: server, member: "outcome", value: "valid"),
    Profile(
      name: "authentication-request", issue: server + ["--parameters", #"{"scope":"openid","login_hint":"alice"}"#],
      verify: server, member: "outcome", value: "valid"),
    Profile(
      name: "logout-token", issue: server + ["--subject", "alice", "--session", "s"], verify: server,
      member: "session", value: "s"),
    Profile(
      name: "identity-token", issue: user + ["--email", "alice@example.com", "--sms", "+15555550100"], verify: user,
      member: "externalId", value: "alice"),
  ]

  /// A new key pair of ES256, as two files.
  private static func keys() throws -> (signing: String, verifying: String) {
    let path = ToolRun.scratch.appending(path: "\(UUID().uuidString).jwk").path
    let made = try ToolRun.run(["key", "generate", "--alg", "ES256", "--out", path])
    #expect(made.status == 0, "\(made.errors)")
    return (path, try ToolRun.file(made.output, "public.jwk"))
  }

  private static func verify(_ profile: Profile, _ key: String, _ token: String) throws -> ToolRun {
    let keyOption = profile.name == "dpop" ? [] : ["--key", key]
    return try ToolRun.run(["token", "verify", profile.name] + keyOption + profile.verify + at + ["--json", token])
  }

  @Test func whatOneIssuesOnlyItsOwnVerifierTakes() throws {
    let (signing, verifying) = try Self.keys()
    var (valid, refused) = (0, 0)
    for profile in Self.profiles {
      let made = try ToolRun.run(["token", "issue", profile.name, "--key", signing] + profile.issue + Self.at)
      #expect(made.status == 0, "\(profile.name): \(made.errors)")
      let token = made.text.trimmingCharacters(in: .newlines)
      for other in Self.profiles {
        let run = try Self.verify(other, verifying, token)
        if other.name == profile.name {
          #expect(run.status == 0, "\(profile.name): \(run.errors)")
          let said: JSONValue? = run.json?[profile.member]
          #expect(said == profile.value, "\(profile.name): \(run.text)")
          valid += 1
        } else {
          run.expectRefusal("\(profile.name) at \(other.name)")
          #expect(run.status == 1, "\(profile.name) at \(other.name)")
          refused += 1
        }
      }
    }
    #expect(valid == 8 && refused == 56)
  }

  /// What must count once is told with its maker and the last second of its use, also to people.
  @Test func saysWhatCountsOnce() throws {
    let (signing, verifying) = try Self.keys()
    let counted = ["client-assertion", "request-object", "authentication-request", "logout-token", "dpop"]
    for profile in Self.profiles {
      let made = try ToolRun.run(["token", "issue", profile.name, "--key", signing] + profile.issue + Self.at)
      let token = made.text.trimmingCharacters(in: .newlines)
      let once = try Self.verify(profile, verifying, token).json?["once"]
      #expect((once != nil) == counted.contains(profile.name), "\(profile.name)")
      guard let once else { continue }
      #expect(once["jti"]?.string?.isEmpty == false && once["issuer"]?.string?.isEmpty == false)
      let until = try #require(once["until"]?.number?.int64)
      #expect(until > Int64(1_700_000_000))
    }
  }

  @Test func saysWhyATokenIsRefused() throws {
    let (signing, verifying) = try Self.keys()
    let made = try ToolRun.run(
      ["token", "issue", "id-token", "--key", signing, "--subject", "alice", "--nonce", "n"] + Self.server + Self.at)
    let token = made.text.trimmingCharacters(in: .newlines)
    let verify = ["token", "verify", "id-token", "--key", verifying] + Self.at
    let table: [(arguments: [String], says: String)] = [
      (Self.server + ["--nonce", "other"], "at step 7, claims: nonce"),
      (Self.server, "at step 7, claims: nonce"),
      (Self.server + ["--nonce", "n", "--acr", "2"], "at step 7, claims: acr"),
      (Self.server + ["--nonce", "n", "--max-age", "60"], "at step 7, claims: auth_time"),
      (Self.server + ["--nonce", "n", "--access-token", "a", "--front-channel"], "at step 7, claims: at_hash"),
      (["--issuer", "https://as.example", "--client-id", "client-2", "--nonce", "n"], "expected client-2"),
      (["--issuer", "https://as.example/", "--client-id", "client-1", "--nonce", "n"], "only the last / differs"),
    ]
    for (arguments, says) in table {
      let run = try ToolRun.run(verify + arguments + [token])
      run.expectRefusal(says)
      #expect(run.status == 1 && run.errors.contains(says), "\(run.errors)")
    }
    let late = try ToolRun.run(
      ["token", "verify", "id-token", "--key", verifying, "--at", "1700000300", "--nonce", "n"] + Self.server + [token])
    #expect(late.status == 1 && late.errors.contains("claims: exp"), "\(late.errors)")
  }

  /// What is told is the claim that was judged, in its own words.
  @Test func explainsTheClaimThatWasRefused() throws {
    let (signing, verifying) = try Self.keys()
    func refusal(_ profile: String, _ issue: [String], _ verify: [String]) throws -> String {
      let made = try ToolRun.run(["token", "issue", profile, "--key", signing] + Self.server + Self.at + issue)
      let token = made.text.trimmingCharacters(in: .newlines)
      let judge = ["token", "verify", profile, "--key", verifying] + Self.server + Self.at + verify
      return try ToolRun.run(judge + [token]).errors
    }
    let signedIn = ["--subject", "alice", "--nonce", "n", "--claims"]
    let table: [(profile: String, issue: [String], verify: [String], says: String)] = [
      (
        "id-token", signedIn + [#"{"auth_time":1699999000}"#], ["--nonce", "n", "--max-age", "60"],
        "auth_time: the user signed in 1000 s"
      ),
      (
        "id-token", signedIn + [#"{"auth_time":1700000100}"#], ["--nonce", "n"],
        "auth_time: the user signed in 100 s (1 min) after"
      ),
      (
        "request-object", ["--parameters", #"{"response_type":"code","max_age":"1"}"#], [],
        #"max_age: it must be a number, and the token says "1""#
      ),
      (
        "request-object", ["--parameters", #"{"response_type":"code","claims":[]}"#], [],
        "claims: it must be an object"
      ),
    ]
    for (profile, issue, verify, says) in table {
      let errors = try refusal(profile, issue, verify)
      #expect(errors.contains(says), "\(errors)")
    }
  }

  /// A proof without a key that it must be by, and a sign-in without a nonce, are worth a warning.
  @Test func warnsOfWhatWasNotAsked() throws {
    let (signing, verifying) = try Self.keys()
    let proof = try ToolRun.run(["token", "issue", "dpop", "--key", signing] + Self.request + Self.at)
    let verified = try ToolRun.run(
      ["token", "verify", "dpop"] + Self.request + Self.at + ["-"], input: proof.output)
    #expect(verified.status == 0 && verified.text.contains("WARNING: any key would do"), "\(verified.errors)")
    // Who has a stolen token makes a proof for it with another key.
    let named = try ToolRun.run(
      ["token", "issue", "dpop", "--key", signing, "--access-token", "a"] + Self.request + Self.at)
    let forToken = try ToolRun.run(
      ["token", "verify", "dpop", "--access-token", "a"] + Self.request + Self.at + ["-"], input: named.output)
    #expect(forToken.status == 0 && forToken.text.contains("WARNING: any key would do"), "\(forToken.errors)")
    let thumbprint = try ToolRun.run(["key", "thumbprint", verifying])
    #expect(verified.text.contains(thumbprint.text.split(separator: "\n").first ?? "-"), "\(thumbprint.text)")
    let signIn = try ToolRun.run(
      ["token", "issue", "id-token", "--key", signing, "--subject", "alice"] + Self.server + Self.at)
    let known = try ToolRun.run(
      ["token", "verify", "id-token", "--key", verifying] + Self.server + Self.at + ["-"], input: signIn.output)
    #expect(known.status == 0 && known.text.contains("WARNING: no nonce was expected"), "\(known.errors)")
  }

  static let wrongUsage: [[String]] = [
    ["token"], ["token", "verify"], ["token", "verify", "x"], ["token", "issue", "id-token"],
    ["token", "verify", "dpop", "--key", "x", "a"], ["token", "verify", "dpop", "a"],
    ["token", "verify", "dpop", "--alg", "HS256", "--method", "GET", "--uri", "https://a.example", "a"],
    ["token", "verify", "identity-token", "--alg", "ES384", "--app-id", "a", "a"],
    ["token", "issue", "logout-token", "--key", demoKey] + server,
    ["token", "verify", "client-assertion", "--key", demoKey, "--client-id", "c", "a"],
    [
      "token", "verify", "client-assertion", "--key", demoKey, "--client-id", "c", "--issuer", "a", "--audience", "a",
      "a",
    ],
  ]
  private static let demoKey = TestData.vectors.appending(path: "demo/token.jwk").path

  @Test(arguments: wrongUsage) func wrongUsageIsTold(_ arguments: [String]) throws {
    let run = try ToolRun.run(arguments)
    run.expectRefusal("\(arguments)")
    #expect(run.status == 2, "\(arguments): \(run.errors)")
  }
}
