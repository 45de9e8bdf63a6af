public import AssayCodec
internal import CAssayCrypto

extension PrivateScalar {
  /// The key with its public half, which is computed.
  ///
  /// - Throws: `KeyError`: `inconsistent` if the scalar is out of range, or if what the file says of the public half is
  ///   not so.
  public borrowing func completed() throws(KeyError) -> PrivateKeyNumbers {
    let size = curve.byteCount
    guard scalar.count == size else {
      throw KeyError(.wrongLength(field: "private key", expected: size, actual: scalar.count))
    }
    var x = [UInt8](repeating: 0, count: size)
    var y = x
    let status = scalar.withSpan { scalar in
      unsafe scalar.withPointer { start, _ in
        guard let start = unsafe start else { return ASSAYC_FAILED }
        return switch curve {
        case .p256: unsafe assayc_curve_public_half(ASSAYC_CURVE_P256, start, &x, &y)
        case .p384: unsafe assayc_curve_public_half(ASSAYC_CURVE_P384, start, &x, &y)
        case .p521: unsafe assayc_curve_public_half(ASSAYC_CURVE_P521, start, &x, &y)
        case .secp256k1: unsafe assayc_curve_public_half(ASSAYC_CURVE_SECP256K1, start, &x, &y)
        case .ed25519: unsafe assayc_ed25519_public_half(start, &x)
        case .ed448: unsafe assayc_ed448_public_half(start, &x)
        }
      }
    }
    if let refusal = KeyError.reason(status) { throw refusal }
    let publicKey: PublicKeyNumbers = curve.isEdwards ? .edwards(curve, x: x) : .ec(curve, x: x, y: y)
    return PrivateKeyNumbers(publicKey: publicKey, secret: .scalar(scalar.clone()))
  }
}
