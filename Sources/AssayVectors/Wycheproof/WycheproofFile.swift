internal import AssayCodec

/// One of Wycheproof's own files (`testvectors_v1`): groups of cases, each with a label.
///
/// Every member of every group and case is known here or the file fails, and so do a wrong count, a repeated `tcId`, and a
/// flag for which `WycheproofFlags` decides nothing.
struct WycheproofFile {
  /// What the cases are, for people.
  let kind: String

  private let schema: WycheproofSchema
  private let algorithm: UTF8Text?
  private let groups: [JSONValue]
  private let count: Int64

  init(_ value: JSONValue) throws(VectorFileError) {
    var file = try MemberReader(value, "the file")
    file.ignore("header")
    let name = try file.text("schema")
    guard let schema = WycheproofSchema(fileName: name) else {
      throw file.fault("unknown schema \"\(name.printable())\"")
    }
    self.schema = schema
    // The JOSE files name none.
    algorithm = try file.optionalText("algorithm")
    kind = "wycheproof \(schema.name.string)"
    // Which flags there are says the file, what they mean for us says our table.
    for note in try file.value("notes").object?.members ?? []
    where schema.isJudged && WycheproofFlags.decision(note.name) == nil {
      throw file.fault("unknown flag \"\(note.name.printable())\"")
    }
    groups = try file.array("testGroups")
    count = try file.integer("numberOfTests")
    try file.finish()
  }

  /// Judges every case. `errata` withdraws labels.
  func judge(_ errata: WycheproofErrata) throws(VectorFileError) -> VectorReport {
    var report = VectorReport(kind: kind)
    var identifiers: Set<Int64> = []
    for (index, value) in groups.enumerated() {
      var group = try MemberReader(value, "group number \(index + 1)")
      group.ignore("source")
      let cases = try group.array("tests")
      let judge = try schema.prepare(&group, algorithm)
      for value in cases {
        var one = try MemberReader(value, "a case of group number \(index + 1)")
        let identifier = try one.integer("tcId")
        guard identifiers.insert(identifier).inserted else { throw one.fault("the tcId \(identifier) occurs twice") }
        let outcome =
          if let judge { try Self.outcome(&one, judge, isWithdrawn: errata.withdraws(identifier)) } else {
            CaseOutcome.skipped(.words("schema: \(schema.name.string)"))
          }
        report.add(outcome, id: UTF8Text("tcId \(identifier)"))
      }
    }
    guard report.total > 0, count == Int64(report.total) else {
      throw VectorFileError("the file: numberOfTests says \(count), there are \(report.total) cases")
    }
    return report
  }

  private static func outcome(
    _ one: inout MemberReader, _ judge: WycheproofJudge, isWithdrawn: Bool
  ) throws(VectorFileError) -> CaseOutcome {
    let comment = try one.text("comment")
    let verdict = try WycheproofFlags.verdict(&one)
    let judgement = try judge(&one)
    try one.finish()
    switch judgement {
    case .skipped(let reason): return .skipped(reason)
    case .verdict(let actual, let reason):
      if actual == .valid, verdict == .invalid, let outside = WycheproofFlags.refusalOutside(comment) {
        return .skipped(.named(outside))
      }
      if actual != verdict, isWithdrawn { return .skipped(.named("errata: the label is withdrawn")) }
      return .compare(expected: verdict, actual: actual, because: reason)
    }
  }
}

/// Judges the cases of one group, each from its own members.
typealias WycheproofJudge = (inout MemberReader) throws(VectorFileError) -> Judgement

/// What the engine says to a case.
enum Judgement {
  case verdict(Verdict, because: String? = nil)
  case skipped(SkipReason)

  /// The answer of a verification.
  static func isValid(_ isValid: Bool) -> Judgement { .verdict(isValid ? .valid : .invalid) }
}
