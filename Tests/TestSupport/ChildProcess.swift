internal import Foundation

/// Another program, run to its end.
///
/// Foundation's `Process` crashes now and then where many tests start programs at once. The three streams are files, so that
/// nobody waits for anybody, whatever is printed or left unread.
public struct ChildProcess {
  /// The exit status; 128 and the signal's number if a signal ended it, as shells say.
  public let status: Int32
  /// What it printed on standard output.
  public let output: [UInt8]
  /// What it printed on standard error.
  public let errors: String

  /// It could not be started.
  public struct NotStarted: Error {
    /// The error's number.
    public let number: Int32
  }

  /// Runs a program with `input` on standard input, and kills it if it takes more than `seconds`.
  public static func run(
    _ executable: String, _ arguments: [String], input: [UInt8] = [], seconds: Int = 300
  ) throws -> ChildProcess {
    let scratch = FileManager.default.temporaryDirectory.appending(path: "assay-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let paths = ["input", "output", "errors"].map { scratch.appending(path: $0).path }
    try Data(input).write(to: URL(filePath: paths[0]))

    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, paths[0], O_RDONLY, 0)
    for stream in 1...2 {
      unsafe posix_spawn_file_actions_addopen(
        &actions, Int32(stream), paths[stream], O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }

    var words = unsafe ([executable] + arguments).map { unsafe strdup($0) }
    defer { unsafe words.forEach { unsafe free($0) } }
    unsafe words.append(nil)
    var child = pid_t()
    let number = unsafe posix_spawn(&child, executable, &actions, nil, words, environ)
    guard number == 0 else { throw NotStarted(number: number) }
    let status = wait(for: child, seconds: seconds)
    return ChildProcess(
      status: status, output: Array(try Data(contentsOf: URL(filePath: paths[1]))),
      errors: String(decoding: try Data(contentsOf: URL(filePath: paths[2])), as: UTF8.self))
  }

  private static func wait(for child: pid_t, seconds: Int) -> Int32 {
    let end = ContinuousClock.now + .seconds(seconds)
    var status: Int32 = 0
    while unsafe waitpid(child, &status, WNOHANG) == 0 {
      if ContinuousClock.now > end { kill(child, SIGKILL) }
      usleep(2000)
    }
    // The signal that ended it stands in the low bits, the status above them.
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }
}
