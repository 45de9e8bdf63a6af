package import AssayCodec
internal import CAssayCrypto

/// How signatures are made, in every combination that the libraries have: a `SignatureAlgorithm` is one of these with a name.
package enum SignatureScheme: Hashable, Sendable {
  /// ECDSA (FIPS 186-5, 6). The digest may be longer than the curve's order: its first bits count.
  case ecdsa(EllipticCurve, Digest)
  /// RSASSA-PKCS1-v1_5 (RFC 8017, 8.2). With SHA-1 it only verifies.
  case rsaPKCS1(Digest)
  /// RSASSA-PSS (RFC 8017, 8.1) with MGF1 over the same digest and a salt of exactly so many bytes.
  case rsaPSS(Digest, saltByteCount: Int)
  /// EdDSA without a context (RFC 8032) on this Edwards curve; nil leaves the curve to the key.
  case edDSA(EllipticCurve?)

  /// The kind of key that is needed, in words.
  var keyKind: Field {
    switch self {
    case .rsaPKCS1, .rsaPSS: "RSA"
    case .ecdsa(.p256, _): "P-256"
    case .ecdsa(.p384, _): "P-384"
    case .ecdsa(.p521, _): "P-521"
    case .ecdsa(.secp256k1, _): "secp256k1"
    case .edDSA(.ed25519): "Ed25519"
    case .edDSA(.ed448): "Ed448"
    case .edDSA(nil): "Ed25519 or Ed448"
    case .ecdsa, .edDSA: "a curve of the other kind"
    }
  }
}

extension SignatureAlgorithm {
  /// How it signs.
  package var scheme: SignatureScheme {
    switch self {
    case .es256, .esp256: .ecdsa(.p256, .sha256)
    case .es384, .esp384: .ecdsa(.p384, .sha384)
    case .es512, .esp512: .ecdsa(.p521, .sha512)
    case .es256k: .ecdsa(.secp256k1, .sha256)
    case .rs256: .rsaPKCS1(.sha256)
    case .rs384: .rsaPKCS1(.sha384)
    case .rs512: .rsaPKCS1(.sha512)
    case .ps256: .rsaPSS(.sha256, saltByteCount: Digest.sha256.byteCount)
    case .ps384: .rsaPSS(.sha384, saltByteCount: Digest.sha384.byteCount)
    case .ps512: .rsaPSS(.sha512, saltByteCount: Digest.sha512.byteCount)
    case .edDSA: .edDSA(nil)
    case .ed25519: .edDSA(.ed25519)
    case .ed448: .edDSA(.ed448)
    }
  }
}

extension SignatureScheme {
  /// What the C functions take for an RSA scheme; nil for the others.
  var rsa: assayc_rsa_scheme? {
    switch self {
    case .rsaPKCS1(let digest): assayc_rsa_scheme(padding: ASSAYC_PKCS1, digest: digest.identifier, salt_length: 0)
    case .rsaPSS(let digest, let salt):
      assayc_rsa_scheme(padding: ASSAYC_PSS, digest: digest.identifier, salt_length: salt)
    case .ecdsa, .edDSA: nil
    }
  }
}

extension EllipticCurve {
  /// What the C functions call a curve of coordinates; nil for Edwards curves.
  var coordinates: assayc_curve? {
    switch self {
    case .p256: ASSAYC_CURVE_P256
    case .p384: ASSAYC_CURVE_P384
    case .p521: ASSAYC_CURVE_P521
    case .secp256k1: ASSAYC_CURVE_SECP256K1
    case .ed25519, .ed448: nil
    }
  }

  /// What the C functions call an Edwards curve; nil for the others.
  var edwards: assayc_edwards? {
    switch self {
    case .ed25519: ASSAYC_ED25519
    case .ed448: ASSAYC_ED448
    case .p256, .p384, .p521, .secp256k1: nil
    }
  }
}
