import AssayCodec
import AssayVectors
import Testing

/// The runner must not be able to pass by looking away: what a file says wrongly, or says more than it may, fails.
@Suite struct SchemaTests {
  private static let good = """
    {"schema":"assay-vectors-1","kind":"base64url","source":"here","licence":"own","count":2,"cases":[
    {"id":"a","text":"Zg","expected":"valid","bytes":"66"},{"id":"b","text":"Zh","expected":"invalid"}]}
    """

  private func run(_ text: String) throws(VectorFileError) -> VectorReport {
    var run = VectorRun()
    return try run.run(Array(text.utf8)) { _ in nil }
  }

  @Test func goodFilePasses() throws {
    let report = try run(Self.good)
    #expect(report.passed == 2)
    #expect(report.total == 2)
  }

  @Test(arguments: [
    ("\"count\":2", "\"count\":3"), ("\"count\":2,", ""), ("\"id\":\"b\"", "\"id\":\"a\""),
    ("\"licence\":\"own\"", "\"licence\":\"own\",\"license\":\"own\""), ("assay-vectors-1", "assay-vectors-2"),
    ("\"kind\":\"base64url\"", "\"kind\":\"base64\""), ("\"text\":\"Zg\"", "\"text\":\"Zg\",\"txt\":\"Zg\""),
    ("\"expected\":\"invalid\"", "\"expected\":\"maybe\""), ("\"bytes\":\"66\"", "\"bytes\":\"6\""),
    (",\"bytes\":\"66\"", ""), ("\"expected\":\"invalid\"", "\"expected\":\"invalid\",\"bytes\":\"66\""),
  ])
  func fileThatLeavesTheSchemaFails(_ change: (from: String, to: String)) {
    let changed = Self.good.replacing(change.from, with: change.to)
    #expect(changed != Self.good)
    #expect(throws: VectorFileError.self) { try run(changed) }
  }

  @Test(arguments: [
    ("\"text\":\"Zg\"", "\"text\":\"Zw\""), ("\"text\":\"Zg\"", "\"text\":\"!!\""),
    ("\"text\":\"Zh\"", "\"text\":\"Zg\""),
  ])
  func wrongVerdictIsAFailure(_ change: (from: String, to: String)) throws {
    let report = try run(Self.good.replacing(change.from, with: change.to))
    #expect(report.failures.count == 1)
    #expect(report.passed == 1)
  }

  /// Nothing, repeated for ever, is as short as nothing.
  @Test(
    .timeLimit(.minutes(1)), arguments: [#"["",9223372036854775807]"#, #"["a",9223372036854775807]"#, #"["a",-1]"#])
  func tokenOfEndlessPartsFails(_ part: String) {
    let text = """
      {"schema":"assay-vectors-1","kind":"jws","source":"here","licence":"own","count":1,
      "keys":{"k":{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}},
      "cases":[{"id":"a","key":"k","algorithms":["EdDSA"],"tokenParts":[\(part)],"expected":"invalid"}]}
      """
    let fault = #expect(throws: VectorFileError.self) { try run(text) }
    #expect(fault?.description.contains("token") == true)
  }

  @Test func emptyFileOfCasesFails() {
    let empty = """
      {"schema":"assay-vectors-1","kind":"base64url","source":"here","licence":"own","count":0,"cases":[]}
      """
    #expect(throws: VectorFileError.self) { try run(empty) }
  }

  @Test func scopeNamesReasonsInTheSameWords() throws {
    let text = """
      {"schema":"assay-scope-1","outside":[{"reason":"JWE","why":"never"}],
      "waits":[{"reason":"algorithm: -48","why":"later","for":"more algorithms"}],
      "decisions":[{"why":"so","cases":{"a":"valid","b":"untrusted"}}]}
      """
    let scope = try VectorScope(Array(text.utf8))
    #expect(scope.names(.coseAlgorithm(-48)))
    #expect(!scope.names(.coseAlgorithm(-49)))
    #expect(!VectorScope().names(.coseAlgorithm(-48)))
    #expect(scope.decision(on: "a") == "valid" && scope.decision(on: "b") == "untrusted")
    #expect(scope.decision(on: "c") == nil)
    let changes = [
      ("later", ""), ("never", ""), ("more algorithms", ""), ("reason", "reasons"), ("scope-1", "scope-2"),
      ("outside", "outer"), (",\"for\":\"more algorithms\"", ""), ("algorithm: -48", "JWE"),
      ("so", ""), ("untrusted", "policy"), ("\"b\"", "\"a\""), ("\"a\":\"valid\",\"b\":\"untrusted\"", ""),
    ]
    for wrong in changes {
      #expect(throws: VectorFileError.self) { try VectorScope(Array(text.replacing(wrong.0, with: wrong.1).utf8)) }
    }
  }
}
