internal import AssayCodec
internal import AssayOTP

/// `otp verify`: checks a code as a server does, and tells the operator more than a server may tell a user.
enum OTPVerifyCommand {
  static let command = Command(
    path: ["otp", "verify"], summary: "check a one-time code (TOTP, HOTP with --counter, or Steam Guard's)",
    options: OTPSettings.options + [
      OTPSettings.steamOption,
      .option("--after", "STEP", "the time step last accepted: it and all before it are refused"),
      .option("--back", "N", "steps accepted before the current one, up to \(TOTP.Window.maximumSteps) (default: 1)"),
      .option("--ahead", "N", "steps accepted after the current one, up to \(TOTP.Window.maximumSteps) (default: 1)"),
      .option(
        "--look-ahead", "N", "with --counter: further counters to try, up to \(HOTP.maximumLookAhead) (default: 0)"),
      .option(
        "--next-code", "CODE",
        "with --counter: the code right after CODE; the two find a counter that ran far ahead (resynchronisation)"),
      .option(
        "--resync-window", "N",
        "with --next-code: how far ahead CODE may be, up to \(HOTP.maximumResynchronizationWindow) (default: 100)"),
    ],
    operands: Command.Operands(name: "CODE", help: "the code that was submitted", count: 1...1),
    notes: OTPSettings.notes,
    run: { arguments throws(Failure) in
      let code = arguments.operands.first ?? ""
      if !arguments.has("--steam"), let counter = try arguments.integer("--counter", in: UInt64.min...UInt64.max) {
        for name in ["--after", "--back", "--ahead"] as [UTF8Text] where arguments.has(name) {
          throw .usage("\(name.string) is for time-based codes, --counter asks for a counter-based one: leave one out")
        }
        if let next = arguments["--next-code"] {
          guard !arguments.has("--look-ahead") else {
            throw .usage("--look-ahead is for one code, --next-code has a --resync-window: leave one out")
          }
          let range = 0...HOTP.maximumResynchronizationWindow
          let window = try arguments.integer("--resync-window", in: range) ?? 100
          return try resynchronized(OTPSettings.hotp(arguments), code, next, counter, window)
        }
        guard !arguments.has("--resync-window") else { throw .usage("--resync-window needs --next-code") }
        let lookAhead = try arguments.integer("--look-ahead", in: 0...HOTP.maximumLookAhead) ?? 0
        return try counterBased(OTPSettings.hotp(arguments), code, counter, lookAhead)
      }
      for name in ["--look-ahead", "--next-code", "--resync-window"] as [UTF8Text] where arguments.has(name) {
        throw .usage("\(name.string) needs --counter")
      }
      let steps = 0...TOTP.Window.maximumSteps
      let window = TOTP.Window(
        back: try arguments.integer("--back", in: steps) ?? 1, ahead: try arguments.integer("--ahead", in: steps) ?? 1)
      let last = try arguments.integer("--after", in: UInt64.min...UInt64.max)
      let clock = Clock(now: try arguments.time("--at"), last: last, window: window)
      if arguments.has("--steam") { return try timeBased(.steam(OTPSettings.steam(arguments)), code, clock) }
      return try timeBased(.totp(OTPSettings.totp(arguments)), code, clock)
    })

  private static func counterBased(
    _ hotp: HOTP, _ code: UTF8Text, _ counter: UInt64, _ lookAhead: Int
  ) throws(Failure) -> Report {
    let match: HOTP.Match
    do throws(OTPError) {
      match = try hotp.verify(code.utf8.span, counter: counter, lookAhead: lookAhead)
    } catch { throw OTPSettings.failure(error) }
    var report = Report.valid
    report.heading("valid: this is the code of counter \(match.counter)")
    report.check("the code has exactly \(hotp.digits) digits")
    report.check(
      lookAhead == 0
        ? "it is that of counter \(counter), compared in constant time"
        : "it is that of counter \(counter) or one of the next \(lookAhead), all compared in constant time")
    add(match, to: &report)
    return report
  }

  private static func resynchronized(
    _ hotp: HOTP, _ code: UTF8Text, _ next: UTF8Text, _ counter: UInt64, _ window: Int
  ) throws(Failure) -> Report {
    let match: HOTP.Match
    do throws(OTPError) {
      match = try hotp.resynchronize(code.utf8.span, next.utf8.span, counter: counter, window: window)
    } catch { throw OTPSettings.failure(error) }
    var report = Report.valid
    report.heading("valid: these are two codes in a row, the second that of counter \(match.counter)")
    report.check("each code has exactly \(hotp.digits) digits")
    report.check(
      "the first is that of counter \(counter) or one of the next \(window), the second follows it, "
        + "all compared in constant time")
    add(match, to: &report)
    return report
  }

  private static func add(_ match: HOTP.Match, to report: inout Report) {
    report.fact("counter", "counter", .number(JSONNumber(unsigned: match.counter)))
    report.fact(
      "next", "counter to store", match.next.map { .number(JSONNumber(unsigned: $0)) } ?? .null,
      shown: match.next.map(String.init) ?? "none: this was the last one there is")
  }

  /// What a time-based code is held against.
  private struct Clock {
    let now: UnixTime
    let last: UInt64?
    let window: TOTP.Window
  }

  /// The two kinds of time-based code.
  private enum TimeBased {
    case totp(TOTP)
    case steam(SteamGuard)

    /// What a code looks like, in words.
    var form: String {
      switch self {
      case .totp(let totp): "\(totp.digits) digits"
      case .steam: "\(SteamGuard.characters) characters of Steam Guard's"
      }
    }

    func step(at time: UnixTime) throws(OTPError) -> UInt64 {
      switch self {
      case .totp(let totp): try totp.step(at: time)
      case .steam(let steam): try steam.step(at: time)
      }
    }

    func verify(_ code: UTF8Text, _ clock: Clock) throws(OTPError) -> UInt64 {
      let code = code.utf8
      return switch self {
      case .totp(let totp): try totp.verify(code.span, at: clock.now, after: clock.last, window: clock.window)
      case .steam(let steam): try steam.verify(code.span, at: clock.now, after: clock.last, window: clock.window)
      }
    }
  }

  private static func timeBased(_ kind: TimeBased, _ code: UTF8Text, _ clock: Clock) throws(Failure) -> Report {
    let step: UInt64
    let current: UInt64
    do throws(OTPError) {
      current = try kind.step(at: clock.now)
    } catch { throw OTPSettings.failure(error) }
    do throws(OTPError) {
      step = try kind.verify(code, clock)
    } catch {
      guard error.code == .wrongCode else { throw OTPSettings.failure(error) }
      throw explained(kind, code, clock, current)
    }
    var report = Report.valid
    report.heading("valid: this is the code of time step \(step)")
    report.check("the code has exactly \(kind.form)")
    let back = UInt64(clock.window.back)
    let first = current > back ? current - back : 0
    let (end, overflow) = current.addingReportingOverflow(UInt64(clock.window.ahead))
    report.check(
      "it is that of a step from \(first) to \(overflow ? .max : end), around \(Shown.time(clock.now)), all compared in constant time"
    )
    if let last = clock.last {
      report.check("step \(step) comes after step \(last), the last one accepted: the code was not used before")
    } else {
      report.warning("not checked: whether the code was used before. Give the step last accepted with --after")
    }
    report.fact("step", "step to store", .number(JSONNumber(unsigned: step)))
    return report
  }

  /// A server says the same to every wrong code; its operator may know whether it was used or which clock is wrong.
  private static func explained(
    _ kind: TimeBased, _ code: UTF8Text, _ clock: Clock, _ current: UInt64
  ) -> Failure {
    let widest = TOTP.Window(back: TOTP.Window.maximumSteps, ahead: TOTP.Window.maximumSteps)
    guard let step = try? kind.verify(code, Clock(now: clock.now, last: nil, window: widest)) else {
      return .refused("the code is not that of any step near \(Shown.time(clock.now)): check the secret and the clock")
    }
    let facts: KeyValuePairs<UTF8Text, JSONValue> = ["step": .number(JSONNumber(unsigned: step))]
    if let last = clock.last, step <= last {
      return .refused(
        "the code is that of step \(step), and step \(last) was accepted already: wait for the next code", facts)
    }
    let (distance, side) = step > current ? (step - current, "after") : (current - step, "before")
    return .refused(
      "the code is that of step \(step), \(distance) \(side) the current one and outside the window: compare the clocks",
      facts)
  }
}
