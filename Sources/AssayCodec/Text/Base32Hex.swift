/// base32 with the extended hex alphabet (RFC 4648, 7), whose texts sort as their bytes do.
public enum Base32Hex {
  private static let codec = RadixCodec(
    "0123456789ABCDEFGHIJKLMNOPQRSTUV", bitsPerSymbol: 5, symbolsPerGroup: 8, ignorable: " \t\r\n-",
    alternative: .anyCase, others: "abcdefghijklmnopqrstuv", counterparts: "ABCDEFGHIJKLMNOPQRSTUV")

  /// The encoding of `bytes`.
  public static func encode(_ bytes: Span<UInt8>, padded: Bool = true) -> UTF8Text {
    UTF8Text(unchecked: codec.encode(bytes, padded: padded))
  }

  /// The bytes that `text` encodes.
  ///
  /// Without `leniency` there is exactly one text for each byte string: upper case and padded. It may allow other padding or
  /// none (`padding`), lower case (`anyCase`), white space and hyphens (`separators`) and set spare bits (`spareBits`).
  public static func decode(
    _ text: Span<UInt8>, _ leniency: RadixLeniency = [], field: Field = "base32hex", base: Int = 0
  ) throws(CodecError) -> [UInt8] {
    try codec.decode(
      text, padding: leniency.contains(.padding) ? .tolerated : .required, leniency: leniency, field: field, base: base)
  }
}
