internal import AssayCodec
internal import AssayCrypto

/// A way to sign by its parameters, with or without a name in JOSE.
enum SignaturePrimitive {
  case scheme(SignatureScheme)
  /// One that this engine has nothing for, with the words of `scope.json`.
  case outside(UTF8Text)

  /// Why it cannot be judged, if it cannot.
  var skipReason: SkipReason? {
    if case .outside(let words) = self { .named(words) } else { nil }
  }

  /// A key that verifies this way; nil where there is a `skipReason`.
  func verificationKey(_ numbers: PublicKeyNumbers) throws(KeyError) -> SchemeKey? {
    guard case .scheme(let scheme) = self else { return nil }
    return try SchemeKey(numbers, scheme)
  }

  /// A key that signs this way; nil where there is a `skipReason`, or no algorithm of this name.
  func signingKey(_ file: borrowing KeyFile) throws(KeyError) -> SigningKey? {
    guard case .scheme(let scheme) = self,
      let algorithm = SignatureAlgorithm.allCases.first(where: { $0.scheme == scheme })
    else { return nil }
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
