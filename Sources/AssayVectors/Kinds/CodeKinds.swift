internal import AssayCodec
internal import AssayOTP

extension VectorKind {
  /// A counter-based code.
  static let hotp = VectorKind(name: "hotp") { (one, _) throws(VectorFileError) in
    let secret = try one.hex("secret")
    let algorithm = try one.otpAlgorithm()
    let digits = try one.count("digits")
    let counter = try one.unsigned("counter")
    let expected = try one.text("expected")
    do throws(OTPError) {
      let hotp = try HOTP(
        secret: SecretBytes(copying: secret.span), digits: digits, algorithm: algorithm, allowShortSecret: true)
      return .compare(expected: expected.string, actual: try hotp.code(counter: counter).text.string)
    } catch {
      return .failed(expected: expected.string, actual: error.description)
    }
  }

  /// A time-based code.
  static let totp = VectorKind(name: "totp") { (one, _) throws(VectorFileError) in
    let secret = try one.hex("secret")
    let algorithm = try one.otpAlgorithm()
    let digits = try one.count("digits")
    let time = UnixTime(try one.integer("time"))
    let period = try one.integer("period")
    let start = UnixTime(try one.integer("start"))
    let expected = try one.text("expected")
    do throws(OTPError) {
      let totp = try TOTP(
        secret: SecretBytes(copying: secret.span), digits: digits, period: period, algorithm: algorithm, start: start,
        allowShortSecret: true)
      return .compare(expected: expected.string, actual: try totp.code(at: time).text.string)
    } catch {
      return .failed(expected: expected.string, actual: error.description)
    }
  }

  /// A submitted code, with a window and the last accepted step.
  static let totpVerify = VectorKind(name: "totp-verify") { (one, _) throws(VectorFileError) in
    let secret = try one.hex("secret")
    let algorithm = try one.otpAlgorithm()
    let digits = try one.count("digits")
    let time = UnixTime(try one.integer("time"))
    let period = try one.integer("period")
    let start = UnixTime(try one.integer("start"))
    let back = try one.count("back")
    let ahead = try one.count("ahead")
    let after = try one.optionalUnsigned("after")
    let code = try one.text("code")
    let verdict = try one.verdict()
    let step = verdict == .valid ? try one.unsigned("step") : nil
    do throws(OTPError) {
      let totp = try TOTP(
        secret: SecretBytes(copying: secret.span), digits: digits, period: period, algorithm: algorithm, start: start,
        allowShortSecret: true)
      let matched = try totp.verify(
        code.utf8.span, at: time, after: after, window: TOTP.Window(back: back, ahead: ahead))
      guard let step else { return .failed(expected: "invalid", actual: "valid, step \(matched)") }
      return .compare(expected: step, actual: matched)
    } catch {
      return .compare(expected: verdict, actual: .invalid, because: error.description)
    }
  }
}

extension MemberReader {
  fileprivate mutating func otpAlgorithm() throws(VectorFileError) -> OTPAlgorithm {
    guard let algorithm = OTPAlgorithm(name: try text("algorithm")) else { throw fault("unknown algorithm") }
    return algorithm
  }

  fileprivate mutating func count(_ name: UTF8Text) throws(VectorFileError) -> Int {
    guard let count = Int(exactly: try integer(name)) else { throw fault("\(name.string) is out of range") }
    return count
  }
}
