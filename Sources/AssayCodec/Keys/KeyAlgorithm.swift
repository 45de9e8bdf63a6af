/// The AlgorithmIdentifier of a key (RFC 5280, 4.1.1.2), down to what is known here.
enum KeyAlgorithm: Hashable {
  /// rsaEncryption with NULL (RFC 3279, 2.3.1).
  case rsa
  /// id-ecPublicKey with a named curve (RFC 5480, 2.1.1), or an Edwards algorithm without parameters (RFC 8410, 3).
  case curve(EllipticCurve)
  /// Well formed, recognised or not, and not supported: why.
  case unsupported(KeyError)

  /// Reads the SEQUENCE.
  init(der reader: inout ByteReader) throws(CodecError) {
    self = try reader.readDER(.sequence, "AlgorithmIdentifier") { reader throws(CodecError) in
      let identifier = Array(copying: try reader.objectIdentifierDER("algorithm"))
      switch identifier {
      case ObjectIdentifier.rsaEncryption:
        try reader.nullDER("parameters")
        return .rsa
      case ObjectIdentifier.ecPublicKey: return try KeyAlgorithm(ecParameters: &reader)
      case ObjectIdentifier.ed25519, ObjectIdentifier.ed448:
        // RFC 8410, 3: the parameters must be absent.
        guard reader.remaining == 0 else { throw reader.fault(.invalidValue, "parameters") }
        return .curve(identifier == ObjectIdentifier.ed25519 ? .ed25519 : .ed448)
      default:
        try reader.skipRest("parameters")
        guard !MLDSA.objectIdentifiers.contains(identifier) else { return .unsupported(KeyError(.mlDSAUnsupported)) }
        let what = ObjectIdentifier.unsupportedAlgorithms[identifier] ?? "the key's algorithm"
        return .unsupported(KeyError(.unsupported(what: what)))
      }
    }
  }

  /// Reads ECParameters (RFC 5480, 2.1.1): `namedCurve` only.
  init(ecParameters reader: inout ByteReader) throws(CodecError) {
    if reader.isNext(.sequence) {
      _ = try reader.takeDER(.sequence, "specifiedCurve")
      self = .unsupported(
        KeyError(.unsupported(what: "an elliptic curve given by explicit parameters, not as a named curve,")))
      return
    }
    let identifier = Array(copying: try reader.objectIdentifierDER("namedCurve (EC parameters)"))
    if let curve = EllipticCurve.allCases.first(where: { !$0.isEdwards && $0.objectIdentifier == identifier }) {
      self = .curve(curve)
    } else {
      let what = ObjectIdentifier.unsupportedCurves[identifier] ?? "the key's elliptic curve"
      self = .unsupported(KeyError(.unsupported(what: what)))
    }
  }

  /// Writes the SEQUENCE for this kind of key.
  static func write(for key: PublicKeyNumbers, to writer: inout DERWriter) {
    writer.element(.sequence) { writer in
      switch key {
      case .rsa:
        writer.objectIdentifier(ObjectIdentifier.rsaEncryption)
        writer.null()
      case .ec(let curve, _, _):
        writer.objectIdentifier(ObjectIdentifier.ecPublicKey)
        writer.objectIdentifier(curve.objectIdentifier)
      case .edwards(let curve, _): writer.objectIdentifier(curve.objectIdentifier)
      }
    }
  }
}

extension EllipticCurve {
  /// The contents of the OBJECT IDENTIFIER that names the curve (RFC 5480, 2.1.1.1; SEC 2) or, for an Edwards curve, its
  /// algorithm (RFC 8410, 3).
  var objectIdentifier: [UInt8] {
    switch self {
    case .p256: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]  // 1.2.840.10045.3.1.7
    case .p384: [0x2B, 0x81, 0x04, 0x00, 0x22]  // 1.3.132.0.34
    case .p521: [0x2B, 0x81, 0x04, 0x00, 0x23]  // 1.3.132.0.35
    case .secp256k1: [0x2B, 0x81, 0x04, 0x00, 0x0A]  // 1.3.132.0.10
    case .ed25519: ObjectIdentifier.ed25519
    case .ed448: ObjectIdentifier.ed448
    }
  }
}

/// Contents of OBJECT IDENTIFIERs, and the words for those that are recognised only to say what they are.
enum ObjectIdentifier {
  static let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]  // 1.2.840.113549.1.1.1
  static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]  // 1.2.840.10045.2.1
  static let ed25519: [UInt8] = [0x2B, 0x65, 0x70]  // 1.3.101.112
  static let ed448: [UInt8] = [0x2B, 0x65, 0x71]  // 1.3.101.113

  static let unsupportedAlgorithms: [[UInt8]: Field] = [
    [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0A]: "an RSA key bound to PSS (id-RSASSA-PSS)",
    [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x07]: "an RSA key bound to OAEP encryption",
    [0x2A, 0x86, 0x48, 0xCE, 0x38, 0x04, 0x01]: "a DSA key",
    [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x03, 0x01]: "a DH key, which is for key agreement,",
    [0x2B, 0x65, 0x6E]: "an X25519 key, which is for key agreement,",
    [0x2B, 0x65, 0x6F]: "an X448 key, which is for key agreement,",
  ]

  static let unsupportedCurves: [[UInt8]: Field] = [
    [0x2B, 0x81, 0x04, 0x00, 0x21]: "the curve P-224 (secp224r1)",
    [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x01]: "the curve P-192 (secp192r1)",
    [0x2B, 0x24, 0x03, 0x03, 0x02, 0x08, 0x01, 0x01, 0x07]: "the curve brainpoolP256r1",
    [0x2B, 0x24, 0x03, 0x03, 0x02, 0x08, 0x01, 0x01, 0x0B]: "the curve brainpoolP384r1",
    [0x2B, 0x24, 0x03, 0x03, 0x02, 0x08, 0x01, 0x01, 0x0D]: "the curve brainpoolP512r1",
  ]
}
