public import AssayCodec

/// The time-based codes of Steam Guard: five characters of an alphabet of 26, with SHA-1 and a step of 30 seconds.
///
/// No standard describes them: the value is that of RFC 4226, 5.3, written with other digits, the least significant first.
/// A value can be kept and shared between threads; see `HOTP`.
public struct SteamGuard: Sendable {
  /// How many characters a code has.
  public static let characters = 5
  /// The length of a step, in seconds.
  public static let period: Int64 = 30
  /// The characters of a code: digits and capital letters without those that look alike.
  public static let alphabet: UTF8Text = "23456789BCDFGHJKMNPQRTVWXY"

  private static let steps = TimeSteps(period: period, start: UnixTime(0))
  private let key: CodeKey

  /// Prepares a secret. Steam's `shared_secret` is the secret in base64; in an `otpauth` URI it is in base32.
  ///
  /// - Parameters:
  ///   - secret: The shared secret. An empty one is always refused.
  ///   - allowShortSecret: Takes secrets below `HOTP.minimumSecretBytes`; Steam's have 160 bits.
  /// - Throws: `emptySecret`, `shortSecret`, `longSecret`, `unavailable`.
  public init(secret: borrowing SecretBytes, allowShortSecret: Bool = false) throws(OTPError) {
    key = try CodeKey(secret, .sha1, allowShortSecret: allowShortSecret)
  }

  /// Prepares the codes of a key whose `encoder` is Steam's.
  ///
  /// - Throws: `otherKind` for any other key, also one with another algorithm or period, and what `init(secret:)` throws.
  public init(_ key: borrowing OTPKey, allowShortSecret: Bool = false) throws(OTPError) {
    guard case .steam = key.encoder, key.algorithm == .sha1, key.factor == .time(period: Self.period) else {
      throw OTPError(.otherKind)
    }
    try self.init(secret: key.secret, allowShortSecret: allowShortSecret)
  }

  /// The step a time falls into. Throws `timeBeforeStart`.
  public func step(at time: UnixTime) throws(OTPError) -> UInt64 { try Self.steps.step(at: time) }

  /// The code at a time. Throws `timeBeforeStart`, `unavailable`.
  public func code(at time: UnixTime) throws(OTPError) -> SteamCode {
    SteamCode(text: UTF8Text(unchecked: try text(step: step(at: time))))
  }

  private func text(step: UInt64) throws(OTPError) -> [UInt8] {
    var value = try key.truncated(counter: step)
    let alphabet = Self.alphabet.utf8
    let base = UInt32(alphabet.count)
    var text: [UInt8] = []
    text.reserveCapacity(Self.characters)
    for _ in 0..<Self.characters {
      text.append(alphabet[Int(value % base)])
      value /= base
    }
    return text
  }

  /// Finds the step for which `code` is the code, among those around `now` that were not used yet.
  ///
  /// What success proves, and what the caller does with the step, is as for `TOTP.verify`.
  ///
  /// - Parameters:
  ///   - code: What the user submitted: exactly five characters of `alphabet`. Trimming spaces and raising letters to
  ///     capitals is the user interface's.
  ///   - now: The time to judge at.
  ///   - last: The step last accepted; it and all before it are refused. nil only before the first success.
  ///   - window: How many steps around the current one are accepted.
  /// - Returns: The step to store.
  /// - Throws: `malformedCode`, `wrongCode`, `timeBeforeStart`, `windowNotAllowed`, `unavailable`.
  public func verify(
    _ code: Span<UInt8>, at now: UnixTime, after last: UInt64?, window: TOTP.Window = .standard
  ) throws(OTPError) -> UInt64 {
    let steps = try Self.steps.steps(at: now, window)
    guard code.count == Self.characters else { throw OTPError(.malformedCode) }
    for index in code.indices where !Self.alphabet.utf8.contains(code[index]) { throw OTPError(.malformedCode) }
    let matches = try CodeKey.matches(code, steps) { (step) throws(OTPError) in try text(step: step) }
    return try TimeSteps.firstUnused(of: steps, among: matches, after: last)
  }
}

/// A code of Steam Guard: five characters. It is a type of its own, so that it is never taken for one of digits.
///
/// As `OneTimeCode`, it does not print itself and cannot be compared with `==`: give what the user typed to
/// `SteamGuard.verify` instead.
public struct SteamCode: Sendable, CustomStringConvertible, CustomReflectable {
  /// The characters, to show to the one person they are for. Their memory is not wiped.
  public let text: UTF8Text

  /// How long the code is, never the code.
  public var description: String { "Steam Guard code (\(text.utf8.count) characters)" }

  /// Nothing, so that `dump` does not show the code either.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
