internal import AssayCodec
internal import AssayCrypto
internal import AssayWebAuthn

/// Tells what metadata says of one model of authenticators.
enum MetadataReport {
  static func report(on entry: MetadataEntry, at time: UnixTime) -> Report {
    var report = Report.done
    let statement = entry.metadataStatement
    report.heading(statement?.description.map { Shown.text($0) } ?? "a model without a statement")
    report.fact(
      "identifiers", "identifier", .array(entry.identifiers.map { .string($0.text) }),
      shown: list(entry.identifiers.map(\.text)))
    let verdict = MetadataPolicy().verdict(on: entry, at: time)
    report.fact(
      "accepted", "accepted by its status", .bool(verdict.isAccepted),
      shown: verdict.isAccepted ? "yes" : "NO: see the status reports")
    report.fact("verdict", "what was asked", verdict.auditRecord, shown: "no status that tells of a broken model")
    let level = entry.certificationLevel(at: time)
    report.fact(
      "certification", "certification", level.map { .string($0.status.word) } ?? .null,
      shown: level.map { Shown.text($0.status.word) } ?? "none")
    report.fact(
      "statusReports", "status reports", .array(entry.statusReports.map { .object($0.members) }),
      shown: list(entry.statusReports.map { status($0, at: time) }))
    if let statement { add(statement, to: &report) }
    return report
  }

  private static func status(_ report: StatusReport, at time: UnixTime) -> UTF8Text {
    let since = report.effectiveDate.map { " since \($0.text.string)" } ?? ""
    return UTF8Text(report.status.word.string + since + (report.isEffective(at: time) ? "" : " (not yet)"))
  }

  private static func add(_ statement: MetadataStatement, to report: inout Report) {
    func fact(_ name: UTF8Text, _ label: String, _ words: [UTF8Text]) {
      report.fact(name, label, .array(words.map { .string($0) }), shown: list(words))
    }
    if let family = statement.protocolFamily { report.fact("protocolFamily", "protocol", .string(family)) }
    if let version = statement.authenticatorVersion {
      report.fact("authenticatorVersion", "from version", .number(JSONNumber(unsigned: version)))
    }
    fact("authenticationAlgorithms", "algorithms", statement.authenticationAlgorithms)
    fact("attestationTypes", "attestation", statement.attestationTypes.map(\.word))
    let ways = statement.userVerificationDetails.map { way in
      UTF8Text(way.map(\.userVerificationMethod.word.string).joined(separator: " + "))
    }
    report.fact(
      "userVerificationDetails", "verifies its user by",
      .array(
        statement.userVerificationDetails.map { way in
          .array(way.map { .string($0.userVerificationMethod.word) })
        }),
      shown: list(ways))
    fact("keyProtection", "keeps keys in", statement.keyProtection.map(\.word))
    fact("matcherProtection", "recognises users in", statement.matcherProtection.map(\.word))
    fact("attachmentHint", "connected by", statement.attachmentHint)
    let roots = statement.attestationRootCertificates
    report.fact(
      "attestationRootCertificates", "roots", .array(roots.map { .string(Base64.encode($0.span)) }),
      shown: "\(roots.count)\((try? statement.trustAnchors()) == nil ? ", NOT all readable" : "")")
    report.fact("rootsReadable", "roots can be read", .bool((try? statement.trustAnchors()) != nil))
  }

  /// Words on one line.
  private static func list(_ words: [UTF8Text]) -> String {
    words.isEmpty ? "none stated" : Shown.words(words.map(\.string).joined(separator: ", "))
  }
}
