internal import AssayCodec
internal import AssayOTP

/// `otp code`: makes the code that an authenticator would show.
enum OTPCodeCommand {
  static let command = Command(
    path: ["otp", "code"], summary: "make a one-time code (TOTP, or HOTP with --counter)", options: OTPSettings.options,
    notes: OTPSettings.notes,
    run: { arguments throws(Failure) in
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

  private static func timeBased(_ totp: TOTP, _ time: UnixTime) throws(Failure) -> Report {
    do throws(OTPError) {
      var report = Report.done
      let code = try totp.code(at: time).text
      report.fact("code", "code", .string(code))
      report.fact("step", "step", .number(JSONNumber(unsigned: try totp.step(at: time))))
      report.fact("time", "time", .number(JSONNumber(time.seconds)))
      report.body(code.string)
      return report
    } catch { throw OTPSettings.failure(error) }
  }
}
