/// A private key that a password protects, read down to what it takes to decrypt it. Nothing in it is secret.
///
/// Read are PBES2 (RFC 8018, 6.2) with PBKDF2 or scrypt (RFC 7914, 7), and OpenSSL's traditional PEM. AssayCrypto decrypts.
package struct EncryptedKey: Hashable, Sendable {
  /// How the key is encrypted.
  package let scheme: Scheme
  /// Whole blocks, at least one.
  package let ciphertext: [UInt8]
  /// Whether the file was PEM.
  let isPEM: Bool
  /// The public key or certificate that stands beside the key in its file.
  var beside: PublicKeyContents?

  /// The ways from a password to a plaintext.
  package struct Scheme: Hashable, Sendable {
    package let derivation: Derivation
    package let cipher: Cipher
    /// As long as a block.
    package let iv: [UInt8]

    package init(derivation: Derivation, cipher: Cipher, iv: [UInt8]) {
      self.derivation = derivation
      self.cipher = cipher
      self.iv = iv
    }
  }

  /// The ways from a password to a key. Their work is within the limits here.
  package enum Derivation: Hashable, Sendable {
    /// PBKDF2 with HMAC (RFC 8018, 5.2).
    case pbkdf2(Hash, salt: [UInt8], iterations: UInt32)
    /// scrypt (RFC 7914): cost N, block size r, parallelisation p.
    case scrypt(salt: [UInt8], cost: UInt32, blockSize: UInt32, parallelisation: UInt32)
    /// MD5 over password and salt, once (OpenSSL, EVP_BytesToKey). It slows a guesser down by nothing.
    case traditional(salt: [UInt8])
  }

  /// The hash of PBKDF2's HMAC.
  package enum Hash: Hashable, Sendable { case sha1, sha256, sha384, sha512 }

  /// Ciphers in CBC mode with the padding of RFC 8018, 6.1.1.
  package enum Cipher: Hashable, Sendable, CaseIterable {
    case aes128, aes192, aes256, tripleDES

    package var keyByteCount: Int {
      switch self {
      case .aes128: 16
      case .aes192, .tripleDES: 24
      case .aes256: 32
      }
    }

    package var blockByteCount: Int { self == .tripleDES ? 8 : 16 }

    var traditionalName: StaticString {
      switch self {
      case .aes128: "AES-128-CBC"
      case .aes192: "AES-192-CBC"
      case .aes256: "AES-256-CBC"
      case .tripleDES: "DES-EDE3-CBC"
      }
    }
  }

  /// The most iterations of PBKDF2: some seconds of work. Common are 2,048 to 1,000,000.
  package static let maximumIterations: UInt64 = 2_000_000
  /// The most memory of scrypt, 128 · N · r, in bytes.
  package static let maximumScryptBytes: UInt64 = 64 << 20
  /// The most parallelisation of scrypt: each is the whole work again.
  package static let maximumParallelisation: UInt64 = 16

  init(_ scheme: Scheme, ciphertext: [UInt8], isPEM: Bool = true) {
    self.scheme = scheme
    self.ciphertext = ciphertext
    self.isPEM = isPEM
  }
}
