// The public key of an X.509 certificate (RFC 5280, 4.1):
//
//   Certificate    ::= SEQUENCE { tbsCertificate, signatureAlgorithm AlgorithmIdentifier, signatureValue BIT STRING }
//   TBSCertificate ::= SEQUENCE { version [0] OPTIONAL, serialNumber INTEGER, signature AlgorithmIdentifier, issuer Name,
//                                 validity SEQUENCE, subject Name, subjectPublicKeyInfo, … }
//
// What stands beside the key is passed over unread. Nothing is proved by it here: not who signed it, nor that it is valid.

extension PublicKeyContents {
  /// Reads the key of a DER certificate; bytes after it are an error.
  init(certificate: Span<UInt8>) throws(KeyError) {
    let (spki, start) = try KeyError.reading(certificate, "Certificate") { reader throws(CodecError) in
      try reader.readDER(.sequence, "Certificate") { reader throws(CodecError) in
        let key = try reader.readDER(.sequence, "tbsCertificate") { reader throws(CodecError) in
          if reader.isNext(.context0) { _ = try reader.takeDER(.context0, "version") }
          _ = try reader.takeDER(.integer, "serialNumber")
          _ = try reader.takeDER(.sequence, "signature")
          _ = try reader.takeDER(.sequence, "issuer")
          _ = try reader.takeDER(.sequence, "validity")
          _ = try reader.takeDER(.sequence, "subject")
          let start = reader.offset
          _ = try reader.takeDER(.sequence, "subjectPublicKeyInfo")
          let spki = Array(copying: reader.bytesRead(since: start))
          try reader.skipRest("extensions")
          return (spki, start)
        }
        _ = try reader.takeDER(.sequence, "signatureAlgorithm")
        _ = try reader.bitStringDER("signatureValue")
        return key
      }
    }
    try self.init(spki: spki.span, base: start)
  }
}
