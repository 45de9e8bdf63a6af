package import AssayCodec
internal import AssayCrypto
package import AssayWebAuthn

/// The relying party of a folder of ceremonies: it keeps each credential's record from one file to the next, as a server
/// would, so that counters mean something.
package struct CeremonySession {
  private var credentials: [[UInt8]: RegisteredCredential] = [:]

  /// When a ceremony is judged that holds no time of its own.
  static let now = UnixTime(1_790_000_000)
  /// The account of ceremonies that name none.
  private static let someone: [UInt8] = Array("someone".utf8)

  /// Begins without any credential.
  package init() {}

  /// Verifies a registration and remembers its credential.
  @discardableResult
  package mutating func register(_ inputs: CeremonyInputs) throws(WebAuthnError) -> VerifiedRegistration {
    let rp = try inputs.relyingParty()
    var options = RegistrationOptions()
    options.challenge = inputs.challenge
    options.userVerification = inputs.requiresUserVerification ? .required : .discouraged
    options.isConditional = inputs.isConditional
    options.algorithms = inputs.algorithms ?? SignatureAlgorithm.allCases
    options.attestationPolicy = inputs.attestationPolicy
    let now = inputs.time ?? Self.now
    let user = PasskeyUser(id: inputs.user ?? Self.someone, name: "someone", displayName: "Someone")
    let start = try rp.beginRegistration(user: user, options, at: now)
    let verified = try rp.finishRegistration(inputs.answer.span, state: start.state, trust: inputs.trust, at: now)
    credentials[verified.credential.id] = verified.credential
    return verified
  }

  /// Whether a credential is remembered.
  package func knows(_ id: [UInt8]?) -> Bool { id.map { credentials[$0] != nil } ?? false }

  /// Verifies a sign-in with a remembered credential, or with `stored`, and remembers the credential's new state.
  @discardableResult
  package mutating func signIn(
    _ inputs: CeremonyInputs, stored: StoredCredential?
  ) throws(WebAuthnError) -> VerifiedAuthentication {
    let rp = try inputs.relyingParty()
    let response = try AuthenticationResponse(json: inputs.answer.span)
    let user = response.userHandle ?? Self.someone
    let credential: RegisteredCredential
    if let known = credentials[response.credentialID], stored == nil {
      credential = known
    } else {
      let flags = response.authenticatorData.dropFirst(32).first ?? 0
      credential = try RegisteredCredential(
        vouchedFor: response.credentialID, user: user, rpId: rp.id.string, publicKey: stored?.publicKey ?? [],
        signCount: stored?.signCount ?? 0, uvInitialized: true,
        backupEligible: stored?.backupEligible ?? (flags & 0x08 != 0), backupState: false,
        aaguid: [UInt8](repeating: 0, count: 16))
    }
    var options = AuthenticationOptions()
    options.challenge = inputs.challenge
    options.userVerification = inputs.requiresUserVerification ? .required : .discouraged
    options.allowCredentials = inputs.allowedCredentials.map { CredentialDescriptor(id: $0) }
    options.extensions.appid = inputs.appid
    let isDiscoverable = stored == nil && options.allowCredentials.isEmpty
    let start = try rp.beginAuthentication(user: isDiscoverable ? nil : credential.user, options, at: Self.now)
    let verified = try rp.finishAuthentication(response, state: start.state, credential: credential, at: Self.now)
    credentials[credential.id] = verified.credential
    return verified
  }
}

/// A credential that a file states and no ceremony made.
package struct StoredCredential {
  /// A COSE_Key.
  var publicKey: [UInt8]
  var signCount: UInt32 = 0
  /// Nil: whatever the sign-in says.
  var backupEligible: Bool?
}

/// What a relying party puts into a ceremony, and what it gets.
package struct CeremonyInputs {
  package var rpId: UTF8Text
  package var origin: UTF8Text
  package var crossOrigin = CrossOriginUse.refused
  package var challenge: [UInt8]
  var requiresUserVerification: Bool
  var isConditional = false
  /// Nil: all that there are.
  var algorithms: [SignatureAlgorithm]?
  var user: [UInt8]?
  package var attestationPolicy = AttestationPolicy()
  /// Whom the relying party trusts to vouch for authenticators.
  package var trust = AttestationTrust.none
  /// When it is judged, if that matters.
  package var time: UnixTime?
  var allowedCredentials: [[UInt8]] = []
  /// The AppID that a sign-in may be under.
  var appid: UTF8Text?
  /// The client's answer.
  package var answer: [UInt8]

  func relyingParty() throws(WebAuthnError) -> RelyingParty {
    try RelyingParty(
      id: rpId.string, origins: [origin.string], crossOrigin: crossOrigin, allowInsecureOrigins: true)
  }
}
