public import AssayCodec

extension SigningKey {
  /// Makes a key of what a key file holds; the public half is computed where the file leaves it out.
  ///
  /// - Throws: `KeyError`: `privateKeyRequired` for a public key, and what `init(_:for:)` throws for its numbers.
  public init(_ file: borrowing KeyFile, for algorithm: SignatureAlgorithm) throws(KeyError) {
    switch file.contents {
    case .publicKey: throw KeyError(.privateKeyRequired)
    case .compressedKey: throw KeyError(.privateKeyRequired)
    case .symmetricKey: throw KeyError(.symmetricKeyNotAllowed)
    case .privateKey(let numbers): try self.init(numbers, for: algorithm)
    case .privateScalar(let scalar): try self.init(scalar, for: algorithm)
    }
  }

  /// Makes a key of its private half alone, as PKCS #8 files hold Ed25519 keys (RFC 8410, 7): the public half is computed.
  public init(_ scalar: borrowing PrivateScalar, for algorithm: SignatureAlgorithm) throws(KeyError) {
    try self.init(scalar.completed(), for: algorithm)
  }
}
