internal import AssayCodec
internal import AssayOTP

/// What a code is to one device.
enum CodeMatch {
  /// Not right.
  case none
  /// Right at a step that is used up.
  case used
  /// Right at a step that is not.
  case unused(UsedStep, clockOffset: Int64?)
}

extension CodeDevice {
  /// Judges a code by the device's stored step.
  func match(
    _ code: [UInt8], after last: UsedStep?, _ policy: CodePolicy, at now: UnixTime
  ) throws(OTPError) -> CodeMatch {
    guard canMake(code) else { return .none }
    switch kind {
    case .timeBased(let totp):
      return try match(code, totp, after: last, drift: policy.maximumDrift, policy.window, at: now)
    case .counterBased(let hotp, let firstCounter):
      guard let counter = Self.expected(after: last, firstCounter) else { return .none }
      guard
        let match = try ifRight({ () throws(OTPError) in
          try hotp.verify(code.span, counter: counter, lookAhead: policy.lookAhead)
        })
      else { return .none }
      // As below: the last code is not accepted again as that of a later counter that happens to have the same one.
      if let last, try isRight(code, hotp, last.step) { return .used }
      return .unused(UsedStep(step: match.counter), clockOffset: nil)
    }
  }

  /// The counter expected next; nil if the last one there is was used.
  static func expected(after last: UsedStep?, _ firstCounter: UInt64) -> UInt64? {
    guard let last else { return firstCounter }
    return last.step == .max ? nil : max(firstCounter, last.step + 1)
  }

  private func isRight(_ code: [UInt8], _ hotp: HOTP, _ counter: UInt64) throws(OTPError) -> Bool {
    try ifRight { () throws(OTPError) in try hotp.verify(code.span, counter: counter) } != nil
  }

  private func match(
    _ code: [UInt8], _ totp: TOTP, after last: UsedStep?, drift maximumDrift: Int, _ window: TOTP.Window,
    at now: UnixTime
  ) throws(OTPError) -> CodeMatch {
    let bound = Int64(maximumDrift)
    let drift = min(max(last?.drift ?? 0, -bound), bound)
    guard
      let steps = try ifRight({ () throws(OTPError) in
        try totp.matchingSteps(code.span, at: now, drift: drift, window: window)
      }), let step = steps.first
    else { return .none }
    // A code that was accepted is not accepted as that of another step that happens to have the same one.
    if let last, steps.contains(where: { $0 <= last.step }) { return .used }
    let delta = Int64(truncatingIfNeeded: step &- (try totp.step(at: now)))  // within the windows
    return .unused(UsedStep(step: step, drift: min(max(delta, -bound), bound)), clockOffset: delta &* totp.period)
  }

  /// nil where a code is not right, or its device has not begun.
  private func ifRight<Value>(_ judge: () throws(OTPError) -> Value) throws(OTPError) -> Value? {
    do throws(OTPError) {
      return try judge()
    } catch {
      switch error.code {
      case .wrongCode, .malformedCode, .timeBeforeStart: return nil
      default: throw error
      }
    }
  }
}
