internal import AssayCodec

// ECDSA-Sig-Value ::= SEQUENCE { r INTEGER, s INTEGER }, its integers with zero bytes before them that DER forbids (X.690,
// 8.3.2). Only that is forgiven: lengths are definite and shortest, nothing is negative, nothing follows.

/// ECDSA signatures as the attestation keys of some security keys write them.
enum PaddedSignature {
  /// The most zero bytes before an integer that are taken away.
  private static let maximumPadding = 8

  /// The same signature in DER.
  static func withoutPadding(_ bytes: Span<UInt8>) throws(CodecError) -> [UInt8] {
    let (r, s) = try ByteReader.readAll(bytes, "sig") { (reader) throws(CodecError) in
      try reader.readDER(.sequence, "sig") { (reader) throws(CodecError) in
        (try magnitude(&reader, "r"), try magnitude(&reader, "s"))
      }
    }
    var writer = DERWriter()
    writer.element(.sequence) { writer in
      writer.unsigned(r)
      writer.unsigned(s)
    }
    return writer.publicBytes()
  }

  /// An integer's bytes without the zeros before them.
  private static func magnitude(_ reader: inout ByteReader, _ field: Field) throws(CodecError) -> [UInt8] {
    let contents = Array(copying: try reader.takeDER(.integer, field))
    guard let first = contents.first else { throw reader.fault(.invalidLength, field) }
    guard first < 0x80 else { throw reader.fault(.numberOutOfRange, field) }
    let magnitude = contents.drop { $0 == 0 }
    guard contents.count - magnitude.count <= maximumPadding else { throw reader.fault(.nonCanonical, field) }
    return Array(magnitude)
  }
}
