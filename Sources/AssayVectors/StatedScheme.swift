internal import AssayCodec
internal import AssayCrypto

/// The way to sign that a file names by its parameters, whether or not JOSE has a name for it.
enum StatedScheme {
  case scheme(SignatureScheme)
  /// This engine has nothing for it: the words of `scope.json`.
  case outside(UTF8Text)

  /// Completes a scheme by its digest.
  static func withDigest(_ nistName: UTF8Text, _ scheme: (Digest) -> StatedScheme) -> StatedScheme {
    // Collisions of SHA-1 can be made: it signs nothing.
    guard let digest = Digest(nistName: nistName), digest != .sha1 else {
      return .outside(UTF8Text("digest: \(nistName.string)"))
    }
    return scheme(digest)
  }

  /// The algorithm of JOSE that signs this way.
  var algorithm: SignatureAlgorithm? {
    guard case .scheme(let scheme) = self else { return nil }
    return SignatureAlgorithm.allCases.first { $0.scheme == scheme }
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
