internal import AssayCodec

/// Everything the tool can do, in the order in which help lists it.
enum CommandTable {
  static let all: [Command] =
    [
      KeyGenerate.command, KeyInspect.command, KeyConvert.command, KeyThumbprintCommand.command, JWTSign.command,
      JWTVerify.command, JWTDecode.command, PasskeyBegin.command, PasskeyFinish.command, PasskeyVerify.command,
      PasskeyInspect.command, PasskeyMetadata.command,
      OTPCodeCommand.command, OTPVerifyCommand.command, OTPSecretCommand.command, OTPURIMake.command,
      OTPURIRead.command, OTPImport.command, OTPExport.command, OCRARespond.command,
      OCRAVerify.command,
    ] + CodecCommands.all + [VectorsRun.command, Version.command]

  /// The command whose path begins the words, and the words after it.
  static func find(_ words: [UTF8Text]) throws(Failure) -> (Command, ArraySlice<UTF8Text>) {
    for command in all where words.starts(with: command.path) { return (command, words.dropFirst(command.path.count)) }
    throw unknown(words)
  }

  /// Words that name nothing. They are not shown: what stands in a noun's place may be a secret typed too early.
  static func unknown(_ words: [UTF8Text]) -> Failure {
    let known = all.filter { command in command.path.first == words.first }
    guard let noun = words.first, !known.isEmpty else {
      return .usage("unknown noun: the nouns are \(Help.nouns.joined(separator: ", "))")
    }
    let verbs = known.map { $0.path.dropFirst().map(\.string).joined(separator: " ") }.joined(separator: ", ")
    return .usage("\(noun.string) needs one of these verbs: \(verbs)")
  }
}
