internal import AssayCodec
internal import AssayCrypto

/// `at_hash`, `c_hash`, `s_hash`: the left half of a digest, by the digest of the token's `alg` (OpenID Connect Core 1.0,
/// 3.1.3.6 and 3.3.2.11; FAPI 1.0 part 2, 5.1).
enum TokenHash {
  /// The hash of a value; nil if the algorithm has no digest here, as Ed448 has not.
  static func text(of value: UTF8Text, for algorithm: JWSAlgorithm) -> UTF8Text? {
    guard let digest = digest(of: algorithm), let hash = try? digest.hash(value.utf8.span) else { return nil }
    return Base64URL.encode(hash.span.extracting(0..<hash.count / 2))
  }

  /// SHA-256 of a value, all of it: `ath` and `jkt` (RFC 9449, 4.2).
  static func sha256(of value: Span<UInt8>) -> UTF8Text? {
    guard let hash = try? Digest.sha256.hash(value) else { return nil }
    return Base64URL.encode(hash.span)
  }

  private static func digest(of algorithm: JWSAlgorithm) -> Digest? {
    switch algorithm {
    case .mac(.hs256): .sha256
    case .mac(.hs384): .sha384
    case .mac(.hs512): .sha512
    case .signature(let signature):
      switch signature {
      case .es256, .esp256, .es256k, .rs256, .ps256: .sha256
      case .es384, .esp384, .rs384, .ps384: .sha384
      case .es512, .esp512, .rs512, .ps512: .sha512
      // Of EdDSA, what everyone does: the digest of Ed25519. The name alone does not say the curve, so Ed448 is left out.
      case .edDSA, .ed25519: .sha512
      case .ed448: nil
      }
    }
  }
}
