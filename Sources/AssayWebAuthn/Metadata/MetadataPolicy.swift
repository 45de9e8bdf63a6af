public import AssayCodec

/// Which models of authenticators are accepted, by what their metadata says.
public struct MetadataPolicy: Hashable, Sendable {
  /// Which status reports count.
  public enum Reports: Hashable, Sendable {
    /// Every one that is in effect. A report that there is newer software, or a new certificate, does not say that this
    /// authenticator has that software, so it takes back nothing that was said before.
    case any
    /// Only the last one that is in effect: for those who know that old authenticators were recalled. One without a date
    /// holds for as long as it is in the BLOB, so it counts too.
    case latest
  }

  /// Statuses for which a model is refused.
  public var refusedStatuses = AuthenticatorStatus.compromises
  /// Which status reports count for that.
  public var reports = Reports.any
  /// The lowest certification that is accepted; nil asks for none.
  public var minimumCertification: CertificationLevel?
  /// Methods by which the user is to be verified; nil asks for none. Every way in which the model can verify its user must
  /// have one of them, and there must be such a way: which one was used, no authenticator says.
  public var userVerification: Set<MetadataVerificationMethod>?
  /// Where keys may be; nil asks for nothing. One of what is stated must be among them; software only if it is listed.
  public var keyProtection: Set<KeyProtection>?
  /// Where the user may be recognised; nil asks for nothing. All that is stated must be among them.
  public var matcherProtection: Set<MatcherProtection>?

  /// Refuses what is known to be broken, and asks for nothing more.
  public init() {}
}

/// What a policy found in the metadata of a model: every requirement with what was found, met or not.
public struct MetadataVerdict: Hashable, Sendable {
  /// The requirements, in the order of the policy.
  public let requirements: [CheckedRequirement]

  /// Whether every requirement is met.
  public var isAccepted: Bool { requirements.allSatisfy(\.isMet) }

  /// The verdict as JSON, for a log.
  public var auditRecord: JSONValue {
    [
      "accepted": .bool(isAccepted),
      "requirements": .array(requirements.map(\.auditRecord)),
    ]
  }
}

extension MetadataPolicy {
  /// What the policy makes of a model, at `time`: reports that take effect later do not count yet.
  ///
  /// What is asked for and not stated is not met.
  public func verdict(on entry: MetadataEntry, at time: UnixTime) -> MetadataVerdict {
    let reports = entry.reportsInEffect(at: time)
    let statement = entry.metadataStatement
    var requirements = [status(reports)]
    if let minimumCertification {
      let level = CertificationLevel.reached(by: reports)
      requirements.append(
        CheckedRequirement(
          name: "certification",
          required: CertificationLevel.allCases.filter { $0 >= minimumCertification }.map(\.status.word),
          found: level.map { [$0.status.word] } ?? [], isMet: level.map { $0 >= minimumCertification } ?? false))
    }
    if let userVerification {
      let ways = statement?.waysToVerify ?? []
      requirements.append(
        CheckedRequirement(
          name: "userVerificationDetails", required: words(userVerification.map(\.word)),
          found: ways.map { UTF8Text($0.map(\.word.string).joined(separator: "+")) },
          isMet: !ways.isEmpty && ways.allSatisfy { way in way.contains { userVerification.contains($0) } }))
    }
    if let keyProtection {
      let found = statement?.keyProtection ?? []
      requirements.append(
        CheckedRequirement(
          name: "keyProtection", required: words(keyProtection.map(\.word)), found: found.map(\.word),
          isMet: found.contains { keyProtection.contains($0) }
            && (!found.contains(.software) || keyProtection.contains(.software))))
    }
    if let matcherProtection {
      let found = statement?.matcherProtection ?? []
      requirements.append(
        CheckedRequirement(
          name: "matcherProtection", required: words(matcherProtection.map(\.word)), found: found.map(\.word),
          isMet: !found.isEmpty && found.allSatisfy { matcherProtection.contains($0) }))
    }
    return MetadataVerdict(requirements: requirements)
  }

  /// What the requirement is called that says what became known of a model.
  static let statusRequirement: Field = "statusReports"

  /// Whether anything is demanded that a model has to state.
  var demandsMore: Bool {
    minimumCertification != nil || userVerification != nil || keyProtection != nil || matcherProtection != nil
  }

  private func status(_ effective: [StatusReport]) -> CheckedRequirement {
    let dated = effective.drop { $0.effectiveDate == nil }
    let counted = reports == .any ? effective : effective.dropLast(dated.count) + dated.suffix(1)
    return CheckedRequirement(
      name: Self.statusRequirement, required: words(refusedStatuses.map { UTF8Text("not \($0.word.string)") }),
      found: counted.map(\.status.word), isMet: !counted.contains { refusedStatuses.contains($0.status) })
  }

  /// A set has no order; what is logged should have one.
  private func words(_ words: [UTF8Text]) -> [UTF8Text] {
    words.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

extension MetadataEntry {
  /// The reports in effect, the earliest first; those without a date where they stand among the first, those of one day in
  /// the order of the BLOB.
  public func reportsInEffect(at time: UnixTime) -> [StatusReport] {
    let effective = statusReports.filter { $0.isEffective(at: time) }.enumerated()
    func day(_ report: StatusReport) -> Int64 { report.effectiveDate?.start.seconds ?? .min }
    return effective.sorted { (day($0.element), $0.offset) < (day($1.element), $1.offset) }.map(\.element)
  }

  /// How far the model is certified at `time`; nil if it is not, or no longer.
  public func certificationLevel(at time: UnixTime) -> CertificationLevel? {
    CertificationLevel.reached(by: reportsInEffect(at: time))
  }
}

extension CertificationLevel {
  /// The highest level among reports in order of time. One that says that there is no certification, or that the model is
  /// broken, takes back those before it: what was certified is not so any more (FIDO Metadata Service, 3.1.4). A model that
  /// is broken since nobody knows when reaches none.
  fileprivate static func reached(by reports: [StatusReport]) -> CertificationLevel? {
    var reached: CertificationLevel?
    for report in reports {
      let isBroken = AuthenticatorStatus.compromises.contains(report.status)
      if isBroken, report.effectiveDate == nil { return nil }
      if isBroken || report.status == .notFIDOCertified || report.status == .retired {
        reached = nil
      } else if let level = CertificationLevel(report.status) {
        reached = max(reached ?? level, level)
      }
    }
    return reached
  }
}

extension MetadataStatement {
  /// The ways in which the model verifies its user, each all of its methods together. Those that only look whether someone
  /// is there are none.
  fileprivate var waysToVerify: [[MetadataVerificationMethod]] {
    userVerificationDetails.map { way in
      way.map(\.userVerificationMethod).filter { $0 != .none && $0 != .presence && $0 != .all }
    }.filter { !$0.isEmpty }
  }
}
