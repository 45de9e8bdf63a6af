/// base16, lower-case hexadecimal (RFC 4648, 8).
public enum Base16 {
  private static let codec = RadixCodec(
    "0123456789abcdef", bitsPerSymbol: 4, symbolsPerGroup: 2, ignorable: " \t\r\n:", alternative: .anyCase,
    others: "ABCDEF", counterparts: "abcdef")

  /// Two lower-case digits a byte.
  public static func encode(_ bytes: Span<UInt8>) -> UTF8Text {
    UTF8Text(unchecked: codec.encode(bytes, padded: false))
  }

  /// The bytes that `text` encodes.
  ///
  /// Without `leniency` there is exactly one text for each byte string. It may allow upper case (`anyCase`), and white space
  /// and colons between digits (`separators`). Offsets in errors count from `base`, and name `field`.
  public static func decode(
    _ text: Span<UInt8>, _ leniency: RadixLeniency = [], field: Field = "base16", base: Int = 0
  ) throws(CodecError) -> [UInt8] {
    try codec.decode(text, padding: .forbidden, leniency: leniency, field: field, base: base)
  }
}
