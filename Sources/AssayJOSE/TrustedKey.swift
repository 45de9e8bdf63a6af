internal import AssayCodec
internal import AssayCrypto

/// A key to be tried, and its name if it has one. A class, so that choosing among keys copies nothing.
final class TrustedKey: Sendable {
  /// What verifies: either kind by its own type, so that no bytes are ever taken for the other kind.
  enum Key: Sendable {
    case signature(VerificationKey)
    case mac(MACKey)

    func isValid(_ signature: Span<UInt8>, for signingInput: Span<UInt8>) -> Bool {
      switch self {
      case .signature(let key): key.isValid(signature, for: signingInput, ecdsa: .fixedWidth)
      case .mac(let key): key.isValid(signature, for: signingInput)
      }
    }
  }

  let key: Key
  let keyID: UTF8Text?
  /// The one algorithm the key is for, as JOSE names it.
  let algorithm: JWSAlgorithm

  /// The SHA-256 of its certificate, if it has one.
  let certificateDigest: [UInt8]?
  /// How its certificate is vouched for, if that is why it is trusted.
  let path: ValidatedPath?

  init(_ key: Key, keyID: UTF8Text?, certificateDigest: [UInt8]? = nil, path: ValidatedPath? = nil) {
    self.key = key
    self.keyID = keyID
    self.certificateDigest = certificateDigest
    self.path = path
    algorithm =
      switch key {
      case .signature(let key): .signature(key.algorithm.inJOSE)
      case .mac(let key): .mac(key.algorithm)
      }
  }
}
