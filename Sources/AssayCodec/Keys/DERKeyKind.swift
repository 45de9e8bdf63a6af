/// Which of the key formats a DER SEQUENCE is, told by the tags of its first elements.
enum DERKeyKind {
  case spki
  case pkcs8
  case sec1
  case pkcs1Public
  case pkcs1Private

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
      let first = try reader.takeDER(.sequence, "DER of the key")
      switch reader.next {
      case DERTag.bitString.rawValue: return .success(.spki)
      case DERTag.octetString.rawValue: return .failure(KeyError(.encrypted))  // EncryptedPrivateKeyInfo, RFC 5958, 3
      case DERTag.sequence.rawValue:
        // A certificate begins with its version, `[0]`, a request with an INTEGER.
        let isCertificate = first.count > 0 && first[0] == DERTag.context0.rawValue
        return .failure(KeyError(.notAKey(what: isCertificate ? "a certificate" : "a certificate request (CSR)")))
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
}
