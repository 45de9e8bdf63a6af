import AssayCodec
import Foundation
import TestSupport
import Testing

/// The verb `vectors run`.
@Suite struct VectorsCommandTests {
  private static let good = """
    {"schema":"assay-vectors-1","kind":"base64url","source":"here","licence":"own","count":1,"cases":[
    {"id":"a","text":"Zg","expected":"valid","bytes":"66"}]}
    """
  /// A ceremony in which there is nothing to verify.
  private static let waiting =
    (try? String(
      contentsOf: TestData.vectors.appending(path: "webauthn/chromium/17-es384-only-create.json"), encoding: .utf8))
    ?? ""

  private func folder(_ files: [String: String]) throws -> String {
    let folder = ToolRun.scratch.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder.appending(path: "below"), withIntermediateDirectories: true)
    for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
    return folder.path
  }

  @Test func carriedVectorsPass() throws {
    let run = try ToolRun.run(["vectors", "run", TestData.vectors.path])
    #expect(run.status == 0 && run.errors.isEmpty)
    let lines = run.text.split(separator: "\n")
    #expect(lines.last?.contains(" 0 failed, ") == true)
    #expect(lines.count > 90)
  }

  @Test func everyFileBelowAFolderIsCounted() throws {
    let folder = try folder(["a.json": Self.good, "below/b.json": Self.good, "_notes.json": "{", "c.txt": "{"])
    let run = try ToolRun.run(["vectors", "run", folder])
    #expect(run.status == 0)
    #expect(run.text.hasSuffix("2 passed, 0 failed, 0 skipped\n"))
    let json = try ToolRun.run(["vectors", "run", "--json", folder]).json
    #expect(json?["passed"]?.number?.int64 == 2)
    #expect(json?["files"]?.array?.count == 2)
  }

  /// A list of names is one case: it must be read, or it is no vector file at all.
  @Test func namesOfProvidersAreRead() throws {
    let names = #"{"08987058-cadc-4b81-b6e1-30de50dcbe96":"Windows Hello"}"#
    let good = try ToolRun.run(["vectors", "run", folder(["a.json": names])])
    #expect(good.text.contains("a.json: provider names: 1 passed, 0 failed, 0 skipped"))
    #expect(good.status == 0)
    let bad = try ToolRun.run(["vectors", "run", folder(["a.json": names.replacing("cadc", with: "cad")])])
    #expect(bad.text.contains("a.json: FAILED: neither a file of our schema"))
    #expect(bad.status == 1)
  }

  @Test func whatIsNotThereIsWrongUsage() throws {
    let run = try ToolRun.run(["vectors", "run", "no-such-file"])
    #expect(run.status == 2 && run.errors.contains("is no file and no folder"))
  }

  @Test func failuresSayWhatWasExpected() throws {
    let folder = try folder(["a.json": Self.good.replacing("66", with: "67"), "b.json": "{}", "c.json": Self.good])
    let run = try ToolRun.run(["vectors", "run", folder])
    #expect(run.status == 1)
    #expect(run.errors == "assay vectors run: refused: 2 failed: the lines marked FAILED say what was expected\n")
    #expect(
      run.text.contains("FAILED \"a\": expected the given bytes, got other bytes") || run.text.contains("FAILED a: "))
    #expect(run.text.contains("b.json: FAILED: neither a file of our schema, nor one of Wycheproof's, nor a ceremony"))
    #expect(run.text.hasSuffix("1 passed, 2 failed, 0 skipped\n"))
    #expect(try ToolRun.run(["vectors", "run", "--json", folder]).json?["outcome"]?.string == "refused")
  }

  /// What a file expects is shown for a person, and compared byte for byte.
  @Test func expectationsAreEscapedAndComparedAsBytes() throws {
    let file = #"""
      {"schema":"assay-vectors-1","kind":"cbor","source":"here","licence":"own","count":2,"cases":[
      {"id":"a","bytes":"01","form":"wellFormed","expected":"valid","diagnostic":"\u001b[31m\n1 passed"},
      {"id":"b","bytes":"62c3bc","form":"wellFormed","expected":"valid","diagnostic":"\"u\u0308\""}]}
      """#
    let run = try ToolRun.run(["vectors", "run", folder(["a.json": file])])
    #expect(run.status == 1)
    #expect(run.text.contains("FAILED a: expected \\u{1B}[31m\\u{A}1 passed, got 1\n"))
    #expect(run.text.hasSuffix("0 passed, 2 failed, 0 skipped\n"))
  }

  @Test func skippingMustBeNamedAndIsNeverEverything() throws {
    let reason = #"{"reason":"ceremony: refused by the browser","why":"nothing to verify"}"#
    let scope = #"{"schema":"assay-scope-1","outside":[\#(reason)],"waits":[]}"#
    let unnamed = try folder(["a.json": Self.good, "b.json": Self.waiting])
    let run = try ToolRun.run(["vectors", "run", unnamed])
    #expect(run.status == 1)
    #expect(run.text.contains("SKIPPED, not named in the scope: ceremony: refused by the browser"))
    let named = try folder(["a.json": Self.good, "b.json": Self.waiting, "scope.json": scope])
    #expect(try ToolRun.run(["vectors", "run", named]).text.hasSuffix("1 passed, 0 failed, 1 skipped\n"))
    let only = try folder(["b.json": Self.waiting, "scope.json": scope])
    #expect(try ToolRun.run(["vectors", "run", only]).status == 1)
    #expect(try ToolRun.run(["vectors", "run", "--scope", named + "/a.json", unnamed]).status == 1)
  }
}
