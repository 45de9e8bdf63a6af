public import AssayCodec
internal import CAssayCrypto

/// A private key whose halves are known to belong together, with the one algorithm it is for.
///
/// Copies share the key. It may be used from any number of threads. An Ed25519 secret lies in guarded memory, which is not
/// swapped out as long as the system lets the process lock memory; all other secrets lie in OpenSSL's, which wipes them
/// when the last copy goes away.
public struct SigningKey: Sendable {
  /// The public half.
  public let verificationKey: VerificationKey

  private let handle: PrivateKeyHandle

  /// The algorithm the key is for.
  public var algorithm: SignatureAlgorithm { verificationKey.algorithm }

  /// Makes a key of its numbers.
  ///
  /// Success proves that the public half is a usable one (see `VerificationKey`), and that the private half is its own:
  /// public keys on curves are computed again, RSA numbers are checked against each other and sign once.
  public init(_ numbers: borrowing PrivateKeyNumbers, for algorithm: SignatureAlgorithm) throws(KeyError) {
    verificationKey = try VerificationKey(numbers.publicKey, for: algorithm)
    handle = try PrivateKeyHandle(numbers, algorithm.scheme)
  }

  /// Makes a fresh key. `modulusBits` counts for RSA only, 2048 to 8192; large ones take many seconds to find, and an odd
  /// number gives a key of one bit less.
  public static func generate(_ algorithm: SignatureAlgorithm, modulusBits: Int = 2048) throws(KeyError) -> SigningKey {
    let handle = try PrivateKeyHandle(generating: algorithm.scheme, modulusBits: modulusBits)
    guard let numbers = handle.publicNumbers(for: algorithm.scheme) else { throw KeyError(.refused) }
    return SigningKey(try VerificationKey(numbers, for: algorithm), handle)
  }

  private init(_ verificationKey: VerificationKey, _ handle: PrivateKeyHandle) {
    self.verificationKey = verificationKey
    self.handle = handle
  }

  /// Signs `message`. The format counts for ECDSA only. ECDSA signatures differ each time.
  public func sign(_ message: Span<UInt8>, ecdsa format: ECDSASignatureFormat) throws(CryptoError) -> [UInt8] {
    guard let signature = handle.sign(message) else { throw CryptoLibraries.fault }
    guard case .ecdsa(let curve, _) = algorithm.scheme else { return signature }
    // OpenSSL writes DER. Reading it back also checks what is about to be handed out.
    guard let numbers = ECDSASignature(signature.span, .der, on: curve) else { throw CryptoError(.failed) }
    return numbers.encoded(format)
  }

  /// The key as plain numbers, to store it. They are wiped when they go away.
  public func privateNumbers() throws(CryptoError) -> PrivateKeyNumbers {
    let secret: PrivateKeyNumbers.Secret =
      switch algorithm.scheme {
      case .ecdsa: .scalar(try handle.secretNumber(ASSAYC_EC_D))
      case .edDSA: .scalar(try handle.secretNumber(ASSAYC_EDWARDS_SEED))
      case .rsaPKCS1, .rsaPSS:
        .rsa(
          PrivateKeyNumbers.RSASecret(
            d: try handle.secretNumber(ASSAYC_RSA_D), p: try handle.secretNumber(ASSAYC_RSA_P),
            q: try handle.secretNumber(ASSAYC_RSA_Q), dp: try handle.secretNumber(ASSAYC_RSA_DP),
            dq: try handle.secretNumber(ASSAYC_RSA_DQ), qi: try handle.secretNumber(ASSAYC_RSA_QI)))
      }
    return PrivateKeyNumbers(publicKey: verificationKey.numbers, secret: secret)
  }
}
