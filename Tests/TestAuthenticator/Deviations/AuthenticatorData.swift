import AssayCodec
import AssayCrypto
import AssayWebAuthn

extension Deviation where Ceremony == RegistrationCeremony {
  private static func malformed(_ field: Field) -> Refusal { Refusal(.malformedAuthenticatorData, 13, field) }

  /// WebAuthn L3, 7.1 steps 13 to 17 and 25.
  static let authenticatorData: [Self] = [
    Self("reserved flags") { $0.parts.flags |= 0x22 },
    Self("backup eligible") { $0.parts.flags |= 0x08 },
    Self("backed up") { $0.parts.flags |= 0x18 },
    Self("counter zero") { $0.parts.signCount = 0 },
    Self("largest counter") { $0.parts.signCount = .max },
    Self("extensions") {
      $0.parts.flags |= 0x80
      $0.parts.authDataEnd = CBORValue.map([CBORMapEntry("credProtect", .unsigned(2))]).encoded()
    },
    Self("an extension map that is not canonical") {
      $0.parts.flags |= 0x80
      $0.parts.authDataEnd = [0xB8, 0x00]
    },
    Self("credential id of one byte") { $0.credentialID = [1] },
    Self("credential id of 1023 bytes") { $0.credentialID = [UInt8](repeating: 1, count: 1023) },
    Self("aaguid of zeros") { $0.aaguid = [UInt8](repeating: 0, count: 16) },
    Self("not verified, where that is not required", options: { $0.userVerification = .preferred }) {
      $0.parts.flags &= ~0x04
    },
    Self(
      "not present, in a conditional creation",
      options: {
        $0.isConditional = true
        $0.userVerification = .discouraged
      }
    ) { $0.parts.flags = 0x40 },
    Self("AT clear, data there", malformed("authData")) { $0.parts.flags &= ~0x40 },
    Self("AT clear, no data", malformed("attestedCredentialData")) {
      $0.parts.flags &= ~0x40
      $0.hasAttestedData = false
    },
    Self("AT set, no data", malformed("aaguid")) { $0.hasAttestedData = false },
    Self("ED set, no extensions", malformed("extensions")) { $0.parts.flags |= 0x80 },
    Self("ED clear, extensions there", malformed("authData")) { $0.parts.authDataEnd = [0xA0] },
    Self("extensions an array", malformed("extensions")) {
      $0.parts.flags |= 0x80
      $0.parts.authDataEnd = [0x80]
    },
    Self("two extension maps", malformed("authData")) {
      $0.parts.flags |= 0x80
      $0.parts.authDataEnd = [0xA0, 0xA0]
    },
    Self("credential id longer than what is left", malformed("credentialId")) { $0.credentialIDLength = 65_535 },
    Self("credential id of no bytes", malformed("credentialIdLength")) { $0.credentialIDLength = 0 },
    Self("another relying party", Refusal(.rpIdHashMismatch, 14, "rpIdHash")) {
      $0.parts.rpIdHash = TestAuthenticator.hash(Array("example.org".utf8))
    },
    Self("user not present", Refusal(.userNotPresent, 15, "flags")) { $0.parts.flags &= ~0x01 },
    Self("user not verified", Refusal(.userNotVerified, 16, "flags")) { $0.parts.flags &= ~0x04 },
    Self(
      "user not verified, in a conditional creation that requires it", Refusal(.userNotVerified, 16, "flags"),
      options: { $0.isConditional = true }
    ) { $0.parts.flags = 0x40 },
    Self("backed up without being eligible", Refusal(.backupStateInconsistent, 17, "flags")) {
      $0.parts.flags |= 0x10
    },
    Self("credential id of 1024 bytes", Refusal(.credentialIDTooLong, 25, "credentialId")) {
      $0.credentialID = [UInt8](repeating: 1, count: 1024)
    },
  ]
}

extension Deviation where Ceremony == AuthenticationCeremony {
  private static func malformed(_ field: Field) -> Refusal { Refusal(.malformedAuthenticatorData, 15, field) }

  /// WebAuthn L3, 7.2 steps 15 to 19 and 22.
  static let authenticatorData: [Self] = [
    Self("reserved flags") { $0.answer.parts.flags |= 0x22 },
    Self("extensions") {
      $0.answer.parts.flags |= 0x80
      $0.answer.parts.authDataEnd = CBORValue.map([CBORMapEntry("x", .bool(true))]).encoded()
    },
    Self("not verified, where that is preferred") {
      $0.answer.parts.flags &= ~0x04
      $0.options.userVerification = .preferred
    },
    Self("verified, where that is preferred") { $0.options.userVerification = .preferred },
    Self("not verified, where that is discouraged") {
      $0.answer.parts.flags &= ~0x04
      $0.options.userVerification = .discouraged
    },
    Self("verified, where that is discouraged") { $0.options.userVerification = .discouraged },
    Self("bytes after the authenticator data", malformed("authData")) { $0.answer.parts.authDataEnd = [0] },
    Self("ED set, no extensions", malformed("extensions")) { $0.answer.parts.flags |= 0x80 },
    Self("attested credential data in a sign-in", malformed("attestedCredentialData")) {
      $0.answer.parts.flags |= 0x40
      $0.answer.parts.authDataEnd =
        [UInt8](repeating: 0, count: 16) + [0, 1, 1] + ((try? TestAuthenticator.coseKey().encoded()) ?? [])
    },
    Self("another relying party", Refusal(.rpIdHashMismatch, 15, "rpIdHash")) {
      $0.answer.parts.rpIdHash = TestAuthenticator.hash(Array("example.org".utf8))
    },
    Self("user not present", Refusal(.userNotPresent, 16, "flags")) { $0.answer.parts.flags &= ~0x01 },
    Self("neither present nor verified, where that is preferred", Refusal(.userNotPresent, 16, "flags")) {
      $0.answer.parts.flags &= ~0x05
      $0.options.userVerification = .preferred
    },
    Self("neither present nor verified, where that is discouraged", Refusal(.userNotPresent, 16, "flags")) {
      $0.answer.parts.flags &= ~0x05
      $0.options.userVerification = .discouraged
    },
    Self("user not verified", Refusal(.userNotVerified, 17, "flags")) { $0.answer.parts.flags &= ~0x04 },
    Self("backed up without being eligible", Refusal(.backupStateInconsistent, 18, "flags")) {
      $0.answer.parts.flags |= 0x10
    },
    Self("eligible for backup, and was not", Refusal(.backupEligibilityChanged, 19, "flags")) {
      $0.answer.parts.flags |= 0x08
    },
    Self("counter zero after it counted", Refusal(.signCountNotIncreased, 22, "signCount")) {
      $0.answer.parts.signCount = 0
    },
  ]

  /// WebAuthn L3, 7.2 steps 5, 6, 19, 21 and 22: what is stored, and for whom the ceremony is.
  static let record: [Self] = [
    Self("for anyone, and the authenticator says who") { $0.user = nil },
    Self("one of two allowed credentials") {
      $0.options.allowCredentials = [
        CredentialDescriptor(id: [1]), CredentialDescriptor(id: TestAuthenticator.credentialID),
      ]
    },
    Self("eligible for backup, and backed up since") {
      $0.answer.parts.flags |= 0x18
      $0.storedBackupEligible = true
    },
    Self("eligible for backup, and no longer backed up") {
      $0.answer.parts.flags |= 0x08
      $0.storedBackupEligible = true
      $0.storedBackupState = true
    },
    Self("no counter") {
      $0.answer.parts.signCount = 0
      $0.storedSignCount = 0
    },
    Self("counter at its largest") {
      $0.answer.parts.signCount = .max
      $0.storedSignCount = .max - 1
    },
    Self("counter equal, reported") {
      $0.storedSignCount = 7
      $0.options.signCountPolicy = .report
    },
    Self("credential of another relying party", Refusal(.wrongRelyingParty, nil, "credential.rpId")) {
      $0.storedRpId = "example.org"
    },
    Self("credential not allowed", Refusal(.credentialNotAllowed, 5, "id")) {
      $0.options.allowCredentials = [CredentialDescriptor(id: [1])]
    },
    Self("record of another credential", Refusal(.credentialIDMismatch, 6, "rawId")) { $0.storedID = [1] },
    Self("record of another user", Refusal(.wrongUser, 6, "userHandle")) { $0.storedUser = [1] },
    Self("ceremony of another user", Refusal(.wrongUser, 6, "userHandle")) { $0.user = [1] },
    Self("ceremony and record of another user", Refusal(.wrongUser, 6, "userHandle")) {
      $0.user = [1]
      $0.storedUser = [1]
    },
    Self("record of another user, who is not named", Refusal(.wrongUser, 6, "userHandle")) {
      $0.answer.userHandle = nil
      $0.storedUser = [1]
    },
    Self("for anyone, and nobody is named", Refusal(.userHandleMissing, 6, "userHandle")) {
      $0.user = nil
      $0.answer.userHandle = ""
    },
    Self("for anyone, and another is named", Refusal(.wrongUser, 6, "userHandle")) {
      $0.user = nil
      $0.answer.userHandle = "AQ"
    },
    Self("not eligible for backup, and was", Refusal(.backupEligibilityChanged, 19, "flags")) {
      $0.storedBackupEligible = true
    },
    Self("key of another algorithm", Refusal(.signatureInvalid, 21, "signature")) {
      $0.storedKey = $0.answer.parts.algorithm == .edDSA ? .es256 : .edDSA
    },
    Self("counter equal", Refusal(.signCountNotIncreased, 22, "signCount")) { $0.storedSignCount = 7 },
    Self("counter lower", Refusal(.signCountNotIncreased, 22, "signCount")) { $0.storedSignCount = 8 },
  ]
}
