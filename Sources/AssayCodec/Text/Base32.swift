/// base32 (RFC 4648, 6), the form in which people see one-time-code secrets.
public enum Base32 {
  private static let codec = RadixCodec(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", bitsPerSymbol: 5, symbolsPerGroup: 8, ignorable: " \t\r\n-",
    alternative: .anyCase, others: "abcdefghijklmnopqrstuvwxyz", counterparts: "ABCDEFGHIJKLMNOPQRSTUVWXYZ")

  /// How much a decoder tolerates.
  public enum Profile: Sendable {
    /// RFC 4648: upper case, exact padding, spare bits zero.
    case padded
    /// The same without any padding, as in an `otpauth` URI.
    case unpadded
    /// A secret as a person types or pastes it: either case, spaces and hyphens between groups, any padding, spare bits
    /// set. The look-alikes 0, 1, 8 and 9 are still refused: a guess would silently make a wrong key.
    case typedIn
  }

  /// The encoding of `bytes`.
  public static func encode(_ bytes: Span<UInt8>, padded: Bool = false) -> UTF8Text {
    UTF8Text(unchecked: codec.encode(bytes, padded: padded))
  }

  /// The encoding of a secret, without padding.
  package static func encodeSecret(_ bytes: Span<UInt8>) -> SecretBytes { codec.encodeSecret(bytes, padded: false) }

  /// The secret that `text` encodes. An error gives the place of the fault, so that a person can mend a typing mistake.
  public static func decode(_ text: Span<UInt8>, _ profile: Profile) throws(CodecError) -> SecretBytes {
    switch profile {
    case .padded:
      try codec.decodeSecret(text, padding: .required, leniency: [], field: "base32", base: 0)
    case .unpadded:
      try codec.decodeSecret(text, padding: .forbidden, leniency: [], field: "base32", base: 0)
    case .typedIn:
      try codec.decodeSecret(
        text, padding: .tolerated, leniency: [.padding, .anyCase, .separators, .spareBits], field: "base32", base: 0)
    }
  }
}
