/// base64 with the standard alphabet and exact padding (RFC 4648, 4), as PEM and X.509 members of JOSE use it.
public enum Base64 {
  private static let codec = RadixCodec(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", bitsPerSymbol: 6, symbolsPerGroup: 4,
    ignorable: " \t\r\n", alternative: .otherAlphabet, others: "-_", counterparts: "+/")

  /// The encoding of `bytes`, padded.
  public static func encode(_ bytes: Span<UInt8>) -> UTF8Text {
    UTF8Text(unchecked: codec.encode(bytes, padded: true))
  }

  /// The encoding of a secret, padded.
  package static func encodeSecret(_ bytes: Span<UInt8>) -> SecretBytes { codec.encodeSecret(bytes, padded: true) }

  /// The bytes that `text` encodes.
  ///
  /// Without `leniency` there is exactly one text for each byte string. It may allow other padding (`padding`), the symbols
  /// of base64url (`otherAlphabet`), white space (`separators`) and set spare bits (`spareBits`). Offsets in errors count
  /// from `base`, and name `field`.
  public static func decode(
    _ text: Span<UInt8>, _ leniency: RadixLeniency = [], field: Field = "base64", base: Int = 0
  ) throws(CodecError) -> [UInt8] {
    try codec.decode(
      text, padding: leniency.contains(.padding) ? .tolerated : .required, leniency: leniency, field: field, base: base)
  }

  /// The same for text that encodes a secret.
  package static func decodeSecret(
    _ text: Span<UInt8>, _ leniency: RadixLeniency = [], field: Field = "base64", base: Int = 0
  ) throws(CodecError) -> SecretBytes {
    try codec.decodeSecret(
      text, padding: leniency.contains(.padding) ? .tolerated : .required, leniency: leniency, field: field, base: base)
  }
}
