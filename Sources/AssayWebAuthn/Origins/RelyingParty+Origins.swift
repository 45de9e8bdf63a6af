public import AssayCodec
internal import AssayCrypto

extension RelyingParty {
  /// The origin that Android reports for an app, for `origins`.
  ///
  /// - Parameter certificateFingerprint: the SHA-256 of the certificate that signs the app, in hexadecimal of either case,
  ///   with colons as `keytool` and Google Play print it, or without.
  /// - Throws: `WebAuthnError` with `invalidOrigin`.
  public static func androidOrigin(certificateFingerprint: String) throws(WebAuthnError) -> String {
    let text = Array(certificateFingerprint.utf8)
    let digest = try? Base16.decode(text.span, [.anyCase, .separators])
    guard let digest, digest.count == Digest.sha256.byteCount else {
      throw WebAuthnError(.invalidOrigin, "certificateFingerprint", .origin(.fingerprint))
    }
    return Origin.androidPrefix + Base64URL.encode(digest.span).string
  }

  /// What to serve as JSON at `https://ID/.well-known/webauthn`, so that browsers let the related origins use this
  /// relying party's id (WebAuthn L3, 5.11.1).
  ///
  /// Browsers read the origins of five registrable domains and may ignore further ones.
  public var relatedOriginsDocument: JSONValue { ["origins": .array(relatedOrigins.map { .string($0) })] }
}
