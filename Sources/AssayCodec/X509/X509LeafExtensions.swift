// What certificates say of themselves in the extensions of RFC 5280, 4.2.1. Each is read when it is asked for: one that nobody
// asks for cannot make a certificate unreadable.
//
//   SubjectAltName   ::= SEQUENCE OF [0]... [2] dNSName IA5String, ... [6] URI IA5String ...
//   BasicConstraints ::= SEQUENCE { cA BOOLEAN DEFAULT FALSE, pathLenConstraint INTEGER OPTIONAL }
//   KeyUsage         ::= BIT STRING { digitalSignature (0), ... }
//   ExtKeyUsageSyntax ::= SEQUENCE OF OBJECT IDENTIFIER

extension X509Certificate {
  /// The contents of the OBJECT IDENTIFIERs that are looked for.
  private enum Name {
    static let keyUsage: [UInt8] = [0x55, 0x1D, 0x0F]  // 2.5.29.15
    static let subjectAltName: [UInt8] = [0x55, 0x1D, 0x11]  // 2.5.29.17
    static let basicConstraints: [UInt8] = [0x55, 0x1D, 0x13]  // 2.5.29.19
    static let extKeyUsage: [UInt8] = [0x55, 0x1D, 0x25]  // 2.5.29.37
    static let commonName: [UInt8] = [0x55, 0x04, 0x03]  // 2.5.4.3
  }

  /// The purpose that stands for every purpose: anyExtendedKeyUsage, 2.5.29.37.0.
  package static let anyPurpose: [UInt8] = [0x55, 0x1D, 0x25, 0x00]

  /// Names of the subject that are text in ASCII (RFC 5280, 4.2.1.6).
  package struct AlternativeNames: Hashable, Sendable {
    /// Host names, as they stood.
    package fileprivate(set) var dnsNames: [UTF8Text] = []
    /// URIs, as they stood.
    package fileprivate(set) var uris: [UTF8Text] = []
  }

  /// The names in subjectAltName; none without it.
  package func alternativeNames() throws(CodecError) -> AlternativeNames {
    let field: Field = "subjectAltName"
    return try read(Name.subjectAltName, field) { (reader) throws(CodecError) in
      try reader.readDER(.sequence, field) { (reader) throws(CodecError) in
        var names = AlternativeNames()
        while reader.remaining > 0 {
          let tag = reader.next
          let value = try reader.takeAnyDER(field)
          guard tag == 0x82 || tag == 0x86 else { continue }
          for index in value.indices where value[index] >= 0x80 {
            throw CodecError(.invalidCharacter, field, at: reader.offset - value.count + index)
          }
          guard let name = UTF8Text(validating: value) else { continue }
          if tag == 0x82 { names.dnsNames.append(name) } else { names.uris.append(name) }
        }
        return names
      }
    } ?? AlternativeNames()
  }

  /// Whether a dNSName is this host's, the case of ASCII letters aside: a pattern names no host here, and a common name is
  /// none (RFC 9525, 6.3).
  package func isIssued(toHost host: UTF8Text) throws(CodecError) -> Bool {
    try alternativeNames().dnsNames.contains { $0.equalsIgnoringCase(host) }
  }

  /// The subject's common name, if it has exactly one.
  package var commonName: UTF8Text? {
    let names = subject.filter { $0.type == Name.commonName }
    return names.count == 1 ? names[0].text : nil
  }

  /// Whether the certificate may sign others (RFC 5280, 4.2.1.9).
  package func isAuthority() throws(CodecError) -> Bool {
    let field: Field = "basicConstraints"
    return try read(Name.basicConstraints, field) { (reader) throws(CodecError) in
      try reader.readDER(.sequence, field) { (reader) throws(CodecError) in
        let isCA = reader.isNext(.boolean) ? try reader.booleanDER("cA") : false
        if reader.isNext(.integer) { _ = try reader.unsignedDER("pathLenConstraint") }
        return isCA
      }
    } ?? false
  }

  /// The extension by which the key is not one for signing data: an authority's, whose part it is to issue, or one with other
  /// uses. Nil if there is none.
  package func extensionAgainstSigning() throws(CodecError) -> Field? {
    if try isAuthority() { return "basicConstraints" }
    return try allowsDigitalSignature() == false ? "keyUsage" : nil
  }

  /// Whether the key may make signatures other than of certificates (RFC 5280, 4.2.1.3); nil if the certificate does not say.
  package func allowsDigitalSignature() throws(CodecError) -> Bool? {
    try read(Name.keyUsage, "keyUsage") { (reader) throws(CodecError) in
      // A first byte that counts the unused bits, then bits from the highest on.
      let bits = try reader.takeDER(.bitString, "keyUsage")
      guard bits.count >= 2, bits[0] <= 7 else { throw reader.fault(.invalidLength, "keyUsage") }
      return bits[1] & 0x80 != 0
    }
  }

  /// The purposes in extKeyUsage, each the contents of its OBJECT IDENTIFIER (RFC 5280, 4.2.1.12); nil without it.
  package func purposes() throws(CodecError) -> [[UInt8]]? {
    let field: Field = "extKeyUsage"
    return try read(Name.extKeyUsage, field) { (reader) throws(CodecError) in
      try reader.readDER(.sequence, field) { (reader) throws(CodecError) in
        var purposes: [[UInt8]] = []
        repeat { purposes.append(Array(copying: try reader.objectIdentifierDER(field))) } while reader.remaining > 0
        return purposes
      }
    }
  }

  /// Reads the value of an extension, all of it; nil if it is not there.
  private func read<T>(
    _ identifier: [UInt8], _ field: Field, _ body: (inout ByteReader) throws(CodecError) -> T
  ) throws(CodecError) -> T? {
    guard let `extension` = `extension`(identifier) else { return nil }
    return try ByteReader.readAll(`extension`.value.span, field, body)
  }
}
