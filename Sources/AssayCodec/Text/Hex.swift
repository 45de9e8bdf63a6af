/// Lower-case hexadecimal (RFC 4648, 8), for showing bytes and for test data.
package enum Hex {
  private static let codec = RadixCodec(
    "0123456789abcdef", bitsPerSymbol: 4, symbolsPerGroup: 2, ignorable: " \t\r\n:", alternative: .anyCase,
    others: "ABCDEF", counterparts: "abcdef")

  /// Two lower-case digits a byte.
  package static func encode(_ bytes: Span<UInt8>) -> UTF8Text {
    UTF8Text(unchecked: codec.encode(bytes, padded: false))
  }

  /// The bytes that `text` encodes; `leniency` may allow upper case and separators.
  package static func decode(
    _ text: Span<UInt8>, _ leniency: RadixLeniency = [], field: Field = "hexadecimal"
  ) throws(CodecError) -> [UInt8] {
    try codec.decode(text, padding: .forbidden, leniency: leniency, field: field, base: 0)
  }
}
