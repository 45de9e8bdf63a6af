internal import AssayCodec
internal import AssayOTP

extension VectorKind {
  /// An `otpauth` URI, read in one mode; in lenient mode also what was read, and a code made with it.
  static let otpauth = VectorKind(name: "otpauth") { (one, _) throws(VectorFileError) in
    let uri = try one.text("uri", orParts: "uriParts")
    let mode: OTPAuthURI.Mode
    switch try one.text("mode") {
    case "lenient": mode = .lenient
    case "strict": mode = .strict
    default: throw one.fault("unknown mode")
    }
    let verdict = try one.verdict()
    let expected = verdict == .valid && mode == .lenient ? try ExpectedKey(one.value("key")) : nil
    do throws(OTPKeyError) {
      let read = try OTPAuthURI(uri.span, mode)
      guard let expected else { return .compare(expected: verdict, actual: .valid) }
      guard let difference = expected.difference(from: read) else { return .passed }
      return .failed(expected: "the given key", actual: "another \(difference)")
    } catch {
      return .compare(expected: verdict, actual: .invalid, because: error.description)
    }
  }

  /// A secret in base32 as people have it, and how it departs from the one form.
  static let otpSecret = VectorKind(name: "otp-secret") { (one, _) throws(VectorFileError) in
    let text = try one.text("text").utf8
    let verdict = try one.verdict()
    let bytes = verdict == .valid ? try one.hex("bytes") : nil
    let departures = verdict == .valid ? try one.texts("departures") : []
    do throws(CodecError) {
      let reading = try OTPSecret.read(text.span)
      guard let bytes else { return .failed(expected: "invalid", actual: "valid") }
      guard reading.secret.withSpan({ publicBytesEqual($0, bytes.span) }) else {
        return .failed(expected: "the given bytes", actual: "other bytes")
      }
      let names = reading.departures.map(\.name)
      return names.count == departures.count && names.allSatisfy(departures.contains)
        ? .passed : .failed(expected: "the given departures", actual: names.map(\.string).joined(separator: " "))
    } catch {
      return .compare(expected: verdict, actual: .invalid, because: error.description)
    }
  }
}

/// The `key` of an `otpauth` case.
private struct ExpectedKey {
  private let issuer: UTF8Text?
  private let account: UTF8Text
  private let secret: [UInt8]
  private let algorithm: OTPAlgorithm
  private let digits: Int
  private let factor: OTPKey.Factor
  private let encoder: OTPKey.Encoder
  private let labelIssuer: UTF8Text?
  private let expectedOthers: JSONObject
  private let warnings: [UTF8Text]
  private let time: UnixTime?
  private let code: UTF8Text

  init(_ value: JSONValue) throws(VectorFileError) {
    var key = try MemberReader(value, "key")
    let type = try key.text("type")
    switch type {
    case "totp": factor = .time(period: try key.integer("period"))
    case "hotp": factor = .counter(try key.unsigned("counter"))
    default: throw key.fault("unknown type")
    }
    issuer = try key.optionalText("issuer")
    account = try key.text("account")
    secret = try key.hex("secret")
    algorithm = try key.otpAlgorithm()
    digits = try key.count("digits")
    switch try key.optionalText("encoder") {
    case nil: encoder = .decimal
    case "steam": encoder = .steam
    default: throw key.fault("unknown encoder")
    }
    labelIssuer = try key.optionalText("labelIssuer")
    guard let others = try key.value("others").object else { throw key.fault("others must be an object") }
    expectedOthers = others
    warnings = try key.texts("warnings")
    code = try key.text("code")
    time = type == "totp" ? UnixTime(try key.integer("time")) : nil
    try key.finish()
  }

  /// The first thing in which what was read is not what is expected.
  func difference(from read: borrowing OTPAuthURI) -> String? {
    if read.key.issuer != issuer { return "issuer" }
    if read.key.account != account { return "account" }
    if !read.key.secret.withSpan({ publicBytesEqual($0, secret.span) }) { return "secret" }
    if read.key.algorithm != algorithm { return "algorithm" }
    if read.key.digits != digits { return "number of digits" }
    if read.key.factor != factor { return "period or counter" }
    if read.key.encoder != encoder { return "encoder" }
    if read.labelIssuer != labelIssuer { return "issuer in the label" }
    let others = read.otherParameters
    if !others.map(\.name).elementsEqual(expectedOthers.members.map(\.name))
      || !others.map({ JSONValue.string($0.value) }).elementsEqual(expectedOthers.members.map(\.value))
    {
      return "set of other parameters"
    }
    let names = read.warnings.map(\.name)
    if names.count != warnings.count || !names.allSatisfy(warnings.contains) {
      return "set of warnings: \(names.map(\.string).joined(separator: " "))"
    }
    return code(of: read.key) != code ? "code" : nil
  }

  private func code(of key: borrowing OTPKey) -> UTF8Text? {
    switch key.factor {
    case .time:
      guard let time else { return nil }
      if key.encoder == .steam { return try? SteamGuard(key, allowShortSecret: true).code(at: time).text }
      guard let totp = try? TOTP(key, allowShortSecret: true) else { return nil }
      return try? totp.code(at: time).text
    case .counter(let counter):
      guard let hotp = try? HOTP(key, allowShortSecret: true) else { return nil }
      return try? hotp.code(counter: counter).text
    }
  }
}
