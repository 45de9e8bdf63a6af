import AssayCodec
import AssayCrypto
import AssayWebAuthn
import Foundation
import TestAuthenticator
import TestSupport
import Testing

/// Android's key attestation (WebAuthn L3, 8.4): what a success says, and that no byte of a description can be changed.
struct AndroidKeyTests {
  private typealias Parts = KeyDescriptionParts

  @Test func whatASuccessSays() throws {
    var answer = RegistrationAnswer()
    answer.fmt = "android-key"
    var statement = AndroidKeyStatement()
    statement.chain = [[1, 2, 3]]
    answer.makeStatement = { [statement] in try statement.made($0, $1) }
    let verified = try RegistrationRuleTests.finish(answer)
    let attestation = verified.attestation
    #expect(attestation.format == "android-key")
    #expect(attestation.type == .basic)
    #expect(attestation.trust == .notEvaluated)
    #expect(attestation.trustPath.count == 2 && attestation.trustPath.last == [1, 2, 3])
    let description = try #require(attestation.androidKey)
    #expect(description.attestationVersion == 300 && description.keymasterVersion == 300)
    #expect(description.attestationSecurityLevel == .trustedEnvironment)
    #expect(description.keymasterSecurityLevel == .trustedEnvironment)
    #expect(description.attestationChallenge == TestAuthenticator.hash(answer.parts.clientDataJSON))
    #expect(description.softwareEnforced.purpose == nil && description.softwareEnforced.origin == nil)
    #expect(!description.softwareEnforced.allApplications && description.softwareEnforced.rootOfTrust == nil)
    let tee = description.teeEnforced
    #expect(tee.purpose == [2] && tee.origin == 0 && !tee.allApplications)
    #expect(tee.osVersion == 140_000 && tee.osPatchLevel == 202_609)
    #expect(tee.vendorPatchLevel == 20_260_905 && tee.bootPatchLevel == 20_260_901)
    let root = try #require(tee.rootOfTrust)
    #expect(root.verifiedBootKey == Parts.bootKey && root.verifiedBootHash == Parts.bootHash)
    #expect(root.deviceLocked && root.verifiedBootState == .verified)
    #expect(
      verified.auditRecord["attestation"]?["androidKey"]?["teeEnforced"] == [
        "purpose": [2], "origin": 0, "osVersion": 140_000, "osPatchLevel": 202_609, "vendorPatchLevel": 20_260_905,
        "bootPatchLevel": 20_260_901,
        "rootOfTrust": [
          "verifiedBootKey": TestAuthenticator.base16(Parts.bootKey), "deviceLocked": true,
          "verifiedBootState": "Verified", "verifiedBootHash": TestAuthenticator.base16(Parts.bootHash),
        ],
      ])
  }

  /// What real key stores, and the FIDO conformance tools, have written.
  @Test(.enabled(if: TestData.hasExtra)) func capturedDescriptionsSayWhatTheirFilesDo() throws {
    let folder = try #require(TestData.extra).appending(path: "webauthn/captured")
    var count = 0
    for file in try CeremonyFile.all(in: folder) {
      guard let version = file.json["trust"]?["akAttestationVersion"]?.number?.uint64 else { continue }
      let bytes = try CeremonyFile.decoded(file.json["credential"]?["response"]?["attestationObject"])
      let object = try AttestationObject(bytes.span)
      let der = try #require(object.attStmt["x5c"]?.array?.first?.bytes)
      let value = try #require(try X509Certificate(der.span).extension(AndroidKeyStatement.identifier)?.value)
      let description = try AndroidKeyDescription(value.span)
      let level = AndroidKeyDescription.SecurityLevel.allCases.firstIndex(of: description.attestationSecurityLevel)
      #expect(description.attestationVersion == version, "\(file.name)")
      #expect(level.map(Int64.init) == file.json["trust"]?["akSecurityLevel"]?.number?.int64, "\(file.name)")
      #expect(description.teeEnforced.purpose == [2] && description.teeEnforced.origin == 0, "\(file.name)")
      count += 1
    }
    #expect(count == 6)
  }

  @Test func everyTruncationOfADescriptionIsRefusedAndNoBitFlipTraps() throws {
    let der = KeyDescriptionParts().der(hash: [UInt8](repeating: 1, count: 32))
    let whole = try AndroidKeyDescription(der.span)
    for count in 0..<der.count {
      do throws(CodecError) {
        _ = try AndroidKeyDescription(der.span.extracting(0..<count))
        Issue.record("\(count) bytes were read")
      } catch {
        #expect((0...count).contains(error.offset))
      }
    }
    #expect(throws: CodecError.self) { try AndroidKeyDescription((der + [0]).span) }
    var refused = 0
    for bit in 0..<(der.count * 8) {
      var changed = der
      changed[bit / 8] ^= 1 << (bit % 8)
      do throws(CodecError) {
        let read = try AndroidKeyDescription(changed.span)
        #expect(read.attestationChallenge.count == whole.attestationChallenge.count)
      } catch {
        refused += 1
        #expect((0...changed.count).contains(error.offset))
      }
    }
    #expect(refused > 500)
  }
}
