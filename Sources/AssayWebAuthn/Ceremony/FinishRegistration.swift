public import AssayCodec
internal import AssayCrypto

/// A registration that was verified. Only `finishRegistration` makes one.
public struct VerifiedRegistration: Sendable {
  /// The credential to store, if its id is not stored yet for any user.
  public let credential: RegisteredCredential
  /// How the credential was vouched for.
  public let attestation: VerifiedAttestation
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
}

extension RelyingParty {
  /// Finishes a registration: WebAuthn L3, 7.1, step by step. The first step that fails is the error.
  ///
  /// A return proves that the answer is to this ceremony's challenge and from one of its origins, that an authenticator
  /// made the credential for this relying party with the user present (and verified, if that was required), and that
  /// the public key is usable. What kind of authenticator that was it proves only if the attestation is trusted. Without
  /// attestation it does not even prove that anyone holds the private key, which the first sign-in does. It does not make
  /// the ceremony single-use: take the state out of its store before.
  ///
  /// - Parameters:
  ///   - response: the JSON text of `credential.toJSON()`.
  ///   - trust: whom you trust to vouch for authenticators. What the ceremony demands of that, its state says.
  public func finishRegistration(
    _ response: Span<UInt8>, state: RegistrationState, trust: AttestationTrust = .none, at now: UnixTime
  ) throws(WebAuthnError) -> VerifiedRegistration {
    try finishRegistration(RegistrationResponse(json: response), state: state, trust: trust, at: now)
  }

  /// Finishes a registration whose answer was read already.
  public func finishRegistration(
    _ response: RegistrationResponse, state: RegistrationState, trust: AttestationTrust = .none, at now: UnixTime
  ) throws(WebAuthnError) -> VerifiedRegistration {
    let policy = state.policy
    try policy.checkIsOpen(for: self, at: now)
    var log = CeremonyLog(.registration)

    // 1. Let options be CredentialCreationOptions configured to the relying party's needs.
    log.note(1, "the options were made when the ceremony began, and what they demand is read from its state")
    // 2. Call navigator.credentials.create() with options; if it fails, abort. The page does that.
    log.note(2, "the page called create()", .leftToCaller)
    // 3. Let response be credential.response, an AuthenticatorAttestationResponse.
    log.note(3, "the answer is a public-key credential with an attestation response, and id equals rawId", .verified)
    // 4. Let clientExtensionResults be the result of credential.getClientExtensionResults().
    log.note(4, "the client's extension results were read")

    // 5 to 11. The client data: UTF-8, JSON, type, challenge, origin, crossOrigin, topOrigin.
    let clientData = try log.readClientData(
      response.clientDataJSON, type: "webauthn.create", "the client data is of a registration", under: policy, first: 5)
    // 12. Let hash be the SHA-256 of response.clientDataJSON: of its original bytes, byte order mark and all.
    let clientDataHash = try SHA256.hash(response.clientDataJSON.span)
    log.note(12, "the client data was hashed")

    // 13. Perform CBOR decoding on the attestationObject to obtain fmt, authData and attStmt.
    let object: AttestationObject
    do throws(CodecError) {
      object = try AttestationObject(response.attestationObject.span)
    } catch {
      throw log.fault(13, .malformedAttestationObject, error.field, .encoding(error))
    }
    let authData: AuthenticatorData
    do throws(CodecError) {
      authData = try AuthenticatorData(
        object.authData.span, allowsFirefox117Key: state.attestationPolicy.allowsFirefox117Key)
    } catch {
      throw log.fault(13, .malformedAuthenticatorData, error.field, .encoding(error))
    }
    guard let attested = authData.attestedCredentialData else {
      let fault = CodecError(.missing, "attestedCredentialData", at: object.authData.count)
      throw log.fault(13, .malformedAuthenticatorData, fault.field, .encoding(fault))
    }
    log.note(13, "the attestation object and its authenticator data are well-formed, with a new credential", .verified)
    // 14. Verify that the rpIdHash in authData is the SHA-256 hash of the RP ID expected by the relying party.
    try log.require(
      14, "the authenticator worked for this relying party", policy.isRPIDHash(authData.rpIdHash),
      else: .rpIdHashMismatch, "rpIdHash")
    // 15. If options.mediation is not set to conditional, verify that the UP bit of the flags in authData is set.
    if state.isConditional {
      log.note(15, "a conditional creation may do without the user's presence", .notRequired)
    } else {
      try log.require(15, "the user was present", authData.flags.userPresent, else: .userNotPresent, "flags")
    }
    // 16. If the relying party requires user verification for this registration, verify that the UV bit is set.
    if policy.userVerification == .required {
      try log.require(16, "the user was verified", authData.flags.userVerified, else: .userNotVerified, "flags")
    } else {
      log.note(16, "user verification was not required", .notRequired)
    }
    // 17. If the BE bit of the flags in authData is not set, verify that the BS bit is not set.
    try log.require(
      17, "the credential is not backed up without being eligible for it",
      authData.flags.backupEligible || !authData.flags.backupState, else: .backupStateInconsistent, "flags")
    // 18. If the relying party uses the backup eligibility for its user experience or policies, evaluate the BE bit.
    log.note(18, "what to make of backup eligibility", .leftToCaller)
    // 19. If the relying party uses the backup state for its user experience or policies, evaluate the BS bit.
    log.note(19, "what to make of the backup state", .leftToCaller)
    // 20. Verify that the alg parameter in the credential public key matches the alg of one of the items in
    //     pkOptions.pubKeyCredParams. The key itself is checked here too, whatever the attestation: a point off its curve
    //     or a modulus too short must never be stored.
    let key = try CredentialPublicKey.verificationKey(
      of: attested.coseKey, allowed: state.algorithms, at: CeremonyStep(.registration, 20))
    if attested.isRepaired { log.note(20, "the public key was written as Firefox 117 does, and was put right") }
    log.note(20, "the algorithm is one that was asked for, and the public key is usable", .verified)

    // 21. Determine the attestation statement format by a case-sensitive match on fmt.
    // 22. Verify that attStmt is a correct attestation statement, conveying a valid attestation signature, by the
    //     format's verification procedure given attStmt, authData and hash.
    var attestation: VerifiedAttestation
    let isKnown = AttestationFormat(word: object.fmt) != nil
    if !isKnown, state.attestationPolicy.unknownFormat == .ignore {
      log.note(21, "the attestation statement is of a format that is not known here", .leftToCaller)
      attestation = VerifiedAttestation(object.fmt, .unverified)
    } else {
      try log.require(
        21, "the attestation statement format is known", isKnown, else: .attestationFormatNotSupported, "fmt")
      attestation = try AttestationStatement(
        fmt: object.fmt, attStmt: object.attStmt, authData: object.authData, rpIdHash: authData.rpIdHash,
        attested: attested, clientDataHash: clientDataHash, key: key,
        policy: state.attestationPolicy, now: now, step: CeremonyStep(.registration, 22)
      ).verified()
      guard policy.conformance.allows(aaguid: attested.aaguid, in: attestation) else {
        throw log.fault(22, .malformedAttestationStatement, "aaguid")
      }
    }
    log.noteStatement(attestation.type)
    // 23. If validation is successful, obtain a list of acceptable trust anchors.
    // 24. Assess the attestation trustworthiness: certificates must chain up to a trust anchor, and no attestation, or self
    //     attestation, must be acceptable under the relying party's policy.
    try log.assess(&attestation, of: attested.aaguid, by: trust, under: state.attestationPolicy, at: now)

    // 25. Verify that the credentialId is ≤ 1023 bytes.
    try log.require(
      25, "the credential id is at most 1023 bytes",
      attested.credentialId.count <= AttestedCredentialData.maximumCredentialIDBytes, else: .credentialIDTooLong,
      "credentialId")
    // Nowhere does the specification compare the id the client names with the one the authenticator wrote.
    guard attested.credentialId == response.credentialID else {
      throw log.fault(25, .credentialIDMismatch, "credentialId")
    }
    // 26. Verify that the credentialId is not yet registered for any user. Only the caller's store can.
    log.note(26, "the credential id must not be stored yet for any user", .leftToCaller)
    // 27. Let credentialRecord be a new credential record.
    let credential = RegisteredCredential(
      id: attested.credentialId, user: state.user, rpId: policy.rpId, publicKey: attested.credentialPublicKey,
      signCount: authData.signCount, uvInitialized: authData.flags.userVerified, transports: response.transports,
      backupEligible: authData.flags.backupEligible, backupState: authData.flags.backupState, aaguid: attested.aaguid)
    log.note(27, "the credential record was made")
    // 28. Process the client extension outputs and the authenticator extension outputs as required. They are handed on;
    //     unsolicited ones are not an error.
    log.note(28, "what to make of extension outputs", .leftToCaller)
    // 29. If all the above steps are successful, store credentialRecord in the account of pkOptions.user and continue.
    log.note(29, "the credential record is to be stored in the account of its user", .leftToCaller)
    return VerifiedRegistration(
      credential: credential, attestation: attestation, origin: clientData.origin, authenticatorData: authData,
      authenticatorAttachment: response.authenticatorAttachment,
      clientExtensionResults: response.clientExtensionResults, steps: log.steps)
  }
}
