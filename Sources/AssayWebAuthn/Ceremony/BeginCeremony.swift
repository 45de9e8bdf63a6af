public import AssayCodec
internal import AssayCrypto

/// A ceremony that was begun: what the browser gets, and what the server keeps.
public struct CeremonyStart<State: Sendable>: Sendable {
  /// For the page: what `parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON` takes.
  public let options: JSONValue
  /// For the server's store.
  public let state: State
}

extension RelyingParty {
  /// Begins a registration of a credential for `user` (WebAuthn L3, 7.1 step 1).
  ///
  /// `options` of the result is a `PublicKeyCredentialCreationOptionsJSON`. Who may call this is the server's to decide:
  /// whoever finishes the ceremony can sign in as `user` from then on.
  ///
  /// - Throws: `WebAuthnError` with `invalidOption`, its field the option: `user.id` (1 to 64 bytes), `algorithms` (empty),
  ///   `excludeCredentials` (too many, or an id not of 1 to 1023 bytes), `challenge` (16 to 512 bytes), `lifetime` (1 to
  ///   86,400 seconds), those of `AttestationPolicy` (`acceptedAAGUIDs`: too many, or one not of 16 bytes;
  ///   `acceptedFormats`: one that is not verified here; `safetyNet.maximumAge`: negative), or an extension's; or with
  ///   `unavailable`.
  public func beginRegistration(
    user: PasskeyUser, _ options: RegistrationOptions = RegistrationOptions(), at now: UnixTime
  ) throws(WebAuthnError) -> CeremonyStart<RegistrationState> {
    guard (1...PasskeyUser.maximumIDBytes).contains(user.id.count) else {
      throw WebAuthnError(.invalidOption, "user.id")
    }
    guard !options.algorithms.isEmpty else { throw WebAuthnError(.invalidOption, "algorithms") }
    guard CredentialDescriptor.canBeNamed(options.excludeCredentials) else {
      throw WebAuthnError(.invalidOption, "excludeCredentials")
    }
    try options.attestationPolicy.validate()
    let policy = try CeremonyPolicy(
      of: self, challenge: options.challenge, userVerification: options.userVerification,
      conformance: options.conformance, lifetime: options.lifetime, at: now)
    var selection: JSONObject = [
      "residentKey": .string(options.residentKey.word),
      "requireResidentKey": .bool(options.residentKey == .required),
      "userVerification": .string(options.userVerification.word),
    ]
    if let attachment = options.authenticatorAttachment {
      selection["authenticatorAttachment"] = .string(attachment.word)
    }
    var json: JSONObject = [
      "rp": ["id": .string(id), "name": .string(name)],
      "user": [
        "id": .string(Base64URL.encode(user.id.span)), "name": .string(user.name),
        "displayName": .string(user.displayName),
      ],
      "challenge": .string(Base64URL.encode(policy.challenge.span)),
      "pubKeyCredParams": .array(
        options.algorithms.map { ["type": "public-key", "alg": .number(JSONNumber($0.coseIdentifier))] }),
      "timeout": .number(JSONNumber(options.lifetime * 1000)),
      "excludeCredentials": .array(options.excludeCredentials.map(\.json)),
      "authenticatorSelection": .object(selection),
      "attestation": .string(options.attestation.word),
    ]
    json.put(hints: options.hints)
    if !options.attestationFormats.isEmpty {
      json["attestationFormats"] = .array(options.attestationFormats.map { .string($0) })
    }
    json.put(extensions: try options.extensions.json(for: self))
    let state = RegistrationState(
      policy: policy, user: user.id, algorithms: options.algorithms, attestation: options.attestation,
      attestationPolicy: options.attestationPolicy, isConditional: options.isConditional)
    return CeremonyStart(options: .object(json), state: state)
  }

  /// Begins a sign-in (WebAuthn L3, 7.2 step 1).
  ///
  /// `options` of the result is a `PublicKeyCredentialRequestOptionsJSON`.
  ///
  /// - Parameter user: the user handle of the account that is to sign in: no other's credential will do. Nil if the answer
  ///   is to say whose account it is.
  /// - Throws: `WebAuthnError` with `invalidOption`, its field the option: `user` (1 to 64 bytes),
  ///   `allowCredentials` (too many, or an id not of 1 to 1023 bytes), `challenge` (16 to 512 bytes), `lifetime` (1 to
  ///   86,400 seconds), or an extension's; or with `unavailable`.
  public func beginAuthentication(
    user: [UInt8]?, _ options: AuthenticationOptions = AuthenticationOptions(), at now: UnixTime
  ) throws(WebAuthnError) -> CeremonyStart<AuthenticationState> {
    guard user.map({ (1...PasskeyUser.maximumIDBytes).contains($0.count) }) ?? true else {
      throw WebAuthnError(.invalidOption, "user")
    }
    guard CredentialDescriptor.canBeNamed(options.allowCredentials) else {
      throw WebAuthnError(.invalidOption, "allowCredentials")
    }
    let policy = try CeremonyPolicy(
      of: self, challenge: options.challenge, userVerification: options.userVerification,
      conformance: options.conformance, lifetime: options.lifetime, at: now)
    var json: JSONObject = [
      "challenge": .string(Base64URL.encode(policy.challenge.span)),
      "timeout": .number(JSONNumber(options.lifetime * 1000)),
      "rpId": .string(id),
      "allowCredentials": .array(options.allowCredentials.map(\.json)),
      "userVerification": .string(options.userVerification.word),
    ]
    json.put(hints: options.hints)
    json.put(extensions: try options.extensions.json(for: self, allowCredentials: options.allowCredentials))
    let state = AuthenticationState(
      policy: policy, user: user, allowCredentials: options.allowCredentials.map(\.id),
      appid: options.extensions.appid, payment: options.payment, signCountPolicy: options.signCountPolicy,
      backupEligibilityPolicy: options.backupEligibilityPolicy)
    return CeremonyStart(options: .object(json), state: state)
  }
}

extension JSONObject {
  fileprivate mutating func put(hints: [CredentialHint]) {
    if !hints.isEmpty { self["hints"] = .array(hints.map { .string($0.word) }) }
  }

  fileprivate mutating func put(extensions: JSONObject) {
    if !extensions.members.isEmpty { self["extensions"] = .object(extensions) }
  }
}
