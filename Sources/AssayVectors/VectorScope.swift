internal import AssayCodec

/// What a run may skip: `scope.json` names each reason, and says why.
package struct VectorScope: Sendable {
  private let reasons: Set<UTF8Text>

  /// Nothing may be skipped.
  package init() { reasons = [] }

  /// Reads `scope.json`: what is outside for good, and what waits for the part that will judge it.
  ///
  /// `{"schema":"assay-scope-1","outside":[{"reason":…,"why":…}],"waits":[{"reason":…,"why":…,"for":…}]}`
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
    try file.finish()
    self.reasons = reasons
  }

  /// Whether a case may be skipped for `reason`.
  package func names(_ reason: SkipReason) -> Bool { reasons.contains(UTF8Text(reason.description)) }
}
