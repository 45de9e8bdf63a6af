/// The encodings of RFC 4648: a power-of-two number of symbols, whole groups, optional padding.
///
/// Strict means: only the alphabet's symbols, an encodable length, unused bits zero (RFC 4648, 3.5), and padding exactly
/// as the encoding has it. Each departure from that is one member of `RadixLeniency`.
package struct RadixCodec: Sendable {
  /// What an encoding says of the padding character.
  package enum Padding: Sendable { case forbidden, required, tolerated }

  private let bitsPerSymbol: Int
  private let symbolsPerGroup: Int
  private let symbols: [UInt8]
  /// The value of each byte as a symbol; 0xFF for bytes that are none.
  private let values: [UInt8]
  /// The same with the other symbols, read if the caller's leniency contains `alternative`.
  private let alternativeValues: [UInt8]
  private let alternative: RadixLeniency
  private let ignorable: [UInt8]

  private static let pad = UInt8(ascii: "=")

  /// An encoding whose alphabet has 2 to the power `bitsPerSymbol` symbols. Under the leniency `alternative`, the bytes of
  /// `others` stand for the symbols at the same place of `counterparts`; under `.separators`, `ignorable` ones are skipped.
  package init(
    _ alphabet: StaticString, bitsPerSymbol: Int, symbolsPerGroup: Int, ignorable: StaticString,
    alternative: RadixLeniency, others: StaticString, counterparts: StaticString
  ) {
    let symbols = Array(alphabet.description.utf8)
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, symbol) in symbols.enumerated() { values[Int(symbol)] = UInt8(truncatingIfNeeded: value) }
    var alternativeValues = values
    for (other, counterpart) in zip(others.description.utf8, counterparts.description.utf8) {
      alternativeValues[Int(other)] = values[Int(counterpart)]
    }
    self.bitsPerSymbol = bitsPerSymbol
    self.symbolsPerGroup = symbolsPerGroup
    self.symbols = symbols
    self.values = values
    self.alternativeValues = alternativeValues
    self.alternative = alternative
    self.ignorable = Array(ignorable.description.utf8)
  }

  private func values(under leniency: RadixLeniency) -> [UInt8] {
    leniency.contains(alternative) ? alternativeValues : values
  }

  /// The encoding of `bytes`.
  package func encode(_ bytes: Span<UInt8>, padded: Bool) -> [UInt8] {
    var text = [UInt8](repeating: Self.pad, count: textCount(bytes.count, padded: padded))
    var output = text.mutableSpan
    write(bytes, to: &output)
    return text
  }

  /// The encoding of a secret: the only copy made is the one returned.
  package func encodeSecret(_ bytes: Span<UInt8>, padded: Bool) -> SecretBytes {
    SecretBytes(count: textCount(bytes.count, padded: padded)) { output in
      for index in output.indices { output[index] = Self.pad }
      write(bytes, to: &output)
    }
  }

  /// How long the encoding of so many bytes is.
  private func textCount(_ byteCount: Int, padded: Bool) -> Int {
    let symbolCount = (byteCount * 8 + bitsPerSymbol - 1) / bitsPerSymbol
    return padded ? (symbolCount + symbolsPerGroup - 1) / symbolsPerGroup * symbolsPerGroup : symbolCount
  }

  /// Writes the symbols of `bytes` and leaves the padding after them.
  private func write(_ bytes: Span<UInt8>, to output: inout MutableSpan<UInt8>) {
    var bits: UInt32 = 0
    var bitCount = 0
    var written = 0
    let mask = UInt32(symbols.count - 1)
    for index in bytes.indices {
      bits = bits << 8 | UInt32(bytes[index])
      bitCount += 8
      while bitCount >= bitsPerSymbol {
        bitCount -= bitsPerSymbol
        output[written] = symbols[Int(bits >> UInt32(bitCount) & mask)]
        written += 1
      }
    }
    if bitCount > 0 { output[written] = symbols[Int(bits << UInt32(bitsPerSymbol - bitCount) & mask)] }
  }

  /// The bytes that `text` encodes. Offsets in errors are counted from `base`.
  package func decode(
    _ text: Span<UInt8>, padding: Padding, leniency: RadixLeniency, field: Field, base: Int
  ) throws(CodecError) -> [UInt8] {
    if bitsPerSymbol == 6, padding == .forbidden, leniency.isEmpty, let bytes = decodeCanonical(text) { return bytes }
    let symbolCount = try measure(text, padding, leniency, field, base)
    var bytes = [UInt8](repeating: 0, count: symbolCount * bitsPerSymbol / 8)
    var output = bytes.mutableSpan
    try fill(&output, from: text, leniency, field, base)
    return bytes
  }

  /// What canonical base64 without padding encodes, in one pass of four symbols a step: every segment of every token comes
  /// this way. Nil for any other text, of which the general way then says what is wrong.
  private func decodeCanonical(_ text: Span<UInt8>) -> [UInt8]? {
    let values = values.span
    let groups = text.count / 4
    let rest = text.count % 4
    var bytes = [UInt8](repeating: 0, count: groups * 3 + max(0, rest - 1))
    var output = bytes.mutableSpan
    // Symbols have values below 64, all other bytes 0xFF: the two high bits of any tell in the end.
    var seen: UInt8 = 0
    for group in 0..<groups {
      let (a, b) = (values[Int(text[group * 4])], values[Int(text[group * 4 + 1])])
      let (c, d) = (values[Int(text[group * 4 + 2])], values[Int(text[group * 4 + 3])])
      seen |= a | b | c | d
      output[group * 3] = a << 2 | b >> 4
      output[group * 3 + 1] = b << 4 | c >> 2
      output[group * 3 + 2] = c << 6 | d
    }
    if rest > 0 {
      let a = values[Int(text[groups * 4])]
      let b = rest > 1 ? values[Int(text[groups * 4 + 1])] : 0xFF
      let c = rest > 2 ? values[Int(text[groups * 4 + 2])] : 0
      let spare = rest > 2 ? c & 0x03 : b & 0x0F
      guard spare == 0 else { return nil }
      seen |= a | b | c
      output[groups * 3] = a << 2 | b >> 4
      if rest > 2 { output[groups * 3 + 1] = b << 4 | c >> 2 }
    }
    return seen & 0xC0 == 0 ? bytes : nil
  }

  /// The same for text that encodes a secret: the only copy made is the one returned.
  package func decodeSecret(
    _ text: Span<UInt8>, padding: Padding, leniency: RadixLeniency, field: Field, base: Int
  ) throws(CodecError) -> SecretBytes {
    let symbolCount = try measure(text, padding, leniency, field, base)
    return try SecretBytes(count: symbolCount * bitsPerSymbol / 8) { (output) throws(CodecError) in
      try fill(&output, from: text, leniency, field, base)
    }
  }

  /// Checks characters, padding and length, and counts the symbols.
  private func measure(
    _ text: Span<UInt8>, _ padding: Padding, _ leniency: RadixLeniency, _ field: Field, _ base: Int
  ) throws(CodecError) -> Int {
    let values = values(under: leniency)
    var count = 0
    var pads = 0
    for index in text.indices {
      let byte = text[index]
      if values[Int(byte)] != 0xFF {
        guard pads == 0 else { throw CodecError(.invalidPadding, field, at: base + index) }
        count += 1
      } else if byte == Self.pad, padding != .forbidden {
        pads += 1
        // The longest padding any length needs is what one symbol short of the shortest final group lacks.
        guard pads <= symbolsPerGroup - 2 else { throw CodecError(.invalidPadding, field, at: base + index) }
      } else if !(leniency.contains(.separators) && ignorable.contains(byte)) {
        throw CodecError(.invalidCharacter, field, at: base + index)
      }
    }
    guard count * bitsPerSymbol % 8 < bitsPerSymbol else {
      throw CodecError(.invalidLength, field, at: base + text.count)
    }
    if padding == .required, (count + pads) % symbolsPerGroup != 0 {
      throw CodecError(.invalidPadding, field, at: base + text.count)
    }
    return count
  }

  /// Writes the bytes of text that `measure` passed; the output has the length it implies.
  private func fill(
    _ output: inout MutableSpan<UInt8>, from text: Span<UInt8>, _ leniency: RadixLeniency, _ field: Field, _ base: Int
  ) throws(CodecError) {
    let values = values(under: leniency)
    var bits: UInt32 = 0
    var bitCount = 0
    var written = 0
    for index in text.indices {
      let value = values[Int(text[index])]
      if value == 0xFF { continue }
      bits = bits << UInt32(bitsPerSymbol) | UInt32(value)
      bitCount += bitsPerSymbol
      if bitCount >= 8 {
        bitCount -= 8
        output[written] = UInt8(truncatingIfNeeded: bits >> UInt32(bitCount))
        written += 1
      }
    }
    if bits & (1 << UInt32(bitCount) - 1) != 0, !leniency.contains(.spareBits) {
      throw CodecError(.nonZeroTrailingBits, field, at: base + text.count)
    }
  }
}

/// What a decoder of RFC 4648's encodings tolerates beyond the one canonical form. Empty is strict.
public struct RadixLeniency: OptionSet, Sendable {
  /// The set as a number.
  public let rawValue: UInt8

  /// A set from its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Padding may be there, be too short or be missing, where the encoding requires or forbids it. Some clients pad
  /// credential ids.
  public static let padding = RadixLeniency(rawValue: 1)
  /// Base64url reads `+` and `/` too, base64 `-` and `_`. Some clients send the one where the other belongs.
  public static let otherAlphabet = RadixLeniency(rawValue: 2)
  /// Base32 and hexadecimal read either case. People type secrets in lower case.
  public static let anyCase = RadixLeniency(rawValue: 4)
  /// Space, tab, CR and LF are skipped, in base32 the hyphen and in hexadecimal the colon. People type and paste secrets in
  /// groups.
  public static let separators = RadixLeniency(rawValue: 8)
  /// The unused bits of the last symbol may be set. Some issuers cut secrets in the middle of a byte.
  public static let spareBits = RadixLeniency(rawValue: 16)
}
