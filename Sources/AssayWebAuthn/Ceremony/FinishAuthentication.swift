public import AssayCodec
internal import AssayCrypto

/// A sign-in that was verified. Only `finishAuthentication` makes one.
public struct VerifiedAuthentication: Sendable {
  /// What the signature counter says (WebAuthn L3, 6.1.1).
  @nonexhaustive
  public enum SignCountOutcome: Hashable, Sendable {
    /// The authenticator counts nothing: both values are zero.
    case notUsed
    /// It grew.
    case increased
    /// It did not grow: there may be a copy of the credential. Seen only where the policy is to report it.
    case notIncreased
  }

  /// The credential with its new state: store it in place of the one that was given.
  ///
  /// Its counter is that of the authenticator, or the old one where that did not grow.
  public let credential: RegisteredCredential
  /// What the signature counter says.
  public let signCountOutcome: SignCountOutcome
  /// Whether the credential has become eligible for backup since its registration, or is no longer. Seen only where the
  /// policy allows it.
  public let backupEligibilityChanged: Bool
  /// The origin at which it happened: one of the relying party's.
  public let origin: UTF8Text
  /// What the authenticator said, with the flags and its extension outputs.
  public let authenticatorData: AuthenticatorData
  /// Which kind of authenticator it is, in the client's words.
  public let authenticatorAttachment: AuthenticatorAttachment?
  /// What the client says about extensions. No signature covers it.
  public let clientExtensionResults: JSONObject
  /// Every step of the ceremony, in order.
  public let steps: [CheckedStep]

  /// The user handle of the account that signed in.
  public var user: [UInt8] { credential.user }
  /// The id of the credential that was used.
  public var credentialID: [UInt8] { credential.id }
  /// Whether the user was verified, and not just present.
  public var userVerified: Bool { authenticatorData.flags.userVerified }
}

extension RelyingParty {
  /// Finishes a sign-in: WebAuthn L3, 7.2, step by step. The first step that fails is the error.
  ///
  /// A return proves that whoever answered holds the credential's private key, that the answer is to this ceremony's
  /// challenge and from one of its origins, that the user was present (and verified, if that was required), and that the
  /// credential belongs to the ceremony's user, if it was begun for one. It does not make the ceremony single-use: take
  /// the state out of its store before.
  ///
  /// - Parameters:
  ///   - response: the JSON text of `credential.toJSON()`.
  ///   - credential: the stored record whose id is the answer's `credentialID`.
  public func finishAuthentication(
    _ response: Span<UInt8>, state: AuthenticationState, credential: RegisteredCredential, at now: UnixTime
  ) throws(WebAuthnError) -> VerifiedAuthentication {
    try finishAuthentication(AuthenticationResponse(json: response), state: state, credential: credential, at: now)
  }

  /// Finishes a sign-in whose answer was read already, to look the credential up.
  public func finishAuthentication(
    _ response: AuthenticationResponse, state: AuthenticationState, credential: RegisteredCredential, at now: UnixTime
  ) throws(WebAuthnError) -> VerifiedAuthentication {
    let policy = state.policy
    try policy.checkIsOpen(for: self, at: now)
    guard credential.rpId == policy.rpId else { throw WebAuthnError(.wrongRelyingParty, "credential.rpId") }
    var log = CeremonyLog(.authentication)

    // 1. Let options be CredentialRequestOptions configured to the relying party's needs.
    log.note(1, "the options were made when the ceremony began, and what they demand is read from its state")
    // 2. Call navigator.credentials.get() with options; if it fails, abort. The page does that.
    log.note(2, "the page called get()", .leftToCaller)
    // 3. Let response be credential.response, an AuthenticatorAssertionResponse.
    log.note(3, "the answer is a public-key credential with an assertion response, and id equals rawId", .verified)
    // 4. Let clientExtensionResults be the result of credential.getClientExtensionResults().
    log.note(4, "the client's extension results were read")

    // 5. If pkOptions.allowCredentials is not empty, verify that credential.id identifies one of its credentials.
    if state.allowCredentials.isEmpty {
      log.note(5, "any credential of the relying party may answer", .notRequired)
    } else {
      try log.require(
        5, "the credential is one of those allowed", state.allowCredentials.contains(response.credentialID),
        else: .credentialNotAllowed, "id")
    }
    // 6. Identify the user being authenticated and let credentialRecord be the credential record for the credential. The
    //    record is the caller's find; here it must be the one the answer names, and the user's.
    guard credential.id == response.credentialID else { throw log.fault(6, .credentialIDMismatch, "rawId") }
    if let user = state.user {
      //  If the user was identified before: the account holds the record, and userHandle, if present, is the account's.
      try log.require(
        6, "the credential belongs to the user for whom the ceremony was begun",
        user == credential.user && (response.userHandle ?? user) == user, else: .wrongUser, "userHandle")
    } else {
      //  If not: userHandle is present, and the account it identifies holds the record.
      guard let userHandle = response.userHandle else { throw log.fault(6, .userHandleMissing, "userHandle") }
      try log.require(
        6, "the credential belongs to the user whom the authenticator names", userHandle == credential.user,
        else: .wrongUser, "userHandle")
    }
    // 7. Let cData, authData and sig denote response's clientDataJSON, authenticatorData and signature.
    log.note(7, "client data, authenticator data and signature are there", .verified)

    // 8 to 14. The client data: UTF-8, JSON, type, challenge, origin, crossOrigin, topOrigin.
    let clientData = try log.readClientData(
      response.clientDataJSON, type: state.payment == nil ? "webauthn.get" : "payment.get",
      state.payment == nil ? "the client data is of a sign-in" : "the client data is of a payment", under: policy,
      first: 8, payment: state.payment)

    // 15. Verify that the rpIdHash in authData is the SHA-256 hash of the RP ID expected by the relying party.
    let authData: AuthenticatorData
    do throws(CodecError) {
      authData = try AuthenticatorData(response.authenticatorData.span)
    } catch {
      throw log.fault(15, .malformedAuthenticatorData, error.field, .encoding(error))
    }
    // 6.1: in an assertion, the AT flag must not be set.
    guard authData.attestedCredentialData == nil else {
      let fault = CodecError(.invalidValue, "attestedCredentialData", at: 0)
      throw log.fault(15, .malformedAuthenticatorData, fault.field, .encoding(fault))
    }
    //     If the client says that it used the AppID that it was given, that is expected in place of the RP ID (10.1.1).
    if let appid = state.appid, response.clientExtensionResults["appid"]?.bool == true {
      try log.require(
        15, "the authenticator data is well-formed, and made for this relying party's AppID",
        authData.rpIdHash == (try SHA256.hash(appid.utf8.span)), else: .rpIdHashMismatch, "rpIdHash")
    } else {
      try log.require(
        15, "the authenticator data is well-formed, and made for this relying party",
        policy.isRPIDHash(authData.rpIdHash), else: .rpIdHashMismatch, "rpIdHash")
    }
    // 16. Verify that the UP bit of the flags in authData is set.
    try log.require(16, "the user was present", authData.flags.userPresent, else: .userNotPresent, "flags")
    // 17. If user verification was determined to be required, verify that the UV bit of the flags in authData is set.
    if policy.userVerification == .required {
      try log.require(17, "the user was verified", authData.flags.userVerified, else: .userNotVerified, "flags")
    } else {
      log.note(17, "user verification was not required", .notRequired)
    }
    // 18. If the BE bit of the flags in authData is not set, verify that the BS bit is not set.
    try log.require(
      18, "the credential is not backed up without being eligible for it",
      authData.flags.backupEligible || !authData.flags.backupState, else: .backupStateInconsistent, "flags")
    // 19. Compare the BE bit with credentialRecord.backupEligible, which it must be. Where it is not, the caller may have
    //     asked to go on: some authenticators change it. What to make of the backup state is the caller's.
    let changesEligibility = authData.flags.backupEligible != credential.backupEligible
    if changesEligibility, state.backupEligibilityPolicy.allows(authData.flags) {
      log.note(19, "the backup eligibility has changed since the registration", .leftToCaller)
    } else {
      try log.require(
        19, "the backup eligibility is that of the registration", !changesEligibility, else: .backupEligibilityChanged,
        "flags")
    }
    // 20. Let hash be the SHA-256 of cData: of its original bytes, byte order mark and all.
    let clientDataHash = try SHA256.hash(response.clientDataJSON.span)
    log.note(20, "the client data was hashed")
    // 21. Using credentialRecord.publicKey, verify that sig is a valid signature over the concatenation of authData and
    //     hash.
    let key = try CredentialPublicKey.verificationKey(
      decoding: credential.publicKey.span, at: CeremonyStep(.authentication, 21))
    let isValid = key.isValid(
      response.signature.span, for: (response.authenticatorData + clientDataHash).span, ecdsa: .der)
    try log.require(
      21, "the signature is the credential's, over the authenticator data and the client data", isValid,
      else: .signatureInvalid, "signature")

    // 22. If authData.signCount is nonzero or credentialRecord.signCount is nonzero: it must have grown, or it is a sign
    //     of a cloned authenticator, and what to do then is the relying party's policy.
    let outcome: VerifiedAuthentication.SignCountOutcome
    switch (authData.signCount, credential.signCount) {
    case (0, 0):
      outcome = .notUsed
      log.note(22, "the authenticator does not count its signatures", .notRequired)
    case (let new, let old) where new > old:
      outcome = .increased
      log.note(22, "the signature counter grew", .verified)
    default:
      guard state.signCountPolicy == .report else { throw log.fault(22, .signCountNotIncreased, "signCount") }
      outcome = .notIncreased
      log.note(22, "the signature counter did not grow: there may be a copy of the credential", .leftToCaller)
    }
    // 23. Process the client extension outputs and the authenticator extension outputs as required. They are handed on;
    //     unsolicited ones are not an error.
    log.note(23, "what to make of extension outputs", .leftToCaller)
    // 24. Update credentialRecord with signCount and backupState, and with backupEligible if it was allowed to change.
    //     uvInitialized stays: to set it takes a further factor of authentication, which only the caller can ask for.
    var updated = credential
    updated.signCount = max(authData.signCount, credential.signCount)
    updated.backupEligible = authData.flags.backupEligible
    updated.backupState = authData.flags.backupState
    log.note(24, "the credential record was brought up to date; it is to be stored", .leftToCaller)
    // 25. If all the above steps are successful, continue with the authentication ceremony as appropriate.
    log.note(25, "the user may be signed in", .leftToCaller)
    return VerifiedAuthentication(
      credential: updated, signCountOutcome: outcome, backupEligibilityChanged: changesEligibility,
      origin: clientData.origin, authenticatorData: authData,
      authenticatorAttachment: response.authenticatorAttachment,
      clientExtensionResults: response.clientExtensionResults, steps: log.steps)
  }
}

extension BackupEligibilityPolicy {
  /// Whether a backup eligibility that has become that of `flags` is accepted.
  fileprivate func allows(_ flags: AuthenticatorData.Flags) -> Bool {
    switch self {
    case .refuse: false
    case .allowUpgrade: flags.backupEligible
    case .follow: true
    }
  }
}
