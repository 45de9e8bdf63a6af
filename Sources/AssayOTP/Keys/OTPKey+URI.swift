public import AssayCodec

extension OTPKey {
  /// Writes the key as an `otpauth` URI, for the QR code that an authenticator app scans.
  ///
  /// The same key always gives the same URI: the issuer in label and parameter, then secret, issuer, algorithm, digits and
  /// period or counter, defaults too. All but letters, digits and `-._~` are escaped; a space is `%20`, since `+` is one to
  /// some readers only. What is written, `OTPAuthURI` reads back as the same key.
  ///
  /// - Returns: The URI. It holds the secret.
  /// - Throws: `tooLong`; `unsupportedEncoder` for Steam Guard.
  public borrowing func uri() throws(OTPKeyError) -> SecretBytes {
    guard encoder == .decimal else { throw OTPKeyError(.unsupportedEncoder, "encoder") }
    var text = SecretBuffer()
    switch factor {
    case .time: text.append("otpauth://totp/")
    case .counter: text.append("otpauth://hotp/")
    }
    if let issuer {
      Self.append(issuer, to: &text)
      text.append(":")
    } else if account.utf8.contains(UInt8(ascii: ":")) {
      // Or what stands before that colon would be read as the issuer.
      text.append(":")
    }
    Self.append(account, to: &text)
    text.append("?secret=")
    let base32 = secret.withSpan { Base32.encodeSecret($0) }
    base32.withSpan { text.append($0) }
    if let issuer {
      text.append("&issuer=")
      Self.append(issuer, to: &text)
    }
    text.append("&algorithm=")
    text.append(algorithm.name.utf8.span)
    text.append("&digits=")
    text.append(Array(String(digits).utf8).span)
    switch factor {
    case .time(let period):
      text.append("&period=")
      text.append(Array(String(period).utf8).span)
    case .counter(let counter):
      text.append("&counter=")
      text.append(Array(String(counter).utf8).span)
    }
    guard text.count <= OTPAuthURI.maximumBytes else { throw OTPKeyError(.tooLong, "URI", at: OTPAuthURI.maximumBytes) }
    return text.secret()
  }

  private static func append(_ name: UTF8Text, to text: inout SecretBuffer) {
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in name.utf8 {
      if URIText.isUnreserved(byte) {
        text.append(byte)
      } else {
        text.append([UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]].span)
      }
    }
  }
}
