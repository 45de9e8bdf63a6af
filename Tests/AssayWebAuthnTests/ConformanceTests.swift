import AssayJOSE
import AssayWebAuthn
import Foundation
import TestAuthenticator
import TestSupport
import Testing

/// The public list of what FIDO's conformance tool tests on a server: every test, its outcome here, and what shows it.
struct ConformanceTests {
  static let groups: [(name: String, items: [ConformanceItem])] = [
    ("MakeCredential Req-1", ConformanceRegistration.request),
    ("MakeCredential Resp-1", ConformanceRegistration.envelope),
    ("MakeCredential Resp-2", ConformanceRegistration.clientData),
    ("MakeCredential Resp-3", ConformanceRegistration.attestationObject),
    ("MakeCredential Resp-4", ConformanceRegistration.algorithms),
    ("MakeCredential Resp-5", ConformanceRegistration.packed),
    ("MakeCredential Resp-6", ConformanceRegistration.packedSelf),
    ("MakeCredential Resp-7", ConformanceRegistration.none),
    ("MakeCredential Resp-8", ConformanceRegistration.fidoU2F), ("MakeCredential Resp-9", ConformanceRegistration.tpm),
    ("MakeCredential Resp-A", ConformanceRegistration.androidKey),
    ("MakeCredential Resp-B", ConformanceRegistration.safetyNet),
    ("GetAssertion Req-1", ConformanceAuthentication.request),
    ("GetAssertion Resp-1", ConformanceAuthentication.envelope),
    ("GetAssertion Resp-2", ConformanceAuthentication.clientData),
    ("GetAssertion Resp-3", ConformanceAuthentication.authenticatorData), ("MDS3", ConformanceMDS.tests),
  ]

  /// The ids of the public lists of 2021 and 2026, as these have them: the tests that must pass, and those that must fail.
  private static let listed: [(name: String, passing: [String], failing: Int)] = [
    ("MakeCredential Req-1", numbered(3) + ["P-4 [26]"], 0), ("MakeCredential Resp-1", ["P-1"], 15),
    ("MakeCredential Resp-2", [], 17), ("MakeCredential Resp-3", ["P-1"], 19),
    ("MakeCredential Resp-4", numbered(12), 0),
    ("MakeCredential Resp-5", numbered(2) + ["P-3 [26]", "P-4 [26]", "P-5 [26]"], 14),
    ("MakeCredential Resp-6", ["P-1"], 3), ("MakeCredential Resp-7", numbered(2), 1),
    ("MakeCredential Resp-8", ["P-1"], 2),
    ("MakeCredential Resp-9", numbered(2) + ["P-3 [21]", "P-4 [26]"], 4), ("MakeCredential Resp-A", ["P-1"], 3),
    ("MakeCredential Resp-B", ["P-1 [21]"], 7), ("GetAssertion Req-1", numbered(2), 0),
    ("GetAssertion Resp-1", ["P-1"], 21), ("GetAssertion Resp-2", [], 17),
    (
      "GetAssertion Resp-3",
      numbered(2) + [
        "P-3 [21]", "P-4 [21]", "P-3 [26]", "P-4 [26]", "P-5", "P-6", "P-7 [21]", "P-8 [21], P-7 [26]",
      ], 5
    ),
    ("MDS3", ["P-1"], 5),
  ]

  private static func numbered(_ count: Int) -> [String] { (1...count).map { "P-\($0)" } }

  /// The years apart, which the ids that must fail do not need.
  private static func number(_ id: String) -> String { String(id.prefix { $0 != " " }) }

  @Test func everyTestIsListedOnce() {
    #expect(Self.groups.map(\.name) == Self.listed.map(\.name))
    for (group, listed) in zip(Self.groups, Self.listed) {
      let ids = group.items.map(\.id)
      #expect(ids.filter { $0.hasPrefix("P-") } == listed.passing, "\(group.name)")
      let failing = ids.filter { $0.hasPrefix("F-") }.map(Self.number)
      #expect(failing == (1...max(1, listed.failing)).prefix(listed.failing).map { "F-\($0)" }, "\(group.name)")
      #expect(ids.count == listed.passing.count + listed.failing, "\(group.name)")
    }
    let all = Self.groups.flatMap(\.items)
    #expect(all.count == 180)
    // FIDO's list of 2021 says that it has this many.
    #expect(all.count { !$0.id.hasSuffix("[26]") || $0.id.contains("[21]") } + ConformanceMDS.absent.count == 173)
  }

  /// What shows each: nearly all are whole ceremonies.
  @Test func kindsAreCounted() {
    var kinds: [String: Int] = [:]
    for item in Self.groups.flatMap(\.items) {
      let kind =
        switch item.shown {
        case .ceremony(.registration, _): "registration"
        case .ceremony(.model, _), .ceremonies: "registration under metadata"
        case .ceremony(.signIn, _): "sign-in"
        case .blob: "metadata BLOB"
        case .options: "options"
        case .vectors: "published registration"
        }
      kinds[kind, default: 0] += 1
    }
    #expect(
      kinds == [
        "registration": 99, "registration under metadata": 16, "sign-in": 54, "metadata BLOB": 4, "options": 6,
        "published registration": 1,
      ])
  }

  private static func refusal(_ fault: ConformanceMetadata.Fault) throws -> ConformanceItem.BLOBRefusal? {
    do {
      _ = try ConformanceMetadata().verified(fault)
      return nil
    } catch let error as MetadataError {
      switch error.code {
      case .token(let error) where error.code == .invalidSignature: return .signature
      case .certificatePath(let error): return .path(error)
      default: throw error
      }
    }
  }

  @Test func theBLOBIsGoodUnlessSomethingIsWrong() throws { #expect(try Self.refusal(.none) == nil) }

  @Test(arguments: groups.map(\.name)) func outcomes(_ name: String) throws {
    for item in Self.groups.first(where: { $0.name == name })?.items ?? [] {
      switch item.shown {
      case .ceremony(let ceremony, let code):
        #expect(try ceremony.refusal(nil)?.code == code, "\(item)")
        // What is no contradiction is the same on both sides of the switch.
        if item.contradiction == nil {
          #expect(try ceremony.refusal(.fido)?.code == code, "\(item)")
          #expect(try ceremony.refusal(.level3)?.code == code, "\(item)")
        }
      case .ceremonies(let ceremonies, let code):
        for ceremony in ceremonies { #expect(try ceremony.refusal(nil)?.code == code, "\(item)") }
      case .blob(let fault, let refusal): #expect(try Self.refusal(fault) == refusal, "\(item)")
      case .options(let test): try test()
      case .vectors(let vectors):
        guard let extra = TestData.extra else { continue }
        for (path, code) in vectors {
          let run = try CorpusRun(CeremonyFile(extra.appending(path: "webauthn/\(path)")))
          #expect(run.isRegistration && run.error?.code == code, "\(item), \(path)")
        }
      }
      if case .bySwitch(_, let ceremony, let code)? = item.contradiction {
        #expect(try ceremony.refusal(nil)?.code == code, "\(item), as Level 3 has it")
      }
    }
  }

  @Test func contradictionsAreCounted() {
    var bySwitch: [String] = []
    var declined: [String] = []
    for (name, items) in Self.groups {
      for item in items {
        switch item.contradiction {
        case .bySwitch?: bySwitch.append("\(name) \(item.id)")
        case .declined?: declined.append("\(name) \(item.id)")
        case nil: continue
        }
      }
    }
    #expect(
      bySwitch == [
        "MakeCredential Resp-2 F-15", "MakeCredential Resp-2 F-16", "MakeCredential Resp-2 F-17",
        "MakeCredential Resp-5 F-10", "MakeCredential Resp-8 F-1", "GetAssertion Resp-2 F-15",
        "GetAssertion Resp-2 F-16", "GetAssertion Resp-2 F-17", "GetAssertion Resp-3 F-4",
      ])
    #expect(
      declined == [
        "MakeCredential Resp-4 P-8", "MakeCredential Resp-9 P-2", "MakeCredential Resp-9 P-3 [21]",
        "GetAssertion Resp-3 P-4 [21]",
        "GetAssertion Resp-3 P-7 [21]",
      ])
  }
}
