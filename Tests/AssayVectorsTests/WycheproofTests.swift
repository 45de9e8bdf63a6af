import AssayCodec
import AssayVectors
import Foundation
import TestSupport
import Testing

/// Wycheproof's own files: read as they are, and never passed by looking away.
@Suite struct WycheproofTests {
  /// RFC 8032, 7.1, TEST 1 and an altered signature, in Wycheproof's shape.
  private static let good = """
    {"algorithm":"EDDSA","schema":"eddsa_verify_schema_v1.json","numberOfTests":3,"header":["as Wycheproof's"],
    "notes":{"Ktv":{"bugType":"BASIC"},"InvalidKtv":{"bugType":"BASIC"},"SmallOrderPublicKey":{"bugType":"EDGE_CASE"}},
    "testGroups":[
    {"type":"EddsaVerify","source":{"name":"here","version":"1"},
    "publicKey":{"type":"EDDSAPublicKey","curve":"edwards25519","keySize":255,"pk":"d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"},
    "publicKeyDer":"302a300506032b6570032100d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    "publicKeyPem":"-----BEGIN PUBLIC KEY-----\\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\\n-----END PUBLIC KEY-----\\n",
    "publicKeyJwk":{"kty":"OKP","crv":"Ed25519","kid":"none","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"},
    "tests":[
    {"tcId":1,"comment":"TEST 1","flags":["Ktv"],"msg":"","sig":"e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b","result":"valid"},
    {"tcId":2,"comment":"altered","flags":["InvalidKtv"],"msg":"","sig":"e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100c","result":"invalid"}]},
    {"type":"EddsaVerify","source":{"name":"here","version":"1"},
    "publicKey":{"type":"EDDSAPublicKey","curve":"edwards25519","keySize":255,"pk":"0100000000000000000000000000000000000000000000000000000000000000"},
    "publicKeyDer":"302a300506032b65700321000100000000000000000000000000000000000000000000000000000000000000",
    "publicKeyPem":"-----BEGIN PUBLIC KEY-----\\nMCowBQYDK2VwAyEAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\\n-----END PUBLIC KEY-----\\n",
    "tests":[
    {"tcId":3,"comment":"the neutral point","flags":["SmallOrderPublicKey"],"msg":"78","sig":"01000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000","result":"acceptable"}]}]}
    """

  private func run(_ text: String, errata: String? = nil) throws(VectorFileError) -> VectorReport {
    var run = VectorRun()
    return try run.run(Array(text.utf8), named: "small_test.json") { name in
      name == "_errata.json" ? errata.map { Array($0.utf8) } : nil
    }
  }

  @Test func goodFilePasses() throws {
    let report = try run(Self.good)
    #expect(report.passed == 3)
    #expect(report.total == 3)
    #expect(report.kind == "wycheproof eddsa_verify")
  }

  @Test(arguments: [
    ("\"numberOfTests\":3", "\"numberOfTests\":4"), ("\"numberOfTests\":3,", ""), ("\"tcId\":2", "\"tcId\":1"),
    ("\"flags\":[\"Ktv\"]", "\"flags\":[\"Ktw\"]"), ("\"notes\":{\"Ktv\"", "\"notes\":{\"Ktw\""),
    ("eddsa_verify", "eddsa_check"), ("EddsaVerify", "EddsaCheck"), ("edwards25519", "edwards25520"),
    ("\"result\":\"valid\"", "\"result\":\"good\""), ("\"result\":\"valid\"", "\"result\":\"acceptable\""),
    ("\"comment\":\"TEST 1\"", "\"comment\":\"TEST 1\",\"ctx\":\"\""), ("\"sig\":\"e5", "\"sign\":\"e5"),
    ("\"type\":\"EddsaVerify\",", "\"type\":\"EddsaVerify\",\"sha\":\"SHA-512\","), ("\"algorithm\"", "\"algorithms\""),
    ("MCowBQYDK2VwAyEA11", "MCowBQYDK2VwAyEA12"), ("\"x\":\"11", "\"x\":\"12"),
  ])
  func fileThatLeavesTheSchemaFails(_ change: (from: String, to: String)) {
    let changed = Self.good.replacing(change.from, with: change.to)
    #expect(changed != Self.good)
    #expect(throws: VectorFileError.self) { try run(changed) }
  }

  @Test(arguments: [
    ("\"result\":\"valid\"", "\"result\":\"invalid\""), ("\"result\":\"invalid\"", "\"result\":\"valid\""),
    ("\"result\":\"acceptable\"", "\"result\":\"valid\""), ("\"sig\":\"e5564300c3", "\"sig\":\"e5564300c4"),
  ])
  func wrongVerdictIsAFailure(_ change: (from: String, to: String)) throws {
    let report = try run(Self.good.replacing(change.from, with: change.to))
    #expect(report.failures.count == 1)
    #expect(report.passed == 2)
  }

  @Test func errataWithdrawLabelsOfTheirFileOnly() throws {
    let wrong = Self.good.replacing("\"result\":\"invalid\"", with: "\"result\":\"valid\"")
    let errata = """
      {"notes":[{"file":"small_test.json","tcIds":[2],"label":"valid","issue":"the signature is altered"},
      {"file":"other_test.json","tcIds":[1],"label":"valid","issue":"none"},
      {"file":"small_test.json","tcIds":"some","label":"acceptable","issue":"the flags decide"}]}
      """
    let report = try run(wrong, errata: errata)
    #expect(report.failures.isEmpty)
    #expect(report.passed == 2)
    #expect(report.skips.map(\.description) == ["errata: the label is withdrawn"])
    #expect(try run(Self.good, errata: errata).passed == 3)
    #expect(try run(wrong, errata: errata.replacing("small_test", with: "large_test")).failures.count == 1)
    #expect(throws: VectorFileError.self) { try run(wrong, errata: errata.replacing("[2]", with: "[\"2\"]")) }
    #expect(throws: VectorFileError.self) { try run(wrong, errata: errata.replacing("issue", with: "issues")) }
  }

  @Test(.enabled(if: TestData.hasExtra)) func everyPublishedCasePassesOrIsNamedInScope() throws {
    let extra = try #require(TestData.extra)
    let result = try CarriedVectorTests.run(extra.appending(path: "wycheproof"))
    #expect(result.failures == [])
    for skip in result.skips.keys { #expect(try CarriedVectorTests.scope.get().names(skip), "\(skip)") }
    #expect(result.files == 48)
    #expect(result.passed == 11152)
    let counts = Dictionary(uniqueKeysWithValues: result.skips.map { ($0.key.description, $0.value) })
    #expect(
      counts == [
        "JWE": 34, "digest: SHA-1": 38, "digest: SHA-224": 38, "errata: the label is withdrawn": 8,
        "key: made by a flawed generator": 2, "mask: MGF1 with another digest": 180, "schema: ec_curve_test": 26,
        "signature: low s": 1,
      ])
  }
}
