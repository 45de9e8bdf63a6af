import AssayCodec
import AssayCrypto
import AssayWebAuthn
import Foundation
import TestAuthenticator
import TestSupport
import Testing

/// Android's key attestation (WebAuthn L3, 8.4), valid and with one thing wrong.
struct AndroidKeyTests {
  typealias Case = RegistrationRuleTests.Case
  typealias Parts = KeyDescriptionParts

  private static func statement(
    _ name: String, _ expected: Refusal? = nil, policy: AndroidKeyPolicy = AndroidKeyPolicy(),
    change: @escaping @Sendable (inout RegistrationAnswer, inout AndroidKeyStatement) -> Void = { _, _ in }
  ) -> Case {
    var options = RegistrationOptions()
    options.algorithms = SignatureAlgorithm.allCases
    options.attestationPolicy.androidKey = policy
    return Case("android-key: \(name)", expected, options: options) { answer in
      var statement = AndroidKeyStatement()
      answer.fmt = "android-key"
      change(&answer, &statement)
      answer.parts.algorithm = statement.algorithm
      answer.makeStatement = { [statement] in try statement.made($0, $1) }
    }
  }

  private static func described(
    _ name: String, _ expected: Refusal? = nil, policy: AndroidKeyPolicy = AndroidKeyPolicy(),
    change: @escaping @Sendable (inout KeyDescriptionParts) -> Void
  ) -> Case {
    statement(name, expected, policy: policy) { _, statement in change(&statement.description) }
  }

  private static let teeOnly: AndroidKeyPolicy = {
    var policy = AndroidKeyPolicy()
    policy.scope = .teeEnforced
    return policy
  }()
  private static let missingAllowed: AndroidKeyPolicy = {
    var policy = AndroidKeyPolicy()
    policy.allowsMissingAuthorizations = true
    return policy
  }()

  private static let otherChallenge = Refusal(.attestationMismatch, 22, "attestationChallenge")

  private static func notAllowed(_ field: Field) -> Refusal {
    Refusal(.attestationCertificateNotAllowed, 22, field)
  }
  private static let malformed = Refusal(.malformedAttestationStatement, 22, "attStmt")

  static let accepted: [Case] =
    [
      statement("as it is"),
      statement("further certificates, which are not read") { _, statement in statement.chain = [[1], [2]] },
      statement("extension critical") { _, statement in statement.isCritical = true },
      described("software keeps and describes the key") {
        $0.attestationSecurityLevel = [0x0A, 0x01, 0x00]
        $0.keymasterSecurityLevel = [0x0A, 0x01, 0x00]
        $0.software += $0.tee
        $0.tee = []
      },
      described("StrongBox", policy: teeOnly) {
        $0.attestationSecurityLevel = [0x0A, 0x01, 0x02]
        $0.keymasterSecurityLevel = [0x0A, 0x01, 0x02]
      },
      described("origin and purpose in one list each") {
        $0.drop(Parts.sign)
        $0.software.append(Parts.sign)
      },
      described("origin and purpose in both lists") { $0.software += [Parts.sign, Parts.generated] },
      described("further purposes") {
        $0.drop(Parts.sign)
        $0.tee.append(Parts.tagged(1, [0x31, 0x06, 0x02, 0x01, 0x02, 0x02, 0x01, 0x03]))
      },
      described("elements in another order") { $0.tee.reverse() },
      described("tee, and software says something else", policy: teeOnly) {
        $0.software.append(Parts.tagged(702, [0x02, 0x01, 0x02]))
      },
      described("nothing said of origin and purpose, allowed", policy: missingAllowed) {
        $0.software = []
        $0.tee = []
      },
      described("unknown elements of every size") { parts in
        parts.software += [4, 30, 31, 127, 128, 16_383, 2_097_152].map { Parts.tagged($0, [0x05, 0x00]) }
        parts.software.append(Parts.tagged(268_435_455, [UInt8](repeating: 0xFF, count: 300)))
      },
      described("root of trust without a hash") {
        $0.tee = [Parts.sign, Parts.generated]
        $0.tee.append(Parts.rootOfTrust([[0x04, 0x00], [0x01, 0x01, 0x00], [0x0A, 0x01, 0x03]]))
      },
    ]
    + [0, 1, 2, 3, 4, 100, 200, 300, 400, 500, .max].map { (version: UInt64) in
      described("attestation version \(version)") { parts in
        var bytes = (0..<8).map { UInt8(truncatingIfNeeded: version >> (56 - 8 * $0)) }
        while bytes.count > 1, bytes[0] == 0, bytes[1] < 0x80 { bytes.removeFirst() }
        parts.attestationVersion = element(.integer, (bytes[0] >= 0x80 ? [0] : []) + bytes)
      }
    }
    + [.es384, .rs256, .ps256].map { (algorithm: SignatureAlgorithm) in
      statement("credential for \(algorithm)") { _, statement in statement.algorithm = algorithm }
    }

  static let refused: [Case] = [
    // The statement.
    statement("alg missing", malformed) { answer, _ in answer.editStatement = { $0.without("alg") } },
    statement("sig missing", malformed) { answer, _ in answer.editStatement = { $0.without("sig") } },
    statement("x5c missing", malformed) { answer, _ in answer.editStatement = { $0.without("x5c") } },
    statement("one member more", malformed) { answer, _ in answer.editStatement = { $0.adding("x", .null) } },
    statement("alg a text", malformed) { answer, _ in
      answer.editStatement = { $0.without("alg").adding("alg", .text("ES256")) }
    },
    statement("sig a text", malformed) { answer, _ in
      answer.editStatement = { $0.without("sig").adding("sig", .text("sig")) }
    },
    statement("x5c empty", Refusal(.malformedAttestationStatement, 22, "x5c")) { answer, _ in
      answer.editStatement = { $0.without("x5c").adding("x5c", .array([])) }
    },
    statement("x5c no certificate", Refusal(.malformedAttestationStatement, 22, "x5c")) { answer, _ in
      answer.editStatement = { $0.without("x5c").adding("x5c", .array([.bytes([0x30, 0x00])])) }
    },
    statement("alg unknown", Refusal(.algorithmNotSupported, 22, "alg")) { _, statement in statement.alg = -65535 },
    statement("alg of another kind of key", notAllowed("subjectPublicKeyInfo")) { _, statement in
      statement.alg = -257
    },
    // 2 and 3. The signature and its key.
    statement("signature altered", Refusal(.signatureInvalid, 22, "sig")) { _, statement in
      statement.spoilSignature = { $0[$0.count - 1] ^= 1 }
    },
    statement("signature empty", Refusal(.signatureInvalid, 22, "sig")) { _, statement in
      statement.spoilSignature = { $0 = [] }
    },
    statement("authenticator data altered", Refusal(.signatureInvalid, 22, "sig")) { answer, _ in
      answer.parts.spoilAuthData = { $0[36] ^= 1 }
    },
    statement("certificates in the wrong order", Refusal(.signatureInvalid, 22, "sig")) { answer, statement in
      answer.editStatement = { made in
        let other = (try? TestCertificate().der()) ?? []
        return made.without("x5c").adding("x5c", .array([.bytes(other)] + (made["x5c"]?.array ?? [])))
      }
    },
    statement("another key than the credential's", Refusal(.attestationMismatch, 22, "subjectPublicKeyInfo")) {
      _, statement in statement.usesOtherKey = true
    },
    // 4. The description and its challenge.
    statement("no description", notAllowed("KeyDescription")) { _, statement in statement.hasDescription = false },
    statement("description empty", notAllowed("KeyDescription")) { _, statement in statement.descriptionBytes = [] },
    statement("description too large", notAllowed("KeyDescription")) { _, statement in
      statement.descriptionBytes = [UInt8](repeating: 0, count: AndroidKeyDescription.maximumBytes + 1)
    },
    described("one field more", notAllowed("KeyDescription")) { $0.end = [0x30, 0x00] },
    described("version negative", notAllowed("attestationVersion")) { $0.attestationVersion = [0x02, 0x01, 0xFF] },
    described("version of 9 bytes", notAllowed("attestationVersion")) {
      $0.attestationVersion = [0x02, 0x09] + [UInt8](repeating: 1, count: 9)
    },
    described("security level an INTEGER", notAllowed("attestationSecurityLevel")) {
      $0.attestationSecurityLevel = [0x02, 0x01, 0x01]
    },
    described("security level unknown", notAllowed("attestationSecurityLevel")) {
      $0.attestationSecurityLevel = [0x0A, 0x01, 0x03]
    },
    described("security level negative", notAllowed("attestationSecurityLevel")) {
      $0.attestationSecurityLevel = [0x0A, 0x01, 0xFF]
    },
    described("security level of two bytes", notAllowed("attestationSecurityLevel")) {
      $0.attestationSecurityLevel = [0x0A, 0x02, 0x00, 0x01]
    },
    described("keymaster's level an INTEGER", notAllowed("keymasterSecurityLevel")) {
      $0.keymasterSecurityLevel = [0x02, 0x01, 0x01]
    },
    described("challenge altered", otherChallenge) {
      $0.challenge = [UInt8](repeating: 7, count: 32)
    },
    described("challenge empty", otherChallenge) { $0.challenge = [] },
    described("the ceremony's challenge instead of the hash", otherChallenge) {
      $0.challenge = TestAuthenticator.challenge
    },
    // 5. The authorizations.
    described("allApplications in teeEnforced", notAllowed("allApplications")) { $0.tee.append(Parts.allApplications) },
    described("allApplications in softwareEnforced", notAllowed("allApplications")) {
      $0.software.append(Parts.allApplications)
    },
    described("allApplications in softwareEnforced, tee only", notAllowed("allApplications"), policy: teeOnly) {
      $0.software.append(Parts.allApplications)
    },
    described("allApplications not NULL", notAllowed("allApplications")) {
      $0.tee.append(Parts.tagged(600, [0x05, 0x01, 0x00]))
    },
    described("no origin", notAllowed("origin")) { $0.drop(Parts.generated) },
    described("no purpose", notAllowed("purpose")) { $0.drop(Parts.sign) },
    described("origin imported", notAllowed("origin")) {
      $0.drop(Parts.generated)
      $0.tee.append(Parts.tagged(702, [0x02, 0x01, 0x02]))
    },
    described("origin imported, where it may be missing", notAllowed("origin"), policy: missingAllowed) {
      $0.drop(Parts.generated)
      $0.tee.append(Parts.tagged(702, [0x02, 0x01, 0x02]))
    },
    described("purpose without signing", notAllowed("purpose")) {
      $0.drop(Parts.sign)
      $0.tee.append(Parts.tagged(1, [0x31, 0x03, 0x02, 0x01, 0x03]))
    },
    described("no purpose in the set", notAllowed("purpose")) {
      $0.drop(Parts.sign)
      $0.tee.append(Parts.tagged(1, [0x31, 0x00]))
    },
    described("the lists differ on the origin", notAllowed("origin")) {
      $0.software.append(Parts.tagged(702, [0x02, 0x01, 0x02]))
    },
    described("the lists differ on the purpose", notAllowed("purpose")) {
      $0.software.append(Parts.tagged(1, [0x31, 0x03, 0x02, 0x01, 0x03]))
    },
    described("tee, and only software tells the origin", notAllowed("origin"), policy: teeOnly) {
      $0.drop(Parts.generated)
      $0.software.append(Parts.generated)
    },
    described("tee, and only software tells the purpose", notAllowed("purpose"), policy: teeOnly) {
      $0.drop(Parts.sign)
      $0.software.append(Parts.sign)
    },
    described("tee, described by software", notAllowed("attestationSecurityLevel"), policy: teeOnly) {
      $0.attestationSecurityLevel = [0x0A, 0x01, 0x00]
    },
    described("tee, kept by software", notAllowed("keymasterSecurityLevel"), policy: teeOnly) {
      $0.keymasterSecurityLevel = [0x0A, 0x01, 0x00]
    },
    // The lists.
    described("an element twice", notAllowed("teeEnforced")) { $0.tee.append(Parts.generated) },
    described("an unknown element twice", notAllowed("softwareEnforced")) {
      $0.software += [Parts.tagged(900, []), Parts.tagged(900, [])]
    },
    described("65 elements", notAllowed("softwareEnforced")) {
      $0.software = (1000..<1065).map { Parts.tagged($0, []) }
    },
    described("17 purposes", notAllowed("purpose")) {
      $0.drop(Parts.sign)
      $0.tee.append(Parts.tagged(1, [0x31, 0x33] + (0..<17).flatMap { [0x02, 0x01, $0] as [UInt8] }))
    },
    described("an element without a context-specific tag", notAllowed("teeEnforced")) {
      $0.tee.append([0x02, 0x01, 0x00])
    },
    described("an element with an implicit tag", notAllowed("teeEnforced")) { $0.tee.append([0x85, 0x01, 0x00]) },
    described("a high tag number below 31", notAllowed("teeEnforced")) { $0.tee.append([0xBF, 0x1E, 0x00]) },
    described("a tag number with a zero digit before it", notAllowed("teeEnforced")) {
      $0.tee.append([0xBF, 0x80, 0x85, 0x3E, 0x03, 0x02, 0x01, 0x00])
    },
    described("a tag number of five digits", notAllowed("teeEnforced")) {
      $0.tee.append([0xBF, 0x81, 0x80, 0x80, 0x80, 0x00, 0x00])
    },
    described("root of trust with a field more", notAllowed("rootOfTrust")) {
      $0.tee = [Parts.sign, Parts.generated]
      $0.tee.append(Parts.rootOfTrust([[0x04, 0x00], [0x01, 0x01, 0x00], [0x0A, 0x01, 0x00, 0x05, 0x00]]))
    },
    described("boot state unknown", notAllowed("verifiedBootState")) {
      $0.tee = [Parts.sign, Parts.generated]
      $0.tee.append(Parts.rootOfTrust([[0x04, 0x00], [0x01, 0x01, 0x00], [0x0A, 0x01, 0x04]]))
    },
  ]

  @Test(arguments: accepted + refused)
  func rule(_ test: Case) throws {
    #expect(try test.refusal() == test.expected)
  }

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
