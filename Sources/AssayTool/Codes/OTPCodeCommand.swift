internal import AssayCodec
internal import AssayOTP

/// `otp code`: makes the code that an authenticator would show.
enum OTPCodeCommand {
  static let command = Command(
    path: ["otp", "code"], summary: "make a one-time code (TOTP, HOTP with --counter, or Steam Guard's)",
    options: OTPSettings.options + [OTPSettings.steamOption],
    notes: OTPSettings.notes,
    run: { arguments throws(Failure) in
      if arguments.has("--steam") { return try steam(OTPSettings.steam(arguments), arguments.time("--at")) }
      if let counter = try arguments.integer("--counter", in: UInt64.min...UInt64.max) {
        return try counterBased(OTPSettings.hotp(arguments), counter)
      }
      return try timeBased(OTPSettings.totp(arguments), arguments.time("--at"))
    })

  private static func counterBased(_ hotp: HOTP, _ counter: UInt64) throws(Failure) -> Report {
    do throws(OTPError) {
      var report = Report.done
      let code = try hotp.code(counter: counter).text
      report.fact("code", "code", .string(code))
      report.fact("counter", "counter", .number(JSONNumber(unsigned: counter)))
      report.body(code.string)
      return report
    } catch { throw OTPSettings.failure(error) }
  }

  private static func steam(_ steam: SteamGuard, _ time: UnixTime) throws(Failure) -> Report {
    do throws(OTPError) {
      return report(try steam.code(at: time).text, try steam.step(at: time), time)
    } catch { throw OTPSettings.failure(error) }
  }

  private static func timeBased(_ totp: TOTP, _ time: UnixTime) throws(Failure) -> Report {
    do throws(OTPError) {
      return report(try totp.code(at: time).text, try totp.step(at: time), time)
    } catch { throw OTPSettings.failure(error) }
  }

  private static func report(_ code: UTF8Text, _ step: UInt64, _ time: UnixTime) -> Report {
    var report = Report.done
    report.fact("code", "code", .string(code))
    report.fact("step", "step", .number(JSONNumber(unsigned: step)))
    report.fact("time", "time", .number(JSONNumber(time.seconds)))
    report.body(code.string)
    return report
  }
}
