package import AssayCodec

/// What a run may skip, and what is decided where the sources of a case disagree: `scope.json` says why, for each.
package struct VectorScope: Sendable {
  private let reasons: Set<UTF8Text>
  private let decisions: [UTF8Text: UTF8Text]

  /// Nothing may be skipped, and nothing is decided.
  package init() { (reasons, decisions) = ([], [:]) }

  /// Reads `scope.json`: what is outside for good, what waits for the part that will judge it, and what is decided.
  ///
  /// `{"schema":"assay-scope-1","outside":[{"reason":…,"why":…}],"waits":[{"reason":…,"why":…,"for":…}],
  /// "decisions":[{"why":…,"cases":{ID:VERDICT,…}}]}`, the last of which may be absent.
  package init(_ bytes: [UInt8]) throws(VectorFileError) {
    let value: JSONValue
    do throws(CodecError) { value = try JSONValue.decode(bytes.span) } catch {
      throw VectorFileError("not a scope file: \(error)")
    }
    var file = try MemberReader(value, "the scope file")
    guard try file.text("schema") == "assay-scope-1" else { throw file.fault("the schema is not assay-scope-1") }
    var reasons: Set<UTF8Text> = []
    for list in ["outside", "waits"] as [UTF8Text] {
      for (index, value) in try file.array(list).enumerated() {
        var skip = try MemberReader(value, "\(list.string), number \(index + 1)")
        let reason = try skip.text("reason")
        guard reasons.insert(reason).inserted else { throw skip.fault("the reason occurs twice") }
        guard try !skip.text("why").isEmpty else { throw skip.fault("why is empty") }
        if list == "waits", try skip.text("for").isEmpty { throw skip.fault("for is empty") }
        try skip.finish()
      }
    }
    decisions = try Self.decisions(&file)
    try file.finish()
    self.reasons = reasons
  }

  private static func decisions(_ file: inout MemberReader) throws(VectorFileError) -> [UTF8Text: UTF8Text] {
    var decisions: [UTF8Text: UTF8Text] = [:]
    for (index, value) in try file.optionalArray("decisions").enumerated() {
      var decision = try MemberReader(value, "decisions, number \(index + 1)")
      guard try !decision.text("why").isEmpty else { throw decision.fault("why is empty") }
      guard let cases = try decision.value("cases").object, !cases.members.isEmpty else {
        throw decision.fault("cases must be an object with members")
      }
      for one in cases.members {
        guard let verdict = one.value.string, verdicts.contains(verdict) else {
          throw decision.fault("a verdict must be valid or invalid, or, of certificates, trusted or untrusted")
        }
        guard decisions.updateValue(verdict, forKey: one.name) == nil else {
          throw decision.fault("a case occurs twice")
        }
      }
      try decision.finish()
    }
    return decisions
  }

  private static let verdicts: [UTF8Text] = ["valid", "invalid", "trusted", "untrusted"]

  /// Whether a case may be skipped for `reason`.
  package func names(_ reason: SkipReason) -> Bool { reasons.contains(UTF8Text(reason.description)) }

  /// What is decided of a ceremony, by its id: `valid` or `invalid`; of one whose certificates are in doubt, `trusted` or
  /// `untrusted`. Nil if nothing is.
  package func decision(on id: UTF8Text) -> UTF8Text? { decisions[id] }
}
