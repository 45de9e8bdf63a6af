internal import AssayCodec
internal import AssayCrypto
internal import AssayOTP

/// `otp uri make`: writes the URI for a secret that exists.
enum OTPURIMake {
  static let command = Command(
    path: ["otp", "uri", "make"], summary: "write the otpauth URI for a secret, or its QR code",
    options: OTPSettings.secretOptions + [OTPSettings.shortSecretOption] + OTPKeyOptions.options + [QRCode.option],
    notes: OTPSettings.notes,
    run: { arguments throws(Failure) in
      let secret = try OTPSettings.secret(arguments)
      let key = try OTPKeyOptions.key(secret, arguments, allowShortSecret: arguments.has("--allow-short-secret"))
      let uri = try OTPKeyOptions.uri(key)
      var report = Report.done
      for warning in OTPKeyOptions.warnings(key) { report.warning(warning) }
      report.fact("uri", "uri", .string(UTF8Text(uri)))
      try report.body([uri], arguments)
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
    report.heading(OTPKeyReport.heading(read.key))
    for warning in read.warnings { report.warning(warning.description) }
    OTPKeyReport.add(read.key, labelIssuer: read.labelIssuer, to: &report, showsSecret: showsSecret)
    var others: JSONObject = [:]
    for other in read.otherParameters { others[other.name] = .string(other.value) }
    if !others.members.isEmpty { report.object("otherParameters", "ignored parameter", others) }
    return report
  }
}
