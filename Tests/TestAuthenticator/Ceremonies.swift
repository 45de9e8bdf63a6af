import AssayCodec
package import AssayCrypto
package import AssayWebAuthn

/// A record that came back from its bytes as another.
package struct RecordChanged: Error {}

/// A registration with the test authenticator, valid unless a test changes one part.
package struct RegistrationCeremony: Sendable {
  package var answer = RegistrationAnswer()
  package var options = RegistrationOptions()
  package var crossOrigin = CrossOriginUse.refused
  /// Who is trusted when it finishes.
  package var trust = AttestationTrust.none

  package init() {}

  /// A valid registration of a credential for `algorithm`, vouched for in this way.
  package init(_ attestation: TestAttestation, _ algorithm: SignatureAlgorithm) {
    answer.parts.algorithm = algorithm
    options.algorithms = SignatureAlgorithm.allCases
    attestation.prepare(&self)
  }

  /// Begins the ceremony and keeps its state as a server does: as bytes.
  package func begin() throws -> (rp: RelyingParty, state: RegistrationState) {
    var options = options
    options.challenge = TestAuthenticator.challenge
    let rp = try TestAuthenticator.relyingParty(crossOrigin: crossOrigin)
    let user = PasskeyUser(id: TestAuthenticator.user, name: "alice@example.com", displayName: "Alice")
    let start = try rp.beginRegistration(user: user, options, at: TestAuthenticator.now)
    let record = start.state.encoded()
    let state = try RegistrationState(decoding: record.span)
    guard state == start.state else { throw RecordChanged() }
    return (rp, state)
  }

  package func finish() throws -> VerifiedRegistration {
    let (rp, state) = try begin()
    let json = try answer.json()
    return try rp.finishRegistration(json.span, state: state, trust: trust, at: TestAuthenticator.now)
  }
}

/// A sign-in with the test authenticator, valid unless a test changes one part.
package struct AuthenticationCeremony: Sendable {
  package var answer = SignInAnswer()
  package var options = AuthenticationOptions()
  package var crossOrigin = CrossOriginUse.refused
  /// For whom it is begun.
  package var user: [UInt8]? = TestAuthenticator.user
  /// The stored record.
  package var storedID = TestAuthenticator.credentialID
  package var storedUser = TestAuthenticator.user
  package var storedRpId = TestAuthenticator.rpId
  package var storedSignCount: UInt32 = 6
  package var storedBackupEligible = false
  package var storedBackupState = false
  package var storedKey: SignatureAlgorithm?

  package init() {}

  /// A valid sign-in with a credential for `algorithm`.
  package init(_ algorithm: SignatureAlgorithm) { answer.parts.algorithm = algorithm }

  package func stored() throws -> RegisteredCredential {
    let key = try TestAuthenticator.coseKey(storedKey ?? answer.parts.algorithm).encoded()
    return try RegisteredCredential(
      vouchedFor: storedID, user: storedUser, rpId: storedRpId, publicKey: key, signCount: storedSignCount,
      uvInitialized: true, backupEligible: storedBackupEligible, backupState: storedBackupState,
      aaguid: [UInt8](repeating: 0, count: 16))
  }

  /// Begins the ceremony and keeps its state as a server does: as bytes.
  package func begin() throws -> (rp: RelyingParty, state: AuthenticationState) {
    var options = options
    options.challenge = TestAuthenticator.challenge
    let rp = try TestAuthenticator.relyingParty(crossOrigin: crossOrigin)
    let start = try rp.beginAuthentication(user: user, options, at: TestAuthenticator.now)
    let record = start.state.encoded()
    let state = try AuthenticationState(decoding: record.span)
    guard state == start.state else { throw RecordChanged() }
    return (rp, state)
  }

  package func finish() throws -> VerifiedAuthentication { try finish(with: stored()) }

  /// With this record instead of the one that is described here.
  package func finish(with stored: RegisteredCredential) throws -> VerifiedAuthentication {
    let (rp, state) = try begin()
    let bytes = stored.encoded()
    let credential = try RegisteredCredential(decoding: bytes.span)
    guard credential == stored else { throw RecordChanged() }
    let json = try answer.json()
    return try rp.finishAuthentication(json.span, state: state, credential: credential, at: TestAuthenticator.now)
  }
}
