package import AssayCodec
internal import AssayWebAuthn

/// Runs files of vectors, each told apart by its content: our schema, Wycheproof's, or a ceremony.
///
/// Give the files of a folder in the order of their names: a credential registered in one may sign in in a later one.
package struct VectorRun: ~Copyable {
  /// The largest file that is read, in bytes.
  package static let maximumBytes = 32 << 20

  private let scope: VectorScope
  private var session = CeremonySession()

  /// Begins a folder. Where the sources of a ceremony disagree, `scope` decides.
  package init(_ scope: VectorScope = VectorScope()) { self.scope = scope }

  /// Judges every case in `bytes`, a file called `name`. `sibling` reads another file: of the same folder by
  /// its name, or of the folder `roots` beside it, by `roots/NAME`.
  ///
  /// It throws if the file does not follow its schema: an unknown or missing member, a wrong count, a repeated id.
  package mutating func run(
    _ bytes: [UInt8], named name: UTF8Text = "", sibling: (UTF8Text) -> [UInt8]?
  ) throws(VectorFileError) -> VectorReport {
    let limits = JSONLimits(maximumBytes: Self.maximumBytes, maximumDepth: JSONLimits.deepestNesting)
    let value: JSONValue
    do throws(CodecError) { value = try JSONValue.decode(bytes.span, limits: limits) } catch {
      throw VectorFileError("not a vector file: \(error)")
    }
    if value["testGroups"] != nil {
      let errata = try sibling(WycheproofErrata.fileName).map { (bytes) throws(VectorFileError) in
        try WycheproofErrata(bytes, for: name)
      }
      return try WycheproofFile(value).judge(errata ?? WycheproofErrata())
    }
    if value["schema"] != nil { return try Self.runSchema(value) }
    if value["type"] != nil, value["options"] != nil {
      let capture = try ChromiumCapture(value)
      var report = VectorReport(kind: capture.isRegistration ? "registration" : "sign-in")
      report.add(try capture.judge(&session, sibling: sibling), id: capture.name)
      return report
    }
    if value["credential"] != nil, value["kind"] != nil || value["rootPem"] != nil {
      let ceremony = try StatedCeremony(value["kind"] == nil ? Self.softwareTPM(value) : value, scope)
      var report = VectorReport(kind: ceremony.isRegistration ? "registration" : "sign-in")
      report.add(ceremony.judge(try StatedTrust(value, scope, read: sibling)), id: ceremony.id)
      return report
    }
    if let (kind, outcome) = Self.judgeWhole(value, bytes) {
      var report = VectorReport(kind: kind)
      report.add(outcome, id: name)
      return report
    }
    throw VectorFileError("neither a file of our schema, nor one of Wycheproof's, nor a ceremony")
  }

  /// Files that are one case: a list of the names of passkey providers, which must be one that we read, and the values of
  /// WebAuthn's test vectors in hexadecimal, from which its ceremonies are made.
  private static func judgeWhole(_ value: JSONValue, _ bytes: [UInt8]) -> (kind: String, CaseOutcome)? {
    if value["tests"] != nil, value["rpId"] != nil { return ("values", .skipped(.words("ceremony: raw"))) }
    guard let names = try? PasskeyProviderNames(json: bytes.span), names.count > 0 else { return nil }
    return ("provider names", .passed)
  }

  /// A registration that states no verdict, with a genuine attestation of a software TPM: it is a valid one.
  private static func softwareTPM(_ value: JSONValue) -> JSONValue {
    guard var ceremony = value.object else { return value }
    ceremony["id"] = "software TPM"
    ceremony["kind"] = "registration"
    ceremony["expected"] = "valid"
    return .object(ceremony)
  }

  private static func runSchema(_ value: JSONValue) throws(VectorFileError) -> VectorReport {
    var file = try MemberReader(value, "the file")
    guard try file.text("schema") == "assay-vectors-1" else { throw file.fault("the schema is not assay-vectors-1") }
    let name = try file.text("kind")
    guard let kind = VectorKind.all.first(where: { $0.name == name }) else {
      throw file.fault("unknown kind \"\(name.printable())\"")
    }
    _ = try file.text("source")
    _ = try file.text("licence")
    _ = try file.optionalText("comment")
    let keys = kind.usesKeys ? try KeyTable(file.value("keys")) : KeyTable()
    let count = try file.integer("count")
    let cases = try file.array("cases")
    try file.finish()
    guard cases.count > 0, count == Int64(cases.count) else {
      throw file.fault("count says \(count), there are \(cases.count) cases")
    }

    var report = VectorReport(kind: kind.name.string)
    var ids: Set<UTF8Text> = []
    for (index, value) in cases.enumerated() {
      var one = try MemberReader(value, "case number \(index + 1)")
      let id = try one.text("id")
      guard ids.insert(id).inserted else { throw one.fault("the id \"\(id.printable())\" occurs twice") }
      _ = try one.optionalText("comment")
      let outcome = try kind.judge(&one, keys)
      try one.finish()
      report.add(outcome, id: id)
    }
    return report
  }
}
