internal import Foundation

/// The `openssl` command, as an independent writer of every key format.
public enum OpenSSLTool {
  /// Where it is, or nil if it is not installed.
  public static let path = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// It ended with another status than 0.
  public struct Failed: Error {
    /// The status.
    public let status: Int32
  }

  /// Runs it with `input` on standard input, and returns its standard output.
  public static func run(_ arguments: String..., input: [UInt8] = []) throws -> [UInt8] {
    try run(arguments, input: input)
  }

  /// Runs it with `input` on standard input, and returns its standard output.
  public static func run(_ arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(filePath: path ?? "/nonexistent")
    process.arguments = arguments
    let (stdin, stdout) = (Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = stdout
    process.standardError = FileHandle.nullDevice
    try process.run()
    try stdin.fileHandleForWriting.write(contentsOf: Data(input))
    try stdin.fileHandleForWriting.close()
    let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
    return Array(output)
  }
}
