public import AssayCodec

// What `credential.toJSON()` gives in the browser (WebAuthn L3, 5.1 "RegistrationResponseJSON", "AuthenticationResponseJSON").
// Unknown members are ignored. Known ones must have their type; those that repeat what the attestation object says
// (`publicKey`, `authenticatorData` and others) are not looked at beyond that. An optional member may be null.
//
// Binary members are base64url without padding, as browsers write them. Where an app's own code does otherwise, the caller
// may allow that by name (`ResponseTolerances`); ids are compared as bytes in any case.

/// The client's answer to a registration. Nothing in it is verified.
public struct RegistrationResponse: Hashable, Sendable {
  /// The credential id.
  public let credentialID: [UInt8]
  /// The client data, byte for byte as it was hashed.
  public let clientDataJSON: [UInt8]
  /// The attestation object.
  public let attestationObject: [UInt8]
  /// How the authenticator may be reached, in the client's words.
  public let transports: [UTF8Text]
  /// Which kind of authenticator it is, in the client's words; nil if it does not say, or says what is not known here.
  public let authenticatorAttachment: AuthenticatorAttachment?
  /// What the client says about extensions. No signature covers it.
  public let clientExtensionResults: JSONObject

  /// Reads a `RegistrationResponseJSON`.
  ///
  /// - Parameter tolerances: what is taken although browsers do not write it.
  /// - Throws: `WebAuthnError` with `malformedResponse`.
  public init(json: Span<UInt8>, _ tolerances: ResponseTolerances = []) throws(WebAuthnError) {
    let reader = try ResponseReader(json, tolerances, at: CeremonyStep(.registration, 3))
    credentialID = try reader.credentialID()
    clientDataJSON = try reader.bytes("clientDataJSON")
    attestationObject = try reader.bytes("attestationObject")
    transports = try reader.transports()
    authenticatorAttachment = try reader.authenticatorAttachment()
    clientExtensionResults = try reader.clientExtensionResults()
    try reader.checkText("authenticatorData")
    try reader.checkText("publicKey")
    try reader.checkNumber("publicKeyAlgorithm")
  }
}

/// The client's answer to a sign-in. Nothing in it is verified.
public struct AuthenticationResponse: Hashable, Sendable {
  /// The credential id: with it the stored credential is looked up.
  public let credentialID: [UInt8]
  /// The client data, byte for byte as it was hashed.
  public let clientDataJSON: [UInt8]
  /// The authenticator data, byte for byte as it was signed.
  public let authenticatorData: [UInt8]
  /// The signature.
  public let signature: [UInt8]
  /// The user handle, if the authenticator gave one. Some clients write `""` where it gave none.
  public let userHandle: [UInt8]?
  /// Which kind of authenticator it is, in the client's words; nil if it does not say, or says what is not known here.
  public let authenticatorAttachment: AuthenticatorAttachment?
  /// What the client says about extensions. No signature covers it.
  public let clientExtensionResults: JSONObject

  /// Reads an `AuthenticationResponseJSON`.
  ///
  /// - Parameter tolerances: what is taken although browsers do not write it.
  /// - Throws: `WebAuthnError` with `malformedResponse`.
  public init(json: Span<UInt8>, _ tolerances: ResponseTolerances = []) throws(WebAuthnError) {
    let reader = try ResponseReader(json, tolerances, at: CeremonyStep(.authentication, 3))
    credentialID = try reader.credentialID()
    clientDataJSON = try reader.bytes("clientDataJSON")
    authenticatorData = try reader.bytes("authenticatorData")
    signature = try reader.bytes("signature")
    userHandle = try reader.userHandle()
    authenticatorAttachment = try reader.authenticatorAttachment()
    clientExtensionResults = try reader.clientExtensionResults()
  }
}

/// The longest answer of a client that is read, in bytes.
private let maximumResponseBytes = 1 << 18
/// The most transports, and the longest name of one in bytes: they are stored, so a client must not make them large.
private let maximumTransports = 16
private let maximumTransportBytes = 32

/// Reads what both answers have in common.
private struct ResponseReader {
  private let credential: JSONObject
  private let response: JSONObject
  private let tolerances: ResponseTolerances
  private let step: CeremonyStep

  init(_ json: Span<UInt8>, _ tolerances: ResponseTolerances, at step: CeremonyStep) throws(WebAuthnError) {
    self.tolerances = tolerances
    self.step = step
    (credential, response) = try Self.reporting(step) { () throws(CodecError) in
      let value = try JSONValue.decode(json, limits: JSONLimits(maximumBytes: maximumResponseBytes))
      guard let credential = value.object else { throw CodecError(.wrongType, "credential", at: 0) }
      guard try credential.required("type", \.string) == "public-key" else {
        throw CodecError(.invalidValue, "type", at: 0)
      }
      return (credential, try credential.required("response", \.object))
    }
  }

  /// The credential id: `rawId`, which `id` must repeat.
  func credentialID() throws(WebAuthnError) -> [UInt8] {
    let rawId = try bytes("rawId", of: credential)
    let id = try bytes("id", of: credential)
    guard publicBytesEqual(rawId.span, id.span) else { throw WebAuthnError(.credentialIDMismatch, "id", at: step) }
    return rawId
  }

  func bytes(_ field: Field) throws(WebAuthnError) -> [UInt8] {
    try bytes(field, of: response)
  }

  /// The user handle: `""` and null are none.
  func userHandle() throws(WebAuthnError) -> [UInt8]? {
    switch response["userHandle"] {
    case nil, .null?: return nil
    case .string(let text)? where text.isEmpty: return nil
    case .string(let text)? where tolerances.contains(.userHandleAsText): return text.utf8
    default: return try bytes("userHandle")
    }
  }

  func transports() throws(WebAuthnError) -> [UTF8Text] {
    try Self.reporting(step) { () throws(CodecError) in
      if case .null? = response["transports"] { return [] }
      let values = try response.optional("transports", \.array) ?? []
      let texts = values.compactMap(\.string)
      guard texts.count == values.count else { throw CodecError(.wrongType, "transports", at: 0) }
      guard texts.count <= maximumTransports, texts.allSatisfy({ $0.utf8.count <= maximumTransportBytes }) else {
        throw CodecError(.tooLarge, "transports", at: 0)
      }
      return texts
    }
  }

  func clientExtensionResults() throws(WebAuthnError) -> JSONObject {
    try optional("clientExtensionResults", of: credential, \.object) ?? [:]
  }

  func authenticatorAttachment() throws(WebAuthnError) -> AuthenticatorAttachment? {
    try optional("authenticatorAttachment", of: credential, \.string).flatMap { AuthenticatorAttachment(word: $0) }
  }

  /// Makes sure that a member which is not used has its type, if it is there.
  func checkText(_ field: Field) throws(WebAuthnError) { _ = try optional(field, of: response, \.string) }

  func checkNumber(_ field: Field) throws(WebAuthnError) { _ = try optional(field, of: response, \.number) }

  private func optional<T>(
    _ field: Field, of object: JSONObject, _ read: (JSONValue) -> T?
  ) throws(WebAuthnError) -> T? {
    if case .null? = object[field.text] { return nil }
    return try Self.reporting(step) { () throws(CodecError) in try object.optional(field, read) }
  }

  private func bytes(_ field: Field, of object: JSONObject) throws(WebAuthnError) -> [UInt8] {
    try Self.reporting(step) { () throws(CodecError) in
      let text = try object.required(field, \.string)
      let bytes = try Base64URL.decode(text.utf8.span, tolerances.radixLeniency, field: field)
      guard !bytes.isEmpty else { throw CodecError(.invalidLength, field, at: 0) }
      return bytes
    }
  }

  private static func reporting<T>(
    _ step: CeremonyStep, _ body: () throws(CodecError) -> T
  ) throws(WebAuthnError) -> T {
    do throws(CodecError) {
      return try body()
    } catch {
      throw WebAuthnError(.malformedResponse, error.field, at: step, .encoding(error))
    }
  }
}
