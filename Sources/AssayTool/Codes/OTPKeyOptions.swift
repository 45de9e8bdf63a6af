internal import AssayCodec
internal import AssayCrypto
internal import AssayOTP

/// What the verbs that write an `otpauth` URI have in common: whose the key is and how its codes are made.
enum OTPKeyOptions {
  static let options: [Command.Option] = [
    .option("--issuer", "NAME", "the name of the service, as the app shows it"),
    .option("--account", "NAME", "what the user knows the account by"),
    .option(
      "--digits", "N",
      "digits of a code, \(HOTP.digitsAllowed.lowerBound) to \(HOTP.digitsAllowed.upperBound) (default: 6)"),
    .option("--algorithm", "NAME", "SHA1, SHA256 or SHA512 (default: SHA1)"),
    .option("--period", "S", "length of a time step in seconds (default: 30)"),
    .option("--counter", "N", "a counter-based key (HOTP) whose next code is that of this counter"),
  ]

  /// The key, or nil if there is no account to make it for.
  static func key(
    _ secret: borrowing SecretBytes, _ arguments: Arguments, allowShortSecret: Bool = false
  ) throws(Failure) -> OTPKey {
    let account = try arguments.required("--account")
    let digits = try arguments.integer("--digits", in: HOTP.digitsAllowed) ?? 6
    let algorithm = try OTPSettings.algorithm(arguments)
    let factor: OTPKey.Factor
    if let counter = try arguments.integer("--counter", in: UInt64.min...UInt64.max) {
      guard !arguments.has("--period") else {
        throw .usage("--period is for time-based codes, --counter asks for counter-based ones: leave one out")
      }
      factor = .counter(counter)
    } else {
      factor = .time(period: try arguments.integer("--period", in: TOTP.periodsAllowed) ?? 30)
    }
    do throws(OTPKeyError) {
      return try OTPKey(
        issuer: arguments["--issuer"], account: account, secret: secret.clone(), algorithm: algorithm, digits: digits,
        factor: factor, allowShortSecret: allowShortSecret)
    } catch { throw .refused("\(error)") }
  }

  /// The URI as text: it was asked for, and printing it cannot be undone by wiping.
  static func uri(_ key: borrowing OTPKey) throws(Failure) -> String {
    do throws(OTPKeyError) {
      let uri = try key.uri()
      return uri.withSpan { String(decoding: Array(copying: $0), as: UTF8.self) }
    } catch { throw .refused("\(error)") }
  }

  /// What many apps ignore, each in a line.
  static func warnings(_ key: borrowing OTPKey) -> [String] {
    var warnings = key.cautions.map { caution in
      switch caution {
      case .algorithm: "many authenticator apps know SHA1 only, and make wrong codes with another algorithm"
      case .digits: "many authenticator apps show 6 digits, whatever the key says"
      case .period: "many authenticator apps make a code every 30 seconds, whatever the key says"
      case .counter: "many authenticator apps know time-based codes only"
      }
    }
    if key.issuer == nil { warnings.append("without an issuer, apps cannot tell accounts of the same name apart") }
    return warnings
  }
}
