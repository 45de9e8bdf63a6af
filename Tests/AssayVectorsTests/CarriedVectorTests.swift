import AssayCodec
import AssayVectors
import Foundation
import TestSupport
import Testing

/// Every file of vectors that the repository carries, and the further ones where they are at hand.
@Suite struct CarriedVectorTests {
  /// Runs a folder and all below it, as the tool does.
  static func run(_ folder: URL) throws -> (passed: Int, failures: [String], skips: [SkipReason: Int], files: Int) {
    var passed = 0
    var failures: [String] = []
    var skips: [SkipReason: Int] = [:]
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
      .sorted()
    var files = 0
    for (directory, names) in Dictionary(grouping: names, by: { ($0 as NSString).deletingLastPathComponent }) {
      let directory = folder.appending(path: directory)
      var run = VectorRun(try scope.get())
      for name in names where !["scope.json"].contains(name) && !(name as NSString).lastPathComponent.hasPrefix("_") {
        files += 1
        let bytes = try TestData.bytes(folder.appending(path: name))
        let report = try run.run(bytes, named: UTF8Text((name as NSString).lastPathComponent)) { sibling in
          let place = sibling.string.hasPrefix("roots/") ? directory.deletingLastPathComponent() : directory
          return try? TestData.bytes(place.appending(path: sibling.string))
        }
        passed += report.passed
        failures += report.failures.map { "\(name) \($0.id.string): expected \($0.expected), got \($0.actual)" }
        for skip in report.skips { skips[skip, default: 0] += 1 }
      }
    }
    return (passed, failures, skips, files)
  }

  static let scope = Result { try VectorScope(TestData.scope()) }

  @Test func everyCarriedCasePassesOrIsNamedInScope() throws {
    let result = try Self.run(TestData.vectors)
    #expect(result.failures == [])
    for skip in result.skips.keys { #expect(try Self.scope.get().names(skip), "\(skip)") }
    #expect(result.passed == 4064)
    #expect(result.skips.values.reduce(0, +) == 12)
  }

  @Test(
    .enabled(if: TestData.hasExtra),
    arguments: [("captured", 117, 8), ("derived", 135, 0), ("generated", 64, 4), ("w3c", 30, 0), ("swtpm", 3, 0)])
  func furtherCeremonies(_ folder: String, passed: Int, skipped: Int) throws {
    let extra = try #require(TestData.extra)
    let result = try Self.run(extra.appending(path: "webauthn/\(folder)"))
    #expect(result.failures == [])
    for skip in result.skips.keys { #expect(try Self.scope.get().names(skip), "\(skip)") }
    #expect(result.passed == passed)
    #expect(result.skips.values.reduce(0, +) == skipped)
  }
}
