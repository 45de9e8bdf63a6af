extension CBORValue {
  /// The item in diagnostic notation (RFC 8949, 8), for people: one line, cut off with `…` at 64 KiB.
  public var diagnostic: String { diagnostic(maximumBytes: 1 << 16) }

  /// The item in diagnostic notation (RFC 8949, 8), cut off with `…` where it would pass `maximumBytes` of UTF-8.
  ///
  /// What is not plain in text is escaped (control, bidirectional, combining and invisible characters), so that it can be
  /// shown on a terminal. How lengths and floats were encoded is not shown.
  public func diagnostic(maximumBytes: Int) -> String {
    var writer = CBORDiagnosticWriter(maximumBytes: maximumBytes)
    writer.write(self)
    return String(decoding: writer.output, as: UTF8.self) + (writer.isCut ? "…" : "")
  }
}

private struct CBORDiagnosticWriter {
  let maximumBytes: Int
  private(set) var output: [UInt8] = []
  private(set) var isCut = false

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  // Pieces are whole or absent, so that the cut never falls inside a character.
  private mutating func put(_ piece: String) {
    guard !isCut, piece.utf8.count <= maximumBytes - output.count else {
      isCut = true
      return
    }
    output.append(contentsOf: piece.utf8)
  }

  mutating func write(_ value: CBORValue) {
    guard !isCut else { return }
    switch value {
    case .unsigned(let number): put(String(number))
    case .negative(let number):
      let (magnitude, overflow) = number.addingReportingOverflow(1)
      put(overflow ? "-18446744073709551616" : "-\(magnitude)")
    case .bytes(let bytes): write(bytes)
    case .text(let text): write(text)
    case .array(let elements):
      put("[")
      for (index, element) in elements.enumerated() {
        guard !isCut else { return }
        if index > 0 { put(", ") }
        write(element)
      }
      put("]")
    case .map(let entries):
      put("{")
      for (index, entry) in entries.enumerated() {
        guard !isCut else { return }
        if index > 0 { put(", ") }
        write(entry.key)
        put(": ")
        write(entry.value)
      }
      put("}")
    case .tagged(let tag, let content):
      put("\(tag)(")
      write(content)
      put(")")
    case .simple(let number): put("simple(\(number))")
    case .bool(let bool): put(bool ? "true" : "false")
    case .null: put("null")
    case .undefined: put("undefined")
    case .float(let value): put(Self.notation(value))
    }
  }

  private mutating func write(_ bytes: [UInt8]) {
    put("h'")
    for byte in bytes {
      guard !isCut else { return }
      put((byte < 16 ? "0" : "") + String(byte, radix: 16))
    }
    put("'")
  }

  private mutating func write(_ text: UTF8Text) {
    put("\"")
    for scalar in text.string.unicodeScalars {
      guard !isCut else { return }
      switch scalar {
      case "\"", "\\": put("\\\(scalar)")
      case "\n": put("\\n")
      case "\r": put("\\r")
      case "\t": put("\\t")
      default: put(scalar.isPlain ? String(scalar) : Self.escaped(scalar))
      }
    }
    put("\"")
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }

  /// A float with a point or an exponent in any case, so that it is never taken for an integer.
  private static func notation(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity" }
    let digits = value.description
    guard !digits.contains("."), let exponent = digits.firstIndex(of: "e") else { return digits }
    return digits[..<exponent] + ".0" + digits[exponent...]
  }
}
