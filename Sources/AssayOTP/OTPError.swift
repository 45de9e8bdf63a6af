/// Why a code could not be made or was not accepted. Never holds a secret, a code or any part of them.
public struct OTPError: Error, Hashable, Sendable {
  /// The kind of fault.
  @nonexhaustive
  public enum Code: Hashable, Sendable {
    /// The secret has no bytes: everyone could compute its codes.
    case emptySecret
    /// The secret is shorter than `HOTP.minimumSecretBytes`, and `allowShortSecret` was not given (RFC 4226, 4 R6).
    case shortSecret
    /// The secret is longer than `HOTP.maximumSecretBytes`.
    case longSecret
    /// The text of the secret is not base32.
    case malformedSecret
    /// The number of digits is outside `HOTP.digitsAllowed`.
    case digitsNotAllowed
    /// The period is outside `TOTP.periodsAllowed`.
    case periodNotAllowed
    /// More steps or counters than the named maximum were to be searched, or a negative number of them.
    case windowNotAllowed
    /// The time is before the time of step 0 (RFC 6238, 4.2 "T0").
    case timeBeforeStart
    /// What was submitted is not exactly the right number of ASCII digits, or of Steam Guard's characters.
    case malformedCode
    /// The code is not that of any step or counter searched, or it is that of one that was used already.
    case wrongCode
    /// The key is for another kind of code: time-based, counter-based, or Steam Guard's.
    case otherKind
    /// The key's codes are not decimal digits: it is for `SteamGuard`.
    case encoderNotSupported
    /// A counter or a time is missing that the suite asks for, there is one that it does not ask for, or the inputs were
    /// made for another suite.
    case otherInputs
    /// The cryptographic library could not be used.
    case unavailable
  }

  /// The kind of fault.
  public let code: Code

  init(_ code: Code) { self.code = code }
}

extension OTPError: CustomStringConvertible {
  /// One line for a person: what is wrong and what to do.
  public var description: String {
    switch code {
    case .emptySecret: "the secret is empty: give the secret the authenticator was set up with"
    case .shortSecret:
      "the secret has fewer than \(HOTP.minimumSecretBytes * 8) bits: make a longer one, or allow short secrets by name"
    case .longSecret: "the secret is longer than \(HOTP.maximumSecretBytes) bytes"
    case .malformedSecret: "the secret is not base32: it has the letters A to Z and the digits 2 to 7"
    case .digitsNotAllowed:
      "a code has \(HOTP.digitsAllowed.lowerBound) to \(HOTP.digitsAllowed.upperBound) digits"
    case .periodNotAllowed:
      "a period is \(TOTP.periodsAllowed.lowerBound) to \(TOTP.periodsAllowed.upperBound) seconds"
    case .windowNotAllowed:
      "the window is too wide: at most \(TOTP.Window.maximumSteps) steps to each side, \(HOTP.maximumLookAhead) counters ahead, or \(HOTP.maximumResynchronizationWindow) for two codes in a row"
    case .timeBeforeStart: "the time is before the time of the first step: check the clock and the start time"
    case .malformedCode:
      "the code must have exactly the agreed number of digits, or Steam Guard's characters, and nothing else"
    case .wrongCode: "the code is not right, or was used already: wait for the next one, and check the clock"
    case .otherKind:
      "the key is for another kind of code: time-based, counter-based, or Steam Guard's"
    case .encoderNotSupported:
      "the key is for Steam Guard, whose codes are letters and digits: make them as Steam Guard's"
    case .otherInputs:
      "a counter goes into it if the suite has C, the time if it has T, and only then; so with a look ahead and a last step"
    case .unavailable: "the cryptographic library could not be used"
    }
  }
}
