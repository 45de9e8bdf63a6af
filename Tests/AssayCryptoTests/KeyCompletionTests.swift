import AssayCodec
import AssayCrypto
import Testing

/// What key files leave out of a public key, computed.
@Suite struct KeyCompletionTests {
  /// The base point of each curve (SEC 2), which is the public half of the private key 1.
  static let basePoints: [(curve: EllipticCurve, x: String, y: String)] = [
    (
      .p256, "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
      "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
    ),
    (
      .p384,
      "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7",
      "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f"
    ),
    (
      .p521,
      "00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a"
        + "429bf97e7e31c2e5bd66",
      "011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761353c7086a272"
        + "c24088be94769fd16650"
    ),
    (
      .secp256k1, "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
      "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"
    ),
  ]

  @Test(arguments: basePoints) func thePublicHalfOfOne(_ curve: EllipticCurve, _ x: String, _ y: String) throws {
    var one = [UInt8](repeating: 0, count: curve.byteCount)
    one[curve.byteCount - 1] = 1
    let numbers = try PrivateScalar(curve: curve, scalar: SecretBytes(copying: one.span)).completed()
    #expect(numbers.publicKey == .ec(curve, x: [UInt8](hex: x), y: [UInt8](hex: y)))

    let zero = [UInt8](repeating: 0, count: curve.byteCount)
    let large = [UInt8](repeating: 0xFF, count: curve.byteCount)
    for scalar in [zero, large] {
      #expect(throws: KeyError(.inconsistent)) {
        _ = try PrivateScalar(curve: curve, scalar: SecretBytes(copying: scalar.span)).completed()
      }
    }
  }

  /// RFC 8032, 7.1 and 7.4: the first test of each.
  static let seeds: [(curve: EllipticCurve, seed: String, point: String)] = [
    (
      .ed25519, "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    ),
    (
      .ed448,
      "6c82a562cb808d10d632be89c8513ebf6c929f34ddfa8c9f63c9960ef6e348a3528c8a3fcc2f044e39a3fc5b94492f8f032e7549a20098f9"
        + "5b",
      "5fd7449b59b461fd2ce787ec616ad46a1da1342485a70e1f8a0ea75d80e96778edf124769b46c7061bd6783df1e50f6cd1fa1abeafe82561"
        + "80"
    ),
  ]

  @Test(arguments: seeds) func thePublicHalfOfASeed(_ curve: EllipticCurve, _ seed: String, _ point: String) throws {
    let secret = SecretBytes(copying: [UInt8](hex: seed).span)
    let numbers = try PrivateScalar(curve: curve, scalar: secret).completed()
    #expect(numbers.publicKey == .edwards(curve, x: [UInt8](hex: point)))
  }
}
