import AssayCodec
import AssayWebAuthn
import Testing

/// What a policy makes of an entry.
@Suite struct MetadataPolicyTests {
  private static let now = UnixTime(1_800_000_000)  // 2027-01-15

  private static func entry(reports: String, statement: String = "{}") throws -> MetadataEntry {
    try MetadataPayloadTests.entry(#"{"statusReports":[\#(reports)],"metadataStatement":\#(statement)}"#)
  }

  private static func report(_ status: String, _ date: String? = nil) -> String {
    #"{"status":"\#(status)"\#(date.map { ",\"effectiveDate\":\"\($0)\"" } ?? "")}"#
  }

  private func verdict(
    _ reports: [String], at time: UnixTime = now, _ change: (inout MetadataPolicy) -> Void = { _ in }
  ) throws -> MetadataVerdict {
    var policy = MetadataPolicy()
    change(&policy)
    return policy.verdict(on: try Self.entry(reports: reports.joined(separator: ",")), at: time)
  }

  private static let bad = [
    "REVOKED", "USER_VERIFICATION_BYPASS", "ATTESTATION_KEY_COMPROMISE", "USER_KEY_REMOTE_COMPROMISE",
    "USER_KEY_PHYSICAL_COMPROMISE",
  ]
  private static let good = [
    "NOT_FIDO_CERTIFIED", "SELF_ASSERTION_SUBMITTED", "FIDO_CERTIFIED", "FIDO_CERTIFIED_L1", "FIDO_CERTIFIED_L3plus",
    "UPDATE_AVAILABLE", "RETIRED", "SOMETHING_NEW", "revoked",
  ]

  @Test(arguments: good) func acceptedByDefault(_ status: String) throws {
    let verdict = try verdict([Self.report(status, "2020-01-01")])
    #expect(verdict.isAccepted && verdict.requirements.count == 1)
    #expect(verdict.requirements[0].found == [UTF8Text(status)])
  }

  @Test(arguments: bad) func refusedByDefault(_ status: String) throws {
    for date in ["2020-01-01", "2027-01-15", nil] { #expect(try !verdict([Self.report(status, date)]).isAccepted) }
    // One that takes effect later does not count yet.
    #expect(try verdict([Self.report(status, "2027-01-16")]).isAccepted)
    #expect(try !verdict([Self.report(status, "2027-01-16")], at: UnixTime(1_800_060_000)).isAccepted)
    // An update does not say that this authenticator has it.
    let repaired = [Self.report(status, "2020-01-01"), Self.report("UPDATE_AVAILABLE", "2021-01-01")]
    #expect(try !verdict(repaired).isAccepted)
    #expect(try !verdict(repaired.reversed()).isAccepted)
    // Unless the caller knows it has: then the last report counts, by date and not by place.
    #expect(try verdict(repaired) { $0.reports = .latest }.isAccepted)
    #expect(try verdict(repaired.reversed()) { $0.reports = .latest }.isAccepted)
    let broken = [Self.report("UPDATE_AVAILABLE", "2021-01-01"), Self.report(status, "2021-01-01")]
    #expect(try !verdict(broken) { $0.reports = .latest }.isAccepted)
    #expect(try verdict([Self.report(status)]) { $0.refusedStatuses = [] }.isAccepted)
    // One without a date holds still, wherever it stands and whatever came later.
    let undated = [Self.report(status), Self.report("UPDATE_AVAILABLE", "2021-01-01")]
    for reports in [undated, undated.reversed()] {
      #expect(try !verdict(reports) { $0.reports = .latest }.isAccepted)
    }
  }

  @Test func noReportsAtAll() throws {
    #expect(try verdict([]).isAccepted)
    #expect(try !verdict([]) { $0.minimumCertification = .functional }.isAccepted)
  }

  @Test func certificationLevels() throws {
    func level(_ reports: String...) throws -> CertificationLevel? {
      try Self.entry(reports: reports.joined(separator: ",")).certificationLevel(at: Self.now)
    }
    for level in CertificationLevel.allCases {
      let reports = [Self.report(level.status.word.string, "2020-01-01")]
      for minimum in CertificationLevel.allCases {
        #expect(try verdict(reports) { $0.minimumCertification = minimum }.isAccepted == (level >= minimum))
      }
    }
    #expect(
      try level(Self.report("FIDO_CERTIFIED_L2", "2020-01-01"), Self.report("FIDO_CERTIFIED", "2021-01-01")) == .l2)
    #expect(try level(Self.report("FIDO_CERTIFIED_L2", "2028-01-01"), Self.report("FIDO_CERTIFIED")) == .functional)
    for end in ["NOT_FIDO_CERTIFIED", "RETIRED"] + Self.bad {
      #expect(try level(Self.report("FIDO_CERTIFIED_L2", "2020-01-01"), Self.report(end, "2021-01-01")) == nil)
      #expect(try level(Self.report(end, "2020-01-01"), Self.report("FIDO_CERTIFIED_L2", "2021-01-01")) == .l2)
    }
    #expect(try level(Self.report("FIDO_CERTIFIED_L9")) == nil)
    for end in Self.bad {
      // Not yet; an update repairs nothing that is known of; and since nobody knows when.
      #expect(try level(Self.report("FIDO_CERTIFIED_L2", "2020-01-01"), Self.report(end, "2028-01-01")) == .l2)
      #expect(
        try level(
          Self.report("FIDO_CERTIFIED_L2", "2020-01-01"), Self.report(end, "2021-01-01"),
          Self.report("UPDATE_AVAILABLE", "2022-01-01")) == nil)
      #expect(try level(Self.report(end), Self.report("FIDO_CERTIFIED_L2", "2020-01-01")) == nil)
      let reports = [Self.report("FIDO_CERTIFIED_L2", "2020-01-01"), Self.report(end, "2021-01-01")]
      let verdict = try verdict(reports) {
        $0.refusedStatuses = []
        $0.minimumCertification = .functional
      }
      #expect(verdict.requirements.map(\.isMet) == [true, false], "\(end)")
    }
  }

  private func isMet(_ statement: String, _ change: (inout MetadataPolicy) -> Void) throws -> Bool {
    var policy = MetadataPolicy()
    change(&policy)
    let verdict = policy.verdict(on: try Self.entry(reports: "", statement: statement), at: Self.now)
    #expect(verdict.requirements.count == 2)
    return verdict.isAccepted
  }

  @Test func userVerification() throws {
    func isMet(_ ways: [[String]], _ methods: Set<MetadataVerificationMethod> = [.fingerprint]) throws -> Bool {
      let details = ways.map { "[" + $0.map { #"{"userVerificationMethod":"\#($0)"}"# }.joined(separator: ",") + "]" }
      return try self.isMet(#"{"userVerificationDetails":[\#(details.joined(separator: ","))]}"#) {
        $0.userVerification = methods
      }
    }
    #expect(try isMet([["fingerprint_internal"]]))
    #expect(try isMet([["fingerprint_internal", "presence_internal", "all"], ["presence_internal"], ["none"]]))
    #expect(try isMet([["fingerprint_internal", "passcode_external", "all"]]))
    // A second way without it could be the one that is used.
    #expect(try !isMet([["fingerprint_internal"], ["passcode_external"]]))
    #expect(try isMet([["fingerprint_internal"], ["passcode_external"]], [.fingerprint, .passcodeExternal]))
    #expect(try !isMet([["fingerprint_internal"], ["thoughtprint_internal"]]))
    #expect(try !isMet([["presence_internal"], ["none"]], [.fingerprint, .presence, .none]))
    #expect(try !isMet([]))
    #expect(try !self.isMet("{}") { $0.userVerification = [.fingerprint] })
  }

  @Test func protections() throws {
    func keys(_ stated: String, _ asked: Set<KeyProtection>) throws -> Bool {
      try isMet(#"{"keyProtection":\#(stated)}"#) { $0.keyProtection = asked }
    }
    #expect(try keys(#"["hardware","secure_element"]"#, [.secureElement]))
    #expect(try keys(#"["hardware","remote_handle"]"#, [.hardware]))
    #expect(try !keys(#"["hardware","remote_handle"]"#, [.secureElement, .tee]))
    #expect(try !keys(#"["hardware","software"]"#, [.hardware]))
    #expect(try keys(#"["software"]"#, [.hardware, .software]))
    #expect(try !keys("[]", [.hardware]))
    func matcher(_ stated: String, _ asked: Set<MatcherProtection>) throws -> Bool {
      try isMet(#"{"matcherProtection":\#(stated)}"#) { $0.matcherProtection = asked }
    }
    #expect(try matcher(#"["on_chip"]"#, [.onChip, .tee]))
    #expect(try !matcher(#"["on_chip","software"]"#, [.onChip, .tee]))
    #expect(try !matcher(#"["unheard_of"]"#, [.onChip, .tee]))
    #expect(try !matcher("[]", [.onChip, .tee]))
  }

  @Test func theVerdictSaysWhatWasAskedAndFound() throws {
    var policy = MetadataPolicy()
    policy.refusedStatuses = [.revoked]
    policy.minimumCertification = .l3
    policy.userVerification = [.fingerprint]
    policy.keyProtection = [.tee, .hardware]
    policy.matcherProtection = [.onChip]
    let verdict = policy.verdict(on: try MetadataPayloadTests.entry(MetadataPayloadTests.entry), at: Self.now)
    #expect(!verdict.isAccepted)
    let text =
      #"{"accepted":false,"requirements":[{"name":"statusReports","required":["not REVOKED"],"#
      + #""found":["RETIRED_SOON","FIDO_CERTIFIED_L1"],"met":true},{"name":"certification","#
      + #""required":["FIDO_CERTIFIED_L3","FIDO_CERTIFIED_L3plus"],"found":["FIDO_CERTIFIED_L1"],"met":false},"#
      + #"{"name":"userVerificationDetails","required":["fingerprint_internal"],"found":["passcode_external"],"met":false},"#
      + #"{"name":"keyProtection","required":["hardware","tee"],"found":["hardware","secure_element"],"met":true},"#
      + #"{"name":"matcherProtection","required":["on_chip"],"found":["on_chip"],"met":true}]}"#
    #expect(String(decoding: verdict.auditRecord.encoded(), as: UTF8.self) == text)
  }
}
