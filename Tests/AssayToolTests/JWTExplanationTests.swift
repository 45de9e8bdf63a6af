import AssayCodec
import AssayCrypto
import Foundation
import TestSupport
import Testing

/// What `jwt verify` says of the tokens that it refuses.
@Suite struct JWTExplanationTests {
  private static let secret = [UInt8](repeating: 7, count: 32)
  private static let secretFile = try? ToolRun.file(
    Array(#"{"kty":"oct","kid":"shared","k":"\#(Base64URL.encode(secret.span).string)"}"#.utf8))
  private static let demoKey = TestData.vectors.appending(path: "demo/token.jwk").path

  /// Every option, so that a row changes what it needs to.
  private static let usual = ["--issuer", "me", "--audience", "you", "--at", "1000000000"]
  private static let header = #"{"alg":"HS256","kid":"shared"}"#
  private static let claims = #"{"iss":"me","aud":"you","exp":1000000060}"#

  /// A token whose MAC is right, of these texts as header and claims.
  private static func token(_ header: String = header, _ claims: String = claims) -> String {
    let parts = [header, claims].map { Base64URL.encode(Array($0.utf8).span).string }
    let input = Array(parts.joined(separator: ".").utf8)
    guard let key = try? MACKey(SecretBytes(copying: secret.span), for: .hs256),
      let tag = try? key.tag(for: input.span)
    else { return "" }
    return (parts + [Base64URL.encode(tag.span).string]).joined(separator: ".")
  }

  struct Row: Sendable {
    /// The stable word.
    let code: String
    let token: String
    /// The step, the field (empty: none), and parts of the message.
    let step: String, field: String, says: [String]
    var key = secretFile ?? ""
    var options = usual
  }

  static let rows: [Row] = [
    Row(
      code: "tooLarge", token: String(repeating: "A", count: 70_000), step: "size", field: "",
      says: ["70000 bytes", "65536", "the right file"]),
    Row(code: "notCompact", token: "e30.e30", step: "shape", field: "", says: ["1 dot;", "the whole token"]),
    Row(code: "notCompact", token: "", step: "shape", field: "", says: ["the input is empty"]),
    Row(
      code: "notCompact", token: #"{"payload":"e30"}"#, step: "shape", field: "", says: ["JSON, not a compact token"]),
    Row(code: "encrypted", token: "e30.e30.e30.e30.e30", step: "shape", field: "", says: ["JWE", "decrypt"]),
    Row(
      code: "malformed", token: "Bearer \(token())", step: "shape", field: "header",
      says: ["byte 6 of the token", "at:  )", "leave the word Bearer out"]),
    Row(
      code: "malformed", token: "e30=.e30.AA", step: "shape", field: "header",
      says: ["byte 3 of the token", "no padding (=)"]),
    Row(
      code: "malformed", token: token(header, #"{"iss":"a","iss":"b"}"#), step: "claims", field: "claims",
      says: ["at step 7, claims: it cannot be read: the same name", #"at: {"iss":"a","iss":"b"}"#]),
    Row(
      code: "malformed", token: token("{\"alg\":\"\u{1B}[31m\"}"), step: "header", field: "header",
      says: [#"at: {"alg":"\u{1B}[31m"}"#]),
    Row(
      code: "notAnObject", token: token("[1]"), step: "header", field: "header", says: ["begins so: [1]", "no JWT"]),
    Row(code: "missing", token: token("{}"), step: "header", field: "alg", says: ["required and missing"]),
    Row(
      code: "missing", token: token(header, #"{"exp":1000000060,"iss":"me"}"#), step: "claims", field: "aud",
      says: ["expected you", "--audience"]),
    Row(
      code: "missing", token: token(header, #"{"iss":"me","aud":"you"}"#), step: "claims", field: "exp",
      says: ["never ends"]),
    Row(
      code: "missing", token: token(), step: "header", field: "typ", says: ["expected at+jwt", "--type"],
      options: usual + ["--type", "at+jwt"]),
    Row(
      code: "wrongType", token: token(header, #"{"exp":"1000000060"}"#), step: "claims", field: "exp",
      says: [#"without quotation marks, and the token says "1000000060""#]),
    Row(
      code: "wrongType", token: token(header, #"{"aud":[["you"]]}"#), step: "claims", field: "aud",
      says: [#"an array of strings, and the token says [["you"]]"#]),
    Row(
      code: "unsecured", token: token(#"{"alg":"nOnE"}"#), step: "algorithm", field: "alg",
      says: ["nobody signed", "(the token says nOnE)", "never accept"]),
    Row(
      code: "algorithmUnsupported", token: token(#"{"alg":"RS257"}"#), step: "algorithm", field: "alg",
      says: ["expected HS256, the token says RS257"]),
    Row(
      code: "mlDSAUnsupported", token: token(#"{"alg":"ML-DSA-44"}"#), step: "algorithm", field: "alg",
      says: ["OpenSSL before 3.5", "the token says ML-DSA-44"]),
    Row(
      code: "algorithmNotAllowed", token: token(#"{"alg":"ES256"}"#), step: "algorithm", field: "alg",
      says: ["expected HS256, the token says ES256", "give its key"]),
    Row(
      code: "algorithmNotAllowed", token: token(), step: "algorithm", field: "alg",
      says: ["expected ES256, the token says HS256", "who knows a public key must not be able to sign"], key: demoKey),
    Row(
      code: "extensionNotUnderstood", token: token(#"{"alg":"HS256","crit":["exp"]}"#), step: "header", field: "crit",
      says: [#"the token says ["exp"]"#]),
    Row(
      code: "wrongTokenType", token: token(#"{"alg":"HS256","typ":"logout+jwt"}"#), step: "header", field: "typ",
      says: ["expected JWT, the token says logout+jwt"]),
    Row(
      code: "nested", token: token(#"{"alg":"HS256","cty":"JWT"}"#), step: "header", field: "cty",
      says: ["another token", "the inner token"]),
    Row(
      code: "unknownKeyID", token: token(#"{"alg":"HS256","kid":"\#(String(repeating: "k", count: 99))"}"#),
      step: "key",
      field: "kid",
      says: ["expected shared, the token says \(String(repeating: "k", count: 64))…", "load the issuer's keys"]),
    Row(
      code: "invalidSignature", token: token(header, claims + " ").dropLast(10) + "AAAAAAAAAA", step: "signature",
      field: "", says: ["was changed, or another key signed it (the token names the key shared)"]),
    Row(
      code: "invalidSignature", token: token().dropLast(43) + "", step: "signature", field: "",
      says: ["has 0 bytes, and HS256 makes 32", "never accept"]),
    Row(
      code: "invalidSignature", token: token().dropLast(3) + "", step: "signature", field: "",
      says: ["has 30 bytes, and HS256 makes 32", "the token is whole"]),
    Row(
      code: "dateOutOfRange", token: token(header, #"{"exp":1767229200000}"#), step: "claims", field: "exp",
      says: ["the token says 1767229200000", "milliseconds"]),
    Row(
      code: "expired", token: token(header, #"{"iss":"me","aud":"you","exp":999906340}"#), step: "claims", field: "exp",
      says: [
        "expired 93660 s (1 d 2 h) before the time of judging (2001-09-07T23:45:40Z; judged at 2001-09-09T01:46:40Z)"
      ]),
    Row(
      code: "expired", token: token(header, #"{"iss":"me","aud":"you","exp":999999000.5}"#), step: "claims",
      field: "exp", says: ["expired 999 s (16 min) before", "clocks may differ by 60 s"],
      options: usual + ["--leeway", "60"]),
    Row(
      code: "notYetValid", token: token(header, #"{"iss":"me","aud":"you","exp":1000000060,"nbf":1000000001}"#),
      step: "claims", field: "nbf", says: ["becomes valid 1 s after the time of judging", "compare the clocks"]),
    Row(
      code: "issuedInFuture", token: token(header, #"{"iss":"me","aud":"you","exp":1000000060,"iat":1000000030}"#),
      step: "claims", field: "iat", says: ["issued 30 s after the time of judging", "--leeway"]),
    Row(
      code: "wrongIssuer", token: token(header, #"{"iss":"me/","aud":"you","exp":1000000060}"#), step: "claims",
      field: "iss", says: ["expected me, the token says me/ (only the last / differs)"]),
    Row(
      code: "wrongIssuer", token: token(header, #"{"iss":"m\u0435","aud":"you","exp":1000000060}"#), step: "claims",
      field: "iss", says: ["letters that are not ASCII"]),
    Row(
      code: "wrongAudience", token: token(header, #"{"iss":"me","aud":["YOU"],"exp":1000000060}"#), step: "claims",
      field: "aud", says: [#"expected you, the token says ["YOU"]"#]),
    Row(
      code: "wrongAudience", token: token(header, #"{"iss":"me","aud":"You","exp":1000000060}"#), step: "claims",
      field: "aud", says: ["only the case of letters differs"]),
    Row(
      code: "wrongAudience",
      token: token(header, #"{"iss":"me","aud":"\u202e\u001b[2J\u0000\ud83d\ude00","exp":1000000060}"#),
      step: "claims", field: "aud", says: [#"the token says \u{202E}\u{1B}[2J\u{0}😀"#]),
    Row(
      code: "unexpectedAudience", token: token(), step: "claims", field: "aud",
      says: ["the token says you", "--audience"],
      options: ["--issuer", "me", "--at", "1000000000"]),
  ]

  @Test(arguments: rows) func saysWhatIsWrongWhereAndWhatToDo(_ row: Row) throws {
    let run = try ToolRun.run(
      ["jwt", "verify", "--key", row.key] + row.options + ["--json", "-"], input: Array(row.token.utf8))
    run.expectRefusal(row.code)
    #expect(run.status == 1)
    let json = run.json
    #expect(json?["code"]?.string?.string == row.code)
    #expect(json?["step"]?.string?.string == row.step)
    #expect(json?["field"]?.string?.string ?? "" == row.field)
    #expect(json?["advice"]?.string?.isEmpty == false)
    let message = json?["message"]?.string?.string ?? ""
    #expect(run.errors == "assay jwt verify: refused: \(message)\n")
    for part in row.says { #expect(message.contains(part), "\(message)") }
  }

  @Test func programsGetTheNumbersApart() throws {
    let token = Self.token(Self.header, #"{"iss":"me","aud":"you","exp":999996340}"#)
    let run = try ToolRun.run(
      ["jwt", "verify", "--key", Self.secretFile ?? ""] + Self.usual + ["--json", "-"], input: Array(token.utf8))
    #expect(run.json?["seconds"] == 3660 && run.json?["stepNumber"] == 7)
    #expect(run.json?["moment"] == "2001-09-09T00:45:40Z" && run.json?["judgedAt"] == "2001-09-09T01:46:40Z")
    #expect(run.json?["found"] == "999996340")
    let other = try ToolRun.run(
      ["jwt", "verify", "--key", Self.secretFile ?? ""] + Self.usual + ["--json", "-"],
      input: Array(Self.token(#"{"alg":"HS256","kid":"other"}"#).utf8))
    #expect(other.json?["expected"] == ["shared"] && other.json?["found"] == "other")
  }

  @Test func bytesThatAreNoTextAreShownAsBytes() throws {
    let parts = [[0x7B, 0x22, 0xFF, 0x80, 0xC3, 0xA9, 0x9B, 0x22] as [UInt8], [0x7B, 0x7D], [1]]
    let token = parts.map { Base64URL.encode($0.span).string }.joined(separator: ".")
    let run = try ToolRun.run(
      ["jwt", "verify", "--key", Self.secretFile ?? ""] + Self.usual + ["-"], input: Array(token.utf8))
    run.expectRefusal("invalid UTF-8")
    #expect(run.errors.contains(#"at: {"\xFF\x80é\x9B""#), "\(run.errors)")
  }

  /// Codes that verifying a compact token with one issuer does not give.
  private static let others: Set<String> = [
    "notJSONForm", "noSignatures", "tooManySignatures", "payloadNotAsExpected", "duplicateParameter", "notProtected",
    "mixedPayloadEncodings", "requiredClaimMissing", "noKeyForAlgorithm", "tooManyKeys", "tooManyCertificates",
    "tooOld",
    "mismatch", "unexpected", "invalidValue", "lifetimeTooLong", "notOneProof", "keyRefused", "reserved",
    "payloadNotCarried", "signingFailed",
  ]

  /// Codes of which `JWTCertificateTests` has tokens.
  private static let certificates: Set<String> = [
    "certificateRefused", "certificateNotForSigning", "wrongSigner", "certificateMismatch",
  ]

  /// The compiler demands an explanation of every code; this demands a row, or a reason why there is none.
  @Test func everyCodeIsTried() throws {
    let source = TestData.vectors.deletingLastPathComponent().appending(path: "Sources/AssayJOSE/JWTError.swift")
    let text = try String(contentsOf: source, encoding: .utf8)
    let codes = text.components(separatedBy: "enum Code").last?.components(separatedBy: "/// The kind of fault.").first
    let names = (codes ?? "").split(separator: "\n").compactMap { line -> String? in
      guard line.hasPrefix("    case ") else { return nil }
      return String(line.dropFirst(9).prefix { $0 != "(" })
    }
    #expect(names.count > 35)
    let tried = Set(Self.rows.map(\.code))
    #expect(tried.isDisjoint(with: Self.others))
    #expect(Set(names) == tried.union(Self.others).union(Self.certificates))
  }
}
