internal import AssayCodec
internal import AssayOTP

extension VectorKind {
  /// A counter-based code.
  static let hotp = VectorKind(name: "hotp") { (one, _) throws(VectorFileError) in
    let hotp = try one.hotp()
    let counter = try one.unsigned("counter")
    let expected = try one.text("expected")
    do throws(OTPError) {
      return .compare(expected: expected.string, actual: try hotp.code(counter: counter).text.string)
    } catch {
      return .failed(expected: expected.string, actual: error.description)
    }
  }

  /// A time-based code.
  static let totp = VectorKind(name: "totp") { (one, _) throws(VectorFileError) in
    let totp = try one.totp()
    let time = UnixTime(try one.integer("time"))
    let expected = try one.text("expected")
    do throws(OTPError) {
      return .compare(expected: expected.string, actual: try totp.code(at: time).text.string)
    } catch {
      return .failed(expected: expected.string, actual: error.description)
    }
  }

  /// A code of Steam Guard.
  static let steam = VectorKind(name: "steam") { (one, _) throws(VectorFileError) in
    let secret = try one.hex("secret")
    let time = UnixTime(try one.integer("time"))
    let expected = try one.text("expected")
    do throws(OTPError) {
      let steam = try SteamGuard(secret: SecretBytes(copying: secret.span), allowShortSecret: true)
      return .compare(expected: expected.string, actual: try steam.code(at: time).text.string)
    } catch {
      return .failed(expected: expected.string, actual: error.description)
    }
  }

  /// A submitted code, with a window and the last accepted step.
  static let totpVerify = VectorKind(name: "totp-verify") { (one, _) throws(VectorFileError) in
    let totp = try one.totp()
    let time = UnixTime(try one.integer("time"))
    let window = TOTP.Window(back: try one.count("back"), ahead: try one.count("ahead"))
    let after = try one.optionalUnsigned("after")
    let code = try one.text("code")
    let verdict = try one.verdict()
    let step = verdict == .valid ? try one.unsigned("step") : nil
    do throws(OTPError) {
      let matched = try totp.verify(code.utf8.span, at: time, after: after, window: window)
      guard let step else { return .failed(expected: "invalid", actual: "valid, step \(matched)") }
      return .compare(expected: step, actual: matched)
    } catch {
      return .compare(expected: verdict, actual: .invalid, because: error.description)
    }
  }

  /// A submitted code, with the counter expected next and a look-ahead.
  static let hotpVerify = VectorKind(name: "hotp-verify") { (one, _) throws(VectorFileError) in
    let hotp = try one.hotp()
    let counter = try one.unsigned("counter")
    let lookAhead = try one.count("lookAhead")
    let code = try one.text("code").utf8
    let expected = try one.match()
    do throws(OTPError) {
      return .compare(expected, try hotp.verify(code.span, counter: counter, lookAhead: lookAhead))
    } catch {
      return .compare(
        expected: expected == nil ? Verdict.invalid : .valid, actual: .invalid, because: error.description)
    }
  }

  /// Two submitted codes in a row, with the counter expected next and a window.
  static let hotpResync = VectorKind(name: "hotp-resync") { (one, _) throws(VectorFileError) in
    let hotp = try one.hotp()
    let counter = try one.unsigned("counter")
    let window = try one.count("window")
    let codes = try one.texts("codes").map(\.utf8)
    guard codes.count == 2, let first = codes.first, let second = codes.last else {
      throw one.fault("codes must be two")
    }
    let expected = try one.match()
    do throws(OTPError) {
      return .compare(
        expected, try hotp.resynchronize(first.span, second.span, counter: counter, window: window))
    } catch {
      return .compare(
        expected: expected == nil ? Verdict.invalid : .valid, actual: .invalid, because: error.description)
    }
  }
}

extension CaseOutcome {
  fileprivate static func compare(_ expected: ExpectedMatch?, _ actual: HOTP.Match) -> CaseOutcome {
    guard let expected else { return .failed(expected: "invalid", actual: "valid, counter \(actual.counter)") }
    guard expected.counter == actual.counter else {
      return .compare(expected: expected.counter, actual: actual.counter)
    }
    return .compare(
      expected: "next \(expected.next.map(String.init) ?? "none")",
      actual: "next \(actual.next.map(String.init) ?? "none")")
  }
}

/// What a counter-based code must match.
private struct ExpectedMatch {
  let counter: UInt64
  let next: UInt64?
}

extension MemberReader {
  fileprivate mutating func hotp() throws(VectorFileError) -> HOTP {
    let (secret, algorithm, digits) = try codeSettings()
    do throws(OTPError) {
      return try HOTP(
        secret: SecretBytes(copying: secret.span), digits: digits, algorithm: algorithm, allowShortSecret: true)
    } catch { throw fault(error.description) }
  }

  fileprivate mutating func totp() throws(VectorFileError) -> TOTP {
    let (secret, algorithm, digits) = try codeSettings()
    let period = try integer("period")
    let start = UnixTime(try integer("start"))
    do throws(OTPError) {
      return try TOTP(
        secret: SecretBytes(copying: secret.span), digits: digits, period: period, algorithm: algorithm, start: start,
        allowShortSecret: true)
    } catch { throw fault(error.description) }
  }

  private mutating func codeSettings() throws(VectorFileError) -> ([UInt8], OTPAlgorithm, digits: Int) {
    (try hex("secret"), try otpAlgorithm(), try count("digits"))
  }

  fileprivate mutating func match() throws(VectorFileError) -> ExpectedMatch? {
    guard try verdict() == .valid else { return nil }
    return ExpectedMatch(counter: try unsigned("match"), next: try optionalUnsigned("next"))
  }

  mutating func otpAlgorithm() throws(VectorFileError) -> OTPAlgorithm {
    guard let algorithm = OTPAlgorithm(name: try text("algorithm")) else { throw fault("unknown algorithm") }
    return algorithm
  }

  mutating func count(_ name: UTF8Text) throws(VectorFileError) -> Int {
    guard let count = Int(exactly: try integer(name)) else { throw fault("\(name.string) is out of range") }
    return count
  }
}
