public import AssayCodec

// What a page hands to the browser so that passkey providers know what the server knows (WebAuthn L3, 5.1.10): the
// argument of each method, as JSON.

extension RelyingParty {
  /// For `PublicKeyCredential.signalUnknownCredential`: the server does not have this credential.
  ///
  /// It is the one signal that needs no sign-in before. Providers may then hide or delete the credential.
  ///
  /// - Throws: `WebAuthnError` with `invalidOption`: an id not of 1 to 1023 bytes.
  public func unknownCredentialSignal(credentialID: [UInt8]) throws(WebAuthnError) -> JSONValue {
    guard CredentialDescriptor.canBeNamed([CredentialDescriptor(id: credentialID)]) else {
      throw WebAuthnError(.invalidOption, "credentialId")
    }
    return ["rpId": .string(id), "credentialId": .string(Base64URL.encode(credentialID.span))]
  }

  /// For `PublicKeyCredential.signalAllAcceptedCredentials`: the server has these credentials of the user, and no others.
  ///
  /// Only for the user who is signed in: it tells which credentials there are. Providers may hide or delete those that are
  /// missing, so the list must be complete.
  ///
  /// - Throws: `WebAuthnError` with `invalidOption`: a user handle not of 1 to 64 bytes, an id not of 1 to 1023 bytes, or
  ///   more ids than `CredentialDescriptor.maximumCount`.
  public func allAcceptedCredentialsSignal(
    user: [UInt8], credentialIDs: [[UInt8]]
  ) throws(WebAuthnError) -> JSONValue {
    guard CredentialDescriptor.canBeNamed(credentialIDs.map { CredentialDescriptor(id: $0) }) else {
      throw WebAuthnError(.invalidOption, "allAcceptedCredentialIds")
    }
    return [
      "rpId": .string(id), "userId": try Self.userID(user),
      "allAcceptedCredentialIds": .array(credentialIDs.map { .string(Base64URL.encode($0.span)) }),
    ]
  }

  /// For `PublicKeyCredential.signalCurrentUserDetails`: what the user is called now.
  ///
  /// Only for the user who is signed in.
  ///
  /// - Throws: `WebAuthnError` with `invalidOption`: a user handle not of 1 to 64 bytes.
  public func currentUserDetailsSignal(user: PasskeyUser) throws(WebAuthnError) -> JSONValue {
    [
      "rpId": .string(id), "userId": try Self.userID(user.id), "name": .string(user.name),
      "displayName": .string(user.displayName),
    ]
  }

  private static func userID(_ user: [UInt8]) throws(WebAuthnError) -> JSONValue {
    guard (1...PasskeyUser.maximumIDBytes).contains(user.count) else { throw WebAuthnError(.invalidOption, "userId") }
    return .string(Base64URL.encode(user.span))
  }
}
