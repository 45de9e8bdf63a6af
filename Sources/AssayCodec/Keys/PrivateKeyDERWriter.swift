extension PrivateKeyNumbers {
  /// The DER PKCS #8 PrivateKeyInfo (RFC 5208), as OpenSSL writes it: version 0, without attributes; for Ed25519 and Ed448
  /// without the public half (RFC 8410, 7).
  public borrowing func pkcs8() -> SecretBytes {
    var writer = DERWriter()
    writer.element(.sequence) { writer in
      writer.small(0)
      KeyAlgorithm.write(for: publicKey, to: &writer)
      writer.element(.octetString) { writer in
        switch publicKey {
        case .rsa: writeRSAPrivateKey(to: &writer)
        case .ec: writeECPrivateKey(namingCurve: false, to: &writer)
        case .edwards: writeScalar(to: &writer)
        }
      }
    }
    return writer.secret()
  }

  /// The DER SEC 1 ECPrivateKey (RFC 5915) with its curve and public half; nil if the key is on none of SEC 1's curves.
  public borrowing func sec1() -> SecretBytes? {
    guard case .ec = publicKey else { return nil }
    var writer = DERWriter()
    writeECPrivateKey(namingCurve: true, to: &writer)
    return writer.secret()
  }

  /// The DER RSAPrivateKey (PKCS #1; RFC 8017, A.1.2); nil if this is no RSA key.
  public borrowing func pkcs1() -> SecretBytes? {
    guard case .rsa = publicKey else { return nil }
    var writer = DERWriter()
    writeRSAPrivateKey(to: &writer)
    return writer.secret()
  }

  private borrowing func writeRSAPrivateKey(to writer: inout DERWriter) {
    guard case .rsa(let modulus, let exponent) = publicKey else { return }
    writer.element(.sequence) { writer in
      writer.small(0)
      writer.unsigned(modulus)
      writer.unsigned(exponent)
      switch secret {
      case .rsa(let secret):
        secret.d.withSpan { writer.unsigned($0) }
        secret.p.withSpan { writer.unsigned($0) }
        secret.q.withSpan { writer.unsigned($0) }
        secret.dp.withSpan { writer.unsigned($0) }
        secret.dq.withSpan { writer.unsigned($0) }
        secret.qi.withSpan { writer.unsigned($0) }
      case .scalar: break
      }
    }
  }

  /// RFC 5915, 3. Inside PKCS #8 the curve stands in the AlgorithmIdentifier, and is left out here.
  private borrowing func writeECPrivateKey(namingCurve: Bool, to writer: inout DERWriter) {
    guard case .ec(let curve, _, _) = publicKey, let point = publicKey.point else { return }
    writer.element(.sequence) { writer in
      writer.small(1)
      writeScalar(to: &writer)
      if namingCurve { writer.element(.context0) { writer in writer.objectIdentifier(curve.objectIdentifier) } }
      writer.element(.context1) { writer in writer.bitString(point) }
    }
  }

  private borrowing func writeScalar(to writer: inout DERWriter) {
    switch secret {
    case .scalar(let scalar): scalar.withSpan { writer.element(.octetString, $0) }
    case .rsa: break
    }
  }
}
