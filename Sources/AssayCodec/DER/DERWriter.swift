/// Writes the DER (X.690) of key formats. What it writes may be a private key, so its memory is wiped.
package struct DERWriter: ~Copyable {
  private var buffer = SecretBuffer()

  /// A writer with nothing written.
  package init() {}

  /// Writes one element whose contents `body` writes.
  package mutating func element(_ tag: DERTag, _ body: (inout DERWriter) -> Void) {
    let start = buffer.count
    body(&self)
    let head = [tag.rawValue] + Self.length(buffer.count - start)
    buffer.insert(head.span, at: start)
  }

  /// Writes one element with these contents.
  package mutating func element(_ tag: DERTag, _ contents: Span<UInt8>) {
    let head = [tag.rawValue] + Self.length(contents.count)
    buffer.append(head.span)
    buffer.append(contents)
  }

  /// Writes an INTEGER from its magnitude, big-endian without leading zeros.
  package mutating func unsigned(_ magnitude: Span<UInt8>) {
    element(.integer) { writer in
      if magnitude.count == 0 || magnitude[0] >= 0x80 { writer.buffer.append(0) }
      writer.buffer.append(magnitude)
    }
  }

  /// Writes an INTEGER from its magnitude.
  package mutating func unsigned(_ magnitude: [UInt8]) { unsigned(magnitude.span) }

  /// Writes an INTEGER from 0 to 127.
  package mutating func small(_ number: UInt8) { element(.integer, [number & 0x7F].span) }

  /// Writes an OBJECT IDENTIFIER from its contents.
  package mutating func objectIdentifier(_ contents: [UInt8]) { element(.objectIdentifier, contents.span) }

  /// Writes a NULL.
  package mutating func null() { element(.null) { _ in } }

  /// Writes a BIT STRING of whole bytes.
  package mutating func bitString(_ bytes: [UInt8]) {
    element(.bitString) { writer in
      writer.buffer.append(0)
      writer.buffer.append(bytes.span)
    }
  }

  /// Writes a BIT STRING around what `body` writes.
  package mutating func bitString(_ body: (inout DERWriter) -> Void) {
    element(.bitString) { writer in
      writer.buffer.append(0)
      body(&writer)
    }
  }

  /// What was written, if it is a secret.
  package borrowing func secret() -> SecretBytes { buffer.secret() }

  /// What was written, if it is public.
  package borrowing func publicBytes() -> [UInt8] { buffer.withSpan { Array(copying: $0) } }

  private static func length(_ count: Int) -> [UInt8] {
    guard count >= 0x80 else { return [UInt8(truncatingIfNeeded: count)] }
    var digits: [UInt8] = []
    var rest = count
    while rest > 0 {
      digits.insert(UInt8(truncatingIfNeeded: rest), at: 0)
      rest >>= 8
    }
    return [0x80 | UInt8(truncatingIfNeeded: digits.count)] + digits
  }
}
