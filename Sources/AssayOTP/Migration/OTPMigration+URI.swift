public import AssayCodec

extension OTPMigration {
  /// Writes the link, for the QR code that an authenticator app scans. What is written, `init(_:)` reads back as the same
  /// keys.
  ///
  /// - Returns: The link. It holds the secrets.
  /// - Throws: What the format cannot say: `unsupportedEncoder`, `unsupportedPeriod`, `unsupportedDigits`,
  ///   `invalidCounter`; `noKeys`; `tooLong`.
  public func uri() throws(OTPMigrationError) -> SecretBytes {
    guard !entries.isEmpty else { throw OTPMigrationError(.noKeys, "otp_parameters") }
    var message = SecretBuffer()
    for entry in entries {
      let parameters = try Self.parameters(entry.key)
      parameters.withSpan { message.append(field: 1, $0) }
    }
    let numbers: [(UInt64, Int64)] = [
      (2, Int64(part.version)), (3, Int64(part.size)), (4, Int64(part.index)), (5, Int64(part.id)),
    ]
    for (number, value) in numbers { message.append(field: number, UInt64(bitPattern: value)) }
    var text = SecretBuffer()
    text.append("otpauth-migration://offline?data=")
    let base64 = message.withSpan { Base64.encodeSecret($0) }
    base64.withSpan { symbols in
      for index in symbols.indices {
        switch symbols[index] {
        case UInt8(ascii: "+"): text.append("%2B")
        case UInt8(ascii: "/"): text.append("%2F")
        case UInt8(ascii: "="): text.append("%3D")
        case let symbol: text.append(symbol)
        }
      }
    }
    guard text.count <= Self.maximumBytes else { throw OTPMigrationError(.tooLong, "URI", at: Self.maximumBytes) }
    return text.secret()
  }

  private static func parameters(_ key: borrowing OTPKey) throws(OTPMigrationError) -> SecretBytes {
    guard key.encoder == .decimal else { throw OTPMigrationError(.unsupportedEncoder, "type") }
    let digits: UInt64
    switch key.digits {
    case 6: digits = 1
    case 8: digits = 2
    default: throw OTPMigrationError(.unsupportedDigits, "digits")
    }
    let algorithm: UInt64
    switch key.algorithm {
    case .sha1: algorithm = 1
    case .sha256: algorithm = 2
    case .sha512: algorithm = 3
    }
    var message = SecretBuffer()
    key.secret.withSpan { message.append(field: 1, $0) }
    message.append(field: 2, name(key).span)
    if let issuer = key.issuer { message.append(field: 3, issuer.utf8.span) }
    message.append(field: 4, algorithm)
    message.append(field: 5, digits)
    switch key.factor {
    case .time(let period):
      guard period == 30 else { throw OTPMigrationError(.unsupportedPeriod, "type") }
      message.append(field: 6, 2)
    case .counter(let counter):
      guard counter <= UInt64(Int64.max) else { throw OTPMigrationError(.invalidCounter, "counter") }
      message.append(field: 6, 1)
      message.append(field: 7, counter)
    }
    return message.secret()
  }

  /// The account, after what keeps a colon in it from being read as the end of an issuer.
  private static func name(_ key: borrowing OTPKey) -> [UInt8] {
    let account = key.account.utf8
    let colon = UInt8(ascii: ":")
    guard let issuer = key.issuer else { return account.contains(colon) ? [colon] + account : account }
    let prefix = issuer.utf8 + [colon]
    return account.starts(with: prefix) ? prefix + account : account
  }
}
