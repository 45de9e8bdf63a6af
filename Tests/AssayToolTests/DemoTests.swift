import Foundation
import TestSupport
import Testing

/// The demonstration that `make demo` runs.
@Suite struct DemoTests {
  /// The demonstration succeeds with the tool, and fails with a tool that accepts, or refuses, everything.
  @Test(arguments: [("", 0), ("/bin/true", 1), ("/bin/false", 1)])
  func theDemonstrationShowsBoth(_ tool: String, _ status: Int32) throws {
    let script = TestData.vectors.deletingLastPathComponent().appending(path: "Tests/Demo/demo.sh").path
    let done = try ChildProcess.run("/bin/sh", [script, tool.isEmpty ? ToolRun.tool.path : tool])
    #expect(done.status == status)
    let text = String(decoding: done.output, as: UTF8.self)
    #expect(text.contains("WRONG") == (status != 0))
    if status == 0 { #expect(text.contains("4 of 4 inputs verified, 6 of 6 altered or late ones refused")) }
  }
}
