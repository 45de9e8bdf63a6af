internal import AssayCodec
internal import AssayCrypto

/// A way to sign by its parameters, with or without a name in JOSE.
enum SignaturePrimitive {
  case ecdsa(EllipticCurve, Digest)
  case edwards(EllipticCurve)
  case pkcs1(Digest)
  case pss(Digest, saltBytes: Int)
  /// One that this engine has nothing for, with the words of `scope.json`.
  case outside(UTF8Text)

  /// The `alg` with exactly these parameters.
  private var joseName: UTF8Text? {
    switch self {
    case .ecdsa(.p256, .sha256): "ES256"
    case .ecdsa(.p384, .sha384): "ES384"
    case .ecdsa(.p521, .sha512): "ES512"
    case .ecdsa(.secp256k1, .sha256): "ES256K"
    case .edwards(.ed25519): "EdDSA"
    case .edwards(.ed448): "Ed448"
    case .pkcs1(.sha256): "RS256"
    case .pkcs1(.sha384): "RS384"
    case .pkcs1(.sha512): "RS512"
    case .pss(.sha256, 32): "PS256"
    case .pss(.sha384, 48): "PS384"
    case .pss(.sha512, 64): "PS512"
    default: nil
    }
  }

  /// Why it cannot be judged, if it cannot.
  var skipReason: SkipReason? {
    if case .outside(let words) = self { return .named(words) }
    guard let joseName else { return .named("signature: without a name in JOSE") }
    return SignatureAlgorithm(joseName: joseName) == nil ? .named(UTF8Text("signature: \(joseName.string)")) : nil
  }

  /// A key that verifies this way; nil where there is a `skipReason`.
  func verificationKey(_ numbers: PublicKeyNumbers) throws(KeyError) -> VerificationKey? {
    guard let joseName, let algorithm = SignatureAlgorithm(joseName: joseName) else { return nil }
    return try VerificationKey(numbers, for: algorithm)
  }

  /// A key that signs this way; nil where there is a `skipReason`.
  func signingKey(_ file: borrowing KeyFile) throws(KeyError) -> SigningKey? {
    guard let joseName, let algorithm = SignatureAlgorithm(joseName: joseName) else { return nil }
    return try SigningKey(file, for: algorithm)
  }
}

extension Digest {
  /// The digest of a name as NIST writes it: `SHA-256`.
  init?(nistName: UTF8Text) {
    switch nistName {
    case "SHA-1": self = .sha1
    case "SHA-256": self = .sha256
    case "SHA-384": self = .sha384
    case "SHA-512": self = .sha512
    default: return nil
    }
  }
}
