internal import AssayCodec
internal import AssayJOSE

/// Tells an operator why a token was refused: what is wrong and where, what was expected, what the token says there, and what
/// to do next.
///
/// The library's error holds no input; the rest is read again from the token, whose values are escaped and cut.
struct JWTExplanation {
  /// The fault in one word, which does not change.
  var code: String
  /// What is wrong, in words that read well after a field's name.
  var what: String
  /// What to do next.
  var advice: String
  /// What was expected, any one of these; empty if nothing can be named.
  var expected: [String] = []
  /// What the token says, escaped and cut; nil if there is nothing to show.
  var found: String?
  /// How many seconds the token is away from being valid.
  var seconds: Int64?
  /// The moment that the token names.
  var moment: UnixTime?

  init(_ code: String, _ what: String, advice: String) {
    self.code = code
    self.what = what
    self.advice = advice
  }
}

extension JWTExplanation {
  /// How an error ends a command.
  static func failure(_ error: JWTError, _ token: [UInt8], _ expectation: TokenExpectation) -> Failure {
    let explanation = JWTExplainer(error: error, token: RereadToken(token), expectation: expectation).explanation
    let steps = JWTError.Step.allCases
    let number = (steps.firstIndex(of: error.step) ?? 0) + 1
    let step = name(error.step)
    let field = error.field.map { "\($0)" }
    var facts: [(name: UTF8Text, value: JSONValue)] = [
      ("code", .string(UTF8Text(explanation.code))), ("step", .string(UTF8Text(step))),
      ("stepNumber", .number(JSONNumber(Int64(number)))),
    ]
    if let field { facts.append(("field", .string(UTF8Text(field)))) }
    if !explanation.expected.isEmpty {
      facts.append(("expected", .array(explanation.expected.map { .string(UTF8Text($0)) })))
    }
    if let found = explanation.found { facts.append(("found", .string(UTF8Text(found)))) }
    if let seconds = explanation.seconds { facts.append(("seconds", .number(JSONNumber(seconds)))) }
    if let moment = explanation.moment {
      facts.append(("moment", .string(UTF8Text(Shown.time(moment)))))
      facts.append(("judgedAt", .string(UTF8Text(Shown.time(expectation.now)))))
    }
    facts.append(("advice", .string(UTF8Text(explanation.advice))))
    let place = field.map { $0.utf8.elementsEqual(step.utf8) ? "" : "\($0): " } ?? ""
    return .refused("at step \(number), \(step): \(place)\(explanation.what); \(explanation.advice)", facts: facts)
  }

  /// The words that `jwt verify` uses for the steps it lists.
  private static func name(_ step: JWTError.Step) -> String {
    switch step {
    case .size: "size"
    case .shape: "shape"
    case .header: "header"
    case .algorithm: "algorithm"
    case .key: "key"
    case .signature: "signature"
    case .claims: "claims"
    case .signing: "signing"
    }
  }
}
