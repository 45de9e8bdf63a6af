public import AssayCodec

/// What an authenticator app holds for one account: the secret, how its codes are made, and whose they are.
///
/// It cannot be copied, and its secret is wiped with it.
public struct OTPKey: ~Copyable, Sendable {
  /// What moves from one code to the next.
  public enum Factor: Hashable, Sendable {
    /// Time-based codes (RFC 6238), with a step of so many seconds; step 0 begins in 1970.
    case time(period: Int64)
    /// Counter-based codes (RFC 4226), with the counter of the next one.
    case counter(UInt64)
  }

  /// How a code is written.
  public enum Encoder: Hashable, Sendable {
    /// As decimal digits.
    case decimal
    /// As Steam Guard writes it, five letters and digits: `SteamGuard` makes them.
    case steam
  }

  /// Who issued the key, as the app shows it; nil if nothing says.
  public let issuer: UTF8Text?
  /// Whose account it is for, as the app shows it.
  public let account: UTF8Text
  /// The shared secret.
  public let secret: SecretBytes
  /// The hash function under HMAC.
  public let algorithm: OTPAlgorithm
  /// How many digits, or for Steam Guard characters, a code has.
  public let digits: Int
  /// What moves from one code to the next.
  public let factor: Factor
  /// How a code is written.
  public let encoder: Encoder

  /// Makes a key, to hand to a user's authenticator with `uri()`. Spaces around `issuer` and `account` are dropped.
  ///
  /// - Parameters:
  ///   - issuer: The name of the service. Without one, apps cannot tell accounts of the same name apart. Avoid `Steam`:
  ///     lenient readers, this one too, take its keys for Steam Guard's.
  ///   - account: What the user knows the account by, such as a mail address.
  ///   - secret: The shared secret, of `HOTP.minimumSecretBytes` to `HOTP.maximumSecretBytes`; see `OTPSecret.generate`.
  ///   - algorithm: The hash function under HMAC.
  ///   - digits: How many digits a code has, in `HOTP.digitsAllowed`.
  ///   - factor: What moves; a period is in `TOTP.periodsAllowed`.
  ///   - allowShortSecret: Takes secrets below `HOTP.minimumSecretBytes`, for those that others issued; never make one.
  /// - Throws: `emptySecret`, `weakSecret`, `longSecret`, `invalidDigits`, `invalidPeriod`; `missingLabel` if `account` is
  ///   empty; `colonInLabel`, since a colon parts issuer and account; `controlCharacter`.
  public init(
    issuer: UTF8Text?, account: UTF8Text, secret: consuming SecretBytes, algorithm: OTPAlgorithm = .sha1,
    digits: Int = 6, factor: Factor = .time(period: 30), allowShortSecret: Bool = false
  ) throws(OTPKeyError) {
    try Self.check(secret, allowShort: allowShortSecret)
    guard HOTP.digitsAllowed.contains(digits) else { throw OTPKeyError(.invalidDigits, "digits") }
    if case .time(let period) = factor, !TOTP.periodsAllowed.contains(period) {
      throw OTPKeyError(.invalidPeriod, "period")
    }
    let account = OTPLabel.trimmed(account)
    let issuer = issuer.map(OTPLabel.trimmed).flatMap { $0.isEmpty ? nil : $0 }
    guard !account.isEmpty else { throw OTPKeyError(.missingLabel, "label") }
    for text in [issuer, account].compactMap({ $0 }) {
      guard !text.utf8.contains(UInt8(ascii: ":")) else { throw OTPKeyError(.colonInLabel, "label") }
      guard !OTPLabel.hasControlCharacter(text) else { throw OTPKeyError(.controlCharacter, "label") }
    }
    self.init(
      issuer: issuer, account: account, checked: secret, algorithm: algorithm, digits: digits, factor: factor,
      encoder: .decimal)
  }

  /// Takes values that were checked.
  init(
    issuer: UTF8Text?, account: UTF8Text, checked secret: consuming SecretBytes, algorithm: OTPAlgorithm, digits: Int,
    factor: Factor, encoder: Encoder
  ) {
    self.issuer = issuer
    self.account = account
    self.secret = secret
    self.algorithm = algorithm
    self.digits = digits
    self.factor = factor
    self.encoder = encoder
  }

  static func check(_ secret: borrowing SecretBytes, allowShort: Bool, at offset: Int = 0) throws(OTPKeyError) {
    guard secret.count > 0 else { throw OTPKeyError(.emptySecret, "secret", at: offset) }
    guard secret.count <= HOTP.maximumSecretBytes else { throw OTPKeyError(.longSecret, "secret", at: offset) }
    guard allowShort || secret.count >= HOTP.minimumSecretBytes else {
      throw OTPKeyError(.weakSecret, "secret", at: offset)
    }
  }

  /// Something that many authenticator apps ignore or refuse, so that their codes would never be right.
  public enum Caution: Hashable, Sendable, CaseIterable {
    /// Another algorithm than SHA1.
    case algorithm
    /// Another number of digits than 6.
    case digits
    /// Another period than 30 seconds.
    case period
    /// Codes that count.
    case counter
  }

  /// What of this key not every authenticator app can do. Empty for SHA1, 6 digits, 30 seconds.
  public var cautions: [Caution] {
    var cautions: [Caution] = []
    if algorithm != .sha1 { cautions.append(.algorithm) }
    if digits != 6 { cautions.append(.digits) }
    switch factor {
    case .time(30): break
    case .time: cautions.append(.period)
    case .counter: cautions.append(.counter)
    }
    return cautions
  }
}

extension TOTP {
  /// Prepares the codes of a time-based key.
  ///
  /// - Throws: `otherKind`, `encoderNotSupported`, and what `init(secret:)` throws.
  public init(_ key: borrowing OTPKey, allowShortSecret: Bool = false) throws(OTPError) {
    guard case .decimal = key.encoder else { throw OTPError(.encoderNotSupported) }
    guard case .time(let period) = key.factor else { throw OTPError(.otherKind) }
    try self.init(
      secret: key.secret, digits: key.digits, period: period, algorithm: key.algorithm,
      allowShortSecret: allowShortSecret)
  }
}

extension HOTP {
  /// Prepares the codes of a counter-based key; its counter is in the key's `factor`.
  ///
  /// - Throws: `otherKind`, `encoderNotSupported`, and what `init(secret:)` throws.
  public init(_ key: borrowing OTPKey, allowShortSecret: Bool = false) throws(OTPError) {
    guard case .decimal = key.encoder else { throw OTPError(.encoderNotSupported) }
    guard case .counter = key.factor else { throw OTPError(.otherKind) }
    try self.init(
      secret: key.secret, digits: key.digits, algorithm: key.algorithm, allowShortSecret: allowShortSecret)
  }
}
