import AssayCodec
import AssayCrypto

extension Array where Element == UInt8 {
  /// The bytes of hexadecimal text, as vectors are written; nothing for text that is none.
  init(hex text: String) {
    let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
    self = stride(from: 0, to: digits.count - digits.count % 2, by: 2).compactMap { index in
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      return UInt8(high << 4 | low)
    }
  }

  /// The same bytes with one changed.
  func flippingBit(_ bit: Int) -> [UInt8] {
    var changed = self
    changed[bit / 8] ^= 1 << UInt8(bit % 8)
    return changed
  }
}

// `#expect` cannot hold a `Span`: the tests call the API through arrays.

extension VerificationKey {
  func accepts(_ signature: [UInt8], _ message: [UInt8], _ format: ECDSASignatureFormat = .fixedWidth) -> Bool {
    isValid(signature.span, for: message.span, ecdsa: format)
  }
}

extension SigningKey {
  func sign(_ message: [UInt8], _ format: ECDSASignatureFormat = .fixedWidth) throws -> [UInt8] {
    try sign(message.span, ecdsa: format)
  }
}

extension SecretBytes {
  init(_ bytes: [UInt8]) { self.init(copying: bytes.span) }
}

extension HMACKey {
  func authenticate(_ message: [UInt8]) throws -> [UInt8] { try authenticate(message.span) }
}

extension Digest {
  func hash(_ first: some Sequence<UInt8>, _ second: some Sequence<UInt8> = []) throws -> [UInt8] {
    let first = Array(first)
    let second = Array(second)
    return try hash(first.span, then: second.span)
  }
}

/// Fresh keys. RSA moduli take long to find: all algorithms share two.
enum FreshKey {
  private static let rsa = [0, 1].map { _ in Result { () throws(KeyError) in try SigningKey.generate(.rs256) } }
  static let rsaAlgorithms: [SignatureAlgorithm] = [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]

  /// A key; with `other`, another than without it.
  static func make(_ algorithm: SignatureAlgorithm, other: Bool = false) throws -> SigningKey {
    guard rsaAlgorithms.contains(algorithm) else { return try SigningKey.generate(algorithm) }
    return try SigningKey(try rsa[other ? 1 : 0].get().privateNumbers(), for: algorithm)
  }
}

/// Keys whose halves do not belong together.
enum Mismatch {
  static func publicHalf(of key: SigningKey, privateHalfOf other: SigningKey) throws -> PrivateKeyNumbers {
    try replacingPublicHalf(of: other.privateNumbers(), by: key.verificationKey.numbers)
  }

  static func replacingPublicHalf(
    of numbers: consuming PrivateKeyNumbers, by publicKey: PublicKeyNumbers
  ) -> PrivateKeyNumbers {
    PrivateKeyNumbers(publicKey: publicKey, secret: clone(numbers.secret))
  }

  static func clone(_ secret: borrowing PrivateKeyNumbers.Secret) -> PrivateKeyNumbers.Secret {
    switch secret {
    case .scalar(let scalar): .scalar(scalar.clone())
    case .rsa(let rsa):
      .rsa(
        PrivateKeyNumbers.RSASecret(
          d: rsa.d.clone(), p: rsa.p.clone(), q: rsa.q.clone(), dp: rsa.dp.clone(), dq: rsa.dq.clone(),
          qi: rsa.qi.clone()))
    }
  }
}
