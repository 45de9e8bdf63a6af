public import AssayCodec
internal import AssayCrypto

/// What names a model of authenticators in metadata (FIDO Metadata Service, 3.1.1).
public enum MetadataIdentifier: Hashable, Sendable {
  /// The AAGUID of a FIDO2 authenticator: 16 bytes.
  case aaguid([UInt8])
  /// The AAID of a UAF authenticator, such as `1234#ABCD`.
  case aaid(UTF8Text)
  /// The key identifier of the attestation certificate of a U2F authenticator: 20 bytes.
  case keyIdentifier([UInt8])

  /// Reads an identifier as people and metadata write it: a UUID, also without its
  /// hyphens, an AAID, or 40 hexadecimal digits; nil for other texts.
  public init?(_ text: UTF8Text) {
    if let aaguid = Self.aaguid(text) {
      self = .aaguid(aaguid)
    } else if let aaid = Self.aaid(text) {
      self = .aaid(aaid)
    } else if let keyIdentifier = Self.keyIdentifier(text) {
      self = .keyIdentifier(keyIdentifier)
    } else {
      return nil
    }
  }

  /// The identifier of an attestation certificate's key: SHA-1 over the bits of its subjectPublicKey (RFC 5280, 4.2.1.2,
  /// method 1). SHA-1 only names the key here: what is found by it still has to vouch for the certificate.
  ///
  /// - Throws: `MetadataError`: `malformed` if the certificate cannot be read.
  public init(ofAttestationCertificate der: Span<UInt8>) throws(MetadataError) {
    let key: [UInt8]
    do throws(CodecError) {
      key = try X509Certificate(der).subjectPublicKey()
    } catch {
      throw MetadataError(.malformed(error), "attestationCertificateKeyIdentifiers")
    }
    do throws(CryptoError) {
      self = .keyIdentifier(try Digest.sha1.hash(key.span))
    } catch {
      throw MetadataError(.unavailable, "attestationCertificateKeyIdentifiers")
    }
  }

  /// The bytes of an AAGUID as metadata has it: a UUID, or its 32 digits alone, which mean nothing else.
  static func aaguid(_ text: UTF8Text) -> [UInt8]? {
    guard text.utf8.count == 32 else { return aaguid(uuid: text) }
    return try? Base16.decode(text.utf8.span, .anyCase)
  }

  /// The bytes of a UUID (RFC 9562, 4): hexadecimal digits of either case in five groups.
  static func aaguid(uuid text: UTF8Text) -> [UInt8]? {
    let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard groups.map(\.count) == [8, 4, 4, 4, 12] else { return nil }
    return try? Base16.decode(Array(groups.joined()).span, .anyCase)
  }

  /// Four hexadecimal digits for the vendor, `#`, four for the model (FIDO UAF Protocol, 3.1.4).
  static func aaid(_ text: UTF8Text) -> UTF8Text? {
    let parts = text.utf8.split(separator: UInt8(ascii: "#"), omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 4], (try? Base16.decode(Array(parts.joined()).span, .anyCase)) != nil else {
      return nil
    }
    let upper = text.utf8.map { (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) ? $0 & 0xDF : $0 }
    return UTF8Text(validating: upper.span)
  }

  static func keyIdentifier(_ text: UTF8Text) -> [UInt8]? {
    guard text.utf8.count == 40 else { return nil }
    return try? Base16.decode(text.utf8.span, .anyCase)
  }

  /// What it is found by. The three kinds have different lengths, so none can pass for another.
  var key: [UInt8] {
    switch self {
    case .aaguid(let aaguid): aaguid
    case .aaid(let aaid): aaid.utf8
    case .keyIdentifier(let identifier): identifier
    }
  }

  /// The identifier as metadata writes it.
  public var text: UTF8Text {
    switch self {
    case .aaid(let aaid): return aaid
    case .keyIdentifier(let identifier): return Base16.encode(identifier.span)
    case .aaguid(let aaguid):
      var text: [UInt8] = []
      for (index, byte) in aaguid.enumerated() {
        if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
        text += Base16.encode([byte].span).utf8
      }
      return UTF8Text(validating: text.span) ?? ""
    }
  }
}

extension X509Certificate {
  /// The bits of the subject's public key.
  fileprivate func subjectPublicKey() throws(CodecError) -> [UInt8] {
    try ByteReader.readAll(subjectPublicKeyInfo.span, "subjectPublicKeyInfo") { (reader) throws(CodecError) in
      try reader.readDER(.sequence, "subjectPublicKeyInfo") { (reader) throws(CodecError) in
        _ = try reader.takeDER(.sequence, "algorithm")
        return Array(copying: try reader.bitStringDER("subjectPublicKey"))
      }
    }
  }
}
