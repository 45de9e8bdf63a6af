internal import AssayCodec

/// The parameters of an `otpauth` URI that have a meaning, in the order in which they are written.
enum OTPAuthParameter: CaseIterable {
  case secret, issuer, algorithm, digits, period, counter
  /// How codes are written; known in lenient mode only.
  case encoder

  /// The name, for errors.
  var field: Field {
    switch self {
    case .secret: "secret"
    case .issuer: "issuer"
    case .algorithm: "algorithm"
    case .digits: "digits"
    case .period: "period"
    case .counter: "counter"
    case .encoder: "encoder"
    }
  }

  var name: UTF8Text { UTF8Text(field.description) }

  /// The algorithm that issuers also write as `sha256`, `SHA-256`, `HmacSHA256` or `HMAC-SHA-256`. An unknown name is never
  /// taken for another.
  static func algorithm(alsoCalled name: UTF8Text) -> OTPAlgorithm? {
    let lowered = name.utf8.map(\.asciiLowercased)
    let spellings: [(OTPAlgorithm, [UInt8])] = [
      (.sha1, Array("1".utf8)), (.sha256, Array("256".utf8)), (.sha512, Array("512".utf8)),
    ]
    for (algorithm, number) in spellings {
      for mac in ["", "hmac", "hmac-"] {
        for hash in ["sha", "sha-"] where lowered == Array(mac.utf8) + Array(hash.utf8) + number { return algorithm }
      }
    }
    return nil
  }
}

extension UInt8 {
  /// The letter in lower case if it is one of A to Z.
  var asciiLowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}
