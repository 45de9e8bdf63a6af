public import AssayCodec

extension KeyFile {
  /// Reads a file that holds one key, encrypted or not. For one that is not, the password counts for nothing.
  ///
  /// Read are PKCS #8 under PBES2 (RFC 8018) with PBKDF2 or scrypt and AES or triple DES, and OpenSSL's traditional PEM. The
  /// work that a file may ask for is limited: 2,000,000 iterations, 64 MiB.
  ///
  /// - Throws: `KeyError`: `wrongPassword` also if the file is damaged, `tooMuchWork`, and what `read(_:)` throws.
  public static func read(_ bytes: Span<UInt8>, password: borrowing SecretBytes) throws(KeyError) -> KeyFile {
    switch try KeyReading(bytes) {
    case .key(let file): return file
    case .encrypted(let key): return try key.decrypted(with: password)
    }
  }
}

extension EncryptedKey {
  fileprivate func decrypted(with password: borrowing SecretBytes) throws(KeyError) -> KeyFile {
    guard let key = try? scheme.key(from: password) else { throw KeyError(.refused) }
    let file = try scheme.withOutput(of: ciphertext.span, encrypting: false, key: key) { plaintext throws(KeyError) in
      try KeyFile(decrypted: plaintext, of: self)
    }
    guard let file else { throw KeyError(.wrongPassword) }
    return file
  }
}

extension PrivateKeyNumbers {
  /// The key as encrypted PKCS #8 (DER): PBES2 with PBKDF2, HMAC-SHA-256 and AES-256 in CBC mode (RFC 8018), under a fresh
  /// salt. It protects the key as well as the password is hard to guess, and does not show whether it was changed.
  ///
  /// - Parameter iterations: how often a guesser must hash for each guess, 1 to 2,000,000.
  /// - Throws: `KeyError`: `invalid` for an empty password or an iteration count out of range, `refused`.
  public borrowing func encryptedPKCS8(
    password: borrowing SecretBytes, iterations: UInt32 = 600_000
  ) throws(KeyError) -> [UInt8] {
    guard password.count > 0 else { throw KeyError(.invalid("password", .missing)) }
    guard (1...EncryptedKey.maximumIterations).contains(UInt64(iterations)) else {
      throw KeyError(.invalid("iterationCount", .numberOutOfRange))
    }
    guard let salt = try? Random.bytes(16), let iv = try? Random.bytes(16) else { throw KeyError(.refused) }
    let scheme = EncryptedKey.Scheme(
      derivation: .pbkdf2(.sha256, salt: salt, iterations: iterations), cipher: .aes256, iv: iv)
    guard let key = try? scheme.key(from: password) else { throw KeyError(.refused) }
    let plaintext = pkcs8()
    let ciphertext = plaintext.withSpan { plaintext in
      scheme.withOutput(of: plaintext, encrypting: true, key: key) { Array(copying: $0) }
    }
    guard let ciphertext, let der = EncryptedKey(scheme, encrypted: ciphertext).encoded() else {
      throw KeyError(.refused)
    }
    return der
  }
}
