internal import AssayCodec

/// The noun `codec`: encodings, read strictly and written in their one form.
enum CodecCommands {
  static let all = RadixCommands.all + [CBORCommand.command, JSONCommand.command]

  static let textOption = Command.Option.option("--text", "TEXT", "read this instead of a file")
  static let file = Command.Operands(name: "FILE", help: "what to read; - is standard input", count: 0...1)

  /// The bytes of the one input: a file or `--text`.
  static func bytes(_ arguments: Arguments) throws(Failure) -> [UInt8] {
    try input(arguments) { path throws(Failure) in try Input.read(path) }
  }

  /// The same for encoded text: the end of its line is not part of it.
  static func line(_ arguments: Arguments) throws(Failure) -> [UInt8] {
    try input(arguments) { path throws(Failure) in try Input.readLine(path) }
  }

  private static func input(
    _ arguments: Arguments, _ read: (UTF8Text) throws(Failure) -> [UInt8]
  ) throws(Failure) -> [UInt8] {
    switch (arguments["--text"], arguments.operands.first) {
    case (let text?, nil): return text.utf8
    case (nil, let path?): return try read(path)
    default: throw .usage("give either a FILE or --text, and only one of them")
    }
  }
}

/// Says that the result of `body` is what was decoded, or why nothing was; `place` tells one input from others.
func decoding<Value: ~Copyable>(
  _ place: String? = nil, _ body: () throws(CodecError) -> Value
) throws(Failure) -> Value {
  do throws(CodecError) {
    return try body()
  } catch {
    let message = place.map { "\($0): \(error)" } ?? "\(error)"
    throw .refused(message, ["field": .string(UTF8Text(error.field.description)), "offset": number(error.offset)])
  }
}

/// A count or an offset as a JSON number.
func number(_ value: Int) -> JSONValue { .number(JSONNumber(Int64(value))) }
