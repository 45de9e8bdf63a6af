/// Which of the formats a DER SEQUENCE is, told by the tags of its first elements.
enum DERKeyKind {
  case spki
  case pkcs8
  case encryptedPKCS8
  case sec1
  case pkcs1Public
  case pkcs1Private
  case certificate

  init(of der: Span<UInt8>) throws(KeyError) {
    let found = try KeyError.reading(der, "DER of the key") { reader throws(CodecError) in
      try reader.readDER(.sequence, "DER of the key") { reader throws(CodecError) in
        let found = try Self.look(&reader)
        try reader.skipRest("DER of the key")
        return found
      }
    }
    self = try found.get()
  }

  private static func look(_ reader: inout ByteReader) throws(CodecError) -> Result<DERKeyKind, KeyError> {
    switch reader.next {
    case DERTag.sequence.rawValue:
      let start = reader.offset
      let first = try reader.takeDER(.sequence, "DER of the key")
      switch reader.next {
      case DERTag.bitString.rawValue: return .success(.spki)
      case DERTag.octetString.rawValue: return .success(.encryptedPKCS8)  // RFC 5958, 3
      case DERTag.sequence.rawValue:
        return try ByteReader.readAll(first, "DER of the key", base: start) { reader throws(CodecError) in
          let found = try Self.lookIntoSigned(&reader)
          try reader.skipRest("DER of the key")
          return found
        }
      default: throw reader.fault(.wrongType, "DER of the key")
      }
    case DERTag.integer.rawValue:
      let version = try reader.takeDER(.integer, "version")
      switch reader.next {
      case DERTag.octetString.rawValue: return .success(.sec1)
      case DERTag.sequence.rawValue where version.count == 1 && version[0] == 3:
        return .failure(KeyError(.notAKey(what: "a PKCS#12 file")))
      case DERTag.sequence.rawValue: return .success(.pkcs8)
      case DERTag.integer.rawValue:
        _ = try reader.takeDER(.integer, "modulus")
        return .success(reader.remaining == 0 ? .pkcs1Public : .pkcs1Private)
      default: throw reader.fault(.wrongType, "DER of the key")
      }
    case DERTag.objectIdentifier.rawValue: return .failure(KeyError(.notAKey(what: "a PKCS#7 file")))
    default: throw reader.fault(reader.next == nil ? .truncated : .wrongType, "DER of the key")
    }
  }

  /// Tells what is signed apart: a certificate (RFC 5280, 4.1), a request (RFC 2986, 4.1) or a revocation list (RFC 5280,
  /// 5.1). Only the first has three SEQUENCEs behind its number; a list's third element is a time.
  private static func lookIntoSigned(_ reader: inout ByteReader) throws(CodecError) -> Result<DERKeyKind, KeyError> {
    if reader.isNext(.context0) { return .success(.certificate) }
    if reader.isNext(.integer) { _ = try reader.takeDER(.integer, "version") }
    var sequences = 0
    while reader.isNext(.sequence), sequences < 3 {
      _ = try reader.takeDER(.sequence, "DER of the key")
      sequences += 1
    }
    if sequences == 3 { return .success(.certificate) }
    let isRequest = reader.isNext(.context0)
    return .failure(
      KeyError(.notAKey(what: isRequest ? "a certificate request (CSR)" : "a certificate revocation list (CRL)")))
  }
}
