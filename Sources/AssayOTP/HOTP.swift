public import AssayCodec
internal import AssayCrypto

/// Counter-based one-time codes (RFC 4226) over one shared secret.
///
/// A value can be kept and shared between threads: its secret lies in one place that no copy of the value copies, and is
/// wiped when the last of them goes away.
public struct HOTP: Sendable {
  /// The shortest secret taken without `allowShortSecret`, in bytes: 128 bits (RFC 4226, 4 R6).
  public static let minimumSecretBytes = 16
  /// The longest secret, in bytes.
  public static let maximumSecretBytes = 1024
  /// How many digits a code may have. RFC 4226, 5.3 has at least 6; the truncated value fills no more than 10.
  public static let digitsAllowed = 6...10
  /// The most counters that `verify` looks ahead: each one more is one more chance for a guess.
  public static let maximumLookAhead = 50
  /// The most counters that `resynchronize` looks ahead.
  public static let maximumResynchronizationWindow = 1000

  /// How many digits a code has.
  public let digits: Int
  /// The hash function under HMAC.
  public let algorithm: OTPAlgorithm
  private let key: CodeKey

  /// Prepares a secret.
  ///
  /// - Parameters:
  ///   - secret: The shared secret. An empty one is always refused: its codes are no secret.
  ///   - digits: How many digits a code has, in `digitsAllowed`.
  ///   - algorithm: RFC 4226 knows SHA-1 only; RFC 6238 adds the others.
  ///   - allowShortSecret: Takes secrets below `minimumSecretBytes`. Some issuers hand out 80 bits, and their users cannot
  ///     change that; never make such a secret yourself.
  /// - Throws: `emptySecret`, `shortSecret`, `longSecret`, `digitsNotAllowed`, `unavailable`.
  public init(
    secret: borrowing SecretBytes, digits: Int = 6, algorithm: OTPAlgorithm = .sha1, allowShortSecret: Bool = false
  ) throws(OTPError) {
    key = try CodeKey(secret, algorithm, allowShortSecret: allowShortSecret)
    guard Self.digitsAllowed.contains(digits) else { throw OTPError(.digitsNotAllowed) }
    self.digits = digits
    self.algorithm = algorithm
  }

  /// Prepares a secret from base32 as a person types or pastes it (`Base32.Profile.typedIn`).
  ///
  /// - Parameters:
  ///   - base32: The text of the secret. The caller wipes it.
  ///   - digits: How many digits a code has, in `digitsAllowed`.
  ///   - algorithm: The hash function under HMAC.
  ///   - allowShortSecret: Takes secrets below `minimumSecretBytes`.
  /// - Throws: `malformedSecret`, and what `init(secret:)` throws.
  public init(
    base32: Span<UInt8>, digits: Int = 6, algorithm: OTPAlgorithm = .sha1, allowShortSecret: Bool = false
  ) throws(OTPError) {
    let secret: SecretBytes
    do throws(CodecError) {
      secret = try Base32.decode(base32, .typedIn)
    } catch { throw OTPError(.malformedSecret) }
    try self.init(secret: secret, digits: digits, algorithm: algorithm, allowShortSecret: allowShortSecret)
  }

  /// The code for a counter (RFC 4226, 5.3). Throws `unavailable`.
  public func code(counter: UInt64) throws(OTPError) -> OneTimeCode {
    OneTimeCode(text: UTF8Text(unchecked: try text(counter: counter)))
  }

  private func text(counter: UInt64) throws(OTPError) -> [UInt8] {
    CodeKey.decimal(try key.truncated(counter: counter), count: digits)
  }

  /// The counter whose code was submitted.
  public struct Match: Hashable, Sendable {
    /// The counter that matched.
    public let counter: UInt64
    /// The counter to store and to expect next time; nil if the last counter there is was used, and the secret with it.
    public let next: UInt64?
  }

  /// Finds the counter for which `code` is the code, from the expected one on and never behind it.
  ///
  /// Success proves knowledge of the secret. It does not prevent reuse: store `next` in one conditional write, and leave
  /// the stored counter alone when this throws (RFC 4226, 7.2 and 7.4).
  ///
  /// - Parameters:
  ///   - code: What the user submitted: exactly `digits` ASCII digits. Trimming spaces is the user interface's.
  ///   - counter: The counter expected next.
  ///   - lookAhead: How many further counters to search, 0 to `maximumLookAhead`: codes the user made and did not submit.
  /// - Throws: `malformedCode`; `wrongCode`; `windowNotAllowed`; `unavailable`.
  public func verify(_ code: Span<UInt8>, counter: UInt64, lookAhead: Int = 0) throws(OTPError) -> Match {
    guard (0...Self.maximumLookAhead).contains(lookAhead) else { throw OTPError(.windowNotAllowed) }
    let (sum, overflow) = counter.addingReportingOverflow(UInt64(lookAhead))
    let candidates = Array(counter...(overflow ? .max : sum))
    let matches = try matches(code, candidates)
    guard matches != 0 else { throw OTPError(.wrongCode) }
    let match = candidates[matches.trailingZeroBitCount]
    return Match(counter: match, next: match == .max ? nil : match + 1)
  }

  /// Finds two consecutive counters whose codes these are, from the expected one on and never behind it: for a device
  /// whose button was pressed more often than `verify` may look ahead (RFC 4226, 7.4 and E.4).
  ///
  /// Two codes in a row let the search go far without helping a guess: one of `window + 1` pairs would have to be met
  /// among 10 to the power of twice the digits. Success proves knowledge of the secret as `verify` does, and asks the same
  /// of the caller: store `next` in one conditional write, and nothing when this throws.
  ///
  /// - Parameters:
  ///   - first: The earlier code, exactly `digits` ASCII digits.
  ///   - second: The code right after it.
  ///   - counter: The counter expected next.
  ///   - window: How many counters after it `first` may be, 0 to `maximumResynchronizationWindow`.
  /// - Returns: The counter of `second`, and the one to store.
  /// - Throws: `malformedCode`; `wrongCode`; `windowNotAllowed`; `unavailable`.
  public func resynchronize(
    _ first: Span<UInt8>, _ second: Span<UInt8>, counter: UInt64, window: Int = 100
  ) throws(OTPError) -> Match {
    guard (0...Self.maximumResynchronizationWindow).contains(window) else { throw OTPError(.windowNotAllowed) }
    try requireDigits(first)
    try requireDigits(second)
    let (sum, overflow) = counter.addingReportingOverflow(UInt64(window) + 1)
    // As in `matches`, every code is computed and compared, and the first pair is kept without a branch.
    var previousIsFirst: UInt64 = 0
    var found: UInt64 = 0
    var match: UInt64 = 0
    for candidate in counter...(overflow ? .max : sum) {
      var right = try text(counter: candidate)
      let hit = previousIsFirst & (constantTimeEqual(right.span, second) ? 1 : 0) & ~found
      match |= (0 &- hit) & candidate
      found |= hit
      previousIsFirst = constantTimeEqual(right.span, first) ? 1 : 0
      wipe(&right)
    }
    guard found != 0 else { throw OTPError(.wrongCode) }
    return Match(counter: match, next: match == .max ? nil : match + 1)
  }

  /// Which of at most 64 counters have this code: bit n stands for `counters[n]`.
  func matches(_ code: Span<UInt8>, _ counters: [UInt64]) throws(OTPError) -> UInt64 {
    try requireDigits(code)
    return try CodeKey.matches(code, counters) { (counter) throws(OTPError) in try text(counter: counter) }
  }

  private func requireDigits(_ code: Span<UInt8>) throws(OTPError) {
    guard code.count == digits else { throw OTPError(.malformedCode) }
    for index in code.indices where !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(code[index]) {
      throw OTPError(.malformedCode)
    }
  }
}
