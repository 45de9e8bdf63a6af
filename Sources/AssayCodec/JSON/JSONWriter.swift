extension JSONValue {
  /// The JSON text of the value, in one form only: no white space, members in their order, and no escapes but those
  /// RFC 8259, 7 requires (the short ones where they exist).
  public func encoded() -> [UInt8] {
    var output: [UInt8] = []
    write(to: &output)
    return output
  }

  private func write(to output: inout [UInt8]) {
    switch self {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let number): output.append(contentsOf: number.text.utf8)
    case .string(let text): Self.write(text, to: &output)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        element.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let object):
      output.append(UInt8(ascii: "{"))
      for (index, member) in object.members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        Self.write(member.name, to: &output)
        output.append(UInt8(ascii: ":"))
        member.value.write(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: UTF8Text, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): output.append(contentsOf: #"\""#.utf8)
      case UInt8(ascii: "\\"): output.append(contentsOf: #"\\"#.utf8)
      case 0x08: output.append(contentsOf: #"\b"#.utf8)
      case 0x09: output.append(contentsOf: #"\t"#.utf8)
      case 0x0A: output.append(contentsOf: #"\n"#.utf8)
      case 0x0C: output.append(contentsOf: #"\f"#.utf8)
      case 0x0D: output.append(contentsOf: #"\r"#.utf8)
      case 0x00..<0x20:
        output.append(contentsOf: #"\u00"#.utf8)
        output.append(contentsOf: Base16.encode([byte].span).utf8)
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}
