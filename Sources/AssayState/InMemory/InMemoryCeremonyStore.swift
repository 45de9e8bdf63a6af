public import AssayCodec

/// A `CeremonyStore` of one process: a restart ends all that was begun.
public actor InMemoryCeremonyStore: CeremonyStore {
  /// How many states are kept for each tenant, unless said otherwise.
  public static let standardCapacity = 10_000

  private let capacity: Int
  private var tables: [Tenant: ExpiringTable<[UInt8]>] = [:]

  /// An empty store.
  ///
  /// - Parameter capacity: How many states are kept for each tenant; the next is refused with `full`.
  public init(capacity: Int = standardCapacity) { self.capacity = capacity }

  /// Keeps a state until it is taken; see `CeremonyStore`.
  public func put(
    _ tenant: Tenant, _ key: StateKey, _ state: [UInt8], until expiry: UnixTime, at now: UnixTime
  ) throws(StateError) {
    guard state.count <= CeremonyLimits.maximumStateBytes else { throw StateError(.stateTooLong) }
    guard expiry >= now else { throw StateError(.alreadyExpired) }
    var table = tables.removeValue(forKey: tenant) ?? ExpiringTable(capacity: capacity)
    defer { tables[tenant] = table }
    guard table.value(key, at: now) == nil else { throw StateError(.keyInUse) }
    try table.set(key, state, until: expiry, at: now)
  }

  /// Takes a state away; see `CeremonyStore`.
  public func take(_ tenant: Tenant, _ key: StateKey, at now: UnixTime) -> [UInt8]? {
    tables[tenant]?.remove(key, at: now)
  }
}
