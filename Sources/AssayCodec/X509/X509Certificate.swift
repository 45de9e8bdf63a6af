// An X.509 certificate (RFC 5280, 4.1) in DER, as far as its fields are needed:
//
//   Certificate    ::= SEQUENCE { tbsCertificate, signatureAlgorithm SEQUENCE, signatureValue BIT STRING }
//   TBSCertificate ::= SEQUENCE { version [0] DEFAULT v1, serialNumber INTEGER, signature SEQUENCE, issuer Name,
//                                 validity SEQUENCE, subject Name, subjectPublicKeyInfo SEQUENCE,
//                                 issuerUniqueID [1] OPTIONAL, subjectUniqueID [2] OPTIONAL, extensions [3] OPTIONAL }
//   Name           ::= SEQUENCE OF SET OF SEQUENCE { type OBJECT IDENTIFIER, value ANY }
//   Extension      ::= SEQUENCE { extnID OBJECT IDENTIFIER, critical BOOLEAN DEFAULT FALSE, extnValue OCTET STRING }
//
// Refused: bytes after the certificate, an extension that is there twice, more bytes, attributes or extensions than the
// limits. What stands inside an extension is not looked at here, so that one nobody asks for cannot make a certificate
// unreadable; deployed certificates hold malformed ones.

/// The fields of an X.509 certificate (RFC 5280, 4.1).
///
/// Reading one proves nothing: not who signed it, nor that it is valid, nor that its key is usable.
public struct X509Certificate: Hashable, Sendable {
  /// One part of a name, such as an organisation.
  public struct Attribute: Hashable, Sendable {
    /// The contents of the OBJECT IDENTIFIER of its type (X.690, 8.19).
    public let type: [UInt8]
    /// The value, if it is a UTF8String or a PrintableString.
    public let text: UTF8Text?
  }

  /// One extension (RFC 5280, 4.2).
  public struct Extension: Hashable, Sendable {
    /// The contents of the OBJECT IDENTIFIER that names it (X.690, 8.19).
    public let identifier: [UInt8]
    /// Whether whoever does not know it must refuse the certificate.
    public let isCritical: Bool
    /// What its OCTET STRING holds.
    public let value: [UInt8]
  }

  /// The certificate, as it stood.
  public let encoded: [UInt8]
  /// The version, 1 to 3.
  public let version: Int
  /// The contents of the serial number's INTEGER.
  public let serialNumber: [UInt8]
  /// The issuer's name, as it stood: a whole DER element.
  public let issuerName: [UInt8]
  /// The contents of the validity, and where they begin.
  let validityContents: [UInt8]
  let validityOffset: Int
  /// The parts of the subject's name, in order.
  public let subject: [Attribute]
  /// The SubjectPublicKeyInfo, as it stood.
  public let subjectPublicKeyInfo: [UInt8]
  /// Where that begins.
  let subjectPublicKeyInfoOffset: Int
  /// The extensions, in order, none twice.
  public let extensions: [Extension]

  /// The largest certificate read, in bytes.
  public static let maximumBytes = 1 << 14
  /// The most attributes in a name.
  public static let maximumAttributes = 32
  /// The most extensions.
  public static let maximumExtensions = 32

  /// Reads a DER certificate, all of it.
  ///
  /// - Throws: `CodecError`, its field that of RFC 5280.
  public init(_ der: Span<UInt8>) throws(CodecError) {
    guard der.count <= Self.maximumBytes else { throw CodecError(.tooLarge, "Certificate", at: 0) }
    let fields = try ByteReader.readAll(der, "Certificate") { (reader) throws(CodecError) in
      try reader.readDER(.sequence, "Certificate") { (reader) throws(CodecError) in
        let fields = try reader.readDER(.sequence, "tbsCertificate") { (reader) throws(CodecError) in
          try Fields(reader: &reader)
        }
        _ = try reader.takeDER(.sequence, "signatureAlgorithm")
        _ = try reader.bitStringDER("signatureValue")
        return fields
      }
    }
    encoded = Array(copying: der)
    version = fields.version
    serialNumber = fields.serialNumber
    issuerName = fields.issuerName
    validityContents = fields.validityContents
    validityOffset = fields.validityOffset
    subject = fields.subject
    subjectPublicKeyInfo = fields.subjectPublicKeyInfo
    subjectPublicKeyInfoOffset = fields.subjectPublicKeyInfoOffset
    extensions = fields.extensions
  }

  /// The subject's public key.
  public func publicKey() throws(KeyError) -> PublicKeyNumbers {
    try PublicKeyNumbers(spki: subjectPublicKeyInfo.span)
  }

  /// Reads a Name (RFC 5280, 4.1.2.4), such as one inside an extension: its parts in order.
  package static func name(_ reader: inout ByteReader, _ field: Field) throws(CodecError) -> [Attribute] {
    try Fields.name(&reader, field)
  }

  /// The extension of this name, if it is there.
  public func `extension`(_ identifier: [UInt8]) -> Extension? { extensions.first { $0.identifier == identifier } }
}

/// What is read of a TBSCertificate.
private struct Fields {
  let version: Int
  let serialNumber: [UInt8]
  let issuerName: [UInt8]
  let validityContents: [UInt8]
  let validityOffset: Int
  let subject: [X509Certificate.Attribute]
  let subjectPublicKeyInfo: [UInt8]
  let subjectPublicKeyInfoOffset: Int
  let extensions: [X509Certificate.Extension]

  init(reader: inout ByteReader) throws(CodecError) {
    version = reader.isNext(.context0) ? try Self.version(&reader) : 1
    serialNumber = Array(copying: try reader.takeDER(.integer, "serialNumber"))
    _ = try reader.takeDER(.sequence, "signature")
    let issuerOffset = reader.offset
    _ = try reader.takeDER(.sequence, "issuer")
    issuerName = Array(copying: reader.bytesRead(since: issuerOffset))
    validityContents = Array(copying: try reader.takeDER(.sequence, "validity"))
    validityOffset = reader.offset - validityContents.count
    subject = try Self.name(&reader, "subject")
    subjectPublicKeyInfoOffset = reader.offset
    _ = try reader.takeDER(.sequence, "subjectPublicKeyInfo")
    subjectPublicKeyInfo = Array(copying: reader.bytesRead(since: subjectPublicKeyInfoOffset))
    if reader.isNext(.context1String) { _ = try reader.takeDER(.context1String, "issuerUniqueID") }
    if reader.isNext(.context2String) { _ = try reader.takeDER(.context2String, "subjectUniqueID") }
    extensions = reader.isNext(.context3) ? try Self.extensions(&reader) : []
  }

  private static func version(_ reader: inout ByteReader) throws(CodecError) -> Int {
    try reader.readDER(.context0, "version") { (reader) throws(CodecError) in
      let number = try reader.smallDER("version")
      guard number <= 2 else { throw reader.fault(.invalidValue, "version") }
      return Int(number) + 1
    }
  }

  fileprivate static func name(
    _ reader: inout ByteReader, _ field: Field
  ) throws(CodecError) -> [X509Certificate.Attribute] {
    try reader.readDER(.sequence, field) { (reader) throws(CodecError) in
      var attributes: [X509Certificate.Attribute] = []
      while reader.remaining > 0 {
        try reader.readDER(.set, field) { (reader) throws(CodecError) in
          // RFC 5280, 4.1.2.4: a SET of at least one.
          repeat {
            guard attributes.count < X509Certificate.maximumAttributes else { throw reader.fault(.tooLarge, field) }
            attributes.append(try attribute(&reader, field))
          } while reader.remaining > 0
        }
      }
      return attributes
    }
  }

  private static func attribute(
    _ reader: inout ByteReader, _ field: Field
  ) throws(CodecError) -> X509Certificate.Attribute {
    try reader.readDER(.sequence, field) { (reader) throws(CodecError) in
      let type = Array(copying: try reader.objectIdentifierDER(field))
      let tag = reader.next
      let value = try reader.takeAnyDER(field)
      let start = reader.offset - value.count
      switch tag {
      case DERTag.utf8String.rawValue:
        guard let text = UTF8Text(validating: value) else { throw CodecError(.invalidUTF8, field, at: start) }
        return X509Certificate.Attribute(type: type, text: text)
      case DERTag.printableString.rawValue:
        for index in value.indices where value[index] >= 0x80 {
          throw CodecError(.invalidCharacter, field, at: start + index)
        }
        return X509Certificate.Attribute(type: type, text: UTF8Text(validating: value))
      default: return X509Certificate.Attribute(type: type, text: nil)
      }
    }
  }

  private static func extensions(_ reader: inout ByteReader) throws(CodecError) -> [X509Certificate.Extension] {
    try reader.readDER(.context3, "extensions") { (reader) throws(CodecError) in
      try reader.readDER(.sequence, "extensions") { (reader) throws(CodecError) in
        var extensions: [X509Certificate.Extension] = []
        repeat {
          let start = reader.offset
          guard extensions.count < X509Certificate.maximumExtensions else {
            throw reader.fault(.tooLarge, "extensions")
          }
          let next = try `extension`(&reader)
          // RFC 5280, 4.2: a certificate must not include one twice.
          guard !extensions.contains(where: { $0.identifier == next.identifier }) else {
            throw CodecError(.duplicateKey, "extensions", at: start)
          }
          extensions.append(next)
        } while reader.remaining > 0
        return extensions
      }
    }
  }

  private static func `extension`(_ reader: inout ByteReader) throws(CodecError) -> X509Certificate.Extension {
    try reader.readDER(.sequence, "extension") { (reader) throws(CodecError) in
      let identifier = Array(copying: try reader.objectIdentifierDER("extnID"))
      let isCritical = reader.isNext(.boolean) ? try reader.booleanDER("critical") : false
      let value = Array(copying: try reader.takeDER(.octetString, "extnValue"))
      return X509Certificate.Extension(identifier: identifier, isCritical: isCritical, value: value)
    }
  }
}
