public import AssayCodec
internal import AssayCrypto

/// What a relying party stores of the certificate that vouched for a credential: enough to know it again when its model
/// is found broken, its maker revokes it, or an audit asks.
///
/// The certificate itself says all this, and until the attestation is trusted it may be anyone's invention.
public struct AttestationCertificateFacts: Hashable, Sendable {
  /// SHA-256 of the certificate in DER: what certificate tools call its fingerprint.
  public let sha256: [UInt8]
  /// The serial number, under which its issuer's revocation lists name it: the contents of its INTEGER.
  public let serialNumber: [UInt8]
  /// From when to when it is valid; nil if its dates cannot be read, in which case nobody can trust it.
  public let validity: X509Certificate.Validity?
  /// The key identifier by which metadata lists the certificates of U2F authenticators: SHA-1 over the bits of its public
  /// key (RFC 5280, 4.2.1.2, method 1).
  public let subjectKeyIdentifier: [UInt8]
  /// The AAGUID that the certificate names, if it does (WebAuthn L3, 8.2.1).
  public let aaguid: [UInt8]?

  init(of certificates: AttestationCertificates) throws(WebAuthnError) {
    let leaf = certificates.leaf
    sha256 = try SHA256.hash(leaf.encoded.span)
    serialNumber = leaf.serialNumber
    validity = try? leaf.validity()
    do throws(MetadataError) {
      subjectKeyIdentifier = try MetadataIdentifier(ofAttestationCertificate: leaf.encoded.span).key
    } catch {
      throw certificates.refused("subjectPublicKeyInfo")
    }
    aaguid = try? certificates.aaguid()
  }
}
