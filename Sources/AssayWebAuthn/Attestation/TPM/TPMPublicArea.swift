internal import AssayCodec
internal import AssayCrypto

// TPMT_PUBLIC (TPM 2.0 Part 2, 12.2.4), big-endian:
//
//   type UINT16, nameAlg UINT16, objectAttributes UINT32, authPolicy TPM2B, parameters, unique
//
//   RSA  parameters: symmetric, scheme, keyBits UINT16, exponent UINT32    unique: TPM2B
//   ECC  parameters: symmetric, scheme, curveID UINT16, kdf                unique: x TPM2B, y TPM2B
//
// symmetric, scheme and kdf are each an algorithm's identifier and, unless that is TPM_ALG_NULL, what belongs to it.

/// The public area of a key in a TPM.
struct TPMPublicArea {
  /// The algorithm of the key's Name.
  let nameAlg: Digest
  /// The same, as it stood.
  let nameAlgBytes: [UInt8]
  /// The key. TPMs write numbers with or without the zeros before them; here they have the form of every other key.
  let key: PublicKeyNumbers

  /// Reads a TPMT_PUBLIC, all of it.
  init(_ bytes: Span<UInt8>) throws(CodecError) {
    self = try ByteReader.readAllTPM(bytes, "pubArea") { (reader) throws(CodecError) in
      try TPMPublicArea(reader: &reader)
    }
  }

  private init(reader: inout ByteReader) throws(CodecError) {
    let type = try reader.uint16("pubArea.type")
    guard type == TPMAlgorithm.rsa || type == TPMAlgorithm.ecc else {
      throw CodecError(.unsupported, "pubArea.type", at: 0)
    }
    let start = reader.offset
    guard let nameAlg = TPMAlgorithm.digests[try reader.uint16("pubArea.nameAlg")] else {
      throw CodecError(.unsupported, "pubArea.nameAlg", at: start)
    }
    self.nameAlg = nameAlg
    nameAlgBytes = Array(copying: reader.bytesRead(since: start))
    _ = try reader.take(4, "pubArea.objectAttributes")
    _ = try reader.sized("pubArea.authPolicy")
    try reader.skipAlgorithm(TPMAlgorithm.symmetric, "pubArea.parameters.symmetric")
    key = try type == TPMAlgorithm.rsa ? Self.rsa(&reader) : Self.ecc(&reader)
  }

  private static func rsa(_ reader: inout ByteReader) throws(CodecError) -> PublicKeyNumbers {
    try reader.skipAlgorithm(TPMAlgorithm.rsaSchemes, "pubArea.parameters.scheme")
    let keyBits = try reader.uint16("pubArea.parameters.keyBits")
    let written = Array(copying: try reader.take(4, "pubArea.parameters.exponent"))
    // Part 2, 12.2.3.5: zero is the default exponent, 2^16 + 1.
    let exponent = written == [0, 0, 0, 0] ? [1, 0, 1] : Array(written.drop { $0 == 0 })
    let start = reader.offset
    let modulus = try reader.number("pubArea.unique")
    guard modulus.bitCount == Int(keyBits) else { throw CodecError(.invalidLength, "pubArea.unique", at: start) }
    return .rsa(modulus: modulus, exponent: exponent)
  }

  private static func ecc(_ reader: inout ByteReader) throws(CodecError) -> PublicKeyNumbers {
    try reader.skipAlgorithm(TPMAlgorithm.eccSchemes, "pubArea.parameters.scheme")
    let start = reader.offset
    guard let curve = TPMAlgorithm.curves[try reader.uint16("pubArea.parameters.curveID")] else {
      throw CodecError(.unsupported, "pubArea.parameters.curveID", at: start)
    }
    try reader.skipAlgorithm(TPMAlgorithm.kdfs, "pubArea.parameters.kdf")
    let x = try coordinate(&reader, curve, "pubArea.unique.x")
    return .ec(curve, x: x, y: try coordinate(&reader, curve, "pubArea.unique.y"))
  }

  /// A coordinate with as many bytes as its curve wants.
  private static func coordinate(
    _ reader: inout ByteReader, _ curve: EllipticCurve, _ field: Field
  ) throws(CodecError) -> [UInt8] {
    let start = reader.offset
    let number = try reader.number(field)
    guard number.count <= curve.byteCount else { throw CodecError(.invalidLength, field, at: start) }
    return [UInt8](repeating: 0, count: curve.byteCount - number.count) + number
  }
}

/// The identifiers of algorithms (TPM 2.0 Part 2, 6.3) and curves (6.4), and how many bytes belong to an algorithm where it
/// is chosen (11.1.7, 11.2).
private enum TPMAlgorithm {
  static let rsa: UInt16 = 0x0001
  static let ecc: UInt16 = 0x0023
  private static let null: UInt16 = 0x0010

  static let digests: [UInt16: Digest] = [0x0004: .sha1, 0x000B: .sha256, 0x000C: .sha384, 0x000D: .sha512]
  static let curves: [UInt16: EllipticCurve] = [0x0003: .p256, 0x0004: .p384, 0x0005: .p521]

  /// TDES, AES, SM4, Camellia: the size of the key and a mode.
  static let symmetric: [UInt16: Int] = [null: 0, 0x0003: 4, 0x0006: 4, 0x0013: 4, 0x0026: 4]
  /// RSASSA, RSAPSS, OAEP: a hash. RSAES: nothing.
  static let rsaSchemes: [UInt16: Int] = [null: 0, 0x0014: 2, 0x0015: 0, 0x0016: 2, 0x0017: 2]
  /// ECDSA, ECDH, SM2, ECSCHNORR, ECMQV: a hash. ECDAA: a hash and a count.
  static let eccSchemes: [UInt16: Int] = [
    null: 0, 0x0018: 2, 0x0019: 2, 0x001A: 4, 0x001B: 2, 0x001C: 2, 0x001D: 2,
  ]
  /// MGF1, KDF1_SP800_56A, KDF2, KDF1_SP800_108: a hash.
  static let kdfs: [UInt16: Int] = [null: 0, 0x0007: 2, 0x0020: 2, 0x0021: 2, 0x0022: 2]
}
