internal import AssayCodec

/// Why a command did not do what was asked. Holds no secret and no raw input.
struct Failure: Error {
  enum Kind {
    /// The input was looked at and refused.
    case refused
    /// The command cannot be carried out as it was given.
    case usage

    var exitStatus: Int32 {
      switch self {
      case .refused: 1
      case .usage: 2
      }
    }
  }

  let kind: Kind
  let message: String
  /// Further facts for `--json`.
  let facts: [(name: UTF8Text, value: JSONValue)]
  private var command: String?

  /// The input is not acceptable: `message` says why and what to do.
  static func refused(_ message: String, _ facts: KeyValuePairs<UTF8Text, JSONValue> = [:]) -> Failure {
    .refused(message, facts: facts.map { ($0.key, $0.value) })
  }

  /// The same with facts that were gathered.
  static func refused(_ message: String, facts: [(name: UTF8Text, value: JSONValue)]) -> Failure {
    Failure(kind: .refused, message: message, facts: facts)
  }

  /// The command line, or a file it names, is wrong: `message` says what to do.
  static func usage(_ message: String) -> Failure { Failure(kind: .usage, message: message, facts: []) }

  private init(kind: Kind, message: String, facts: [(name: UTF8Text, value: JSONValue)]) {
    self.kind = kind
    self.message = message
    self.facts = facts
  }

  /// The same, naming the command in which it happened.
  func during(_ command: Command) -> Failure {
    var failure = self
    failure.command = command.words
    return failure
  }

  /// One line for standard error.
  var text: [UInt8] {
    let name = (["assay"] + [command].compactMap { $0 }).joined(separator: " ")
    switch kind {
    case .refused: return Array("\(name): refused: \(message)\n".utf8)
    case .usage: return Array("\(name): \(message) (see: \(name) --help)\n".utf8)
    }
  }

  /// The same for programs.
  var json: [UInt8] {
    var object: JSONObject = [
      "outcome": kind == .refused ? "refused" : "usage", "message": .string(UTF8Text(message)),
    ]
    for fact in facts { object[fact.name] = fact.value }
    return JSONValue.object(object).encoded() + [UInt8(ascii: "\n")]
  }
}
