import AssayCodec
import AssayWebAuthn
import Foundation
import TestSupport
import Testing

/// Ceremonies captured from a real Chromium: each verifies under its own options, except by name.
struct ChromiumTests {
  private static let noSuchAlgorithm = ChromiumRun.Outcome.browserRefused("NotAllowedError")

  /// Everything that does not verify, and why.
  private static let exceptions: [String: ChromiumRun.Outcome] = [
    // ML-DSA, recognised and not supported.
    "19-ml-dsa-only-create": .refused(.algorithmNotSupported, step: 20),
    "20-ml-dsa-only-get": .refused(.algorithmNotSupported, step: nil),
    // Authenticators told to misbehave.
    "27-be0-bs1-create": .refused(.backupStateInconsistent, step: 17),
    "62-counter-rollback": .refused(.signCountNotIncreased, step: 22),
    "63-override-isBogusSignature": .refused(.signatureInvalid, step: 21),
    "64-override-isBadUV": .refused(.userNotVerified, step: 17),
    // A frame of another origin, which must be allowed first.
    "70-iframe-crossorigin-get": .refused(.crossOriginNotAllowed, step: 13),
    // What the browser itself refused.
    "17-es384-only-create": noSuchAlgorithm, "18-es512-only-create": noSuchAlgorithm,
    "39-u2f-appid-get-create": .browserRefused("SecurityError"),
    "56-exclude-second-InvalidState": .browserRefused("InvalidStateError"),
    "58-allow-unknown-NotAllowed": .browserRefused("NotAllowedError"),
    "66-uv-fails-required": .browserRefused("NotAllowedError"),
    "69-conditional-create": .browserRefused("AbortError"),
    "71-iframe-crossorigin-create": .browserRefused("NotAllowedError"),
    "73-wrong-rpId-SecurityError": .browserRefused("SecurityError"),
    "91-related-origin": .browserRefused("SecurityError"),
    "95-challenge-1024-bytes": .browserRefused("NotAllowedError"),
    "96-user-id-65-TypeError": .browserRefused("TypeError"),
  ]

  private static let folder = TestData.vectors.appending(path: "webauthn/chromium")

  @Test func everyCeremonyEndsAsItsNameSays() throws {
    let files = try CeremonyFile.all(in: Self.folder)
    #expect(files.count == 69)
    var run = ChromiumRun()
    var verified = 0
    for file in files {
      let outcome = try run.outcome(of: file)
      #expect(outcome == Self.exceptions[file.name] ?? .verified, "\(file.name)")
      if outcome == .verified { verified += 1 }
    }
    #expect(verified == 50)
    #expect(Self.exceptions.count == 19)
    #expect(Set(Self.exceptions.keys).isSubset(of: Set(files.map(\.name))))
  }

  @Test(arguments: [
    (CrossOriginUse.allowed(topOrigins: ["http://localhost:8901"]), ChromiumRun.Outcome.verified),
    (.allowed(topOrigins: ["http://localhost:8902"]), .refused(.topOriginNotAllowed, step: 14)),
    (.allowed(topOrigins: []), .refused(.topOriginNotAllowed, step: 14)),
  ])
  func frameOfAnotherOriginIsAllowedByNameOnly(_ use: CrossOriginUse, _ expected: ChromiumRun.Outcome) throws {
    var run = ChromiumRun()
    run.crossOrigin = use
    for name in ["55-exclude-first", "70-iframe-crossorigin-get"] {
      let file = try CeremonyFile(Self.folder.appending(path: "\(name).json"))
      #expect(try run.outcome(of: file) == (name.hasPrefix("55") ? .verified : expected))
    }
  }
}
