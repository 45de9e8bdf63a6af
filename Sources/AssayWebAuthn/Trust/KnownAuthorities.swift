internal import AssayCodec
public import AssayCrypto

// Whom one may trust by name. Nothing here is trusted unless a relying party says so, and each maker may replace its
// certificates any day: what is here is as of 2026-11-30. Take the anchors from their makers to be up to date.

extension AttestationTrust.Authority {
  /// Apple, for `apple` statements: the root at www.apple.com/certificateauthority.
  public static let appleWebAuthn = AttestationTrust.Authority(
    name: "Apple WebAuthn", anchors: .known([AnchorCertificates.appleWebAuthnRootCA]), formats: ["apple"])

  /// Google, for `android-key` statements of secure hardware: the RSA roots and the P-384 root of 2025 that
  /// android.googleapis.com/attestation/root lists. The one that expired in May 2026 is left out.
  public static let googleHardwareAttestation = AttestationTrust.Authority(
    name: "Google hardware attestation",
    anchors: .known([
      AnchorCertificates.googleHardwareAttestationRoot2019, AnchorCertificates.googleHardwareAttestationRoot2021,
      AnchorCertificates.googleHardwareAttestationRoot2022, AnchorCertificates.googleKeyAttestationCA1,
    ]),
    formats: ["android-key"])

  /// Microsoft, for `tpm` statements: the root above the certificates that Windows has made for TPMs of any maker.
  public static let microsoftTPM = AttestationTrust.Authority(
    name: "Microsoft TPM", anchors: .known([AnchorCertificates.microsoftTPMRoot2014]), formats: ["tpm"])
}

extension TrustAnchors {
  /// GlobalSign's roots R3 and R46, above the certificates that sign FIDO's metadata (since August 2026 R46).
  public static let fidoMetadataService = known([
    AnchorCertificates.globalSignRootR3, AnchorCertificates.globalSignRootR46,
  ])

  /// The anchors in our own data. Should one not be readable, none is trusted.
  fileprivate static func known(_ certificates: [String]) -> TrustAnchors {
    let decoded = certificates.compactMap { try? Base64.decode(Array($0.utf8).span, .separators) }
    guard decoded.count == certificates.count, let anchors = try? TrustAnchors(certificates: decoded) else {
      return .none
    }
    return anchors
  }
}
