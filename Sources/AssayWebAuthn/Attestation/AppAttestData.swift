internal import AssayCodec

// rpIdHash (32) flags (1) signCount (4) [ aaguid (16) credentialIdLength (2) credentialId … ]
//
// The flags say nothing that can be relied on: assertions have AT set and no credential, and devices write extensions with
// ED clear. So they are not looked at, and neither is what follows the credential id, which the nonce covers. The reader of
// WebAuthn's authenticator data stays as strict as it is.

/// The authenticator data of App Attest, as far as it counts.
struct AppAttestData {
  let rpIdHash: [UInt8]
  let signCount: UInt32
  /// In an attestation; empty otherwise.
  let aaguid: [UInt8]
  /// In an attestation; empty otherwise.
  let credentialId: [UInt8]

  /// The longest, in bytes.
  static let maximumBytes = 1 << 14

  /// - Parameter hasAttestedData: whether it is that of an attestation, and not of an assertion.
  init(_ bytes: [UInt8], hasAttestedData: Bool) throws(WebAuthnError) {
    do throws(CodecError) {
      guard bytes.count <= Self.maximumBytes else { throw CodecError(.tooLarge, "authenticatorData", at: 0) }
      self = try ByteReader.readAll(bytes.span, "authenticatorData") { (reader) throws(CodecError) in
        let data = try AppAttestData(reader: &reader, hasAttestedData: hasAttestedData)
        try reader.skipRest("authenticatorData")
        return data
      }
    } catch {
      throw WebAuthnError(.malformedAuthenticatorData, error.field, at: nil, .encoding(error))
    }
  }

  private init(reader: inout ByteReader, hasAttestedData: Bool) throws(CodecError) {
    rpIdHash = Array(copying: try reader.take(32, "rpIdHash"))
    _ = try reader.byte("flags")
    signCount = UInt32(truncatingIfNeeded: try reader.unsigned(bytes: 4, "signCount"))
    guard hasAttestedData else {
      (aaguid, credentialId) = ([], [])
      return
    }
    aaguid = Array(copying: try reader.take(AttestedCredentialData.aaguidBytes, "aaguid"))
    let length = Int(truncatingIfNeeded: try reader.unsigned(bytes: 2, "credentialIdLength"))
    credentialId = Array(copying: try reader.take(length, "credentialId"))
  }
}
