import Foundation
import Testing

/// The C shims alone, compiled with sanitizers and driven from C (see `Tests/Shims/run.sh`).
@Suite struct ShimTests {
  @Test func cleanUnderSanitizersAndClosedWithoutSelfTest() throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Shims/run.sh")
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [script.path]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
