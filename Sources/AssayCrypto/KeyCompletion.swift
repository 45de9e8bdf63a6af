public import AssayCodec
internal import CAssayCrypto

extension PrivateScalar {
  /// The key with its public half, which is computed.
  ///
  /// - Throws: `KeyError`: `inconsistent` if the scalar is out of range, or if what the file says of the public half is
  ///   not so; `anotherKeyBeside` if the file holds the public key or certificate of another key.
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
        if let identifier = curve.identifier { return unsafe assayc_curve_public_half(identifier, start, &x, &y) }
        return curve == .ed25519
          ? unsafe assayc_ed25519_public_half(start, &x) : unsafe assayc_ed448_public_half(start, &x)
      }
    }
    if let refusal = KeyError.reason(status) { throw refusal }
    if let compressedPoint {
      guard compressedPoint == CompressedPoint(curve: curve, x: x, yIsOdd: y.last.map { $0 & 1 == 1 } ?? false) else {
        throw KeyError(.inconsistent)
      }
    }
    let publicKey: PublicKeyNumbers = curve.isEdwards ? .edwards(curve, x: x) : .ec(curve, x: x, y: y)
    if let beside, !beside.describes(publicKey) { throw KeyError(.anotherKeyBeside) }
    return PrivateKeyNumbers(publicKey: publicKey, secret: .scalar(scalar.clone()))
  }
}

extension CompressedPoint {
  /// The key with both coordinates.
  ///
  /// - Throws: `KeyError`: `notOnCurve` if no point of the curve has this coordinate.
  public func completed() throws(KeyError) -> PublicKeyNumbers {
    guard let identifier = curve.identifier else { throw KeyError(.notOnCurve) }
    let x = try curve.checked(x, "x")
    var y = [UInt8](repeating: 0, count: curve.byteCount)
    let status = unsafe assayc_curve_decompress(identifier, x, yIsOdd ? 1 : 0, &y)
    if let refusal = KeyError.reason(status) { throw refusal }
    return .ec(curve, x: x, y: y)
  }
}

extension KeyFile {
  /// The public key, computed as far as the file leaves it out. Whether it is usable is not checked.
  ///
  /// - Throws: `KeyError`: `symmetricKeyNotAllowed`; `notOnCurve` and `inconsistent` where something is computed.
  public borrowing func publicKey() throws(KeyError) -> PublicKeyNumbers {
    switch contents {
    case .publicKey(let numbers): return numbers
    case .compressedKey(let point): return try point.completed()
    case .privateKey(let numbers): return numbers.publicKey
    case .privateScalar(let scalar): return try scalar.completed().publicKey
    case .symmetricKey: throw KeyError(.symmetricKeyNotAllowed)
    }
  }

  /// Both halves of the private key, the public one computed where the file leaves it out.
  ///
  /// - Throws: `KeyError`: `privateKeyRequired`, `symmetricKeyNotAllowed`; `inconsistent` where something is computed.
  public consuming func privateKey() throws(KeyError) -> PrivateKeyNumbers {
    switch takeContents() {
    case .privateKey(let numbers): return numbers
    case .privateScalar(let scalar): return try scalar.completed()
    case .publicKey: throw KeyError(.privateKeyRequired)
    case .compressedKey: throw KeyError(.privateKeyRequired)
    case .symmetricKey: throw KeyError(.symmetricKeyNotAllowed)
    }
  }
}

extension EllipticCurve {
  /// What the C functions call it; nil for Edwards curves.
  fileprivate var identifier: assayc_curve? {
    switch self {
    case .p256: ASSAYC_CURVE_P256
    case .p384: ASSAYC_CURVE_P384
    case .p521: ASSAYC_CURVE_P521
    case .secp256k1: ASSAYC_CURVE_SECP256K1
    case .ed25519, .ed448: nil
    }
  }
}
