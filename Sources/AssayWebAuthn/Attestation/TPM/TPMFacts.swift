public import AssayCodec

/// What the certificate of a TPM's attestation key says of the TPM (WebAuthn L3, 8.3.1; TCG EK Credential Profile, 3.1.2).
///
/// It is worth as much as whoever made the certificate. The texts are the certificate's own, unchecked.
public struct TPMFacts: Hashable, Sendable {
  /// Who made it: `id:` and the four bytes of the TCG's vendor id in hexadecimal, such as `id:494E5443`.
  public let manufacturer: UTF8Text
  /// Which part it is, in its maker's words.
  public let model: UTF8Text
  /// The version of its firmware: `id:` and hexadecimal digits.
  public let version: UTF8Text
}
