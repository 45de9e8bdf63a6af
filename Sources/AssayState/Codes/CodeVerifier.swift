public import AssayCodec
internal import AssayOTP

/// Verifies one-time codes and uses them up, in one step.
///
/// A call that returns proves that whoever sent the code knew a secret of the account at about this time, that the account was not
/// locked, and that no other call, at once or later, is given the same code. Every attempt is counted before it is judged,
/// over all devices and sessions of the account.
public struct CodeVerifier: Sendable {
  /// The most devices of an account: each is a further chance for a guess.
  public static let maximumDevices = 8

  /// How far codes are searched, and how many attempts an account bears.
  public let policy: CodePolicy
  private let steps: any StepStore
  private let attempts: any AttemptStore

  /// A verifier over the stores that hold an application's state.
  public init(steps: any StepStore, attempts: any AttemptStore, policy: CodePolicy = .standard) {
    self.steps = steps
    self.attempts = attempts
    self.policy = policy
  }

  /// Under what an account's attempts are counted, for other factors that shall share its budget.
  ///
  /// Charge them to it and never clear it; verify the code last. What is right first would else give the budget for what is
  /// wrong later back.
  public static func attemptsKey(of account: [UInt8]) throws(StateError) -> StateKey {
    try StateKey("assay code attempts", account)
  }

  /// Accepts a code of one of an account's devices, and uses it up.
  ///
  /// The steps, in this order: the form of the code; the attempt is counted; the code is searched for on every device; it is
  /// used up on every device for which it is right; the failures are cleared. A drift is learned from an accepted code only.
  ///
  /// - Parameters:
  ///   - tenant: Whose account it is.
  ///   - code: What the user submitted, without spaces around it.
  ///   - account: The account's identifier within the tenant.
  ///   - devices: All its enrolled devices, 1 to `maximumDevices`.
  ///   - now: The time to judge at.
  /// - Throws: `CodeRefusal` `malformedCode`, `locked`, `wrongCode`; `StateError` `devicesNotAllowed`, `full`, `unavailable`;
  ///   `OTPError` `unavailable`; and what the stores' own media throw. Whatever it is, refuse.
  public func verify(
    _ tenant: Tenant, _ code: [UInt8], of account: [UInt8], _ devices: [CodeDevice], at now: UnixTime
  ) async throws -> AcceptedCode {
    let keys = try Self.keys(of: account, devices)
    guard devices.contains(where: { $0.canMake(code) }) else { throw CodeRefusal(.malformedCode) }
    let attempt = try await charge(tenant, account, at: now)
    let accepted = try await use(tenant, code, keys, devices, at: now)
    try await attempts.clear(tenant, attempt)
    return accepted
  }

  /// Accepts the first code of a new device, and uses it up: it does not sign in afterwards.
  ///
  /// No attempt is counted: whoever enrols a device has its secret. Store the device only when this returns.
  ///
  /// - Throws: `CodeRefusal` `malformedCode`, `wrongCode`, and `clockOff` where the code is that of a step within
  ///   `TOTP.Window.maximumSteps` but not within the policy's window; `OTPError` `timeBeforeStart`; otherwise as `verify`.
  public func enrol(
    _ tenant: Tenant, _ code: [UInt8], of account: [UInt8], _ device: CodeDevice, at now: UnixTime
  ) async throws -> AcceptedCode {
    let keys = try Self.keys(of: account, [device])
    guard device.canMake(code) else { throw CodeRefusal(.malformedCode) }
    do {
      return try await use(tenant, code, keys, [device], at: now)
    } catch let refusal as CodeRefusal where refusal.code == .wrongCode {
      guard case .timeBased(let totp) = device.kind else { throw refusal }
      let widest = TOTP.Window(back: TOTP.Window.maximumSteps, ahead: TOTP.Window.maximumSteps)
      let found = try totp.matchingSteps(code.span, at: now, drift: 0, window: widest)
      // A code within the policy's window was refused because it is used: nothing is wrong with the clock.
      guard let step = found.first, try totp.matchingSteps(code.span, at: now, drift: 0, window: policy.window).isEmpty
      else { throw refusal }
      let delta = Int64(truncatingIfNeeded: step &- (try totp.step(at: now)))
      throw CodeRefusal(.clockOff(seconds: delta &* totp.period))
    }
  }

  /// Accepts two codes in a row of a counter-based device that was pressed too often, and uses them up (RFC 4226, 7.4).
  ///
  /// - Throws: As `verify`; `malformedCode` also where the device is time-based.
  public func resynchronize(
    _ tenant: Tenant, _ first: [UInt8], _ second: [UInt8], of account: [UInt8], _ device: CodeDevice, at now: UnixTime
  ) async throws -> AcceptedCode {
    let keys = try Self.keys(of: account, [device])
    guard case .counterBased(let hotp, let firstCounter) = device.kind, device.canMake(first), device.canMake(second)
    else { throw CodeRefusal(.malformedCode) }
    let attempt = try await charge(tenant, account, at: now)
    let last = try await steps.lastUsed(tenant, keys)
    guard let counter = CodeDevice.expected(after: keys.first.flatMap { last[$0] }, firstCounter) else {
      throw CodeRefusal(.wrongCode)
    }
    let match: HOTP.Match
    do throws(OTPError) {
      match = try hotp.resynchronize(
        first.span, second.span, counter: counter, window: policy.resynchronizationWindow)
    } catch {
      guard error.code == .wrongCode else { throw error }
      throw CodeRefusal(.wrongCode)
    }
    let used = Dictionary(uniqueKeysWithValues: keys.map { ($0, UsedStep(step: match.counter)) })
    guard try await steps.advance(tenant, to: used) else { throw CodeRefusal(.wrongCode) }
    try await attempts.clear(tenant, attempt)
    return AcceptedCode(device: device.id, step: match.counter, clockOffset: nil, otherDevices: [])
  }

  /// Forgets what was used of a device whose secret is forgotten too.
  public func forget(_ tenant: Tenant, of account: [UInt8], _ device: CodeDevice) async throws {
    try await steps.remove(tenant, device.key(of: account))
  }

  /// Counts an attempt as failed; gives the key to clear after success.
  private func charge(_ tenant: Tenant, _ account: [UInt8], at now: UnixTime) async throws -> StateKey {
    let key = try Self.attemptsKey(of: account)
    switch try await attempts.charge(tenant, key, policy.attempts, at: now) {
    case .allowed: return key
    case .locked(let until): throw CodeRefusal(.locked(until: until))
    }
  }

  private func use(
    _ tenant: Tenant, _ code: [UInt8], _ keys: [StateKey], _ devices: [CodeDevice], at now: UnixTime
  ) async throws -> AcceptedCode {
    let last = try await steps.lastUsed(tenant, keys)
    var isUsed = false
    var used: [StateKey: UsedStep] = [:]
    var accepted: [(device: [UInt8], step: UInt64, clockOffset: Int64?)] = []
    for (device, key) in zip(devices, keys) {
      switch try device.match(code, after: last[key], policy, at: now) {
      case .none: continue
      case .used: isUsed = true
      case .unused(let step, let clockOffset):
        used[key] = step
        accepted.append((device.id, step.step, clockOffset))
      }
    }
    // Used on one device is used on all: two may hold the same secret.
    guard !isUsed, let first = accepted.first, try await steps.advance(tenant, to: used) else {
      throw CodeRefusal(.wrongCode)
    }
    return AcceptedCode(
      device: first.device, step: first.step, clockOffset: first.clockOffset,
      otherDevices: accepted.dropFirst().map(\.device))
  }

  private static func keys(of account: [UInt8], _ devices: [CodeDevice]) throws(StateError) -> [StateKey] {
    guard (1...maximumDevices).contains(devices.count) else { throw StateError(.devicesNotAllowed) }
    var keys: [StateKey] = []
    for device in devices { keys.append(try device.key(of: account)) }
    guard Set(keys).count == keys.count else { throw StateError(.devicesNotAllowed) }
    return keys
  }
}
