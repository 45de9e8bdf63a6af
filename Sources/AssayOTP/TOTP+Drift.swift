package import AssayCodec

extension TOTP {
  /// Every step that has this code among those of two windows: one around the time moved by a device's drift, one around the
  /// time itself, for the device whose clock was put right. Used steps are not left out.
  ///
  /// The steps around the moved time come first, in each window the nearest first. All codes are computed and compared.
  /// - Throws: `malformedCode`; `timeBeforeStart`; `windowNotAllowed`, also for a drift beyond `Window.maximumSteps`;
  ///   `unavailable`.
  package func matchingSteps(
    _ code: Span<UInt8>, at now: UnixTime, drift: Int64, window: Window
  ) throws(OTPError) -> [UInt64] {
    let bound = Int64(Window.maximumSteps)
    guard (-bound...bound).contains(drift) else { throw OTPError(.windowNotAllowed) }
    let grid = TimeSteps(period: period, start: start)
    let moved = now.adding(seconds: drift * period)
    // A clock that is behind has no steps in the first moments after the start.
    var steps = moved < start ? [] : try grid.steps(at: moved, window)
    for step in try grid.steps(at: now, window) where !steps.contains(step) { steps.append(step) }
    let matches = try hotp.matches(code, steps)
    return steps.indices.filter { matches >> UInt64($0) & 1 == 1 }.map { steps[$0] }
  }
}
