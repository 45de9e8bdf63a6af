import AssayCodec
import Foundation
import TestSupport
import Testing

/// One run of the built tool.
struct ToolRun {
  let status: Int32
  let output: [UInt8]
  let errors: String

  /// What it printed, as text.
  var text: String { String(decoding: output, as: UTF8.self) }

  /// What it printed, as JSON; nil if it is not one JSON text.
  var json: JSONValue? { try? JSONValue.decode(output.span, limits: JSONLimits(maximumBytes: 1 << 26)) }

  /// Stands beside the test bundle, wherever that was built.
  static let tool = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .appending(path: "assay")

  /// A folder of the test run's own.
  static let scratch: URL = {
    let folder = FileManager.default.temporaryDirectory.appending(path: "assay-tool-tests-\(getpid())")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }()

  /// A new file with these bytes.
  static func file(_ bytes: [UInt8], _ name: String = "input") throws -> String {
    let url = scratch.appending(path: "\(UUID().uuidString)-\(name)")
    try Data(bytes).write(to: url)
    return url.path
  }

  /// Runs a command line of the shell in which `$0` is the tool.
  static func shell(_ line: String) throws -> ToolRun {
    try run(["-c", line, tool.path], executable: "/bin/sh")
  }

  /// Runs the tool, and fails the test if it takes more than 20 seconds.
  static func run(_ arguments: [String], input: [UInt8] = [], executable: String = tool.path) throws -> ToolRun {
    let done = try ChildProcess.run(executable, arguments, input: input, seconds: 20)
    #expect(done.status < 128, "\(arguments) was ended by signal \(done.status - 128)")
    return ToolRun(status: done.status, output: done.output, errors: done.errors)
  }

  /// Checks that the tool said no: with status 1 or 2, one clear line on standard error, and nothing but JSON on standard
  /// output.
  func expectRefusal(_ comment: String) {
    #expect(status == 1 || status == 2, "\(comment): exit \(status)")
    let lines = errors.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 2 && lines.last == "", "\(comment): not one line: \(errors)")
    #expect(errors.hasPrefix("assay"), "\(comment): \(errors)")
    #expect(errors.utf8.count <= 400, "\(comment): \(errors.utf8.count) bytes")
    #expect(errors.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F }, "\(comment)")
    guard !output.isEmpty else { return }
    let outcome = json?["outcome"]?.string
    #expect(outcome == (status == 1 ? "refused" : "usage"), "\(comment): \(text)")
    #expect(json?["message"]?.string?.isEmpty == false, "\(comment)")
  }
}
