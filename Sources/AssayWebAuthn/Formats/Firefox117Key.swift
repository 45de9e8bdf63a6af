internal import AssayCodec

/// Ed25519 keys as Firefox 117 wrote them for security keys that had no say in it: a map that claims three entries and has
/// four, with words for numbers in two of them. People have registered such credentials; nothing else ever wrote one. They are
/// taken only where `AttestationPolicy.allowsFirefox117Key` says so.
///
///     A3 01 63 "OKP" 03 27 20 67 "Ed25519" 21 58 20 x
enum Firefox117Key {
  private static let start: [UInt8] =
    [0xA3, 0x01, 0x63] + Array("OKP".utf8) + [0x03, 0x27, 0x20, 0x67] + Array("Ed25519".utf8) + [0x21, 0x58, 0x20]
  private static let xBytes = 32

  /// Takes such a key and returns what it means; nil, with nothing taken, if the next bytes are not exactly one.
  static func read(_ reader: inout ByteReader) -> CBORValue? {
    var ahead = reader
    guard let head = try? ahead.take(start.count, "credentialPublicKey"), publicBytesEqual(head, start.span),
      let x = try? ahead.take(xBytes, "x")
    else { return nil }
    reader = ahead
    // kty OKP, alg EdDSA, crv Ed25519, x.
    return .map([
      CBORMapEntry(.unsigned(1), .unsigned(1)), CBORMapEntry(.unsigned(3), CBORValue(-8)),
      CBORMapEntry(CBORValue(-1), .unsigned(6)), CBORMapEntry(CBORValue(-2), .bytes(Array(copying: x))),
    ])
  }
}
