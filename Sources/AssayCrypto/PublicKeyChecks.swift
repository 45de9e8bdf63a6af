internal import AssayCodec
internal import CAssayCrypto

/// What a key must be before a library sees it.
enum PublicKeyChecks {
  /// The least and the most bits of an RSA modulus. Less is factored; more makes each verification too long.
  static let modulusBits = 2048...8192

  /// That this kind of key fits the algorithm, and that its numbers have lengths and values that are good enough.
  static func check(_ numbers: PublicKeyNumbers, for algorithm: SignatureAlgorithm) throws(KeyError) {
    switch (algorithm, numbers) {
    case (.es256, .ec(.p256, let x, let y)):
      try checkLength(x, "x", is: EllipticCurve.p256.byteCount)
      try checkLength(y, "y", is: EllipticCurve.p256.byteCount)
    case (.rs256, .rsa(let modulus, let exponent)):
      try checkRSA(modulus, exponent)
    case (.edDSA, .edwards(.ed25519, let x)):
      try checkLength(x, "x", is: EllipticCurve.ed25519.byteCount)
    default:
      throw KeyError(.wrongKind(key: numbers.kind, algorithm: algorithm.name, needed: algorithm.keyKind))
    }
  }

  private static func checkLength(_ bytes: [UInt8], _ field: Field, is expected: Int) throws(KeyError) {
    guard bytes.count == expected else {
      throw KeyError(.wrongLength(field: field, expected: expected, actual: bytes.count))
    }
  }

  private static func checkRSA(_ modulus: [UInt8], _ exponent: [UInt8]) throws(KeyError) {
    // A leading zero would make the key look larger than it is, and its signatures longer.
    guard modulus.first != 0 else { throw KeyError(.malformed(CodecError(.nonCanonical, "n", at: 0))) }
    guard exponent.first != 0 else { throw KeyError(.malformed(CodecError(.nonCanonical, "e", at: 0))) }
    guard modulusBits.contains(modulus.bitCount) else {
      throw KeyError(
        .modulusSize(bits: modulus.bitCount, minimum: modulusBits.lowerBound, maximum: modulusBits.upperBound))
    }
    guard let lowest = modulus.last, lowest & 1 == 1 else { throw KeyError(.evenModulus) }
    guard let lowest = exponent.last, lowest & 1 == 1, exponent != [1], exponent.count <= 8 else {
      throw KeyError(.badExponent)
    }
  }
}

extension KeyError {
  /// The reason behind a status of our C functions; nil for success.
  static func reason(_ status: assayc_status) -> KeyError? {
    switch status {
    case ASSAYC_OK: nil
    case ASSAYC_NOT_ON_CURVE: KeyError(.notOnCurve)
    case ASSAYC_SMALL_ORDER: KeyError(.smallOrder)
    case ASSAYC_INCONSISTENT: KeyError(.inconsistent)
    default: KeyError(.refused)
    }
  }
}
