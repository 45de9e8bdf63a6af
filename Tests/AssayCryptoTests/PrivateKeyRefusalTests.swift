import AssayCodec
import AssayCrypto
import Testing

/// Private keys whose halves do not belong together.
@Suite struct PrivateKeyRefusalTests {
  @Test(arguments: SignatureAlgorithm.allCases) func halvesOfTwoKeysAreRefused(_ algorithm: SignatureAlgorithm) throws {
    let key = try FreshKey.make(algorithm)
    let other = try FreshKey.make(algorithm, other: true)
    _ = try SigningKey(Mismatch.publicHalf(of: key, privateHalfOf: key), for: algorithm)
    #expect(throws: KeyError(.inconsistent)) {
      try SigningKey(Mismatch.publicHalf(of: key, privateHalfOf: other), for: algorithm)
    }
  }

  @Test func secretsOfAnotherKindAreRefused() throws {
    let rsa = try FreshKey.make(.rs256)
    for algorithm in [SignatureAlgorithm.es256, .es512, .edDSA, .ed448] {
      let key = try SigningKey.generate(algorithm)
      #expect(throws: KeyError(.inconsistent)) {
        try SigningKey(Mismatch.publicHalf(of: rsa, privateHalfOf: key), for: .rs256)
      }
      #expect(throws: KeyError(.inconsistent)) {
        try SigningKey(Mismatch.publicHalf(of: key, privateHalfOf: rsa), for: algorithm)
      }
    }
  }

  @Test(arguments: SignatureAlgorithm.allCases) func aKeyForAnotherAlgorithmIsRefused(_ algorithm: SignatureAlgorithm)
    throws
  {
    let key = try FreshKey.make(algorithm)
    let kind = key.verificationKey.numbers.kind
    for other in SignatureAlgorithm.allCases {
      let fits = (try? VerificationKey(key.verificationKey.numbers, for: other)) != nil
      #expect(fits == Self.algorithms(for: kind).contains(other), "\(kind) for \(other)")
      #expect(((try? SigningKey(try key.privateNumbers(), for: other)) != nil) == fits)
    }
  }

  /// Every algorithm that a kind of key is for.
  static func algorithms(for kind: String) -> [SignatureAlgorithm] {
    switch kind {
    case "P-256": [.es256, .esp256]
    case "P-384": [.es384, .esp384]
    case "P-521": [.es512, .esp512]
    case "secp256k1": [.es256k]
    case "Ed25519": [.edDSA, .ed25519]
    case "Ed448": [.edDSA, .ed448]
    default: FreshKey.rsaAlgorithms
    }
  }

  /// RFC 6979, A.2.5.
  static let p256Secret = [UInt8](hex: "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")
  static let order = [UInt8](hex: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
  /// RFC 8032, 7.1 TEST 3.
  static let edwardsSeed = [UInt8](hex: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7")

  private func refusal(of secret: [UInt8], _ known: KnownSignature) -> KeyError.Reason? {
    do throws(KeyError) {
      let numbers = PrivateKeyNumbers(publicKey: known.numbers, secret: .scalar(SecretBytes(secret)))
      _ = try SigningKey(numbers, for: known.algorithm)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func scalarsOutOfRangeAreRefused() {
    #expect(refusal(of: Self.p256Secret, .rfc6979) == nil)
    #expect(refusal(of: [UInt8](repeating: 0, count: 32), .rfc6979) == .inconsistent)
    #expect(refusal(of: Self.order, .rfc6979) == .inconsistent)
    #expect(refusal(of: [UInt8](repeating: 0xFF, count: 32), .rfc6979) == .inconsistent)
    for bit in stride(from: 0, to: 256, by: 17) {
      #expect(refusal(of: Self.p256Secret.flippingBit(bit), .rfc6979) == .inconsistent)
    }
  }

  @Test func seedsOfAnotherKeyAreRefused() {
    #expect(refusal(of: Self.edwardsSeed, .rfc8032) == nil)
    for bit in 0..<256 { #expect(refusal(of: Self.edwardsSeed.flippingBit(bit), .rfc8032) == .inconsistent) }
  }

  @Test func secretsOfAnotherLengthAreRefused() {
    for (known, secret) in [(KnownSignature.rfc6979, Self.p256Secret), (.rfc8032, Self.edwardsSeed)] {
      for other in [[], [UInt8](secret.dropLast()), [0] + secret] {
        #expect(refusal(of: other, known) == .wrongLength(field: "d", expected: 32, actual: other.count))
      }
    }
  }

  /// RFC 8032, 5.1.6: signing has one result.
  @Test func ed25519SignsAsPublished() throws {
    let numbers = PrivateKeyNumbers(
      publicKey: KnownSignature.rfc8032.numbers, secret: .scalar(SecretBytes(Self.edwardsSeed)))
    let key = try SigningKey(numbers, for: .edDSA)
    #expect(try key.sign(KnownSignature.rfc8032.message) == KnownSignature.rfc8032.signature)
  }

  /// Each of the numbers changed alone, and the factors exchanged.
  @Test func rsaNumbersThatDoNotAgreeAreRefused() throws {
    let key = try SigningKey.generate(.rs256)
    for number in 0..<6 {
      for bit in [0, 1, 7] {
        #expect(throws: KeyError(.inconsistent), "number \(number), bit \(bit)") {
          try SigningKey(try Self.changing(number, bit: bit, of: key), for: .rs256)
        }
      }
    }
    #expect(throws: KeyError(.inconsistent)) { try SigningKey(try Self.exchangingFactors(of: key), for: .rs256) }
  }

  private static func exchangingFactors(of key: SigningKey) throws -> PrivateKeyNumbers {
    let numbers = try key.privateNumbers()
    switch numbers.secret {
    case .scalar: throw KeyError(.refused)
    case .rsa(let rsa):
      return PrivateKeyNumbers(
        publicKey: numbers.publicKey,
        secret: .rsa(
          PrivateKeyNumbers.RSASecret(
            d: rsa.d.clone(), p: rsa.q.clone(), q: rsa.p.clone(), dp: rsa.dq.clone(), dq: rsa.dp.clone(),
            qi: rsa.qi.clone())))
    }
  }

  private static func changing(_ number: Int, bit: Int, of key: SigningKey) throws -> PrivateKeyNumbers {
    func changed(_ index: Int, _ secret: borrowing SecretBytes) -> SecretBytes {
      var copy = secret.withSpan { Array(copying: $0) }
      if index == number { copy[copy.count - 1] ^= 1 << UInt8(bit) }
      return SecretBytes(copying: copy.span)
    }
    let numbers = try key.privateNumbers()
    switch numbers.secret {
    case .scalar: throw KeyError(.refused)
    case .rsa(let rsa):
      return PrivateKeyNumbers(
        publicKey: numbers.publicKey,
        secret: .rsa(
          PrivateKeyNumbers.RSASecret(
            d: changed(0, rsa.d), p: changed(1, rsa.p), q: changed(2, rsa.q), dp: changed(3, rsa.dp),
            dq: changed(4, rsa.dq), qi: changed(5, rsa.qi))))
    }
  }

  @Test(arguments: [0, 1, 1024, 2047, 8193, Int.max, -1]) func modulusSizesOutOfRangeAreNotGenerated(_ bits: Int) {
    #expect(throws: KeyError(.modulusSize(bits: bits, minimum: 2048, maximum: 8192))) {
      try SigningKey.generate(.rs256, modulusBits: bits)
    }
  }
}
