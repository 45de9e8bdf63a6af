// EncryptedPrivateKeyInfo (RFC 5958, 3) with PBES2 (RFC 8018, A.2 to A.4, B.1, B.2; RFC 7914, 7):
//
//   EncryptedPrivateKeyInfo ::= SEQUENCE { encryptionAlgorithm AlgorithmIdentifier, encryptedData OCTET STRING }
//   PBES2-params  ::= SEQUENCE { keyDerivationFunc AlgorithmIdentifier, encryptionScheme AlgorithmIdentifier }
//   PBKDF2-params ::= SEQUENCE { salt OCTET STRING, iterationCount INTEGER, keyLength INTEGER OPTIONAL,
//                                prf AlgorithmIdentifier DEFAULT hmacWithSHA1 }
//   scrypt-params ::= SEQUENCE { salt OCTET STRING, costParameter, blockSize, parallelizationParameter INTEGER,
//                                keyLength INTEGER OPTIONAL }
//
// Refused: PBES1 and PKCS #12's schemes, other ciphers, work above the limits of `EncryptedKey`.

extension EncryptedKey {
  /// Reads a DER EncryptedPrivateKeyInfo; bytes after it are an error.
  init(der: Span<UInt8>, isPEM: Bool) throws(KeyError) {
    let (algorithm, ciphertext) = try KeyError.reading(der, "EncryptedPrivateKeyInfo") { reader throws(CodecError) in
      try reader.readDER(.sequence, "EncryptedPrivateKeyInfo") { reader throws(CodecError) in
        let algorithm = try AlgorithmParts(&reader, "encryptionAlgorithm")
        return (algorithm, Array(copying: try reader.takeDER(.octetString, "encryptedData")))
      }
    }
    guard algorithm.identifier == Identifier.pbes2 else {
      throw KeyError(.unsupported(what: "the scheme (PBE) that encrypts this key: PBES2 is needed, which"))
    }
    let (derivation, encryption) = try algorithm.read("PBES2-params") { reader throws(CodecError) in
      try reader.readDER(.sequence, "PBES2-params") { reader throws(CodecError) in
        (try AlgorithmParts(&reader, "keyDerivationFunc"), try AlgorithmParts(&reader, "encryptionScheme"))
      }
    }
    guard let cipher = Identifier.ciphers[encryption.identifier] else {
      throw KeyError(.unsupported(what: "the cipher that encrypts this key"))
    }
    let iv = try encryption.read("initialisation vector") { reader throws(CodecError) in
      Array(copying: try reader.takeDER(.octetString, "initialisation vector"))
    }
    guard iv.count == cipher.blockByteCount else { throw KeyError(.invalid("initialisation vector", .invalidLength)) }
    let scheme = Scheme(derivation: try Self.derivation(derivation, for: cipher), cipher: cipher, iv: iv)
    self.init(scheme, ciphertext: ciphertext, isPEM: isPEM)
  }

  private static func derivation(_ parts: AlgorithmParts, for cipher: Cipher) throws(KeyError) -> Derivation {
    switch parts.identifier {
    case Identifier.pbkdf2: return try pbkdf2(parts, for: cipher)
    case Identifier.scrypt: return try scrypt(parts, for: cipher)
    default: throw KeyError(.unsupported(what: "the way in which a password makes the key of this encrypted file"))
    }
  }

  private static func pbkdf2(_ parts: AlgorithmParts, for cipher: Cipher) throws(KeyError) -> Derivation {
    let (salt, iterations, prf) = try parts.read("PBKDF2-params") { reader throws(CodecError) in
      try reader.readDER(.sequence, "PBKDF2-params") { reader throws(CodecError) in
        let salt = Array(copying: try reader.takeDER(.octetString, "salt"))
        let iterations = try reader.numberDER("iterationCount")
        try Self.keyLength(&reader, for: cipher)
        guard reader.isNext(.sequence) else { return (salt, iterations, Identifier.hmacSHA1) }
        return (salt, iterations, try AlgorithmParts(&reader, "prf").identifier)
      }
    }
    guard let hash = Identifier.hashes[prf] else {
      throw KeyError(.unsupported(what: "the pseudorandom function (prf) of PBKDF2 in this encrypted file"))
    }
    guard iterations > 0 else { throw KeyError(.invalid("iterationCount", .invalidValue)) }
    guard iterations <= maximumIterations, let iterations = UInt32(exactly: iterations) else {
      throw KeyError(.tooMuchWork(what: "the iteration count of PBKDF2", maximum: maximumIterations))
    }
    return .pbkdf2(hash, salt: salt, iterations: iterations)
  }

  private static func scrypt(_ parts: AlgorithmParts, for cipher: Cipher) throws(KeyError) -> Derivation {
    let (salt, cost, blockSize, parallelisation) = try parts.read("scrypt-params") { reader throws(CodecError) in
      try reader.readDER(.sequence, "scrypt-params") { reader throws(CodecError) in
        let salt = Array(copying: try reader.takeDER(.octetString, "salt"))
        let cost = try reader.numberDER("costParameter")
        let blockSize = try reader.numberDER("blockSize")
        let parallelisation = try reader.numberDER("parallelizationParameter")
        try Self.keyLength(&reader, for: cipher)
        return (salt, cost, blockSize, parallelisation)
      }
    }
    // RFC 7914, 2: N is a power of two above 1.
    guard cost > 1, cost & (cost &- 1) == 0, blockSize > 0, parallelisation > 0 else {
      throw KeyError(.invalid("scrypt-params", .invalidValue))
    }
    let (blocks, isTooMany) = cost.multipliedReportingOverflow(by: blockSize)
    guard !isTooMany, blocks <= maximumScryptBytes / 128 else {
      throw KeyError(.tooMuchWork(what: "the memory that scrypt needs, in bytes,", maximum: maximumScryptBytes))
    }
    guard parallelisation <= maximumParallelisation, let cost = UInt32(exactly: cost),
      let blockSize = UInt32(exactly: blockSize), let parallelisation = UInt32(exactly: parallelisation)
    else { throw KeyError(.tooMuchWork(what: "the parallelisation of scrypt", maximum: maximumParallelisation)) }
    return .scrypt(salt: salt, cost: cost, blockSize: blockSize, parallelisation: parallelisation)
  }

  /// `keyLength`, which may be left out, is the one the cipher has.
  private static func keyLength(_ reader: inout ByteReader, for cipher: Cipher) throws(CodecError) {
    guard reader.isNext(.integer) else { return }
    guard try reader.smallDER("keyLength") == cipher.keyByteCount else {
      throw reader.fault(.invalidValue, "keyLength")
    }
  }
}

extension EncryptedKey {
  /// Joins a PBES2 scheme with what it made of a PKCS #8 key.
  package init(_ scheme: Scheme, encrypted ciphertext: [UInt8]) {
    self.init(scheme, ciphertext: ciphertext, isPEM: false)
  }

  /// The DER EncryptedPrivateKeyInfo; nil unless the scheme is PBES2 with PBKDF2.
  package func encoded() -> [UInt8]? {
    guard case .pbkdf2(let hash, let salt, let iterations) = scheme.derivation,
      let prf = Identifier.hashes.first(where: { $0.value == hash })?.key,
      let cipher = Identifier.ciphers.first(where: { $0.value == scheme.cipher })?.key
    else { return nil }
    var writer = DERWriter()
    writer.element(.sequence) { writer in
      writer.algorithm(Identifier.pbes2) { writer in
        writer.element(.sequence) { writer in
          writer.algorithm(Identifier.pbkdf2) { writer in
            writer.element(.sequence) { writer in
              writer.element(.octetString, salt.span)
              writer.unsigned(iterations.magnitudeBytes)
              writer.algorithm(prf) { writer in writer.null() }
            }
          }
          writer.algorithm(cipher) { writer in writer.element(.octetString, scheme.iv.span) }
        }
      }
      writer.element(.octetString, ciphertext.span)
    }
    return writer.publicBytes()
  }
}

extension UInt32 {
  /// Big-endian, without leading zeros.
  fileprivate var magnitudeBytes: [UInt8] {
    Array([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }.drop { $0 == 0 })
  }
}

extension DERWriter {
  /// Writes an AlgorithmIdentifier whose parameters `body` writes.
  fileprivate mutating func algorithm(_ identifier: [UInt8], _ body: (inout DERWriter) -> Void) {
    element(.sequence) { writer in
      writer.objectIdentifier(identifier)
      body(&writer)
    }
  }
}

/// An AlgorithmIdentifier whose parameters are read later, when it is known what they are.
private struct AlgorithmParts {
  let identifier: [UInt8]
  let parameters: [UInt8]
  let offset: Int

  init(_ reader: inout ByteReader, _ field: Field) throws(CodecError) {
    self = try reader.readDER(.sequence, field) { reader throws(CodecError) in try AlgorithmParts(contents: &reader) }
  }

  private init(contents reader: inout ByteReader) throws(CodecError) {
    identifier = Array(copying: try reader.objectIdentifierDER("algorithm"))
    offset = reader.offset
    parameters = Array(copying: try reader.take(reader.remaining, "parameters"))
  }

  func read<T>(_ field: Field, _ body: (inout ByteReader) throws(CodecError) -> T) throws(KeyError) -> T {
    try KeyError.reading(parameters.span, field, base: offset, body)
  }
}

private enum Identifier {
  static let pbes2: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D]  // 1.2.840.113549.1.5.13
  static let pbkdf2: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0C]  // 1.2.840.113549.1.5.12
  static let scrypt: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0xDA, 0x47, 0x04, 0x0B]  // 1.3.6.1.4.1.11591.4.11
  static let hmacSHA1: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x02, 0x07]  // 1.2.840.113549.2.7

  /// 1.2.840.113549.2.7 and following.
  static let hashes: [[UInt8]: EncryptedKey.Hash] = [
    hmacSHA1: .sha1,
    [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x02, 0x09]: .sha256,
    [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x02, 0x0A]: .sha384,
    [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x02, 0x0B]: .sha512,
  ]

  /// 2.16.840.1.101.3.4.1.2, .22 and .42, and 1.2.840.113549.3.7.
  static let ciphers: [[UInt8]: EncryptedKey.Cipher] = [
    [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x02]: .aes128,
    [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x16]: .aes192,
    [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x2A]: .aes256,
    [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x03, 0x07]: .tripleDES,
  ]
}
