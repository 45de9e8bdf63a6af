import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestCertificates

extension Deviation where Ceremony == RegistrationCeremony {
  private typealias Parts = KeyDescriptionParts

  private static func described(
    _ name: String, _ expected: Refusal? = nil, policy: AndroidKeyPolicy = AndroidKeyPolicy(),
    change: @escaping @Sendable (inout KeyDescriptionParts) -> Void
  ) -> Self {
    androidKey(name, expected, policy: policy) { _, statement in change(&statement.description) }
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

  private static func notAllowed(_ field: Field) -> Refusal { Refusal(.attestationCertificateNotAllowed, 22, field) }

  private static let accepted: [Self] =
    [
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

  /// The description, and its challenge.
  private static let refused: [Self] = [
    androidKey("extension critical") { _, statement in statement.isCritical = true },
    androidKey("no description", notAllowed("KeyDescription")) { _, statement in statement.hasDescription = false },
    androidKey("description empty", notAllowed("KeyDescription")) { _, statement in statement.descriptionBytes = [] },
    androidKey("description too large", notAllowed("KeyDescription")) { _, statement in
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
  ]

  /// Who may use the key, where it is from and what for (WebAuthn L3, 8.4 step 5).
  private static let authorizations: [Self] = [
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
  ]

  /// How the authorizations are written.
  private static let lists: [Self] = [
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

  /// WebAuthn L3, 8.4 steps 4 and 5: the certificate's description of the key.
  static let androidKeyCertificate = accepted + refused + authorizations + lists
}
