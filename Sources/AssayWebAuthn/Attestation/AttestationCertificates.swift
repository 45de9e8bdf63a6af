internal import AssayCodec
internal import AssayCrypto

/// The certificates of an attestation statement, `x5c`: the attestation certificate first. Nothing here says whether they
/// are to be trusted.
struct AttestationCertificates {
  /// The attestation certificate.
  let leaf: X509Certificate
  /// All of them, in DER.
  let trustPath: [[UInt8]]
  let step: CeremonyStep?

  /// The most certificates in a statement.
  static let maximumCount = 8

  init(x5c: CBORValue, of statement: AttestationStatement) throws(WebAuthnError) {
    try self.init(x5c: x5c, at: statement.step)
  }

  /// - Parameter step: where the ceremony stands, if there is one.
  init(x5c: CBORValue, at step: CeremonyStep?) throws(WebAuthnError) {
    let malformed = WebAuthnError(.malformedAttestationStatement, "x5c", at: step)
    guard let elements = x5c.array, (1...Self.maximumCount).contains(elements.count) else { throw malformed }
    let certificates = elements.compactMap(\.bytes)
    guard certificates.count == elements.count, let first = certificates.first,
      certificates.allSatisfy({ (1...X509Certificate.maximumBytes).contains($0.count) })
    else { throw malformed }
    do throws(CodecError) {
      leaf = try X509Certificate(first.span)
    } catch {
      throw WebAuthnError(.malformedAttestationStatement, "x5c", at: step, .encoding(error))
    }
    trustPath = certificates
    self.step = step
  }

  /// The attestation certificate's public key.
  func publicKey() throws(WebAuthnError) -> PublicKeyNumbers {
    do throws(KeyError) {
      return try leaf.publicKey()
    } catch {
      throw WebAuthnError(.attestationCertificateNotAllowed, "subjectPublicKeyInfo", at: step, .key(error))
    }
  }

  /// That key, to verify what it signed in one way.
  func key(for scheme: SignatureScheme) throws(WebAuthnError) -> SchemeKey {
    do throws(KeyError) {
      return try SchemeKey(leaf.publicKey(), scheme)
    } catch {
      throw WebAuthnError(.attestationCertificateNotAllowed, "subjectPublicKeyInfo", at: step, .key(error))
    }
  }

  /// The requirements of the packed format (WebAuthn L3, 8.2.1), and its rule for the AAGUID (8.2 step 2).
  ///
  /// Of the country only the form is checked: ISO 3166 changes, and the published test vectors use a code that it leaves
  /// to its users. A name's text may be a PrintableString where the specification says UTF8String: both write the same
  /// bytes.
  func requirePacked(aaguid: [UInt8]) throws(WebAuthnError) {
    guard leaf.version == 3 else { throw refused("version") }
    let subject = leaf.subject
    let country = try only(CertificateIdentifier.country, in: subject, "Subject-C")
    guard country.utf8.count == 2, country.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
    else { throw refused("Subject-C") }
    guard try !only(CertificateIdentifier.organization, in: subject, "Subject-O").isEmpty else {
      throw refused("Subject-O")
    }
    guard try only(CertificateIdentifier.organizationalUnit, in: subject, "Subject-OU") == "Authenticator Attestation"
    else {
      throw refused("Subject-OU")
    }
    guard try !only(CertificateIdentifier.commonName, in: subject, "Subject-CN").isEmpty else {
      throw refused("Subject-CN")
    }
    guard try isCA() == false else { throw refused("Basic Constraints") }
    try requireAAGUID(aaguid)
  }

  /// That the certificate names no AAGUID, or this one (WebAuthn L3, 8.2 step 2, 8.3 step 4), in an extension that is not
  /// critical (8.2.1).
  func requireAAGUID(_ aaguid: [UInt8]) throws(WebAuthnError) {
    guard let `extension` = leaf.extension(CertificateIdentifier.aaguid) else { return }
    guard !`extension`.isCritical, try self.aaguid() == aaguid else { throw refused("id-fido-gen-ce-aaguid") }
  }

  /// The AAGUID the certificate names: 16 bytes in an OCTET STRING, which stands in that of the extension.
  func aaguid() throws(WebAuthnError) -> [UInt8]? {
    guard let `extension` = leaf.extension(CertificateIdentifier.aaguid) else { return nil }
    let value = try reading(`extension`.value, "id-fido-gen-ce-aaguid") { (reader) throws(CodecError) in
      Array(copying: try reader.takeDER(.octetString, "id-fido-gen-ce-aaguid"))
    }
    guard value.count == AttestedCredentialData.aaguidBytes else { throw refused("id-fido-gen-ce-aaguid") }
    return value
  }

  /// Whether the certificate may sign others: `cA` of Basic Constraints (RFC 5280, 4.2.1.9); nil if it does not say.
  func isCA() throws(WebAuthnError) -> Bool? {
    guard let `extension` = leaf.extension(CertificateIdentifier.basicConstraints) else { return nil }
    return try reading(`extension`.value, "Basic Constraints") { (reader) throws(CodecError) in
      try reader.readDER(.sequence, "Basic Constraints") { (reader) throws(CodecError) in
        let isCA = reader.isNext(.boolean) ? try reader.booleanDER("cA") : false
        if reader.isNext(.integer) { _ = try reader.unsignedDER("pathLenConstraint") }
        return isCA
      }
    }
  }

  /// The text of the one attribute of its type in a name.
  func only(
    _ type: [UInt8], in name: [X509Certificate.Attribute], _ field: Field
  ) throws(WebAuthnError) -> UTF8Text {
    let matches = name.filter { $0.type == type }
    guard matches.count == 1, let text = matches.first?.text else { throw refused(field) }
    return text
  }

  /// Reads the value of an extension, all of it.
  func reading<T>(
    _ bytes: [UInt8], _ field: Field, _ body: (inout ByteReader) throws(CodecError) -> T
  ) throws(WebAuthnError) -> T {
    do throws(CodecError) {
      return try ByteReader.readAll(bytes.span, field, body)
    } catch {
      throw WebAuthnError(.attestationCertificateNotAllowed, error.field, at: step, .encoding(error))
    }
  }

  /// The error for a certificate that its format does not allow.
  func refused(_ field: Field) -> WebAuthnError {
    WebAuthnError(.attestationCertificateNotAllowed, field, at: step)
  }
}

/// The contents of the OBJECT IDENTIFIERs that are looked for.
enum CertificateIdentifier {
  static let commonName: [UInt8] = [0x55, 0x04, 0x03]  // 2.5.4.3
  static let country: [UInt8] = [0x55, 0x04, 0x06]  // 2.5.4.6
  static let organization: [UInt8] = [0x55, 0x04, 0x0A]  // 2.5.4.10
  static let organizationalUnit: [UInt8] = [0x55, 0x04, 0x0B]  // 2.5.4.11
  static let subjectAltName: [UInt8] = [0x55, 0x1D, 0x11]  // 2.5.29.17
  static let basicConstraints: [UInt8] = [0x55, 0x1D, 0x13]  // 2.5.29.19
  /// id-fido-gen-ce-aaguid, 1.3.6.1.4.1.45724.1.1.4.
  static let aaguid: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0x82, 0xE5, 0x1C, 0x01, 0x01, 0x04]
}
