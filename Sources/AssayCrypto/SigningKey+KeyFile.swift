public import AssayCodec
internal import CAssayCrypto

extension SigningKey {
  /// Makes a key of what a key file holds; the public half is computed where the file leaves it out.
  ///
  /// - Throws: `KeyError`: `privateKeyRequired` for a public key, and what `init(_:for:)` throws for its numbers.
  public init(_ file: borrowing KeyFile, for algorithm: SignatureAlgorithm) throws(KeyError) {
    switch file.contents {
    case .publicKey: throw KeyError(.privateKeyRequired)
    case .privateKey(let numbers): try self.init(numbers, for: algorithm)
    case .privateScalar(let scalar): try self.init(scalar, for: algorithm)
    }
  }

  /// Makes a key of its private half alone, as PKCS #8 files hold Ed25519 keys (RFC 8410, 7): the public half is computed.
  public init(_ scalar: borrowing PrivateScalar, for algorithm: SignatureAlgorithm) throws(KeyError) {
    try self.init(scalar.completed(), for: algorithm)
  }
}

extension PrivateScalar {
  /// The key with its public half, which is computed.
  ///
  /// - Throws: `KeyError`: `inconsistent` if the scalar is out of range, `unsupported` for curves other than P-256 and
  ///   Ed25519.
  public borrowing func completed() throws(KeyError) -> PrivateKeyNumbers {
    guard curve == .p256 || curve == .ed25519 else {
      throw KeyError(.unsupported(what: "a private key on this curve without its public half"))
    }
    guard scalar.count == curve.byteCount else {
      throw KeyError(.wrongLength(field: "private key", expected: curve.byteCount, actual: scalar.count))
    }
    var x = [UInt8](repeating: 0, count: curve.byteCount)
    var y = x
    let status = scalar.withSpan { scalar in
      unsafe scalar.withPointer { start, _ in
        guard let start = unsafe start else { return ASSAYC_FAILED }
        return curve == .p256
          ? unsafe assayc_p256_public_half(start, &x, &y) : unsafe assayc_ed25519_public_half(start, &x)
      }
    }
    if let refusal = KeyError.reason(status) { throw refusal }
    let publicKey: PublicKeyNumbers = curve == .p256 ? .ec(curve, x: x, y: y) : .edwards(curve, x: x)
    return PrivateKeyNumbers(publicKey: publicKey, secret: .scalar(scalar.clone()))
  }
}
