internal import AssayCodec

/// Steps of time (RFC 6238, 4.2), and which of those around the clock may be accepted.
struct TimeSteps {
  /// The length of a step in seconds, above 0.
  let period: Int64
  /// When step 0 begins.
  let start: UnixTime

  /// Throws `timeBeforeStart`.
  func step(at time: UnixTime) throws(OTPError) -> UInt64 {
    guard time >= start else { throw OTPError(.timeBeforeStart) }
    // Not below zero, and as a 64-bit pattern exact even where the difference does not fit Int64.
    let elapsed = UInt64(bitPattern: time.seconds &- start.seconds)
    return elapsed / UInt64(period)
  }

  /// The steps of a window, nearest first, the earlier before the later; there are none before 0 or past the last.
  ///
  /// Throws `windowNotAllowed`, `timeBeforeStart`.
  func steps(at now: UnixTime, _ window: TOTP.Window) throws(OTPError) -> [UInt64] {
    let allowed = 0...TOTP.Window.maximumSteps
    guard allowed.contains(window.back), allowed.contains(window.ahead) else { throw OTPError(.windowNotAllowed) }
    let center = try step(at: now)
    var steps = [center]
    for distance in 1..<(max(window.back, window.ahead) + 1) {
      let (before, underflow) = center.subtractingReportingOverflow(UInt64(distance))
      if distance <= window.back, !underflow { steps.append(before) }
      let (after, overflow) = center.addingReportingOverflow(UInt64(distance))
      if distance <= window.ahead, !overflow { steps.append(after) }
    }
    return steps
  }

  /// The first step that matched and comes after the last one accepted. Throws `wrongCode`.
  static func firstUnused(of steps: [UInt64], among matches: UInt64, after last: UInt64?) throws(OTPError) -> UInt64 {
    var unused: UInt64 = 0
    for (index, step) in steps.enumerated() {
      let isUnused = last.map { step > $0 } ?? true
      unused |= (isUnused ? 1 : 0) << UInt64(index)
    }
    guard matches & unused != 0 else { throw OTPError(.wrongCode) }
    return steps[(matches & unused).trailingZeroBitCount]
  }
}
