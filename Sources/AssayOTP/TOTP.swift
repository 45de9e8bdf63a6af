public import AssayCodec

/// Time-based one-time codes (RFC 6238) over one shared secret.
///
/// A value can be kept and shared between threads; see `HOTP`.
public struct TOTP: Sendable {
  /// How long a step may be, in seconds: up to a day.
  public static let periodsAllowed: ClosedRange<Int64> = 1...86400

  /// How many steps around the current one `verify` accepts.
  public struct Window: Hashable, Sendable {
    /// The most steps to each side: each one more is one more chance for a guess, and one more period in which a code
    /// someone saw is still good.
    public static let maximumSteps = 10
    /// One step to each side: RFC 6238, 5.2 recommends at most one for the network's delay, and clocks err both ways.
    public static let standard = Window(back: 1, ahead: 1)

    /// How many steps before the current one.
    public let back: Int
    /// How many steps after the current one.
    public let ahead: Int

    /// A window; `verify` refuses one outside 0 to `maximumSteps` on either side.
    public init(back: Int, ahead: Int) {
      self.back = back
      self.ahead = ahead
    }
  }

  /// The length of a step, in seconds (RFC 6238, 4.1 "X").
  public let period: Int64
  /// The time at which step 0 begins (RFC 6238, 4.1 "T0").
  public let start: UnixTime
  let hotp: HOTP

  /// How many digits a code has.
  public var digits: Int { hotp.digits }
  /// The hash function under HMAC.
  public var algorithm: OTPAlgorithm { hotp.algorithm }

  /// Prepares a secret. Many authenticator apps know only the defaults, and silently ignore others.
  ///
  /// - Parameters:
  ///   - secret: The shared secret. An empty one is always refused.
  ///   - digits: How many digits a code has, in `HOTP.digitsAllowed`.
  ///   - period: The length of a step in seconds, in `periodsAllowed`.
  ///   - algorithm: The hash function under HMAC.
  ///   - start: The time at which step 0 begins.
  ///   - allowShortSecret: Takes secrets below `HOTP.minimumSecretBytes`, for those that others issued.
  /// - Throws: `periodNotAllowed`, and what `HOTP.init(secret:)` throws.
  public init(
    secret: borrowing SecretBytes, digits: Int = 6, period: Int64 = 30, algorithm: OTPAlgorithm = .sha1,
    start: UnixTime = UnixTime(0), allowShortSecret: Bool = false
  ) throws(OTPError) {
    try self.init(
      HOTP(secret: secret, digits: digits, algorithm: algorithm, allowShortSecret: allowShortSecret), period, start)
  }

  /// Prepares a secret from base32 as a person types or pastes it (`Base32.Profile.typedIn`).
  ///
  /// - Parameters:
  ///   - base32: The text of the secret. The caller wipes it.
  ///   - digits: How many digits a code has, in `HOTP.digitsAllowed`.
  ///   - period: The length of a step in seconds, in `periodsAllowed`.
  ///   - algorithm: The hash function under HMAC.
  ///   - start: The time at which step 0 begins.
  ///   - allowShortSecret: Takes secrets below `HOTP.minimumSecretBytes`, for those that others issued.
  /// - Throws: `malformedSecret`, `periodNotAllowed`, and what `HOTP.init(secret:)` throws.
  public init(
    base32: Span<UInt8>, digits: Int = 6, period: Int64 = 30, algorithm: OTPAlgorithm = .sha1,
    start: UnixTime = UnixTime(0), allowShortSecret: Bool = false
  ) throws(OTPError) {
    try self.init(
      HOTP(base32: base32, digits: digits, algorithm: algorithm, allowShortSecret: allowShortSecret), period, start)
  }

  private init(_ hotp: HOTP, _ period: Int64, _ start: UnixTime) throws(OTPError) {
    guard Self.periodsAllowed.contains(period) else { throw OTPError(.periodNotAllowed) }
    self.hotp = hotp
    self.period = period
    self.start = start
  }

  /// The step a time falls into (RFC 6238, 4.2 "T"). Throws `timeBeforeStart`.
  public func step(at time: UnixTime) throws(OTPError) -> UInt64 {
    try TimeSteps(period: period, start: start).step(at: time)
  }

  /// The code at a time. Throws `timeBeforeStart`, `unavailable`.
  public func code(at time: UnixTime) throws(OTPError) -> OneTimeCode {
    try hotp.code(counter: step(at: time))
  }

  /// Finds the step for which `code` is the code, among those around `now` that were not used yet.
  ///
  /// Success proves knowledge of the secret at about this time. It prevents reuse only together with the caller: store the
  /// step returned, not that of the clock, in one write conditional on its being greater than the one stored, and give it
  /// as `last` from then on, also after enrolment (RFC 6238, 5.2). Of several steps with the same code the one nearest to
  /// the clock is returned, then the earlier.
  ///
  /// - Parameters:
  ///   - code: What the user submitted: exactly `digits` ASCII digits. Trimming spaces is the user interface's.
  ///   - now: The time to judge at.
  ///   - last: The step last accepted; it and all before it are refused. nil only before the first success.
  ///   - window: How many steps around the current one are accepted.
  /// - Returns: The step to store.
  /// - Throws: `malformedCode`; `wrongCode`, also for the code of a used step: whoever submits it cannot tell;
  ///   `timeBeforeStart`; `windowNotAllowed`; `unavailable`.
  public func verify(
    _ code: Span<UInt8>, at now: UnixTime, after last: UInt64?, window: Window = .standard
  ) throws(OTPError) -> UInt64 {
    let steps = try TimeSteps(period: period, start: start).steps(at: now, window)
    return try TimeSteps.firstUnused(of: steps, among: hotp.matches(code, steps), after: last)
  }
}
