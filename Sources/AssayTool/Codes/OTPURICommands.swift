internal import AssayCodec
internal import AssayCrypto
internal import AssayOTP

/// `otp uri make`: writes the URI for a secret that exists.
enum OTPURIMake {
  static let command = Command(
    path: ["otp", "uri", "make"], summary: "write the otpauth URI for a secret, for a QR code",
    options: OTPSettings.secretOptions + [OTPSettings.shortSecretOption] + OTPKeyOptions.options,
    notes: OTPSettings.notes,
    run: { arguments throws(Failure) in
      let secret = try OTPSettings.secret(arguments)
      let key = try OTPKeyOptions.key(secret, arguments, allowShortSecret: arguments.has("--allow-short-secret"))
      let uri = try OTPKeyOptions.uri(key)
      var report = Report.done
      for warning in OTPKeyOptions.warnings(key) { report.warning(warning) }
      report.fact("uri", "uri", .string(UTF8Text(uri)))
      report.body(uri)
      return report
    })
}

/// `otp uri read`: says what a URI holds, or why it is refused.
enum OTPURIRead {
  static let command = Command(
    path: ["otp", "uri", "read"], summary: "say what an otpauth URI holds, and what is odd about it",
    options: [
      .option("--uri", "URI", "the URI itself instead of FILE: others on this machine can see the secret in it"),
      .flag("--strict", "refuse whatever is not Key-Uri-Format to the letter"),
      .flag("--show-secret", "print the secret too"),
    ],
    operands: Command.Operands(name: "FILE", help: "the URI, in a file; - is standard input", count: 0...1),
    notes: [
      """
      A URI holds the secret. On the command line it can be read by everyone on this machine and stays in the shell's
      history: put it into a file that only you can read, or send it through a pipe.
      """,
      "Nothing in a URI is proven: the names in it are whatever its maker wrote.",
    ],
    run: { arguments throws(Failure) in
      var text: [UInt8]
      switch (arguments["--uri"], arguments.operands.first) {
      case (let uri?, nil): text = uri.utf8
      case (nil, let path?): text = try Input.readLine(path)
      default: throw .usage("give the URI in a file, by - on standard input, or by --uri, and only once")
      }
      defer { wipe(&text) }
      let read: OTPAuthURI
      do throws(OTPKeyError) {
        read = try OTPAuthURI(text.span, arguments.has("--strict") ? .strict : .lenient)
      } catch {
        throw .refused(
          "\(error)", ["part": .string(UTF8Text(error.part.description)), "offset": number(error.offset)])
      }
      return report(read, showsSecret: arguments.has("--show-secret"))
    })

  private static func report(_ read: borrowing OTPAuthURI, showsSecret: Bool) -> Report {
    var report = Report.done
    let type: UTF8Text
    switch read.key.factor {
    case .time: type = "totp"
    case .counter: type = "hotp"
    }
    let isSteam = read.key.encoder == .steam
    report.heading(isSteam ? "a Steam Guard key" : "a \(type.string.uppercased()) key")
    for warning in read.warnings { report.warning(warning.description) }
    report.fact("type", "type", .string(type))
    if let issuer = read.key.issuer { report.fact("issuer", "issuer", .string(issuer)) }
    if let issuer = read.labelIssuer { report.fact("labelIssuer", "issuer in the label", .string(issuer)) }
    report.fact("account", "account", .string(read.key.account))
    report.fact("algorithm", "algorithm", .string(read.key.algorithm.name))
    report.fact("digits", "digits", number(read.key.digits))
    if isSteam { report.fact("encoder", "encoder", "steam") }
    switch read.key.factor {
    case .time(let period): report.fact("period", "period", .number(JSONNumber(period)), shown: "\(period) s")
    case .counter(let counter): report.fact("counter", "counter", .number(JSONNumber(unsigned: counter)))
    }
    let bits = read.key.secret.count * 8
    report.fact("secretBits", "secret", number(bits), shown: "\(bits) bits")
    if showsSecret {
      let base32 = read.key.secret.withSpan { Base32.encode($0) }
      report.fact("secret", "secret in base32", .string(base32), shown: base32.string)
    }
    var others: JSONObject = [:]
    for other in read.otherParameters { others[other.name] = .string(other.value) }
    if !others.members.isEmpty { report.object("otherParameters", "ignored parameter", others) }
    return report
  }
}
