internal import AssayCodec
internal import CAssayCrypto

/// What a key must be before a library sees it.
enum PublicKeyChecks {
  /// The least and the most bits of an RSA modulus. Less is factored; more makes each verification too long.
  static let modulusBits = 2048...8192

  /// That this kind of key fits the scheme, and that its numbers have lengths and values that are good enough.
  static func check(_ numbers: PublicKeyNumbers, for scheme: SignatureScheme, named name: String) throws(KeyError) {
    switch (scheme, numbers) {
    case (.ecdsa(let needed, _), .ec(let curve, let x, let y)) where curve == needed && !curve.isEdwards:
      try checkLength(x, "x", is: curve.byteCount)
      try checkLength(y, "y", is: curve.byteCount)
    case (.rsaPKCS1, .rsa(let modulus, let exponent)), (.rsaPSS, .rsa(let modulus, let exponent)):
      try checkRSA(modulus, exponent)
    case (.edDSA(let needed), .edwards(let curve, let x)) where curve == needed ?? curve && curve.isEdwards:
      try checkLength(x, "x", is: curve.byteCount)
    default:
      throw KeyError(.wrongKind(key: numbers.kind, algorithm: name, needed: scheme.keyKind))
    }
  }

  /// That an RSA modulus is neither too short nor too long.
  static func checkModulus(bits: Int) throws(KeyError) {
    guard modulusBits.contains(bits) else {
      throw KeyError(.modulusSize(bits: bits, minimum: modulusBits.lowerBound, maximum: modulusBits.upperBound))
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
    try checkModulus(bits: modulus.bitCount)
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
