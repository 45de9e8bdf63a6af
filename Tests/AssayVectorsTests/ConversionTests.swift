import AssayCodec
import AssayVectors
import Foundation
import TestSupport
import Testing

private let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}

/// `Vectors/convert.py`: nothing of a collection may be lost on the way into our schema.
@Suite(.enabled(if: python != nil), .serialized) struct ConversionTests {
  /// Converts a folder: the last line printed, or nil if the converter refuses.
  private static func convert(_ source: URL, to out: URL) throws -> String? {
    let script = TestData.vectors.appending(path: "convert.py").path
    let done = try ChildProcess.run(python ?? "/nonexistent", [script, source.path, out.path])
    guard done.status == 0 else { return nil }
    return String(decoding: done.output, as: UTF8.self).split(separator: "\n").last.map(String.init)
  }

  private static func withFolder<R>(_ body: (URL) throws -> R) throws -> R {
    let folder = FileManager.default.temporaryDirectory.appending(path: "assay-convert-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }

  @Test(.enabled(if: TestData.hasExtra)) func everyConvertedCasePassesOrIsNamedInScope() throws {
    let extra = try #require(TestData.extra)
    try Self.withFolder { folder in
      let last = try Self.convert(extra, to: folder)
      #expect(last == "3854 converted, 126 outside")
      let result = try CarriedVectorTests.run(folder)
      #expect(result.failures == [])
      for skip in result.skips.keys { #expect(try CarriedVectorTests.scope.get().names(skip), "\(skip)") }
      // A case of the source may make several of ours: a signature in both formats, a text under each leniency.
      #expect(result.passed == 4732)
      #expect(result.skips.values.reduce(0, +) == 126)
    }
  }

  private static let table = """
    {"source":"RFC 4226 appendix D","secretHex":"3132333435363738393031323334353637383930","digits":6,"hash":"SHA1",
    "tests":[{"counter":0,"hotp":"755224"},{"counter":1,"hotp":"287082"}]}
    """

  /// Puts a file into a new folder and converts that.
  private static func convert(_ text: String, as path: String, _ check: (String?, URL) throws -> Void) throws {
    try withFolder { folder in
      let file = folder.appending(path: "in/\(path)")
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      try check(convert(folder.appending(path: "in"), to: folder.appending(path: "out")), folder.appending(path: "out"))
    }
  }

  @Test func whatIsConvertedIsJudged() throws {
    try Self.convert(Self.table, as: "rfc/rfc4226.json") { last, out in
      #expect(last == "2 converted, 0 outside")
      let result = try CarriedVectorTests.run(out)
      #expect(result.passed == 2)
    }
    try Self.convert(Self.table.replacing("755224", with: "755225"), as: "rfc/rfc4226.json") { _, out in
      let result = try CarriedVectorTests.run(out)
      #expect(result.failures.count == 1)
    }
  }

  @Test(arguments: [
    ("rfc/rfc9999.json", "", ""), ("rfc/rfc4226.json", "\"tests\"", "\"test\""), ("rfc/rfc4226.json", "hotp", "totp"),
    ("rfc/rfc4226.json", "{\"counter\":1,", "{{\"counter\":1,"),
  ])
  func whatIsNotKnownIsRefused(_ path: String, from: String, to: String) throws {
    let text = from.isEmpty ? Self.table : Self.table.replacing(from, with: to)
    try Self.convert(text, as: path) { last, _ in #expect(last == nil) }
  }

  @Test func whatIsOutsideIsSkippedByItsReason() throws {
    try Self.convert("{\"output\":{}}", as: "cose/CWT/A_3.json") { last, out in
      #expect(last == "0 converted, 1 outside")
      let result = try CarriedVectorTests.run(out)
      #expect(result.skips.map(\.key.description) == ["COSE messages"])
    }
  }

  @Test func aFolderOfSomethingElseIsLeftAlone() throws {
    try Self.withFolder { folder in
      try Data(Self.table.utf8).write(to: folder.appending(path: "mine.txt"))
      let last = try Self.convert(TestData.vectors.appending(path: "demo"), to: folder)
      #expect(last == nil)
      #expect(FileManager.default.fileExists(atPath: folder.appending(path: "mine.txt").path))
    }
  }
}
