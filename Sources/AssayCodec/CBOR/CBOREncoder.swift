extension CBORValue {
  /// The deterministic encoding: shortest integers, lengths and floats, definite lengths, map keys in CTAP2 order (which is
  /// that of RFC 8949, 4.2.1 for keys that are integers or strings).
  public func encoded() -> [UInt8] {
    var output: [UInt8] = []
    encode(into: &output)
    return output
  }

  private func encode(into output: inout [UInt8]) {
    switch self {
    case .unsigned(let number): Self.encodeHead(0, number, into: &output)
    case .negative(let number): Self.encodeHead(1, number, into: &output)
    case .bytes(let bytes):
      Self.encodeHead(2, UInt64(bytes.count), into: &output)
      output.append(contentsOf: bytes)
    case .text(let text):
      Self.encodeHead(3, UInt64(text.utf8.count), into: &output)
      output.append(contentsOf: text.utf8)
    case .array(let elements):
      Self.encodeHead(4, UInt64(elements.count), into: &output)
      for element in elements { element.encode(into: &output) }
    case .map(let entries):
      Self.encodeHead(5, UInt64(entries.count), into: &output)
      let sorted = entries.map { (key: $0.key.encoded(), value: $0.value) }
        .sorted { Self.keyPrecedes($0.key, $1.key) }
      for (key, value) in sorted {
        output.append(contentsOf: key)
        value.encode(into: &output)
      }
    case .tagged(let tag, let content):
      Self.encodeHead(6, tag, into: &output)
      content.encode(into: &output)
    case .simple(let number): Self.encodeHead(7, UInt64(number), into: &output)
    case .bool(let bool): output.append(bool ? 0xF5 : 0xF4)
    case .null: output.append(0xF6)
    case .undefined: output.append(0xF7)
    case .float(let value): Self.encodeFloat(value, into: &output)
    }
  }

  private static func encodeHead(_ major: UInt8, _ argument: UInt64, into output: inout [UInt8]) {
    let (information, count): (UInt8, Int) =
      switch argument {
      case ..<24: (UInt8(truncatingIfNeeded: argument), 0)
      case ...0xFF: (24, 1)
      case ...0xFFFF: (25, 2)
      case ...0xFFFF_FFFF: (26, 4)
      default: (27, 8)
      }
    output.append(major << 5 | information)
    appendBigEndian(argument, bytes: count, to: &output)
  }

  private static func encodeFloat(_ value: Double, into output: inout [UInt8]) {
    if let half = CBORFloat.half(value) {
      output.append(0xF9)
      appendBigEndian(UInt64(half), bytes: 2, to: &output)
    } else if let single = CBORFloat.single(value) {
      output.append(0xFA)
      appendBigEndian(UInt64(single), bytes: 4, to: &output)
    } else {
      output.append(0xFB)
      appendBigEndian(value.bitPattern, bytes: 8, to: &output)
    }
  }

  private static func appendBigEndian(_ number: UInt64, bytes count: Int, to output: inout [UInt8]) {
    for index in (0..<count).reversed() { output.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(index)))) }
  }

  /// Whether one encoded key sorts before another (CTAP 2.1, 8): lower major type first, then the shorter, then by bytes.
  static func keyPrecedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    let (majorA, majorB) = ((a.first ?? 0) >> 5, (b.first ?? 0) >> 5)
    if majorA != majorB { return majorA < majorB }
    if a.count != b.count { return a.count < b.count }
    return a.lexicographicallyPrecedes(b)
  }
}
