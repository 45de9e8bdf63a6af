/// What kind of key an algorithm of a JWK's `alg` needs (RFC 7518, 3.1; RFC 8037, 3.1; RFC 8812, 3.2; RFC 9864).
enum KeyRequirement {
  case rsa
  case oneOf([EllipticCurve])
  /// A secret of at least so many bytes (RFC 7518, 3.2).
  case secret(minimum: Int)

  /// Nil for an algorithm that is no signature algorithm known here.
  init?(alg: UTF8Text) {
    switch alg {
    case "RS256", "RS384", "RS512", "PS256", "PS384", "PS512": self = .rsa
    case "ES256": self = .oneOf([.p256])
    case "ES384": self = .oneOf([.p384])
    case "ES512": self = .oneOf([.p521])
    case "ES256K": self = .oneOf([.secp256k1])
    case "EdDSA": self = .oneOf([.ed25519, .ed448])
    case "Ed25519": self = .oneOf([.ed25519])
    case "Ed448": self = .oneOf([.ed448])
    case "HS256": self = .secret(minimum: 32)
    case "HS384": self = .secret(minimum: 48)
    case "HS512": self = .secret(minimum: 64)
    default: return nil
    }
  }

  /// That a public key is of this kind.
  func check(_ key: PublicKeyNumbers) throws(KeyError) {
    switch (self, key) {
    case (.rsa, .rsa): break
    case (.oneOf(let curves), .ec(let curve, _, _)), (.oneOf(let curves), .edwards(let curve, _)):
      guard curves.contains(curve) else { throw KeyError(.contradiction("alg", "crv")) }
    default: throw KeyError(.contradiction("alg", "kty"))
    }
  }

  /// That a secret is of this kind, and long enough.
  func check(_ secret: borrowing SecretBytes) throws(KeyError) {
    guard case .secret(let minimum) = self else { throw KeyError(.contradiction("alg", "kty")) }
    guard secret.count >= minimum else { throw KeyError(.secretTooShort(bytes: secret.count, minimum: minimum)) }
  }
}
