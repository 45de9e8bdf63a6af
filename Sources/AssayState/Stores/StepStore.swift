/// Remembers the last step (TOTP) or counter (HOTP) that each device's codes were accepted for.
///
/// Whatever a call throws, refuse.
///
/// An implementer guarantees:
/// - `advance` is one atomic step, all of it or nothing, and durable before the answer: each key's step is written where none
///   is stored or a smaller one is. In SQL it is, for each key, `INSERT … ON CONFLICT (tenant, key) DO UPDATE SET step =
///   excluded.step, drift = excluded.drift WHERE step < excluded.step`, in one transaction that is rolled back unless each changed
///   a row. Take several keys in the order of their bytes, so that two transactions cannot wait for each other.
/// - A step is any 64-bit number. As a column take its eight bytes, the most significant first, which compare as it does.
/// - Nothing is forgotten but by `remove`.
public protocol StepStore: Sendable {
  /// What was stored last, for those of `keys` that anything is stored for.
  func lastUsed(_ tenant: Tenant, _ keys: [StateKey]) async throws -> [StateKey: UsedStep]

  /// Writes all the steps if each comes after the one stored for its key, else none.
  ///
  /// - Returns: Whether they were written. If not, the code was used, perhaps at this moment by someone else.
  /// - Throws: `StateError` `full`, and what the store's own medium throws.
  func advance(_ tenant: Tenant, to steps: [StateKey: UsedStep]) async throws -> Bool

  /// Forgets a device whose secret is forgotten too.
  func remove(_ tenant: Tenant, _ key: StateKey) async throws
}

/// The last step or counter whose code was accepted.
public struct UsedStep: Hashable, Sendable {
  /// The step or counter: it and all before it are used up.
  public let step: UInt64
  /// How many steps the device's clock was ahead of ours, or behind where negative; 0 for counters.
  public let drift: Int64

  /// A step to store, or read from where it was stored.
  public init(step: UInt64, drift: Int64 = 0) {
    self.step = step
    self.drift = drift
  }
}
