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
    ("GetAssertion Resp-3", ConformanceAuthentication.authenticatorData), ("MDS3", ConformanceAuthentication.metadata),
  ]

  /// As many as the public lists of 2021 and 2026 have together.
  @Test func everyTestIsListedOnce() {
    #expect(Self.groups.map(\.items.count) == [4, 16, 17, 20, 12, 19, 4, 3, 3, 8, 4, 8, 2, 22, 17, 15, 6])
    for group in Self.groups { #expect(Set(group.items.map(\.id)).count == group.items.count, "\(group.name)") }
    #expect(ConformanceAuthentication.absent.count == 1)
  }

  @Test(arguments: groups.map(\.name)) func outcomes(_ name: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    for item in Self.groups.first(where: { $0.name == name })?.items ?? [] {
      switch item.shown {
      case .ceremony(let ceremony, let code):
        #expect(try ceremony.refusal(nil)?.code == code, "\(item)")
        // What is no contradiction is the same on both sides of the switch.
        if item.contradiction == nil {
          #expect(try ceremony.refusal(.fido)?.code == code, "\(item)")
          #expect(try ceremony.refusal(.level3)?.code == code, "\(item)")
        }
      case .test(let file, let test):
        let source = try String(contentsOf: folder.appending(path: "\(file).swift"), encoding: .utf8)
        #expect(source.contains(test), "\(item)")
      case .vector(let path):
        guard let extra = TestData.extra else { continue }
        #expect(FileManager.default.fileExists(atPath: extra.appending(path: "webauthn/\(path)").path), "\(item)")
      }
      if case .bySwitch(_, let ceremony, let code)? = item.contradiction {
        #expect(try ceremony.refusal(nil)?.code == code, "\(item), as Level 3 has it")
      }
    }
  }

  @Test func numbersOf64BitsInMetadataAreRead() throws {
    let entry = try MetadataPayloadTests.entry(
      #"{"statusReports":[],"metadataStatement":{"authenticatorGetInfo":{"vendorPrototypeConfigCommands":[18446744073709551615]}}}"#
    )
    #expect(entry.metadataStatement != nil)
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
        "MakeCredential Resp-4 P-8", "MakeCredential Resp-9 P-3 [21]", "GetAssertion Resp-3 P-4 [21]",
        "GetAssertion Resp-3 P-7 [21]",
      ])
  }
}
