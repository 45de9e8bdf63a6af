public import AssayCodec

/// A credential record (WebAuthn L3, 4 "credential record"): what the server keeps of a credential.
///
/// A finished registration makes one and a finished sign-in makes the next version of it. Keep it under its `id`, which
/// must be unique among all users (WebAuthn L3, 7.1 step 26), together with its account.
public struct RegisteredCredential: Hashable, Sendable {
  /// The credential id.
  public let id: [UInt8]
  /// The user handle of the account it belongs to.
  public let user: [UInt8]
  /// The relying party it was made for.
  public let rpId: UTF8Text
  /// The credential public key, a COSE_Key, byte for byte as the authenticator wrote it.
  public let publicKey: [UInt8]
  /// The signature counter as last seen; 0 where the authenticator counts nothing.
  public internal(set) var signCount: UInt32
  /// Whether the user was verified when it was registered.
  public let uvInitialized: Bool
  /// How the client may reach the authenticator, in the client's words.
  public let transports: [UTF8Text]
  /// Whether the credential may be copied to other devices. It should never change; see `BackupEligibilityPolicy`.
  public internal(set) var backupEligible: Bool
  /// Whether it was backed up when last seen.
  public internal(set) var backupState: Bool
  /// The authenticator's model, 16 bytes; all zero if it does not say. Without attestation nothing vouches for it.
  public let aaguid: [UInt8]

  private static let kind: UTF8Text = "webauthn credential"
  private static let version: UInt64 = 1

  init(
    id: [UInt8], user: [UInt8], rpId: UTF8Text, publicKey: [UInt8], signCount: UInt32, uvInitialized: Bool,
    transports: [UTF8Text], backupEligible: Bool, backupState: Bool, aaguid: [UInt8]
  ) {
    self.id = id
    self.user = user
    self.rpId = rpId
    self.publicKey = publicKey
    self.signCount = signCount
    self.uvInitialized = uvInitialized
    self.transports = transports
    self.backupEligible = backupEligible
    self.backupState = backupState
    self.aaguid = aaguid
  }

  /// Takes over a credential that other software has verified and stored.
  ///
  /// It proves nothing: whoever calls this vouches for every value. Only that the public key is usable is checked.
  ///
  /// - Throws: `WebAuthnError` with `algorithmNotSupported`, `invalidPublicKey`, `backupStateInconsistent`,
  ///   `invalidRelyingPartyID`, or `invalidOption` for an `id`, `user` or `aaguid` of a length it cannot have.
  public init(
    vouchedFor id: [UInt8], user: [UInt8], rpId: String, publicKey: [UInt8], signCount: UInt32, uvInitialized: Bool,
    transports: [UTF8Text] = [], backupEligible: Bool, backupState: Bool, aaguid: [UInt8]
  ) throws(WebAuthnError) {
    guard (1...AttestedCredentialData.maximumCredentialIDBytes).contains(id.count) else {
      throw WebAuthnError(.invalidOption, "id")
    }
    guard (1...PasskeyUser.maximumIDBytes).contains(user.count) else { throw WebAuthnError(.invalidOption, "user") }
    guard aaguid.count == AttestedCredentialData.aaguidBytes else { throw WebAuthnError(.invalidOption, "aaguid") }
    guard backupEligible || !backupState else { throw WebAuthnError(.backupStateInconsistent, "backupState") }
    guard Origin.isDomain(Array(rpId.utf8)[...]) else { throw WebAuthnError(.invalidRelyingPartyID, "rpId") }
    _ = try CredentialPublicKey.verificationKey(decoding: publicKey.span)
    self.init(
      id: id, user: user, rpId: UTF8Text(rpId), publicKey: publicKey, signCount: signCount,
      uvInitialized: uvInitialized, transports: transports, backupEligible: backupEligible, backupState: backupState,
      aaguid: aaguid)
  }

  /// Reads a record that `encoded` wrote.
  ///
  /// - Throws: `WebAuthnError` with `malformedRecord`, `unknownRecordVersion` or `wrongRecord`.
  public init(decoding bytes: Span<UInt8>) throws(WebAuthnError) {
    var record = try RecordReader(bytes, kind: Self.kind, version: Self.version)
    id = try record.bytes("id")
    user = try record.bytes("user")
    rpId = try record.text("rpId")
    publicKey = try record.bytes("publicKey")
    signCount = try RecordReader.valid(UInt32(exactly: record.integer("signCount")), "signCount")
    uvInitialized = try record.bool("uvInitialized")
    transports = try record.list("transports", of: \.text)
    backupEligible = try record.bool("backupEligible")
    backupState = try record.bool("backupState")
    aaguid = try record.bytes("aaguid")
    try record.end()
  }

  /// The record as bytes to store.
  public func encoded() -> [UInt8] {
    var record = RecordWriter(kind: Self.kind, version: Self.version)
    record.put("id", .bytes(id))
    record.put("user", .bytes(user))
    record.put("rpId", .text(rpId))
    record.put("publicKey", .bytes(publicKey))
    record.put("signCount", .unsigned(UInt64(signCount)))
    record.put("uvInitialized", .bool(uvInitialized))
    record.put("transports", texts: transports)
    record.put("backupEligible", .bool(backupEligible))
    record.put("backupState", .bool(backupState))
    record.put("aaguid", .bytes(aaguid))
    return record.encoded()
  }

  /// The credential as options name it: to allow it in a sign-in, or to exclude it from a registration.
  public var descriptor: CredentialDescriptor { CredentialDescriptor(id: id, transports: transports) }
}
