public import AssayCodec

/// What a registration asks of extensions (WebAuthn L3, 10; CTAP 2.2, 12). Nothing is asked for unless it is set; clients
/// and authenticators ignore what they do not know.
public struct RegistrationExtensions: Hashable, Sendable {
  /// Whether to say if the credential can be found without its id (`credProps`, WebAuthn L3, 10.1.3).
  public var credProps = false
  /// Whether to set the credential up for pseudo-random values, and which to make at once (`prf`, WebAuthn L3, 10.1.4).
  public var prf: PRFInput?
  /// Whether the credential must be able to hold a large blob (`largeBlob`, WebAuthn L3, 10.1.5).
  public var largeBlob: LargeBlobSupport?
  /// A few bytes to keep with the credential; authenticators hold at least 32 (`credBlob`, CTAP 2.2, 12.2).
  public var credBlob: [UInt8]?
  /// When the authenticator is to let the credential be used (`credProtect`, CTAP 2.2, 12.1).
  public var credentialProtectionPolicy: CredentialProtection?
  /// Whether the registration is to fail where the authenticator cannot do that.
  public var enforceCredentialProtectionPolicy = false
  /// Whether to say how short PINs may be (`minPinLength`, CTAP 2.2, 12.5).
  public var minPinLength = false
  /// An AppID of U2F: an authenticator that has a credential of `excludeCredentials` under it makes no other (WebAuthn L3,
  /// 10.1.2). An `https` URL whose host is the relying party's id or below it.
  public var appidExclude: UTF8Text?
  /// Whether to say how the user was verified (`uvm`, WebAuthn L2, 10.3).
  public var uvm = false
  /// Whether the credential is to confirm payments, which other sites may then ask it to (`payment`, Secure Payment
  /// Confirmation, 5).
  public var isPayment = false
  /// For whom a remote desktop's client acts (`remoteDesktopClientOverride`).
  public var remoteDesktopClientOverride: RemoteDesktopClientOverride?
  /// Inputs of further extensions, passed on as they are. The members above come before those of the same name here.
  public var additional: JSONObject = [:]

  /// Nothing.
  public init() {}

  /// The inputs as JSON (WebAuthn L3, 5.1.10 `AuthenticationExtensionsClientInputsJSON`).
  func json(for rp: RelyingParty) throws(WebAuthnError) -> JSONObject {
    var json = additional
    if credProps { json["credProps"] = true }
    if let prf { json["prf"] = try prf.json(allowCredentials: []) }
    if let largeBlob { json["largeBlob"] = ["support": .string(largeBlob.word)] }
    if let credBlob { json["credBlob"] = .string(Base64URL.encode(credBlob.span)) }
    if let policy = credentialProtectionPolicy {
      json["credentialProtectionPolicy"] = .string(policy.word)
      json["enforceCredentialProtectionPolicy"] = .bool(enforceCredentialProtectionPolicy)
    } else if enforceCredentialProtectionPolicy {
      throw WebAuthnError(.invalidOption, "extensions.enforceCredentialProtectionPolicy")
    }
    if minPinLength { json["minPinLength"] = true }
    if let appidExclude {
      guard AppID.isValid(appidExclude, for: rp) else { throw WebAuthnError(.invalidOption, "extensions.appidExclude") }
      json["appidExclude"] = .string(appidExclude)
    }
    if uvm { json["uvm"] = true }
    if isPayment { json["payment"] = ["isPayment": true] }
    if let override = remoteDesktopClientOverride { json["remoteDesktopClientOverride"] = override.json }
    return json
  }
}

/// Whether a credential must be able to hold a large blob (WebAuthn L3, 10.1.5).
public enum LargeBlobSupport: Hashable, Sendable, CaseIterable {
  /// The registration fails without it.
  case required
  /// It should.
  case preferred
}

/// For whom a remote desktop's client runs a ceremony: the origin inside the remote session.
public struct RemoteDesktopClientOverride: Hashable, Sendable {
  /// The origin of the page.
  public var origin: UTF8Text
  /// Whether the page is in no frame of another origin.
  public var sameOriginWithAncestors: Bool

  /// Names a page.
  public init(origin: String, sameOriginWithAncestors: Bool) {
    self.origin = UTF8Text(origin)
    self.sameOriginWithAncestors = sameOriginWithAncestors
  }

  var json: JSONValue { ["origin": .string(origin), "sameOriginWithAncestors": .bool(sameOriginWithAncestors)] }
}

extension LargeBlobSupport: SpecificationWord {
  var word: UTF8Text {
    switch self {
    case .required: "required"
    case .preferred: "preferred"
    }
  }
}

extension CredentialProtection: SpecificationWord {
  var word: UTF8Text {
    switch self {
    case .userVerificationOptional: "userVerificationOptional"
    case .userVerificationOptionalWithCredentialIDList: "userVerificationOptionalWithCredentialIDList"
    case .userVerificationRequired: "userVerificationRequired"
    }
  }
}
