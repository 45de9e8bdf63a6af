import Foundation
import TestSupport
import Testing

/// What the README tells people to type.
@Suite struct ReadmeTests {
  private static let repository = TestData.vectors.deletingLastPathComponent()

  /// The blocks of shell commands that call the tool.
  private static func blocks() throws -> [String] {
    let text = try String(contentsOf: repository.appending(path: "README.md"), encoding: .utf8)
    return text.components(separatedBy: "```sh\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
      .filter { $0.contains("\nassay ") }
  }

  /// Every command succeeds, in a folder that has what the repository's has.
  @Test func firstStepsWork() throws {
    let blocks = try Self.blocks()
    #expect(blocks.count == 1)
    let folder = ToolRun.scratch.appending(path: "readme-\(UUID().uuidString)")
    let built = folder.appending(path: ".build/release")
    try FileManager.default.createDirectory(at: built, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "Vectors"), withDestinationURL: TestData.vectors)
    try FileManager.default.createSymbolicLink(at: built.appending(path: "assay"), withDestinationURL: ToolRun.tool)
    let done = try ChildProcess.run(
      "/bin/sh", ["-eu", "-c", "cd \"$0\"\n" + blocks.joined(separator: "\n"), folder.path])
    let text = String(decoding: done.output, as: UTF8.self)
    #expect(done.status == 0, "\(text)\(done.errors)")
    #expect(text.split(separator: "\n").count { $0.hasPrefix("valid: ") } == 4, "\(text)")
  }
}
