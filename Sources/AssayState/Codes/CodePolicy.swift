public import AssayOTP

/// How far codes are searched, and how many attempts an account bears.
public struct CodePolicy: Hashable, Sendable {
  /// One step to each side, two steps of drift, ten counters ahead, and `AttemptPolicy.standard`.
  public static let standard = CodePolicy(
    checkedWindow: .standard, maximumDrift: 2, lookAhead: 10, resynchronizationWindow: 100, attempts: .standard)

  /// Which steps around the clock, and around the drift learned, are accepted.
  public let window: TOTP.Window
  /// How many steps of drift are learned to either side; 0 learns none.
  public let maximumDrift: Int
  /// How many counters after the expected one are accepted.
  public let lookAhead: Int
  /// How many counters after the expected one are searched for two codes in a row.
  public let resynchronizationWindow: Int
  /// How many attempts an account bears, over all its devices.
  public let attempts: AttemptPolicy

  /// A policy. `guessingProbability` says what it is worth.
  ///
  /// - Throws: `policyNotAllowed` beyond `TOTP.Window.maximumSteps` (for the drift too), `HOTP.maximumLookAhead` and
  ///   `HOTP.maximumResynchronizationWindow`.
  public init(
    window: TOTP.Window = .standard, maximumDrift: Int = 2, lookAhead: Int = 10, resynchronizationWindow: Int = 100,
    attempts: AttemptPolicy = .standard
  ) throws(StateError) {
    let steps = 0...TOTP.Window.maximumSteps
    guard steps.contains(window.back), steps.contains(window.ahead), steps.contains(maximumDrift),
      (0...HOTP.maximumLookAhead).contains(lookAhead),
      (0...HOTP.maximumResynchronizationWindow).contains(resynchronizationWindow)
    else { throw StateError(.policyNotAllowed) }
    self.init(
      checkedWindow: window, maximumDrift: maximumDrift, lookAhead: lookAhead,
      resynchronizationWindow: resynchronizationWindow, attempts: attempts)
  }

  private init(
    checkedWindow: TOTP.Window, maximumDrift: Int, lookAhead: Int, resynchronizationWindow: Int, attempts: AttemptPolicy
  ) {
    window = checkedWindow
    self.maximumDrift = maximumDrift
    self.lookAhead = lookAhead
    self.resynchronizationWindow = resynchronizationWindow
    self.attempts = attempts
  }

  /// At most how probable it is that someone who knows none of the secrets has a code accepted within a time.
  ///
  /// - Parameters:
  ///   - devices: The devices of the account: each gives a guess its own chance.
  ///   - seconds: For how long one keeps guessing, as fast as the locks allow.
  ///   - signIns: How often the account's owner signs in meanwhile: each success begins the budget anew.
  /// - Returns: 0 to 1.
  public func guessingProbability(
    _ devices: [CodeDevice], within seconds: Int64, ownerSignIns signIns: Int = 0
  ) -> Double {
    min(1, attempts.attempts(within: seconds, ownerSignIns: signIns) * guessingProbability(devices))
  }

  /// At most how probable it is that one guess is accepted: the codes accepted at once, among all there are.
  ///
  /// Two codes in a row (`CodeVerifier.resynchronize`) are always less probable to guess than one. A code is what 31 bits leave
  /// when divided (RFC 4226, 5.3): some are more frequent than others, and ten digits are worth 31 bits.
  public func guessingProbability(_ devices: [CodeDevice]) -> Double {
    // A guess has one length, so that devices of other lengths give it no chance.
    var chances: [Int: Double] = [:]
    for device in devices {
      let codes = (0..<device.digits).reduce(1.0) { product, _ in product * 10 }
      let values = 2_147_483_648.0
      chances[device.digits, default: 0] += Double(accepted(by: device)) * (values / codes).rounded(.up) / values
    }
    return min(1, chances.values.max() ?? 0)
  }

  private func accepted(by device: CodeDevice) -> Int {
    switch device.kind {
    case .timeBased:
      let width = window.back + window.ahead + 1
      return width + min(maximumDrift, width)
    case .counterBased: return lookAhead + 1
    }
  }
}
