public import AssayCodec

// authData = rpIdHash (32) flags (1) signCount (4) [attestedCredentialData if AT] [extensions if ED]   (WebAuthn L3, 6.1)
// attestedCredentialData = aaguid (16) credentialIdLength (2) credentialId credentialPublicKey         (WebAuthn L3, 6.5.1)
//
// The public key is one item of CTAP2 canonical CBOR, the extensions are one CBOR map; each ends where its item ends, never
// where the input does. Bytes left over are refused, and so is an empty credential id.

/// What an authenticator says, with its signature, about itself, the user and the credential (WebAuthn L3, 6.1).
public struct AuthenticatorData: Hashable, Sendable {
  /// The flags. Reserved bits may have any value.
  public struct Flags: Hashable, Sendable {
    /// All eight bits.
    public let rawValue: UInt8

    /// UP: the user was present.
    public var userPresent: Bool { rawValue & 0x01 != 0 }
    /// UV: the user was verified.
    public var userVerified: Bool { rawValue & 0x04 != 0 }
    /// BE: the credential may be backed up.
    public var backupEligible: Bool { rawValue & 0x08 != 0 }
    /// BS: the credential is backed up.
    public var backupState: Bool { rawValue & 0x10 != 0 }
    /// AT: attested credential data follows.
    public var attestedCredentialData: Bool { rawValue & 0x40 != 0 }
    /// ED: extension outputs follow.
    public var extensionData: Bool { rawValue & 0x80 != 0 }
  }

  /// SHA-256 of the relying party id the authenticator worked for.
  public let rpIdHash: [UInt8]
  /// The flags.
  public let flags: Flags
  /// The signature counter.
  public let signCount: UInt32
  /// The new credential, in a registration.
  public let attestedCredentialData: AttestedCredentialData?
  /// The authenticator extension outputs: a map, if there are any.
  public let extensions: CBORValue?
  /// The same as bytes, as they stood; empty if there are none.
  public let extensionBytes: [UInt8]

  /// Reads authenticator data, all of it.
  ///
  /// - Parameter allowsFirefox117Key: whether the public key may be written as Firefox 117 wrote Ed25519 keys; see
  ///   `AttestationPolicy.allowsFirefox117Key`.
  /// - Throws: `CodecError`, its field that of the specification and its offset that in `bytes`.
  public init(_ bytes: Span<UInt8>, allowsFirefox117Key: Bool = false) throws(CodecError) {
    do throws(CodecError) {
      self = try ByteReader.readAll(bytes, "authData") { (reader) throws(CodecError) in
        try AuthenticatorData(reader: &reader, allowsFirefox117Key)
      }
    } catch {
      guard Self.isWrapped(bytes) else { throw error }
      throw CodecError(.wrongType, "authData (wrapped in a CBOR byte string, as CTAP has it)", at: 0)
    }
  }

  /// Whether the bytes are one CBOR byte string, which is what CTAP hands over and WebAuthn does not.
  private static func isWrapped(_ bytes: Span<UInt8>) -> Bool {
    guard case .bytes? = try? CBORValue.decode(bytes, form: .wellFormed) else { return false }
    return true
  }

  private init(reader: inout ByteReader, _ allowsFirefox117Key: Bool) throws(CodecError) {
    rpIdHash = Array(copying: try reader.take(32, "rpIdHash"))
    flags = Flags(rawValue: try reader.byte("flags"))
    signCount = UInt32(truncatingIfNeeded: try reader.unsigned(bytes: 4, "signCount"))
    attestedCredentialData =
      flags.attestedCredentialData ? try AttestedCredentialData(reader: &reader, allowsFirefox117Key) : nil
    guard flags.extensionData else {
      extensions = nil
      extensionBytes = []
      return
    }
    // Real authenticators write extension maps that are not canonical; nothing depends on the form.
    let start = reader.offset
    let extensions = try CBORValue.decodeFirst(reader: &reader, form: .wellFormed, field: "extensions")
    guard extensions.map != nil else { throw CodecError(.wrongType, "extensions", at: start) }
    self.extensions = extensions
    extensionBytes = Array(copying: reader.bytesRead(since: start))
  }
}

/// A new credential, as its authenticator describes it (WebAuthn L3, 6.5.1).
public struct AttestedCredentialData: Hashable, Sendable {
  /// The authenticator's model, 16 bytes; all zero if it does not say.
  public let aaguid: [UInt8]
  /// The credential id.
  public let credentialId: [UInt8]
  /// The public key: the bytes of the COSE_Key, as they stood, unless it was repaired.
  public let credentialPublicKey: [UInt8]
  /// Whether the key was written as Firefox 117 wrote Ed25519 keys, and `credentialPublicKey` is what it means.
  public let isRepaired: Bool
  /// The public key, decoded.
  let coseKey: CBORValue

  /// The length of an AAGUID, in bytes.
  public static let aaguidBytes = 16
  /// The longest credential id that is registered, in bytes (WebAuthn L3, 7.1 step 25).
  public static let maximumCredentialIDBytes = 1023

  fileprivate init(reader: inout ByteReader, _ allowsFirefox117Key: Bool) throws(CodecError) {
    aaguid = Array(copying: try reader.take(Self.aaguidBytes, "aaguid"))
    let lengthOffset = reader.offset
    let length = Int(truncatingIfNeeded: try reader.unsigned(bytes: 2, "credentialIdLength"))
    guard length > 0 else { throw CodecError(.invalidLength, "credentialIdLength", at: lengthOffset) }
    credentialId = Array(copying: try reader.take(length, "credentialId"))
    let start = reader.offset
    if let repaired = Firefox117Key.read(&reader) {
      guard allowsFirefox117Key else {
        throw CodecError(
          .invalidValue, "credentialPublicKey (written as Firefox 117 did: see allowsFirefox117Key)", at: start)
      }
      coseKey = repaired
      credentialPublicKey = repaired.encoded()
      isRepaired = true
      return
    }
    isRepaired = false
    coseKey = try CBORValue.decodeFirst(reader: &reader, form: .ctap2Canonical, field: "credentialPublicKey")
    credentialPublicKey = Array(copying: reader.bytesRead(since: start))
  }
}
