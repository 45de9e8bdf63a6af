internal import AssayCodec
internal import AssayOTP

/// What the verbs that read keys say of one.
enum OTPKeyReport {
  static func heading(_ key: borrowing OTPKey) -> String {
    if key.encoder == .steam { return "a Steam Guard key" }
    switch key.factor {
    case .time: return "a TOTP key"
    case .counter: return "a HOTP key"
    }
  }

  /// Its facts; the secret only where that was asked for by name.
  static func add(
    _ key: borrowing OTPKey, labelIssuer: UTF8Text? = nil, to report: inout Report, showsSecret: Bool
  ) {
    switch key.factor {
    case .time: report.fact("type", "type", "totp")
    case .counter: report.fact("type", "type", "hotp")
    }
    if let issuer = key.issuer { report.fact("issuer", "issuer", .string(issuer)) }
    if let issuer = labelIssuer { report.fact("labelIssuer", "issuer in the label", .string(issuer)) }
    report.fact("account", "account", .string(key.account))
    report.fact("algorithm", "algorithm", .string(key.algorithm.name))
    report.fact("digits", "digits", number(key.digits))
    if key.encoder == .steam { report.fact("encoder", "encoder", "steam") }
    switch key.factor {
    case .time(let period): report.fact("period", "period", .number(JSONNumber(period)), shown: "\(period) s")
    case .counter(let counter): report.fact("counter", "counter", .number(JSONNumber(unsigned: counter)))
    }
    let bits = key.secret.count * 8
    report.fact("secretBits", "secret", number(bits), shown: "\(bits) bits")
    if showsSecret {
      let base32 = key.secret.withSpan { Base32.encode($0) }
      report.fact("secret", "secret in base32", .string(base32), shown: base32.string)
    }
  }
}
