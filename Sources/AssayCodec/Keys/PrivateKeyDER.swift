// PKCS #8 (RFC 5208; RFC 5958, 2; RFC 8410, 7), SEC 1 (RFC 5915, 3) and PKCS #1 (RFC 8017, A.1.2):
//
//   OneAsymmetricKey ::= SEQUENCE { version INTEGER (0..1), privateKeyAlgorithm AlgorithmIdentifier,
//                                   privateKey OCTET STRING, attributes [0] OPTIONAL, publicKey [1] BIT STRING OPTIONAL }
//   ECPrivateKey     ::= SEQUENCE { version INTEGER (1), privateKey OCTET STRING,
//                                   parameters [0] EXPLICIT OPTIONAL, publicKey [1] EXPLICIT BIT STRING OPTIONAL }
//   RSAPrivateKey    ::= SEQUENCE { version INTEGER (0), modulus, publicExponent, privateExponent, prime1, prime2,
//                                   exponent1, exponent2, coefficient INTEGER }
//
// Refused: other versions (multi-prime RSA among them), explicit curve parameters, scalars of another length than the
// curve's. The attributes of PKCS #8 are taken as they are and ignored: none says what kind of key this is. Private numbers
// go from the input straight into memory that is wiped.

/// A private key whose file leaves out the public half, as PKCS #8 does for Ed25519 (RFC 8410, 7), or a part of it.
///
/// AssayCrypto's `SigningKey` computes that half.
public struct PrivateScalar: ~Copyable, Sendable {
  /// The curve.
  public let curve: EllipticCurve
  /// The scalar of an elliptic curve key, or the seed of an Edwards one: exactly the curve's `byteCount`.
  public let scalar: SecretBytes
  /// What the file says of the public half, if it gives a compressed point.
  public let compressedPoint: CompressedPoint?

  /// The public key or certificate that stands beside the key in its file, and must be its public half.
  package let beside: PublicKeyContents?

  package init(
    curve: EllipticCurve, scalar: consuming SecretBytes, compressedPoint: CompressedPoint? = nil,
    beside: PublicKeyContents? = nil
  ) {
    self.curve = curve
    self.scalar = scalar
    self.compressedPoint = compressedPoint
    self.beside = beside
  }
}

/// What the DER of a private key holds.
enum PrivateKeyContents: ~Copyable {
  case complete(PrivateKeyNumbers)
  case scalar(PrivateScalar)

  /// Reads a PKCS #8 PrivateKeyInfo or OneAsymmetricKey.
  init(pkcs8: Span<UInt8>) throws(KeyError) {
    self = try Self.read(pkcs8, "PrivateKeyInfo", PrivateKeyParts.init(pkcs8:))
  }

  /// Reads a SEC 1 ECPrivateKey.
  init(sec1: Span<UInt8>) throws(KeyError) { self = try Self.read(sec1, "ECPrivateKey", PrivateKeyParts.init(sec1:)) }

  /// Reads a PKCS #1 RSAPrivateKey.
  init(pkcs1: Span<UInt8>) throws(KeyError) {
    self = try Self.read(pkcs1, "RSAPrivateKey", PrivateKeyParts.init(pkcs1:))
  }

  private static func read(
    _ bytes: Span<UInt8>, _ field: Field, _ parts: (inout ByteReader) throws(CodecError) -> PrivateKeyParts
  ) throws(KeyError) -> PrivateKeyContents {
    try KeyError.reading(bytes, field, parts).contents()
  }
}

/// What a private key's structure holds, before the curve and the lengths were looked at.
private struct PrivateKeyParts: ~Copyable {
  /// What the AlgorithmIdentifier around the key says.
  var algorithm: KeyAlgorithm?
  var rsa: PrivateKeyNumbers?
  var scalar: SecretBytes?
  /// The curve an ECPrivateKey names itself.
  var parameters: KeyAlgorithm?
  var points: [[UInt8]] = []

  init(pkcs8 reader: inout ByteReader) throws(CodecError) {
    self = try reader.readDER(.sequence, "PrivateKeyInfo") { reader throws(CodecError) in
      let version = try reader.smallDER("version")
      guard version <= 1 else { throw reader.fault(.unsupported, "version") }
      let algorithm = try KeyAlgorithm(der: &reader)
      var parts = try reader.readDER(.octetString, "privateKey") { reader throws(CodecError) in
        try PrivateKeyParts(privateKey: &reader, of: algorithm)
      }
      parts.algorithm = algorithm
      if case .unsupported = algorithm { try reader.skipRest("PrivateKeyInfo") }
      if reader.isNext(.context0) { _ = try reader.takeDER(.context0, "attributes") }
      // RFC 5958, 2: only in version 1, but some write it in version 0. For RSA it would repeat numbers the private key
      // has; no one writes that.
      if parts.scalar != nil, reader.isNext(.context1String) {
        parts.points.append(Array(copying: try reader.bitStringDER("publicKey", tag: .context1String)))
      }
      return parts
    }
  }

  /// Reads the contents of PKCS #8's `privateKey`.
  private init(privateKey reader: inout ByteReader, of algorithm: KeyAlgorithm) throws(CodecError) {
    switch algorithm {
    case .rsa: try self.init(pkcs1: &reader)
    case .curve(let curve) where curve.isEdwards:
      let seed = try reader.takeDER(.octetString, "CurvePrivateKey (OCTET STRING with the seed)")
      self.init(scalar: SecretBytes(copying: seed))
    case .curve: try self.init(sec1: &reader)
    case .unsupported:
      try reader.skipRest("privateKey")
      self.init(scalar: nil)
    }
  }

  init(sec1 reader: inout ByteReader) throws(CodecError) {
    self = try reader.readDER(.sequence, "ECPrivateKey") { reader throws(CodecError) in
      guard try reader.smallDER("version") == 1 else { throw reader.fault(.unsupported, "version") }
      var parts = PrivateKeyParts(scalar: SecretBytes(copying: try reader.takeDER(.octetString, "privateKey")))
      if reader.isNext(.context0) {
        parts.parameters = try reader.readDER(.context0, "parameters") { reader throws(CodecError) in
          try KeyAlgorithm(ecParameters: &reader)
        }
      }
      if reader.isNext(.context1) {
        let point = try reader.readDER(.context1, "publicKey") { reader throws(CodecError) in
          Array(copying: try reader.bitStringDER("publicKey"))
        }
        parts.points.append(point)
      }
      return parts
    }
  }

  init(pkcs1 reader: inout ByteReader) throws(CodecError) {
    algorithm = .rsa
    rsa = try reader.readDER(.sequence, "RSAPrivateKey") { reader throws(CodecError) in
      guard try reader.smallDER("version") == 0 else { throw reader.fault(.unsupported, "version (multi-prime RSA)") }
      return PrivateKeyNumbers(
        publicKey: try PublicKeyNumbers(rsaNumbers: &reader),
        secret: .rsa(
          PrivateKeyNumbers.RSASecret(
            d: try Self.secret(&reader, "privateExponent"), p: try Self.secret(&reader, "prime1"),
            q: try Self.secret(&reader, "prime2"), dp: try Self.secret(&reader, "exponent1"),
            dq: try Self.secret(&reader, "exponent2"), qi: try Self.secret(&reader, "coefficient"))))
    }
  }

  private init(scalar: consuming SecretBytes?) { self.scalar = scalar }

  private static func secret(_ reader: inout ByteReader, _ field: Field) throws(CodecError) -> SecretBytes {
    let magnitude = try reader.unsignedDER(field)
    guard magnitude.count > 0 else { throw reader.fault(.invalidValue, field) }
    return SecretBytes(copying: magnitude)
  }

  /// Checks what the parts say of the curve, and the lengths.
  consuming func contents() throws(KeyError) -> PrivateKeyContents {
    let (algorithm, parameters, points) = (algorithm, parameters, points)
    for case .unsupported(let refusal)? in [algorithm, parameters] { throw refusal }
    if let rsa { return .complete(rsa) }
    if let algorithm, let parameters, algorithm != parameters {
      throw KeyError(.contradiction("algorithm parameters", "ECPrivateKey parameters"))
    }
    guard case .curve(let curve) = algorithm ?? parameters, let scalar else {
      throw KeyError(.invalid("parameters (the curve's name)", .missing))
    }
    guard scalar.count == curve.byteCount else {
      throw KeyError(.wrongLength(field: "private key", expected: curve.byteCount, actual: scalar.count))
    }
    guard let point = points.first else { return .scalar(PrivateScalar(curve: curve, scalar: scalar)) }
    guard points.allSatisfy({ $0 == point }) else {
      throw KeyError(.contradiction("publicKey of PKCS #8", "publicKey of the ECPrivateKey"))
    }
    switch try PublicKeyContents(point: point, on: curve) {
    case .complete(let publicKey): return .complete(PrivateKeyNumbers(publicKey: publicKey, secret: .scalar(scalar)))
    case .compressed(let point):
      return .scalar(PrivateScalar(curve: curve, scalar: scalar, compressedPoint: point))
    }
  }
}
