internal import AssayCodec

/// One thing the tool can do.
struct Command: Sendable {
  /// What stands between `assay` and the options: noun, verb.
  let path: [UTF8Text]
  /// What it does, in a few words after a colon.
  let summary: String
  var options: [Option] = []
  var operands = Operands.none
  /// What a person should know before using it, below the options.
  var notes: [String] = []
  let run: @Sendable (Arguments) throws(Failure) -> Report

  /// The path as it is typed.
  var words: String { path.map(\.string).joined(separator: " ") }

  /// One option of a command; `--json` and `--help` belong to every command.
  struct Option: Sendable {
    /// With its two hyphens.
    let name: UTF8Text
    /// What stands for its value in help; nil if it takes none.
    let value: String?
    let help: String
    /// Whether it may be given more than once.
    var isList = false

    static func flag(_ name: UTF8Text, _ help: String) -> Option { Option(name: name, value: nil, help: help) }
    static func option(_ name: UTF8Text, _ value: String, _ help: String) -> Option {
      Option(name: name, value: value, help: help)
    }
    static func list(_ name: UTF8Text, _ value: String, _ help: String) -> Option {
      Option(name: name, value: value, help: help, isList: true)
    }
  }

  /// What may follow the options.
  struct Operands: Sendable {
    let name: String
    let help: String
    let count: ClosedRange<Int>

    static let none = Operands(name: "", help: "", count: 0...0)
  }

  static let json = Option.flag("--json", "print the result as JSON")

  /// All options, those of every command last.
  var allOptions: [Option] { options + [Command.json] }
}
