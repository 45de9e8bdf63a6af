/// base64url as JOSE and WebAuthn use it: the URL-safe alphabet without padding (RFC 4648, 5; RFC 7515, 2).
public enum Base64URL {
  private static let codec = RadixCodec(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", bitsPerSymbol: 6, symbolsPerGroup: 4,
    ignorable: " \t\r\n", alternative: .otherAlphabet, others: "+/", counterparts: "-_")

  /// The encoding of `bytes`, without padding.
  public static func encode(_ bytes: Span<UInt8>) -> UTF8Text {
    UTF8Text(unchecked: codec.encode(bytes, padded: false))
  }

  /// The encoding of a secret, without padding.
  package static func encodeSecret(_ bytes: Span<UInt8>) -> SecretBytes { codec.encodeSecret(bytes, padded: false) }

  /// The bytes that `text` encodes.
  ///
  /// Without `leniency` there is exactly one text for each byte string: padding, white space, other alphabets' symbols and
  /// set spare bits are errors. Offsets in errors count from `base`, and name `field`.
  public static func decode(
    _ text: Span<UInt8>, _ leniency: RadixLeniency = [], field: Field = "base64url", base: Int = 0
  ) throws(CodecError) -> [UInt8] {
    try codec.decode(
      text, padding: leniency.contains(.padding) ? .tolerated : .forbidden, leniency: leniency, field: field, base: base
    )
  }

  /// The secret that `text` encodes, under the strict rules.
  package static func decodeSecret(_ text: Span<UInt8>, field: Field, base: Int = 0) throws(CodecError) -> SecretBytes {
    try codec.decodeSecret(text, padding: .forbidden, leniency: [], field: field, base: base)
  }
}
