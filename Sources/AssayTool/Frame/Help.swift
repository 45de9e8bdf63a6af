internal import AssayCodec

/// The help texts, made from the table of commands.
enum Help {
  /// The text asked for, or nil if none was: `assay help [NOUN [VERB]]`, `assay NOUN help`, `assay [NOUN [VERB]] --help`
  /// or `-h`.
  ///
  /// Beside other arguments a request for help is an error. It ends with status 0, which must not be had in place of a
  /// verdict by whoever chose the token or the code that a script puts on the command line.
  static func asked(_ words: [UTF8Text]) throws(Failure) -> String? {
    let own = Array(words.prefix { $0 != "--" })
    let path = Array(own.prefix { $0.utf8.first != UInt8(ascii: "-") })
    if words.isEmpty { throw .usage("what should be done? the nouns are \(nouns.joined(separator: ", "))") }
    if own.contains("--help") || own.contains("-h") {
      let asked = path.filter { $0 != "help" }
      guard words.count == path.count + 1, CommandTable.all.contains(where: { $0.path.starts(with: asked) }) else {
        let (command, _) = try CommandTable.find(asked)
        throw Failure.usage("nothing was done: --help goes without other arguments").during(command)
      }
      return try text(asked)
    }
    if path.first == "help" { return try text(Array(path.dropFirst())) }
    if path.last == "help", path.count == words.count {
      let takesOperands = CommandTable.all.contains { command in
        words.starts(with: command.path) && command.operands.count.upperBound > 0
      }
      if !takesOperands { return try text(path.dropLast()) }
    }
    return nil
  }

  /// The nouns, in their order.
  static var nouns: [String] {
    var nouns: [String] = []
    for command in CommandTable.all {
      let noun = command.path.first?.string ?? ""
      if nouns.last.map({ UTF8Text($0) }) != UTF8Text(noun) { nouns.append(noun) }
    }
    return nouns
  }

  private static func text(_ path: [UTF8Text]) throws(Failure) -> String {
    // The longest beginning that names something: operands may follow it.
    for count in stride(from: path.count, through: 1, by: -1) {
      let words = Array(path.prefix(count))
      if let command = CommandTable.all.first(where: { $0.path == words }) { return text(command) }
      let below = CommandTable.all.filter { $0.path.starts(with: words) }
      if !below.isEmpty { return list(below) + "\n\(more)" }
    }
    guard path.isEmpty else { throw CommandTable.unknown(path) }
    return """
      assay: verify and make tokens, passkeys and one-time codes

      \(list(CommandTable.all))
      \(more)
      """
  }

  private static let more = """
    assay NOUN VERB --help says more. Every command takes --json. Where a FILE is read, - is standard input.
    In scripts, give a token that someone else chose through standard input, and write -- before a code or a name.
    exit status: 0 valid or done, 1 refused, 2 wrong usage

    """

  private static func list(_ commands: [Command]) -> String {
    columns(commands.map { ("assay \($0.words)", $0.summary) })
  }

  private static func text(_ command: Command) -> String {
    let operands = command.operands.name
    let usage =
      "assay \(command.words)" + (command.options.isEmpty ? "" : " [options]")
      + (operands.isEmpty ? "" : " \(operands)")
    var text = "\(command.summary)\n\nusage: \(usage)\n\n"
    var rows = command.allOptions.map { ("\($0.name.string)\($0.value.map { " \($0)" } ?? "")", $0.help) }
    if !operands.isEmpty { rows.insert((operands, command.operands.help), at: 0) }
    text += columns(rows)
    for note in command.notes { text += "\n\(note)\n" }
    return text + "\nexit status: 0 valid or done, 1 refused, 2 wrong usage\n"
  }

  private static func columns(_ rows: [(String, String)]) -> String {
    let width = rows.map { $0.0.unicodeScalars.count }.max() ?? 0
    return rows.map { row in
      "  \(row.0)\(String(repeating: " ", count: width - row.0.unicodeScalars.count))  \(row.1)\n"
    }.joined()
  }
}
