internal import AssayCodec
internal import CAssayCrypto

extension EncryptedKey.Scheme {
  /// The key that the password makes.
  func key(from password: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    let derivation = derivation
    let cipher = cipher
    return try SecretBytes(count: cipher.keyByteCount) { output throws(CryptoError) in
      let done = unsafe output.withUnsafeMutableBufferPointer { key in
        guard let start = key.baseAddress else { return false }
        let count = key.count
        return password.withSpan { password in
          unsafe password.withPointer { password, length in
            switch derivation {
            case .pbkdf2(let hash, let salt, let iterations):
              unsafe assayc_pbkdf2(
                hash.identifier, password, length, salt, salt.count, iterations, start, count) == 1
            case .scrypt(let salt, let cost, let blockSize, let parallelisation):
              unsafe assayc_scrypt(
                password, length, salt, salt.count, cost, blockSize, parallelisation, start, count) == 1
            case .traditional(let salt):
              unsafe assayc_traditional_key(cipher.identifier, password, length, salt, start, count) == 1
            }
          }
        }
      }
      guard done else { throw CryptoLibraries.fault }
    }
  }

  /// Lends what decrypting or encrypting `input` gives to `body`; nil if the padding is wrong.
  func withOutput<R: ~Copyable, E>(
    of input: Span<UInt8>, encrypting: Bool, key: borrowing SecretBytes, _ body: (Span<UInt8>) throws(E) -> R
  ) throws(E) -> R? {
    var length = 0
    let output = SecretBytes(count: input.count + cipher.blockByteCount) { output in
      let done = unsafe output.withUnsafeMutableBufferPointer { output in
        guard let start = output.baseAddress else { return false }
        return key.withSpan { key in
          unsafe key.withPointer { key, keyLength in
            guard let key = unsafe key else { return false }
            return unsafe input.withPointer { input, inputLength in
              unsafe assayc_cbc_copy(
                cipher.identifier, encrypting ? 1 : 0, key, keyLength, iv, input, inputLength, start, &length) == 1
            }
          }
        }
      }
      if !done { length = 0 }
    }
    guard length > 0 else { return nil }
    return try output.withSpan { output throws(E) in try body(output.extracting(0..<length)) }
  }
}

extension EncryptedKey.Hash {
  /// What the C functions call it.
  var identifier: assayc_digest {
    switch self {
    case .sha1: ASSAYC_SHA1
    case .sha256: ASSAYC_SHA256
    case .sha384: ASSAYC_SHA384
    case .sha512: ASSAYC_SHA512
    }
  }
}

extension EncryptedKey.Cipher {
  /// What the C functions call it.
  var identifier: assayc_cipher {
    switch self {
    case .aes128: ASSAYC_AES_128_CBC
    case .aes192: ASSAYC_AES_192_CBC
    case .aes256: ASSAYC_AES_256_CBC
    case .tripleDES: ASSAYC_DES_EDE3_CBC
    }
  }
}
