internal import AssayCodec
internal import AssayJOSE

/// What the commands of the profiles have in common.
enum TokenProfile {
  /// The commands, those that make a kind of token beside those that verify it.
  static let commands: [Command] = TokenIssue.all + TokenVerify.all

  static let issuer = Command.Option.option("--issuer", "ISS", "the server that issues the token (iss)")
  static let server = Command.Option.option("--issuer", "ISS", "the server that it is for (aud)")
  static let client = Command.Option.option("--client-id", "ID", "the client that it is for (aud)")
  static let maker = Command.Option.option("--client-id", "ID", "the client that makes it (iss)")
  static let accessToken = Command.Option.option(
    "--access-token", "TOKEN", "the access token that goes with it, or @FILE for one in a file")
  static let nonce = Command.Option.option("--nonce", "N", "the nonce that was given")
  static let method = Command.Option.option("--method", "M", "the method of the request (htm)")
  static let uri = Command.Option.option("--uri", "URI", "the absolute URI of the request (htu)")
  static let at = Command.Option.option("--at", "T", "the time, in seconds since 1970 (default: now)")

  /// The value of an option that should not stand on every command line: itself, or the line of a file.
  static func secretText(_ arguments: Arguments, _ name: UTF8Text) throws(Failure) -> UTF8Text? {
    guard let word = arguments[name] else { return nil }
    guard word.utf8.first == UInt8(ascii: "@") else { return word }
    let line = try Input.readLine(UTF8Text(unchecked: Array(word.utf8.dropFirst())))
    guard let text = UTF8Text(validating: line.span) else { throw .usage("\(name.string) must be UTF-8 text") }
    return text
  }
}
