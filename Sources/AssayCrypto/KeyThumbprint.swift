public import AssayCodec

/// The SHA-256 thumbprint of a key: of its JWK (RFC 7638; RFC 8037, 2) or of its COSE_Key (RFC 9679).
///
/// It names the key whatever else its file says. Two keys with one thumbprint are the same key. A private key has that of its
/// public half.
public struct KeyThumbprint: Hashable, Sendable {
  /// The digest, 32 bytes.
  public let sha256: [UInt8]
  private let uriPrefix: UTF8Text

  /// The thumbprint of a public key's JWK.
  public init(jwk key: PublicKeyNumbers) throws(CryptoError) {
    sha256 = try Digest.sha256.hash(key.jwkThumbprintInput.span)
    uriPrefix = "urn:ietf:params:oauth:jwk-thumbprint:sha-256:"
  }

  /// The thumbprint of a symmetric key's JWK. It may be known to others only if the secret cannot be guessed (RFC 7638, 7).
  public init(jwk secret: borrowing SecretBytes) throws(CryptoError) {
    let input = SymmetricJWK.thumbprintInput(secret)
    sha256 = try input.withSpan { input throws(CryptoError) in try Digest.sha256.hash(input) }
    uriPrefix = "urn:ietf:params:oauth:jwk-thumbprint:sha-256:"
  }

  /// The thumbprint of a public key's COSE_Key.
  public init(cose key: PublicKeyNumbers) throws(CryptoError) {
    sha256 = try Digest.sha256.hash(COSEKey.thumbprintInput(key).span)
    uriPrefix = "urn:ietf:params:oauth:ckt:sha-256:"
  }

  /// The digest in base64url, as a `kid` or `jkt`.
  public var text: UTF8Text { Base64URL.encode(sha256.span) }

  /// The thumbprint as a URI (RFC 9278, 3; RFC 9679, 5.6).
  public var uri: UTF8Text { UTF8Text(unchecked: uriPrefix.utf8 + text.utf8) }
}
