internal import AssayCodec
internal import AssayCrypto
internal import AssayOTP

/// What the verbs of `otp` have in common: the secret and how codes are made of it.
enum OTPSettings {
  /// Where the secret is.
  static let secretOptions: [Command.Option] = [
    .option("--secret-file", "FILE", "the shared secret as base32, in a file; - is standard input"),
    .option("--secret", "BASE32", "the shared secret itself: others on this machine can see it"),
  ]

  static let shortSecretOption = Command.Option.flag(
    "--allow-short-secret", "take a secret below \(HOTP.minimumSecretBytes * 8) bits, as some issuers hand out")

  static let steamOption = Command.Option.flag(
    "--steam", "a Steam Guard code, five letters and digits: only --at goes with it")

  static let options: [Command.Option] =
    secretOptions + [
      shortSecretOption,
      .option(
        "--digits", "N",
        "digits of a code, \(HOTP.digitsAllowed.lowerBound) to \(HOTP.digitsAllowed.upperBound) (default: 6)"),
      .option("--algorithm", "NAME", "SHA1, SHA256 or SHA512 (default: SHA1)"),
      .option("--period", "S", "length of a time step in seconds (default: 30)"),
      .option("--start", "T", "time at which step 0 begins, in seconds since 1970 (default: 0)"),
      .option("--at", "T", "the time, in seconds since 1970 (default: now)"),
      .option("--counter", "N", "a counter-based code (HOTP) for this counter, not a time-based one"),
    ]

  static let notes = [
    """
    A secret on the command line can be read by everyone on this machine and stays in the shell's history. Put it into
    a file that only you can read, or send it through a pipe: --secret-file -
    """
  ]

  /// Counter-based codes, if `--counter` asks for them.
  static func hotp(_ arguments: Arguments) throws(Failure) -> HOTP {
    for name in ["--period", "--start", "--at"] as [UTF8Text] where arguments.has(name) {
      throw .usage("\(name.string) is for time-based codes, --counter asks for a counter-based one: leave one out")
    }
    let digits = try arguments.integer("--digits", in: HOTP.digitsAllowed) ?? 6
    let algorithm = try algorithm(arguments)
    let secret = try secret(arguments)
    do throws(OTPError) {
      return try HOTP(
        secret: secret, digits: digits, algorithm: algorithm,
        allowShortSecret: arguments.has("--allow-short-secret"))
    } catch { throw failure(error) }
  }

  /// Steam Guard's codes, which `--steam` asks for.
  static func steam(_ arguments: Arguments) throws(Failure) -> SteamGuard {
    for name in ["--digits", "--algorithm", "--period", "--start", "--counter"] as [UTF8Text] where arguments.has(name)
    {
      throw .usage("\(name.string) is not for Steam Guard, whose codes are all made the same way: leave one out")
    }
    let secret = try secret(arguments)
    do throws(OTPError) {
      return try SteamGuard(secret: secret, allowShortSecret: arguments.has("--allow-short-secret"))
    } catch { throw failure(error) }
  }

  /// Time-based codes.
  static func totp(_ arguments: Arguments) throws(Failure) -> TOTP {
    let digits = try arguments.integer("--digits", in: HOTP.digitsAllowed) ?? 6
    let period = try arguments.integer("--period", in: TOTP.periodsAllowed) ?? 30
    let start = try arguments.time("--start", default: UnixTime(0))
    let algorithm = try algorithm(arguments)
    let secret = try secret(arguments)
    do throws(OTPError) {
      return try TOTP(
        secret: secret, digits: digits, period: period, algorithm: algorithm, start: start,
        allowShortSecret: arguments.has("--allow-short-secret"))
    } catch { throw failure(error) }
  }

  /// The error in words, with the option that helps.
  static func failure(_ error: OTPError) -> Failure {
    guard error.code == .shortSecret else { return .refused("\(error)") }
    return .refused("\(error): --allow-short-secret")
  }

  static func algorithm(_ arguments: Arguments) throws(Failure) -> OTPAlgorithm {
    try arguments.choice("--algorithm", among: OTPAlgorithm.allCases, by: \.name) ?? .sha1
  }

  static func secret(_ arguments: Arguments) throws(Failure) -> SecretBytes {
    var text: [UInt8]
    switch (arguments["--secret"], arguments["--secret-file"]) {
    case (let secret?, nil): text = secret.utf8
    case (nil, let path?): text = try Input.readLine(path)
    default: throw .usage("give the secret by --secret-file or --secret, and only one of them")
    }
    defer { wipe(&text) }
    return try decoding { () throws(CodecError) in try Base32.decode(text.span, .typedIn) }
  }
}
