internal import AssayCodec

/// Everything the tool can do, in the order in which help lists it.
enum CommandTable {
  static let all: [Command] =
    [
      KeyGenerate.command, KeyInspect.command, KeyConvert.command, KeyThumbprintCommand.command, JWTSign.command,
      JWTVerify.command, JWTDecode.command,
    ] + TokenProfile.commands + [
      PasskeyBegin.command, PasskeyFinish.command, PasskeyVerify.command, PasskeyInspect.command,
      PasskeyMetadata.command,
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
    var path = words.prefix(0)
    var known = all
    for word in words {
      let fitting = known.filter { $0.path.dropFirst(path.count).first == word }
      guard !fitting.isEmpty else { break }
      known = fitting
      path = words.prefix(path.count + 1)
    }
    guard !path.isEmpty else { return .usage("unknown noun: the nouns are \(Help.nouns.joined(separator: ", "))") }
    var verbs: [UTF8Text] = []
    for verb in known.compactMap({ $0.path.dropFirst(path.count).first }) where verbs.last != verb {
      verbs.append(verb)
    }
    let name = path.map(\.string).joined(separator: " ")
    return .usage("\(name) needs one of these verbs: \(verbs.map(\.string).joined(separator: ", "))")
  }
}
