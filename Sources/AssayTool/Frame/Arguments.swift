internal import AssayCodec

/// What followed the name of a command: options, each at most once unless it is a list and with a value if and only if it
/// takes one, and operands.
struct Arguments {
  private var values: [(name: UTF8Text, value: UTF8Text)] = []
  private(set) var operands: [UTF8Text] = []
  private let options: [Command.Option]

  /// Reads `--name value`, `--name=value`, flags and operands; after `--` all are operands. A lone `-` is a value.
  init(_ words: ArraySlice<UTF8Text>, for command: Command) throws(Failure) {
    options = command.allOptions
    var rest = words
    var onlyOperands = false
    while let word = rest.popFirst() {
      if onlyOperands || !word.utf8.starts(with: Self.hyphens) {
        // Numbers may be negative, but there are no options of one hyphen.
        guard onlyOperands || word.utf8.count < 2 || word.utf8.first != UInt8(ascii: "-") else {
          throw .usage("options begin with two hyphens; after -- everything is an argument")
        }
        operands.append(word)
      } else if word == "--" {
        onlyOperands = true
      } else {
        try takeOption(word, &rest)
      }
    }
    let operands = operands.count
    guard operands >= command.operands.count.lowerBound else {
      throw .usage("\(command.operands.name) is missing: \(command.operands.help)")
    }
    guard operands <= command.operands.count.upperBound else {
      throw .usage("\(operands) arguments besides the options, at most \(command.operands.count.upperBound) expected")
    }
    guard (values.map(\.value) + self.operands).count(where: { $0 == "-" }) <= 1 else {
      throw .usage("standard input can be read only once: give - only once")
    }
  }

  private static let hyphens = Array("--".utf8)

  private mutating func takeOption(
    _ word: UTF8Text, _ rest: inout ArraySlice<UTF8Text>
  ) throws(Failure) {
    // Only the name is ever shown: a value may be a secret.
    let equals = word.utf8.firstIndex(of: UInt8(ascii: "="))
    let name = UTF8Text(unchecked: Array(word.utf8[..<(equals ?? word.utf8.count)]))
    guard let option = options.first(where: { $0.name == name }) else {
      throw .usage("unknown option \(Shown.text(name))")
    }
    guard option.isList || !has(name) else { throw .usage("\(name.string) is given twice") }
    guard option.value != nil else {
      guard equals == nil else { throw .usage("\(name.string) takes no value") }
      values.append((name, ""))
      return
    }
    if let equals {
      values.append((name, UTF8Text(unchecked: Array(word.utf8[(equals + 1)...]))))
    } else if let value = rest.first, !value.utf8.starts(with: Self.hyphens) {
      rest = rest.dropFirst()
      values.append((name, value))
    } else {
      throw .usage("\(name.string) needs a value; if it begins with two hyphens, write \(name.string)=VALUE")
    }
  }

  /// Whether an option was given.
  func has(_ name: UTF8Text) -> Bool { values.contains { $0.name == name } }

  /// The value of an option, nil if it was not given.
  subscript(name: UTF8Text) -> UTF8Text? { values.first { $0.name == name }?.value }

  /// Every value of an option, in order.
  func all(_ name: UTF8Text) -> [UTF8Text] { values.filter { $0.name == name }.map(\.value) }

  /// The same where each value may be several with commas between.
  func list(_ name: UTF8Text) -> [UTF8Text] {
    all(name).flatMap { text in
      text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        .map { UTF8Text(unchecked: Array($0)) }
    }
  }

  /// The value of an option that must be given.
  func required(_ name: UTF8Text) throws(Failure) -> UTF8Text {
    guard let value = self[name] else {
      let help = options.first { $0.name == name }.map { ": \($0.help)" }
      throw .usage("\(name.string) is missing\(help ?? "")")
    }
    return value
  }

  /// An integer in decimal digits, after a minus sign if it is negative.
  ///
  /// `meaning` says what it must be where the range would tell a person nothing.
  func integer<Number: FixedWidthInteger>(
    _ name: UTF8Text, in range: ClosedRange<Number>, _ meaning: String? = nil
  ) throws(Failure) -> Number? {
    guard let text = self[name] else { return nil }
    guard text.utf8.first != UInt8(ascii: "+"), let number = Number(text.string), range.contains(number) else {
      let needed = meaning ?? "an integer from \(range.lowerBound) to \(range.upperBound)"
      throw .usage("\(name.string) must be \(needed)")
    }
    return number
  }

  /// A duration in whole seconds.
  func seconds(_ name: UTF8Text, in range: ClosedRange<Int64>) throws(Failure) -> Int64? {
    let end = range.upperBound == .max ? "" : " to \(range.upperBound)"
    return try integer(name, in: range, "a whole number of seconds, from \(range.lowerBound)\(end)")
  }

  /// A moment in seconds since 1970; the present, or another default, if the option was not given.
  func time(_ name: UTF8Text, default moment: UnixTime = .now()) throws(Failure) -> UnixTime {
    let meaning = "a time in whole seconds since 1970, such as 1767225600"
    return try integer(name, in: Int64.min...Int64.max, meaning).map { UnixTime($0) } ?? moment
  }

  /// One of several words.
  func choice<Choice>(
    _ name: UTF8Text, _ choices: KeyValuePairs<UTF8Text, Choice>, default choice: Choice
  ) throws(Failure) -> Choice {
    guard let text = self[name] else { return choice }
    return try Self.chosen(text, name, choices.map { ($0.key, $0.value) })
  }

  /// One of several values by the word that each of them has; nil if the option was not given.
  func choice<Choice>(
    _ name: UTF8Text, among choices: [Choice], by word: (Choice) -> UTF8Text
  ) throws(Failure) -> Choice? {
    guard let text = self[name] else { return nil }
    return try Self.chosen(text, name, choices.map { (word($0), $0) })
  }

  /// Several of those values, by their words with commas between; none if the option was not given.
  func choices<Choice>(
    _ name: UTF8Text, among choices: [Choice], by word: (Choice) -> UTF8Text
  ) throws(Failure) -> [Choice] {
    var chosen: [Choice] = []
    for text in list(name) { chosen.append(try Self.chosen(text, name, choices.map { (word($0), $0) })) }
    return chosen
  }

  private static func chosen<Choice>(
    _ text: UTF8Text, _ name: UTF8Text, _ choices: [(word: UTF8Text, value: Choice)]
  ) throws(Failure) -> Choice {
    guard let chosen = choices.first(where: { $0.word == text }) else {
      throw .usage("\(name.string) must be one of \(choices.map(\.word.string).joined(separator: ", "))")
    }
    return chosen.value
  }
}
