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
    let done = try ChildProcess.run(path ?? "/nonexistent", arguments, input: input)
    guard done.status == 0 else { throw Failed(status: done.status) }
    return done.output
  }
}
