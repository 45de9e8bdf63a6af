internal import AssayCodec

/// Reads the command line, runs one command and prints what it has to say.
enum Tool {
  /// Returns the exit status: 0 valid or done, 1 refused, 2 wrong usage. Nil stands for an argument that is not UTF-8.
  static func run(_ arguments: [String?]) -> Int32 {
    var words = arguments.compactMap { $0.map { UTF8Text($0) } }
    // What people try first with any program.
    if words.first == "--version" { words[0] = "version" }
    let beforeOperands = words.prefix { $0 != "--" }
    let asJSON = beforeOperands.contains("--json")
    do throws(Failure) {
      guard words.count == arguments.count else {
        throw .usage("an argument is not UTF-8 text: give such bytes, and files of such names, through standard input")
      }
      if let help = try Help.asked(words) {
        try Output.write(Array(help.utf8), to: .standardOutput)
        return 0
      }
      let (command, rest) = try CommandTable.find(words)
      let report: Report
      do throws(Failure) {
        report = try command.run(try Arguments(rest, for: command))
      } catch { throw error.during(command) }
      try Output.write(asJSON ? report.json : report.text, to: .standardOutput)
      if !asJSON { try Output.write(report.aside, to: .standardError) }
      guard let refusal = report.refusal?.during(command) else { return 0 }
      try Output.write(refusal.text, to: .standardError)
      return refusal.kind.exitStatus
    } catch {
      // Where even this cannot be written there is nobody left to tell.
      if asJSON { try? Output.write(error.json, to: .standardOutput) }
      try? Output.write(error.text, to: .standardError)
      return error.kind.exitStatus
    }
  }
}
