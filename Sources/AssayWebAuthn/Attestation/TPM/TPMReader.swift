internal import AssayCodec

/// The limits of the structures that a TPM marshals.
enum TPMStructure {
  /// The largest structure read, in bytes: a key of 16384 bits fits in it.
  static let maximumBytes = 1 << 12
}

extension ByteReader {
  /// Runs `body` over all of a structure that a TPM marshalled.
  static func readAllTPM<T>(
    _ bytes: Span<UInt8>, _ field: Field, _ body: (inout ByteReader) throws(CodecError) -> T
  ) throws(CodecError) -> T {
    guard bytes.count <= TPMStructure.maximumBytes else { throw CodecError(.tooLarge, field, at: 0) }
    return try readAll(bytes, field, body)
  }

  /// Takes a UINT16.
  mutating func uint16(_ field: Field) throws(CodecError) -> UInt16 {
    UInt16(truncatingIfNeeded: try unsigned(bytes: 2, field))
  }

  /// Takes a TPM2B: its size in two bytes, and its contents.
  @_lifetime(copy self)
  mutating func sized(_ field: Field) throws(CodecError) -> Span<UInt8> {
    try take(Int(uint16(field)), field)
  }

  /// Takes a TPM2B that holds a number, and returns it without the zeros before it.
  mutating func number(_ field: Field) throws(CodecError) -> [UInt8] {
    Array(Array(copying: try sized(field)).drop { $0 == 0 })
  }

  /// Passes over an algorithm's identifier and what belongs to it, which has as many bytes as `lengths` says.
  mutating func skipAlgorithm(_ lengths: [UInt16: Int], _ field: Field) throws(CodecError) {
    let start = offset
    guard let length = lengths[try uint16(field)] else { throw CodecError(.unsupported, field, at: start) }
    _ = try take(length, field)
  }
}
