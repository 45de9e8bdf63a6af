// SubjectPublicKeyInfo (RFC 5280, 4.1.2.7; RFC 3279, 2.3; RFC 5480, 2; RFC 8410, 4) and RSAPublicKey (RFC 8017, A.1.1):
//
//   SubjectPublicKeyInfo ::= SEQUENCE { algorithm AlgorithmIdentifier, subjectPublicKey BIT STRING }
//   RSAPublicKey         ::= SEQUENCE { modulus INTEGER, publicExponent INTEGER }
//
// Refused: explicit curve parameters, hybrid points, RSA parameters other than NULL, unused bits. A compressed point (SEC 1,
// 2.3.3) is read down to what it says; AssayCrypto computes the rest.

/// A point of which a file gives only one coordinate and a bit of the other (SEC 1, 2.3.3).
///
/// AssayCrypto completes it.
public struct CompressedPoint: Hashable, Sendable {
  /// The curve: not an Edwards one.
  public let curve: EllipticCurve
  /// The coordinate that is given, of exactly the curve's length, big-endian.
  public let x: [UInt8]
  /// The lowest bit of the other.
  public let yIsOdd: Bool

  package init(curve: EllipticCurve, x: [UInt8], yIsOdd: Bool) {
    self.curve = curve
    self.x = x
    self.yIsOdd = yIsOdd
  }
}

/// What the encoding of a public key holds.
package enum PublicKeyContents: Hashable, Sendable {
  case complete(PublicKeyNumbers)
  case compressed(CompressedPoint)

  /// Reads a DER SubjectPublicKeyInfo; bytes after it are an error. Offsets in errors count from `base`.
  init(spki: Span<UInt8>, base: Int = 0) throws(KeyError) {
    let parts = try KeyError.reading(spki, "SubjectPublicKeyInfo (DER)", base: base) { reader throws(CodecError) in
      try reader.readDER(.sequence, "SubjectPublicKeyInfo (DER)") { reader throws(CodecError) in
        let algorithm = try KeyAlgorithm(der: &reader)
        let key = Array(copying: try reader.bitStringDER("subjectPublicKey (BIT STRING)"))
        return (algorithm: algorithm, key: key, offset: reader.offset - key.count)
      }
    }
    switch parts.algorithm {
    case .rsa: self = .complete(try PublicKeyNumbers(pkcs1: parts.key.span, base: parts.offset))
    case .curve(let curve): try self.init(point: parts.key, on: curve)
    case .unsupported(let refusal): throw refusal
    }
  }

  /// Whether this is the same key. What a compressed point leaves out is not compared but for its lowest bit.
  package func describes(_ key: PublicKeyNumbers) -> Bool {
    switch (self, key) {
    case (.complete(let numbers), _): numbers == key
    case (.compressed(let point), .ec(let curve, let x, let y)):
      point.curve == curve && point.x == x && point.yIsOdd == (y.last.map { $0 & 1 == 1 } ?? false)
    default: false
    }
  }

  /// Whether both are of the same key, as far as they say.
  func agrees(with other: PublicKeyContents) -> Bool {
    switch (self, other) {
    case (_, .complete(let numbers)): describes(numbers)
    case (.complete(let numbers), .compressed): other.describes(numbers)
    case (.compressed(let point), .compressed(let other)): point == other
    }
  }

  /// Reads an encoded point: SEC 1, 2.3.3, or an Edwards curve's own (RFC 8032).
  init(point: [UInt8], on curve: EllipticCurve) throws(KeyError) {
    guard !curve.isEdwards else {
      self = .complete(.edwards(curve, x: try curve.checked(point, "public key")))
      return
    }
    let size = curve.byteCount
    switch point.first {
    case 0x04 where point.count == 1 + 2 * size:
      self = .complete(.ec(curve, x: Array(point[1...size]), y: Array(point[(1 + size)...])))
    case 0x02 where point.count == 1 + size, 0x03 where point.count == 1 + size:
      self = .compressed(CompressedPoint(curve: curve, x: Array(point[1...]), yIsOdd: point[0] == 0x03))
    case 0x06 where point.count == 1 + 2 * size, 0x07 where point.count == 1 + 2 * size:
      throw KeyError(.unsupported(what: "a point in hybrid form"))
    case 0x00 where point.count == 1: throw KeyError(.notOnCurve)
    case 0x04: throw KeyError(.wrongLength(field: "point", expected: 1 + 2 * size, actual: point.count))
    default: throw KeyError(.invalid("point", .malformed))
    }
  }
}

extension PublicKeyNumbers {
  /// Reads a DER SubjectPublicKeyInfo; bytes after it are an error. A compressed point is refused: see `KeyFile`.
  public init(spki: Span<UInt8>) throws(KeyError) {
    switch try PublicKeyContents(spki: spki) {
    case .complete(let numbers): self = numbers
    case .compressed:
      throw KeyError(.unsupported(what: "a compressed point (openssl ec -conv_form uncompressed writes it in full)"))
    }
  }

  /// Reads a DER RSAPublicKey (PKCS #1); bytes after it are an error.
  public init(pkcs1: Span<UInt8>) throws(KeyError) { try self.init(pkcs1: pkcs1, base: 0) }

  fileprivate init(pkcs1: Span<UInt8>, base: Int) throws(KeyError) {
    self = try KeyError.reading(pkcs1, "RSAPublicKey", base: base) { reader throws(CodecError) in
      try reader.readDER(.sequence, "RSAPublicKey") { reader throws(CodecError) in
        try PublicKeyNumbers(rsaNumbers: &reader)
      }
    }
  }

  /// Reads the modulus and the public exponent of an RSAPublicKey or RSAPrivateKey.
  init(rsaNumbers reader: inout ByteReader) throws(CodecError) {
    let modulus = Array(copying: try reader.unsignedDER("modulus"))
    guard !modulus.isEmpty else { throw reader.fault(.invalidValue, "modulus") }
    let exponent = Array(copying: try reader.unsignedDER("publicExponent"))
    guard !exponent.isEmpty else { throw reader.fault(.invalidValue, "publicExponent") }
    self = .rsa(modulus: modulus, exponent: exponent)
  }

  /// The encoded point, uncompressed; nil for RSA.
  var point: [UInt8]? {
    switch self {
    case .rsa: nil
    case .ec(_, let x, let y): [0x04] + x + y
    case .edwards(_, let x): x
    }
  }

  /// The DER SubjectPublicKeyInfo.
  public func spki() -> [UInt8] {
    var writer = DERWriter()
    writer.element(.sequence) { writer in
      KeyAlgorithm.write(for: self, to: &writer)
      if let point {
        writer.bitString(point)
      } else {
        writer.bitString { writer in writeRSAPublicKey(to: &writer) }
      }
    }
    return writer.publicBytes()
  }

  /// The DER RSAPublicKey (PKCS #1); nil if this is no RSA key.
  public func pkcs1() -> [UInt8]? {
    guard case .rsa = self else { return nil }
    var writer = DERWriter()
    writeRSAPublicKey(to: &writer)
    return writer.publicBytes()
  }

  private func writeRSAPublicKey(to writer: inout DERWriter) {
    guard case .rsa(let modulus, let exponent) = self else { return }
    writer.element(.sequence) { writer in
      writer.unsigned(modulus)
      writer.unsigned(exponent)
    }
  }
}

extension KeyError {
  /// Reads all of `bytes`; what cannot be read is a `malformed` key.
  static func reading<T: ~Copyable>(
    _ bytes: Span<UInt8>, _ field: Field, base: Int = 0, _ body: (inout ByteReader) throws(CodecError) -> T
  ) throws(KeyError) -> T {
    do throws(CodecError) {
      return try ByteReader.readAll(bytes, field, base: base, body)
    } catch {
      throw KeyError(.malformed(error))
    }
  }
}
