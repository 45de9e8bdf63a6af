public import AssayCodec

/// A `ReplayStore` of one process: what it remembers is lost with it.
///
/// For a server of one process whose tokens live shorter than a restart takes, and for tests.
public actor InMemoryReplayStore: ReplayStore {
  /// How many keys are remembered for each tenant, unless said otherwise: some 20 MB.
  public static let standardCapacity = 100_000

  private let capacity: Int
  private var tables: [Tenant: ExpiringTable<Void>] = [:]

  /// An empty store.
  ///
  /// - Parameter capacity: How many keys are remembered for each tenant; the next is refused with `full`.
  public init(capacity: Int = standardCapacity) { self.capacity = capacity }

  /// Remembers a key if it is not remembered yet; see `ReplayStore`.
  ///
  /// When the clock is set back, `alreadyExpired` is also thrown for what could have been used and forgotten in the meantime.
  public func remember(
    _ tenant: Tenant, _ key: StateKey, until expiry: UnixTime, at now: UnixTime
  ) throws(StateError) -> Freshness {
    var table = tables.removeValue(forKey: tenant) ?? ExpiringTable(capacity: capacity)
    defer { tables[tenant] = table }
    guard expiry >= now, expiry >= table.sweptUntil else { throw StateError(.alreadyExpired) }
    guard table.value(key, at: now) == nil else { return .replayed }
    try table.set(key, (), until: expiry, at: now)
    return .fresh
  }
}
