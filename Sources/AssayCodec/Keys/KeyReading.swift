/// What reading a key file comes to without a password.
package enum KeyReading: ~Copyable, Sendable {
  case key(KeyFile)
  case encrypted(EncryptedKey)

  /// Reads a file that holds one key.
  package init(_ bytes: Span<UInt8>) throws(KeyError) {
    guard bytes.count <= KeyFile.maximumBytes else {
      throw KeyError(.malformed(CodecError(.tooLarge, "key file", at: KeyFile.maximumBytes)))
    }
    guard let start = bytes.firstNonSpace else { throw KeyError(.notAKey(what: "an empty file")) }
    switch bytes[start] {
    case 0x30 where start == 0: self = try KeyReading(der: bytes, isPEM: false)
    case 0xA0...0xBF: self = .key(KeyFile(try COSEKey(bytes)))
    case UInt8(ascii: "{"): self = .key(try KeyFile(jwk: bytes))
    case 0x00: throw KeyError(.notAKey(what: "a file that begins with NUL bytes, neither PEM (-----BEGIN) nor DER"))
    default: self = try KeyReading(text: bytes)
    }
  }

  private init(text bytes: Span<UInt8>) throws(KeyError) {
    let text = PEMText(bytes)
    self = try text.withSpan { text throws(KeyError) in
      if PEMBlock.isPresent(in: text) { return try PEM.read(text) }
      // Java and dashboards leave the armour out.
      if let der = try? Base64.decodeSecret(text, .separators), der.withSpan({ $0.count > 0 && $0[0] == 0x30 }) {
        return try der.withSpan { der throws(KeyError) in try KeyReading(der: der, isPEM: false) }
      }
      throw KeyError(.notAKey(what: UnknownFile.looks(bytes)))
    }
  }

  init(der: Span<UInt8>, isPEM: Bool) throws(KeyError) {
    let kind = try DERKeyKind(of: der)
    self =
      kind == .encryptedPKCS8
      ? .encrypted(try EncryptedKey(der: der, isPEM: isPEM)) : .key(try KeyFile(der: der, kind, isPEM: isPEM))
  }
}

extension KeyFile {
  /// Reads what an encrypted file held.
  ///
  /// - Throws: `KeyError`: `wrongPassword` if the plaintext is no DER of a private key, which a wrong password nearly always
  ///   leads to, and then cannot be told from a damaged file.
  package init(decrypted der: Span<UInt8>, of key: EncryptedKey) throws(KeyError) {
    guard let kind = try? DERKeyKind(of: der) else { throw KeyError(.wrongPassword) }
    switch kind {
    case .pkcs8, .sec1, .pkcs1Private:
      let file = try KeyFile(der: der, kind, isPEM: key.isPEM, wasEncrypted: true)
      self = try file.joined(with: key.beside)
    default: throw KeyError(.wrongPassword)
    }
  }

  fileprivate init(
    der: Span<UInt8>, _ kind: DERKeyKind, isPEM: Bool, wasEncrypted: Bool = false
  ) throws(KeyError) {
    switch kind {
    case .spki: self.init(Contents(try PublicKeyContents(spki: der)), .spki, isPEM: isPEM)
    case .certificate: self.init(Contents(try PublicKeyContents(certificate: der)), .certificate, isPEM: isPEM)
    case .pkcs1Public: self.init(.publicKey(try PublicKeyNumbers(pkcs1: der)), .pkcs1, isPEM: isPEM)
    case .pkcs1Private:
      self.init(Contents(try PrivateKeyContents(pkcs1: der)), .pkcs1, isPEM: isPEM, wasEncrypted: wasEncrypted)
    case .pkcs8:
      self.init(Contents(try PrivateKeyContents(pkcs8: der)), .pkcs8, isPEM: isPEM, wasEncrypted: wasEncrypted)
    case .sec1:
      self.init(Contents(try PrivateKeyContents(sec1: der)), .sec1, isPEM: isPEM, wasEncrypted: wasEncrypted)
    case .encryptedPKCS8: throw KeyError(.encrypted)
    }
  }

  fileprivate init(_ key: COSEKey) { self.init(.publicKey(key.numbers), .cose, coseAlg: key.alg) }
}

extension KeyFile.Contents {
  fileprivate init(_ contents: consuming PrivateKeyContents) {
    switch consume contents {
    case .complete(let numbers): self = .privateKey(numbers)
    case .scalar(let scalar): self = .privateScalar(scalar)
    }
  }

  fileprivate init(_ contents: PublicKeyContents) {
    switch contents {
    case .complete(let numbers): self = .publicKey(numbers)
    case .compressed(let point): self = .compressedKey(point)
    }
  }
}

extension Span<UInt8> {
  fileprivate var firstNonSpace: Int? { indices.first { ![0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20].contains(self[$0]) } }
}
