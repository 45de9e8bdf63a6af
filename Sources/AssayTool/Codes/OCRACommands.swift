internal import AssayCodec
internal import AssayCrypto
internal import AssayOTP

/// What the verbs of `otp ocra` have in common.
enum OCRASettings {
  static let options: [Command.Option] =
    [
      .option("--suite", "SUITE", "how a response is made, such as OCRA-1:HOTP-SHA256-8:C-QN08-PSHA1"),
      .option("--question", "TEXT", "the challenge"),
      .option("--second-question", "TEXT", "a second challenge, for mutual authentication: the two are joined"),
      .option("--pin-file", "FILE", "the password or PIN of a suite with P, in a file; - is standard input"),
      .option(
        "--session-file", "FILE", "the session information of a suite with S, byte for byte; - is standard input"),
      .option("--counter", "N", "the counter of a suite with C"),
      .option("--at", "T", "the time for a suite with T, in seconds since 1970 (default: now)"),
    ] + OTPSettings.secretOptions + [OTPSettings.shortSecretOption]

  static let notes =
    OTPSettings.notes + ["A challenge must be random, and accepted once: what a response proves is no more than that."]

  static func suite(_ arguments: Arguments) throws(Failure) -> OCRASuite {
    let text = try arguments.required("--suite").utf8
    do throws(OCRAError) {
      return try OCRASuite(text.span)
    } catch {
      throw .refused("\(error)", ["part": .string(UTF8Text(error.field.description)), "offset": number(error.offset)])
    }
  }

  static func inputs(_ suite: OCRASuite, _ arguments: Arguments) throws(Failure) -> OCRAInputs {
    let questions = [try arguments.required("--question")] + [arguments["--second-question"]].compactMap { $0 }
    let session = try arguments["--session-file"].map { (path) throws(Failure) in try Input.read(path) }
    var pin = try arguments["--pin-file"].map { (path) throws(Failure) in try Input.readLine(path) } ?? []
    defer { wipe(&pin) }
    do throws(OCRAError) {
      guard arguments.has("--pin-file") else { return try OCRAInputs(suite, questions: questions, session: session) }
      let hash = try OCRAInputs.hash(password: pin.span, for: suite)
      return try OCRAInputs(suite, questions: questions, passwordHash: hash, session: session)
    } catch { throw .refused("\(error)") }
  }

  static func ocra(_ suite: OCRASuite, _ arguments: Arguments) throws(Failure) -> OCRA {
    let secret = try OTPSettings.secret(arguments)
    do throws(OTPError) {
      return try OCRA(suite, secret: secret, allowShortSecret: arguments.has("--allow-short-secret"))
    } catch { throw OTPSettings.failure(error) }
  }

  static func counter(_ arguments: Arguments) throws(Failure) -> UInt64? {
    try arguments.integer("--counter", in: UInt64.min...UInt64.max)
  }

  /// The time, if the suite has one; to give one to another suite is a mistake.
  static func time(_ suite: OCRASuite, _ arguments: Arguments) throws(Failure) -> UnixTime? {
    if suite.period == nil, !arguments.has("--at") { return nil }
    return try arguments.time("--at")
  }
}

/// `otp ocra respond`: answers a challenge as a token would.
enum OCRARespond {
  static let command = Command(
    path: ["otp", "ocra", "respond"], summary: "answer a challenge (OCRA, RFC 6287)", options: OCRASettings.options,
    notes: OCRASettings.notes,
    run: { arguments throws(Failure) in
      let suite = try OCRASettings.suite(arguments)
      let inputs = try OCRASettings.inputs(suite, arguments)
      let ocra = try OCRASettings.ocra(suite, arguments)
      let counter = try OCRASettings.counter(arguments)
      let time = try OCRASettings.time(suite, arguments)
      do throws(OTPError) {
        let response = try ocra.response(inputs, counter: counter, time: time).text
        var report = Report.done
        report.fact("response", "response", .string(response))
        report.body(response.string)
        return report
      } catch { throw OTPSettings.failure(error) }
    })
}

/// `otp ocra verify`: checks an answer as a server does.
enum OCRAVerify {
  static let command = Command(
    path: ["otp", "ocra", "verify"], summary: "check the answer to a challenge (OCRA, RFC 6287)",
    options: OCRASettings.options + [
      .option("--look-ahead", "N", "further counters to try, up to \(HOTP.maximumLookAhead) (default: 0)"),
      .option("--back", "N", "steps accepted before the current one, up to \(TOTP.Window.maximumSteps) (default: 1)"),
      .option("--ahead", "N", "steps accepted after the current one, up to \(TOTP.Window.maximumSteps) (default: 1)"),
      .option("--after", "STEP", "the time step last accepted: it and all before it are refused"),
    ],
    operands: Command.Operands(name: "RESPONSE", help: "the answer that was submitted", count: 1...1),
    notes: OCRASettings.notes,
    run: { arguments throws(Failure) in
      let response = (arguments.operands.first ?? "").utf8
      let suite = try OCRASettings.suite(arguments)
      let steps = 0...TOTP.Window.maximumSteps
      let window = TOTP.Window(
        back: try arguments.integer("--back", in: steps) ?? 1, ahead: try arguments.integer("--ahead", in: steps) ?? 1)
      if suite.period == nil, arguments.has("--back") || arguments.has("--ahead") {
        throw .usage("--back and --ahead are for suites with T")
      }
      let lookAhead = try arguments.integer("--look-ahead", in: 0...HOTP.maximumLookAhead) ?? 0
      let last = try arguments.integer("--after", in: UInt64.min...UInt64.max)
      let inputs = try OCRASettings.inputs(suite, arguments)
      let ocra = try OCRASettings.ocra(suite, arguments)
      let counter = try OCRASettings.counter(arguments)
      let time = try OCRASettings.time(suite, arguments)
      let match: OCRA.Match
      do throws(OTPError) {
        match = try ocra.verify(
          response.span, inputs, counter: counter, lookAhead: lookAhead, at: time, after: last, window: window)
      } catch { throw OTPSettings.failure(error) }
      var report = Report.valid
      report.heading("valid: this is the response to the challenge")
      report.check(
        suite.digits == 0
          ? "the response is a whole MAC in hexadecimal" : "the response has exactly \(suite.digits) digits")
      report.check("it is that of the suite, the questions and what else goes into it, all compared in constant time")
      report.warning("not checked: whether the challenge was random, and answered once only")
      if let counter = match.counter {
        report.fact("counter", "counter", .number(JSONNumber(unsigned: counter)))
        report.fact(
          "next", "counter to store", match.next.map { .number(JSONNumber(unsigned: $0)) } ?? .null,
          shown: match.next.map(String.init) ?? "none: this was the last one there is")
      }
      if let step = match.step { report.fact("step", "step to store", .number(JSONNumber(unsigned: step))) }
      return report
    })
}
