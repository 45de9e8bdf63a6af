public import AssayCodec

/// An `AttemptStore` of one process: a restart forgets every failure, so whoever can cause one can guess on.
public actor InMemoryAttemptStore: AttemptStore {
  /// How many accounts with failures are counted for each tenant, unless said otherwise.
  public static let standardCapacity = 1_000_000

  private struct Failures {
    var count: Int
    var lockedUntil: UnixTime
  }

  private let capacity: Int
  private var tables: [Tenant: ExpiringTable<Failures>] = [:]

  /// A store that has counted nothing.
  ///
  /// - Parameter capacity: How many accounts are counted for each tenant; the next is refused with `full`.
  public init(capacity: Int = standardCapacity) { self.capacity = capacity }

  /// Counts one attempt as failed, unless the account is locked; see `AttemptStore`.
  public func charge(
    _ tenant: Tenant, _ key: StateKey, _ policy: AttemptPolicy, at now: UnixTime
  ) throws(StateError) -> AttemptAnswer {
    var table = tables.removeValue(forKey: tenant) ?? ExpiringTable(capacity: capacity)
    defer { tables[tenant] = table }
    var failures = table.value(key, at: now) ?? Failures(count: 0, lockedUntil: UnixTime(.min))
    guard failures.lockedUntil <= now else { return .locked(until: failures.lockedUntil) }
    failures.count = min(failures.count, .max - 1) + 1
    let lock = policy.lock(afterFailures: failures.count)
    failures.lockedUntil = lock == 0 ? UnixTime(.min) : now.adding(seconds: lock)
    try table.set(key, failures, until: now.adding(seconds: policy.forgetAfter), at: now)
    return .allowed
  }

  /// Forgets the failures of an account; see `AttemptStore`.
  public func clear(_ tenant: Tenant, _ key: StateKey) { tables[tenant]?.remove(key) }
}
