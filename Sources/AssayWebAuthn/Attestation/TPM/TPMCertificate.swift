internal import AssayCodec

extension AttestationCertificates {
  /// The requirements of the TPM format (WebAuthn L3, 8.3.1), and its rule for the AAGUID (8.3). Returns what the
  /// certificate says of the TPM: whose it is, anyone may say, so no list of makers is kept.
  func requireTPM(aaguid: [UInt8]) throws(WebAuthnError) -> TPMFacts {
    guard leaf.version == 3 else { throw refused("version") }
    guard leaf.subject.isEmpty else { throw refused("Subject") }
    let facts = try tpmFacts()
    guard try keyPurposes().contains(CertificateIdentifier.aikCertificate) else {
      throw refused("Extended Key Usage")
    }
    guard try isCA() == false else { throw refused("Basic Constraints") }
    try requireAAGUID(aaguid)
    return facts
  }

  /// The Subject Alternative Name (TCG EK Credential Profile, 3.2.9): a directory name with each attribute once, in one
  /// relative distinguished name or several. It stands for the subject, so it must be critical (RFC 5280, 4.2.1.6).
  private func tpmFacts() throws(WebAuthnError) -> TPMFacts {
    let field: Field = "Subject Alternative Name"
    guard let `extension` = leaf.extension(CertificateIdentifier.subjectAltName), `extension`.isCritical else {
      throw refused(field)
    }
    let attributes = try reading(`extension`.value, field) { (reader) throws(CodecError) in
      try reader.readDER(.sequence, field) { (reader) throws(CodecError) in
        var attributes: [X509Certificate.Attribute] = []
        while reader.remaining > 0 {
          if reader.isNext(.context4) {
            attributes += try reader.readDER(.context4, field) { (reader) throws(CodecError) in
              try X509Certificate.name(&reader, field)
            }
          } else {
            _ = try reader.takeAnyDER(field)
          }
        }
        return attributes
      }
    }
    return TPMFacts(
      manufacturer: try only(CertificateIdentifier.tpmManufacturer, in: attributes, "tcg-at-tpmManufacturer"),
      model: try only(CertificateIdentifier.tpmModel, in: attributes, "tcg-at-tpmModel"),
      version: try only(CertificateIdentifier.tpmVersion, in: attributes, "tcg-at-tpmVersion"))
  }

  /// What the key is for (RFC 5280, 4.2.1.12); nothing if the certificate does not say.
  private func keyPurposes() throws(WebAuthnError) -> [[UInt8]] {
    guard let `extension` = leaf.extension(CertificateIdentifier.extendedKeyUsage) else { return [] }
    return try reading(`extension`.value, "Extended Key Usage") { (reader) throws(CodecError) in
      try reader.readDER(.sequence, "Extended Key Usage") { (reader) throws(CodecError) in
        var purposes: [[UInt8]] = []
        while reader.remaining > 0 {
          purposes.append(Array(copying: try reader.objectIdentifierDER("Extended Key Usage")))
        }
        return purposes
      }
    }
  }
}

extension CertificateIdentifier {
  fileprivate static let extendedKeyUsage: [UInt8] = [0x55, 0x1D, 0x25]  // 2.5.29.37
  fileprivate static let tpmManufacturer: [UInt8] = [0x67, 0x81, 0x05, 0x02, 0x01]  // 2.23.133.2.1
  fileprivate static let tpmModel: [UInt8] = [0x67, 0x81, 0x05, 0x02, 0x02]  // 2.23.133.2.2
  fileprivate static let tpmVersion: [UInt8] = [0x67, 0x81, 0x05, 0x02, 0x03]  // 2.23.133.2.3
  /// tcg-kp-AIKCertificate, 2.23.133.8.3.
  fileprivate static let aikCertificate: [UInt8] = [0x67, 0x81, 0x05, 0x08, 0x03]
}
