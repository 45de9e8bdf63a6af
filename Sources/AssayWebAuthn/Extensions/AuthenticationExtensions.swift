public import AssayCodec

/// What a sign-in asks of extensions (WebAuthn L3, 10; CTAP 2.2, 12). Nothing is asked for unless it is set; clients and
/// authenticators ignore what they do not know.
public struct AuthenticationExtensions: Hashable, Sendable {
  /// What to do with the credential's large blob (WebAuthn L3, 10.1.5).
  public enum LargeBlob: Hashable, Sendable {
    /// Read it.
    case read
    /// Put these bytes in its place; `allowCredentials` must name the one credential.
    case write([UInt8])
  }

  /// The AppID under which credentials were registered with U2F, before WebAuthn (`appid`, WebAuthn L3, 10.1.1). An `https`
  /// URL whose host is the relying party's id or below it. If the client says that it was used, the authenticator data must
  /// be for it, and not for the relying party's id.
  public var appid: UTF8Text?
  /// Which pseudo-random values to make (`prf`, WebAuthn L3, 10.1.4).
  public var prf: PRFInput?
  /// What to do with the credential's large blob (`largeBlob`, WebAuthn L3, 10.1.5).
  public var largeBlob: LargeBlob?
  /// Whether to say which bytes are kept with the credential (`getCredBlob`, CTAP 2.2, 12.2).
  public var getCredBlob = false
  /// Whether to say how the user was verified (`uvm`, WebAuthn L2, 10.3).
  public var uvm = false
  /// For whom a remote desktop's client acts (`remoteDesktopClientOverride`).
  public var remoteDesktopClientOverride: RemoteDesktopClientOverride?
  /// Inputs of further extensions, passed on as they are. The members above come before those of the same name here.
  public var additional: JSONObject = [:]

  /// Nothing.
  public init() {}

  /// The inputs as JSON (WebAuthn L3, 5.1.10 `AuthenticationExtensionsClientInputsJSON`).
  func json(for rp: RelyingParty, allowCredentials: [CredentialDescriptor]) throws(WebAuthnError) -> JSONObject {
    var json = additional
    if let appid {
      guard AppID.isValid(appid, for: rp) else { throw WebAuthnError(.invalidOption, "extensions.appid") }
      json["appid"] = .string(appid)
    }
    if let prf { json["prf"] = try prf.json(allowCredentials: allowCredentials) }
    switch largeBlob {
    case .read?: json["largeBlob"] = ["read": true]
    case .write(let bytes)?:
      // A client refuses to write where it cannot know to which credential.
      guard allowCredentials.count == 1 else { throw WebAuthnError(.invalidOption, "extensions.largeBlob.write") }
      json["largeBlob"] = ["write": .string(Base64URL.encode(bytes.span))]
    case nil: break
    }
    if getCredBlob { json["getCredBlob"] = true }
    if uvm { json["uvm"] = true }
    if let override = remoteDesktopClientOverride { json["remoteDesktopClientOverride"] = override.json }
    return json
  }
}
