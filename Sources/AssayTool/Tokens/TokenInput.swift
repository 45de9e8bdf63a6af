internal import AssayCodec

/// Where tokens and claims come from on the command line.
enum TokenInput {
  static let token = Command.Operands(
    name: "TOKEN", help: "the token itself, @FILE for one in a file, or - for standard input", count: 1...1)

  /// The token a command is about.
  static func token(_ arguments: Arguments) throws(Failure) -> [UInt8] {
    let word = arguments.operands.first ?? "-"
    if word == "-" { return try Input.readLine(word) }
    return try named(word) { path throws(Failure) in try Input.readLine(path) } ?? word.utf8
  }

  /// The JSON object that an option gives, itself, in a file, or on standard input.
  static func claims(_ word: UTF8Text) throws(Failure) -> JSONObject {
    let read = { (path: UTF8Text) throws(Failure) in try Input.read(path) }
    let text = word == "-" ? try read(word) : try named(word, read) ?? word.utf8
    let value = try decoding("the claims must be a JSON object") { () throws(CodecError) in
      try JSONValue.decode(text.span)
    }
    guard let object = value.object else { throw .refused("the claims must be a JSON object") }
    return object
  }

  /// What is in the file that `@FILE` names; nil if the word is the text itself.
  private static func named(
    _ word: UTF8Text, _ read: (UTF8Text) throws(Failure) -> [UInt8]
  ) throws(Failure) -> [UInt8]? {
    guard word.utf8.first == UInt8(ascii: "@") else {
      guard !Input.isFile(word) else {
        throw .usage("\(Shown.text(word)) is the name of a file: write @ before it to have the file read")
      }
      return nil
    }
    return try read(UTF8Text(unchecked: Array(word.utf8.dropFirst())))
  }
}
