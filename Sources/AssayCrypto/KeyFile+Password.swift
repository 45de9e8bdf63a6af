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
