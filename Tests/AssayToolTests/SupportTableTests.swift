import AssayCodec
import AssayCrypto
import AssayOTP
import AssayWebAuthn
import Foundation
import TestSupport
import Testing

/// The README's table of what is supported, against the code. In the rows below, what is in code font are the names of the
/// code's own list, all of them and no others.
@Suite struct SupportTableTests {
  private static let repository = TestData.vectors.deletingLastPathComponent()

  /// Rows whose names the code lists somewhere.
  static let lists: [(row: String, names: @Sendable () throws -> Set<String>)] = [
    ("Signatures", { Set(SignatureAlgorithm.allCases.map(\.joseName.string)) }),
    ("Shared secrets", { Set(MACAlgorithm.allCases.map(\.joseName.string)) }),
    ("Keys", { Set(KeyFile.Format.allCases.map(\.name)) }),
    ("Attestation formats", { Set(AttestationFormat.allCases.map(\.word.string)) }),
    ("Caches", { try types(in: "Sources/AssayState") { name, _ in name.hasSuffix("Cache") } }),
    (
      "Token profiles",
      { try types(in: "Sources/AssayJOSE") { name, _ in name.hasSuffix("Verifier") && name != "JWTVerifier" } }
    ),
    ("Codes", { try types(in: "Sources/AssayOTP") { _, text in text.contains("\n  public func verify(") } }),
    ("Hashes of codes", { Set(OTPAlgorithm.allCases.map(\.name.string)) }),
  ]

  /// Rows in words alone.
  private static let others: Set<String> = [
    "Tokens", "Claims", "Passkeys", "Trust", "Passkey extensions", "Metadata", "App Attest", "What happens once",
    "Codecs",
  ]

  /// The rows, by their first cell.
  private static func rows() throws -> [String: String] {
    let text = try String(contentsOf: repository.appending(path: "README.md"), encoding: .utf8)
    let section = try #require(text.components(separatedBy: "\n## What is supported\n").dropFirst().first)
    let lines = section.split(separator: "\n").drop { !$0.hasPrefix("|---") }.dropFirst().prefix { $0.hasPrefix("| ") }
    let cells = lines.map { $0.components(separatedBy: " | ") }
    #expect(cells.allSatisfy { $0.count == 2 }, "a row has two cells")
    let rows = Dictionary(grouping: cells) { String($0[0].dropFirst(2)) }
    for (row, cells) in rows where cells.count > 1 { Issue.record("the row '\(row)' is there twice") }
    return rows.compactMapValues { $0.first?.last }
  }

  /// The names of the public types under a folder for which `isListed` holds, of name and text of the declaration.
  private static func types(in folder: String, where isListed: (String, String) -> Bool) throws -> Set<String> {
    let files = FileManager.default.enumerator(atPath: repository.appending(path: folder).path)
    var names: Set<String> = []
    while let file = files?.nextObject() as? String {
      guard file.hasSuffix(".swift") else { continue }
      let text = try String(contentsOf: repository.appending(path: "\(folder)/\(file)"), encoding: .utf8)
      // Declarations of the outermost level begin where a line does, and their text goes on to the next one.
      let declaration = #/^(?:public (?:final )?(?:struct|class|enum|actor)|extension) (\w+)/#.anchorsMatchLineEndings()
      let matches = text.matches(of: declaration)
      let ends = matches.dropFirst().map(\.range.lowerBound) + [text.endIndex]
      for (match, end) in zip(matches, ends) {
        let name = String(match.output.1)
        if isListed(name, String(text[match.range.lowerBound..<end])) { names.insert(name) }
      }
    }
    return names
  }

  @Test(arguments: lists.indices) func aRowNamesWhatThereIs(_ index: Int) throws {
    let (row, names) = Self.lists[index]
    let there = try names()
    #expect(!there.isEmpty)
    let cell = try #require(Self.rows()[row], "the README has no row '\(row)'")
    let named = cell.matches(of: #/`([^`]+)`/#).map { String($0.output.1) }
    #expect(Set(named).count == named.count, "a name is there twice")
    #expect(Set(named) == there, "the row '\(row)' has other names in code font than the code")
  }

  /// A new row is either one of names or one of words.
  @Test func everyRowIsKnown() throws {
    let rows = try Self.rows()
    #expect(Set(rows.keys) == Self.others.union(Self.lists.map(\.row)))
    for row in Self.others { #expect(rows[row]?.contains("`") == false, "\(row): nothing checks a name") }
  }
}
