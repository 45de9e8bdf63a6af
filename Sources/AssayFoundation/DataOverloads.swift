public import AssayCodec
public import AssayJOSE
public import AssayWebAuthn

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// For the calls to which a server hands a request's body; for all others there is `Data.span`.

extension JWTVerifier {
  /// Verifies a compact token at a moment.
  public func verify(_ token: Data, at now: UnixTime = .now()) throws(JWTError) -> VerifiedJWT {
    try verify([UInt8](token), at: now)
  }
}

extension JWKSet {
  /// Reads the JSON text of a set.
  public init(json: Data) throws(JWKSetError) {
    let bytes = [UInt8](json)
    try self.init(json: bytes.span)
  }
}

extension RelyingParty {
  /// Finishes a registration with what the browser sent.
  public func finishRegistration(
    _ response: Data, state: RegistrationState, trust: AttestationTrust = .none, at now: UnixTime
  ) throws(WebAuthnError) -> VerifiedRegistration {
    let bytes = [UInt8](response)
    return try finishRegistration(bytes.span, state: state, trust: trust, at: now)
  }

  /// Finishes a sign-in with what the browser sent.
  public func finishAuthentication(
    _ response: Data, state: AuthenticationState, credential: RegisteredCredential, at now: UnixTime
  ) throws(WebAuthnError) -> VerifiedAuthentication {
    let bytes = [UInt8](response)
    return try finishAuthentication(bytes.span, state: state, credential: credential, at: now)
  }
}
