public import AssayCodec
public import AssayCrypto

/// An app of Apple's platforms whose instances prove by App Attest that they are genuine (Apple, "Validating apps that
/// connect to your server"). It resembles WebAuthn and is not: nothing that this reads is accepted as a passkey.
public struct AppAttest: Hashable, Sendable {
  /// In which of Apple's environments keys are made.
  public enum Environment: Hashable, Sendable, CaseIterable {
    /// Apps from the App Store and TestFlight.
    case production
    /// Apps under development.
    case development
  }

  /// The App ID: team identifier, a dot, bundle identifier.
  public let appID: UTF8Text
  /// In which of Apple's environments keys are made; those of the other are refused.
  public let environment: Environment

  /// The longest App ID, in bytes.
  public static let maximumAppIDBytes = 255

  /// Names an app.
  ///
  /// - Parameter appID: the team identifier, which has ten letters and digits, a dot, and the bundle identifier.
  /// - Throws: `WebAuthnError` with `invalidOption`.
  public init(appID: String, environment: Environment = .production) throws(WebAuthnError) {
    let text = UTF8Text(appID)
    guard Self.isAppID(text.utf8) else { throw WebAuthnError(.invalidOption, "appID") }
    self.appID = text
    self.environment = environment
  }

  private static func isAppID(_ text: [UInt8]) -> Bool {
    let labels = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    func isAlphanumeric(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        true
      default: false
      }
    }
    guard text.count <= maximumAppIDBytes, labels.count >= 2, let team = labels.first, team.count == 10 else {
      return false
    }
    return team.allSatisfy(isAlphanumeric)
      && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") } }
  }

  /// Verifies what `attestKey` of `DCAppAttestService` returned to the app.
  ///
  /// A return proves that the key was made by an instance of this app on a genuine device of Apple's, for this
  /// `clientDataHash`, as far as the anchors are Apple's. That the challenge behind the hash was given out by the server,
  /// lately and only once, is the caller's to see to. The steps are Apple's, in their order; the first that fails is the
  /// error.
  ///
  /// - Parameters:
  ///   - attestationObject: the CBOR object.
  ///   - clientDataHash: the 32 bytes that the app gave to `attestKey`: the SHA-256 of the server's challenge.
  ///   - keyId: the key identifier, decoded from base64: 32 bytes.
  ///   - anchors: Apple's "App Attestation Root CA".
  ///   - now: the time at which the certificates must be valid.
  /// - Throws: `WebAuthnError`, without a step.
  public func verifyAttestation(
    _ attestationObject: Span<UInt8>, clientDataHash: [UInt8], keyId: [UInt8], anchors: TrustAnchors, at now: UnixTime
  ) throws(WebAuthnError) -> VerifiedAppAttestation {
    try Self.requireHash(clientDataHash, "clientDataHash")
    try Self.requireHash(keyId, "keyId")
    let object: AttestationObject
    do throws(CodecError) {
      object = try AttestationObject(attestationObject)
    } catch {
      throw WebAuthnError(.malformedAttestationObject, error.field, at: nil, .encoding(error))
    }
    guard object.fmt == "apple-appattest" else { throw WebAuthnError(.attestationFormatNotSupported, "fmt") }
    guard let x5c = object.attStmt["x5c"], let receipt = object.attStmt["receipt"]?.bytes else {
      throw WebAuthnError(.malformedAttestationStatement, "attStmt")
    }
    let authData = try AppAttestData(object.authData, hasAttestedData: true)
    // 1. The certificates are valid, from credCert on, to Apple's root.
    let certificates = try AttestationCertificates(x5c: x5c, at: nil)
    let path: ValidatedPath
    do throws(CertificatePathError) {
      path = try CertificatePath(certificates: certificates.trustPath).validated(to: anchors, at: now)
    } catch {
      throw WebAuthnError(.attestationNotTrusted, "x5c", at: nil, .certificatePath(error))
    }
    // 2, 3. Let nonce be the SHA-256 of authenticator data and clientDataHash.
    let nonce = try SHA256.hash((object.authData + clientDataHash).span)
    // 4. It is the octet string in credCert's extension 1.2.840.113635.100.8.2.
    guard try certificates.appleNonce() == nonce else { throw WebAuthnError(.attestationMismatch, "nonce") }
    // 5. The SHA-256 of credCert's public key, as an uncompressed point, is the key identifier.
    guard case .ec(.p256, let x, let y) = try certificates.publicKey() else {
      throw certificates.refused("subjectPublicKeyInfo")
    }
    let publicKey = [0x04] + x + y
    guard try SHA256.hash(publicKey.span) == keyId else {
      throw WebAuthnError(.attestationMismatch, "subjectPublicKeyInfo")
    }
    // 6. The RP ID hash is the SHA-256 of the App ID.
    try requireAppID(authData)
    // 7. The counter is 0.
    guard authData.signCount == 0 else { throw WebAuthnError(.malformedAuthenticatorData, "signCount") }
    // 8. The AAGUID is the environment's.
    guard authData.aaguid == environment.aaguid else { throw WebAuthnError(.wrongEnvironment, "aaguid") }
    // 9. The credential id is the key identifier.
    guard authData.credentialId == keyId else { throw WebAuthnError(.credentialIDMismatch, "credentialId") }
    let key = AppAttestKey(id: keyId, appID: appID, environment: environment, publicKey: publicKey, signCount: 0)
    return VerifiedAppAttestation(key: key, receipt: receipt, path: path)
  }

  /// Verifies what `generateAssertion` of `DCAppAttestService` returned to the app.
  ///
  /// A return proves that the app instance that holds `key` made the assertion for this `clientDataHash`, and after every
  /// other whose counter was stored. What the request says, and that its challenge was given out by the server, is the
  /// caller's to see to.
  ///
  /// - Parameters:
  ///   - assertion: the CBOR object.
  ///   - clientDataHash: the 32 bytes that the app gave to `generateAssertion`: the SHA-256 of the request.
  ///   - key: the stored key.
  /// - Returns: the key with its new counter: store it in place of the other.
  /// - Throws: `WebAuthnError`, without a step.
  public func verifyAssertion(
    _ assertion: Span<UInt8>, clientDataHash: [UInt8], key: AppAttestKey
  ) throws(WebAuthnError) -> AppAttestKey {
    try Self.requireHash(clientDataHash, "clientDataHash")
    guard key.appID == appID else { throw WebAuthnError(.wrongRelyingParty, "key.appID") }
    guard key.environment == environment else { throw WebAuthnError(.wrongEnvironment, "key.environment") }
    let object: CBORValue
    do throws(CodecError) {
      object = try CBORValue.decode(assertion, form: .wellFormed, field: "assertion")
    } catch {
      throw WebAuthnError(.malformedResponse, "assertion", at: nil, .encoding(error))
    }
    guard let signature = object["signature"]?.bytes else { throw WebAuthnError(.malformedResponse, "signature") }
    guard let bytes = object["authenticatorData"]?.bytes else {
      throw WebAuthnError(.malformedResponse, "authenticatorData")
    }
    let authData = try AppAttestData(bytes, hasAttestedData: false)
    // 1, 2. Let nonce be the SHA-256 of authenticator data and clientDataHash.
    let nonce = try SHA256.hash((bytes + clientDataHash).span)
    // 3. The signature is the key's, over nonce: ECDSA hashes it once more.
    guard try key.verificationKey().isValid(signature.span, for: nonce.span, ecdsa: .der) else {
      throw WebAuthnError(.signatureInvalid, "signature")
    }
    // 4. The RP ID hash is the SHA-256 of the App ID.
    try requireAppID(authData)
    // 5. The counter is greater than that of the assertion before, or than 0.
    guard authData.signCount > key.signCount else { throw WebAuthnError(.signCountNotIncreased, "signCount") }
    // 6. The challenge in the client data is the caller's to compare.
    return AppAttestKey(
      id: key.id, appID: appID, environment: environment, publicKey: key.publicKey, signCount: authData.signCount)
  }

  private func requireAppID(_ authData: AppAttestData) throws(WebAuthnError) {
    guard authData.rpIdHash == (try SHA256.hash(appID.utf8.span)) else {
      throw WebAuthnError(.rpIdHashMismatch, "rpIdHash")
    }
  }

  private static func requireHash(_ bytes: [UInt8], _ field: Field) throws(WebAuthnError) {
    guard bytes.count == Digest.sha256.byteCount else { throw WebAuthnError(.invalidOption, field) }
  }
}

/// An attestation of App Attest that was verified. Only `verifyAttestation` makes one.
public struct VerifiedAppAttestation: Sendable {
  /// The key to store.
  public let key: AppAttestKey
  /// The receipt, with which a server asks Apple for a measure of fraud. Nobody has looked at it.
  public let receipt: [UInt8]
  /// The certificates, from that of the key to the anchor.
  public let path: ValidatedPath
}

extension AppAttest.Environment {
  /// What stands in place of an authenticator's model.
  var aaguid: [UInt8] {
    switch self {
    case .production: Array("appattest".utf8) + [UInt8](repeating: 0, count: 7)
    case .development: Array("appattestdevelop".utf8)
    }
  }
}

extension AppAttest.Environment: SpecificationWord {
  var word: UTF8Text {
    switch self {
    case .production: "production"
    case .development: "development"
    }
  }
}
