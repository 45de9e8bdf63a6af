public import AssayCodec
internal import AssayCrypto

/// Responses to challenges, and signatures, over one shared secret (OCRA, RFC 6287).
///
/// A value can be kept and shared between threads; see `HOTP`.
public struct OCRA: Sendable {
  /// The most pairs of counter and time step that `verify` tries: each one more is one more chance for a guess.
  public static let maximumCandidates = 64

  /// How a response is made.
  public let suite: OCRASuite
  private let key: CodeKey

  /// Prepares a secret. It belongs to one suite: RFC 6287, 5.1 has a suite authenticated with every response.
  ///
  /// - Parameters:
  ///   - suite: How a response is made.
  ///   - secret: The shared secret. An empty one is always refused.
  ///   - allowShortSecret: Takes secrets below `HOTP.minimumSecretBytes`, for those that others issued.
  /// - Throws: `emptySecret`, `shortSecret`, `longSecret`, `unavailable`.
  public init(
    _ suite: OCRASuite, secret: borrowing SecretBytes, allowShortSecret: Bool = false
  ) throws(OTPError) {
    key = try CodeKey(secret, suite.algorithm, allowShortSecret: allowShortSecret)
    self.suite = suite
  }

  /// The response (RFC 6287, 5.2).
  ///
  /// - Parameters:
  ///   - inputs: Questions, password and session, made for the same suite.
  ///   - counter: The counter, if the suite has `C` and only then.
  ///   - time: The time, if the suite has `T` and only then.
  /// - Throws: `otherInputs` if these are not what the suite asks for; `timeBeforeStart`, `unavailable`.
  public func response(
    _ inputs: borrowing OCRAInputs, counter: UInt64? = nil, time: UnixTime? = nil
  ) throws(OTPError) -> OCRAResponse {
    try require(inputs, counter, time)
    let candidate = Candidate(counter: counter, step: try time.map { (time) throws(OTPError) in try step(at: time) })
    return OCRAResponse(text: UTF8Text(unchecked: try text(inputs, candidate)))
  }

  /// The step a time falls into (RFC 6287, 5.1 "T"). Throws `otherInputs` if the suite has none, `timeBeforeStart`.
  public func step(at time: UnixTime) throws(OTPError) -> UInt64 { try steps().step(at: time) }

  /// What a response was made with.
  public struct Match: Hashable, Sendable {
    /// The counter that matched, nil if the suite has none.
    public let counter: UInt64?
    /// The counter to store and to expect next time, nil if the suite has none or the last one there is was used.
    public let next: UInt64?
    /// The time step that matched, nil if the suite has none.
    public let step: UInt64?
  }

  /// Finds the counter and the time step for which `response` is the response.
  ///
  /// Success proves knowledge of the secret, and of the password if the suite has one, and that the questions were
  /// answered with them. It does not prevent reuse: a question must be random and be accepted once, `next` is stored in one
  /// conditional write, and the step given as `last` from then on. Of several that match, the lowest counter is returned,
  /// then the step nearest to the clock.
  ///
  /// - Parameters:
  ///   - response: What was submitted: exactly the suite's number of ASCII digits, or the whole MAC in lower-case
  ///     hexadecimal.
  ///   - inputs: Questions, password and session, made for the same suite.
  ///   - counter: The counter expected next, if the suite has `C` and only then.
  ///   - lookAhead: How many further counters to search, 0 to `HOTP.maximumLookAhead`; 0 if the suite has no `C`.
  ///   - now: The time to judge at, if the suite has `T` and only then.
  ///   - last: The step last accepted; it and all before it are refused. nil if steps are not remembered, or the suite has no
  ///     `T`.
  ///   - window: How many steps around the current one are accepted.
  /// - Throws: `otherInputs`; `malformedCode`; `wrongCode`; `windowNotAllowed`, also for more than `maximumCandidates`;
  ///   `timeBeforeStart`; `unavailable`.
  public func verify(
    _ response: Span<UInt8>, _ inputs: borrowing OCRAInputs, counter: UInt64? = nil, lookAhead: Int = 0,
    at now: UnixTime? = nil, after last: UInt64? = nil, window: TOTP.Window = .standard
  ) throws(OTPError) -> Match {
    try require(inputs, counter, now)
    // Without them nothing would be searched or refused, against what was asked for.
    guard lookAhead == 0 || suite.hasCounter, last == nil || suite.period != nil else { throw OTPError(.otherInputs) }
    try requireForm(response)
    let candidates = try candidates(counter, lookAhead, now, window)
    var matches: UInt64 = 0
    // As in `CodeKey.matches`, every response is computed and compared.
    for (index, candidate) in candidates.enumerated() {
      var right = try text(inputs, candidate)
      matches |= (constantTimeEqual(right.span, response) ? 1 : 0) << UInt64(index)
      wipe(&right)
    }
    for (index, candidate) in candidates.enumerated() {
      guard let step = candidate.step, let last, step <= last else { continue }
      matches &= ~(1 << UInt64(index))
    }
    guard matches != 0 else { throw OTPError(.wrongCode) }
    let match = candidates[matches.trailingZeroBitCount]
    return Match(
      counter: match.counter, next: match.counter.flatMap { $0 == .max ? nil : $0 + 1 }, step: match.step)
  }

  // MARK: Parts

  /// What moves.
  private struct Candidate {
    let counter: UInt64?
    let step: UInt64?
  }

  private func steps() throws(OTPError) -> TimeSteps {
    guard let period = suite.period else { throw OTPError(.otherInputs) }
    return TimeSteps(period: period, start: UnixTime(0))
  }

  private func require(_ inputs: borrowing OCRAInputs, _ counter: UInt64?, _ time: UnixTime?) throws(OTPError) {
    guard inputs.suite == suite, (counter != nil) == suite.hasCounter, (time != nil) == (suite.period != nil) else {
      throw OTPError(.otherInputs)
    }
  }

  private func requireForm(_ response: Span<UInt8>) throws(OTPError) {
    guard response.count == (suite.digits == 0 ? 2 * suite.algorithm.digest.byteCount : suite.digits) else {
      throw OTPError(.malformedCode)
    }
    for index in response.indices {
      switch response[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): continue
      case UInt8(ascii: "a")...UInt8(ascii: "f") where suite.digits == 0: continue
      default: throw OTPError(.malformedCode)
      }
    }
  }

  private func candidates(
    _ counter: UInt64?, _ lookAhead: Int, _ now: UnixTime?, _ window: TOTP.Window
  ) throws(OTPError) -> [Candidate] {
    guard (0...HOTP.maximumLookAhead).contains(lookAhead) else { throw OTPError(.windowNotAllowed) }
    var counters: [UInt64?] = [nil]
    if let counter {
      let (sum, overflow) = counter.addingReportingOverflow(UInt64(lookAhead))
      counters = (counter...(overflow ? .max : sum)).map { $0 }
    }
    var times: [UInt64?] = [nil]
    if let now { times = try steps().steps(at: now, window).map { $0 } }
    guard counters.count * times.count <= Self.maximumCandidates else { throw OTPError(.windowNotAllowed) }
    return counters.flatMap { counter in times.map { Candidate(counter: counter, step: $0) } }
  }

  private func text(_ inputs: borrowing OCRAInputs, _ candidate: Candidate) throws(OTPError) -> [UInt8] {
    var message = SecretBuffer()
    message.append(suite.text.utf8.span)
    message.append(0)
    if let counter = candidate.counter { message.append(CodeKey.bytes(counter).span) }
    inputs.bytes.withSpan { message.append($0) }
    if let step = candidate.step { message.append(CodeKey.bytes(step).span) }
    return try message.withSpan { (span) throws(OTPError) in
      guard suite.digits > 0 else {
        var mac = try key.mac(span)
        defer { wipe(&mac) }
        return Base16.encode(mac.span).utf8
      }
      return CodeKey.decimal(try key.truncated(span), count: suite.digits)
    }
  }
}

/// A response to a challenge: digits, or the whole MAC in hexadecimal.
///
/// As `OneTimeCode`, it does not print itself and cannot be compared with `==`: give what was submitted to `OCRA.verify`.
public struct OCRAResponse: Sendable, CustomStringConvertible, CustomReflectable {
  /// The characters, to show to the one person they are for. Their memory is not wiped.
  public let text: UTF8Text

  /// How long the response is, never the response.
  public var description: String { "OCRA response (\(text.utf8.count) characters)" }

  /// Nothing, so that `dump` does not show the response either.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
