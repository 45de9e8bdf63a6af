internal import AssayCodec

/// What a command has to say, told once and printed for people or as JSON.
struct Report {
  private enum Line {
    case heading(String)
    case warning(String)
    case check(number: Int?, String, JSONValue)
    case fact(label: String, shown: String)
    indirect case report(Report)
  }

  private var outcome: UTF8Text
  private var lines: [Line] = []
  /// The facts as JSON has them.
  private var facts: JSONObject = [:]
  /// Stands for the lines where a person, or the next program of a pipe, reads.
  private var body: [UInt8]?

  /// Something was done; no judgement is implied.
  static var done: Report { Report(outcome: "done") }
  /// The input was verified.
  static var valid: Report { Report(outcome: "valid") }
  /// The input was refused, and there is more to say of it than `message`.
  static func refused(_ message: String) -> Report {
    var report = Report(outcome: "refused")
    report.heading(message)
    report.refuse(.refused(message))
    return report
  }

  /// One of several inputs failed: why, with the facts of the failure.
  static func refused(_ failure: Failure) -> Report {
    var report = Report.refused(failure.message)
    for fact in failure.facts { report.facts[fact.name] = fact.value }
    return report
  }

  /// Makes the command end with a refusal after all that was told.
  mutating func refuse(_ failure: Failure) {
    outcome = "refused"
    refusal = failure
  }

  /// Why the command ends with a refusal although it has a report; nil if it does not.
  private(set) var refusal: Failure?

  private init(outcome: UTF8Text) { self.outcome = outcome }

  /// What happened, in one line.
  mutating func heading(_ text: String) { lines.append(.heading(text)) }

  /// What a reader must not miss.
  mutating func warning(_ text: String) { lines.append(.warning(text)) }

  /// Something that was checked and found right; their order is the order of checking.
  mutating func check(_ text: String) {
    lines.append(.check(number: nil, text, .string(UTF8Text(text))))
  }

  /// The same for a step that a standard numbers.
  mutating func check(step number: Int, _ text: String, _ value: JSONValue) {
    lines.append(.check(number: number, text, value))
  }

  /// Another report, told after this one; `name` holds all that were added, in JSON.
  mutating func add(_ report: Report, under name: UTF8Text) {
    lines.append(.report(report))
    facts[name] = .array((facts[name]?.array ?? []) + [.object(report.object)])
  }

  /// A value under its name in JSON and its label for people; escaped and cut for them unless `shown` says it in words.
  mutating func fact(_ name: UTF8Text, _ label: String, _ value: JSONValue, shown: String? = nil) {
    facts[name] = value
    lines.append(.fact(label: label, shown: shown ?? Shown.value(value)))
  }

  /// What only people need to be told, since JSON has it in another form.
  mutating func shown(_ label: String, _ shown: String) { lines.append(.fact(label: label, shown: shown)) }

  /// An object of someone else's under its name in JSON; for people each of its members, escaped and cut, after `label`.
  mutating func object(_ name: UTF8Text, _ label: String, _ object: JSONObject) {
    facts[name] = .object(object)
    for member in object.members {
      lines.append(.fact(label: "\(label) \(Shown.text(member.name))", shown: Shown.value(member.value)))
    }
  }

  /// The only thing people see, byte for byte.
  mutating func body(_ bytes: [UInt8]) { body = bytes }

  /// The only thing people see, as one line.
  mutating func body(_ text: String) { body = Array(text.utf8) + [UInt8(ascii: "\n")] }

  /// For people.
  var text: [UInt8] {
    if let body { return body }
    var width = 0
    for case .fact(let label, _) in lines { width = max(width, label.unicodeScalars.count) }
    var text = ""
    var checks = 0
    for line in lines {
      switch line {
      case .heading(let heading): text += "\(refusal == nil ? "" : "REFUSED: ")\(heading)\n"
      case .warning(let warning): text += "WARNING: \(warning)\n"
      case .check(let step, let check, _):
        checks += 1
        let number = step ?? checks
        if checks == 1 { text += "checked, in this order:\n" }
        text += "  \(number < 10 ? " " : "")\(number). \(check)\n"
      case .report(let report): text += String(decoding: report.text, as: UTF8.self)
      case .fact(let label, let shown):
        text += "  \(label)\(String(repeating: " ", count: width - label.unicodeScalars.count))  \(shown)\n"
      }
    }
    return Array(text.utf8)
  }

  /// Warnings beside a body, which is to stay fit for the next program of a pipe: they go to standard error.
  var aside: [UInt8] {
    guard body != nil else { return [] }
    var text = ""
    for case .warning(let warning) in lines { text += "WARNING: \(warning)\n" }
    return Array(text.utf8)
  }

  /// For programs: one object on one line.
  var json: [UInt8] { JSONValue.object(object).encoded() + [UInt8(ascii: "\n")] }

  private var object: JSONObject {
    var object: JSONObject = ["outcome": .string(outcome)]
    if let refusal { object["message"] = .string(UTF8Text(refusal.message)) }
    var checked: [JSONValue] = []
    var warnings: [JSONValue] = []
    for line in lines {
      switch line {
      case .heading(let heading): object["message"] = .string(UTF8Text(heading))
      case .warning(let warning): warnings.append(.string(UTF8Text(warning)))
      case .check(_, _, let value): checked.append(value)
      case .fact, .report: break
      }
    }
    for fact in facts.members { object[fact.name] = fact.value }
    if !checked.isEmpty { object["checked"] = .array(checked) }
    if !warnings.isEmpty { object["warnings"] = .array(warnings) }
    return object
  }
}
