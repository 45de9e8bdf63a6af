internal import AssayCodec
internal import AssayOTP

/// `otp secret`: makes a secret, and the URI that hands it to an authenticator app.
enum OTPSecretCommand {
  static let command = Command(
    path: ["otp", "secret"], summary: "make a secret for one-time codes, and with --account its otpauth URI",
    options: [
      .option(
        "--bytes", "N",
        "length of the secret, \(HOTP.minimumSecretBytes) to \(maximumBytes) bytes (default: \(OTPSecret.generatedBytes))"
      )
    ] + OTPKeyOptions.options,
    notes: [
      """
      The secret is printed, once, as one line of base32, which --secret-file of the other verbs reads; with --account it is
      printed under its name, and the URI below it. Whoever has it can make the codes: store it encrypted, and show the URI
      to one person.
      """
    ],
    run: { arguments throws(Failure) in
      let count = try arguments.integer("--bytes", in: HOTP.minimumSecretBytes...maximumBytes)
      if !arguments.has("--account") {
        for option in OTPKeyOptions.options where arguments.has(option.name) {
          throw .usage("\(option.name.string) is for the URI, which needs --account")
        }
      }
      let secret: SecretBytes
      do throws(OTPError) {
        secret = try OTPSecret.generate(byteCount: count ?? OTPSecret.generatedBytes)
      } catch { throw OTPSettings.failure(error) }
      var report = Report.done
      report.heading("a new secret of \(secret.count * 8) bits")
      let base32 = secret.withSpan { Base32.encode($0) }
      guard arguments.has("--account") else {
        report.fact("secret", "secret", .string(base32))
        report.body(base32.string)
        return report
      }
      let key = try OTPKeyOptions.key(secret, arguments)
      for warning in OTPKeyOptions.warnings(key) { report.warning(warning) }
      report.fact("secret", "secret", .string(base32), shown: base32.string)
      let uri = try OTPKeyOptions.uri(key)
      report.fact("uri", "uri", .string(UTF8Text(uri)), shown: uri)
      return report
    })

  /// The block of SHA-512: HMAC hashes a longer key down to less.
  private static let maximumBytes = 128
}
