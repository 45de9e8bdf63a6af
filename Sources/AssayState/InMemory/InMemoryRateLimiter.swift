public import AssayCodec

/// A `RateLimiter` of one process: a restart gives every budget back.
public actor InMemoryRateLimiter: RateLimiter {
  /// How many keys are counted for each tenant, unless said otherwise.
  public static let standardCapacity = 100_000

  private let capacity: Int
  /// When the budget of each key is full again.
  private var tables: [Tenant: ExpiringTable<UnixTime>] = [:]

  /// A limiter that has counted nothing.
  ///
  /// - Parameter capacity: How many keys are counted for each tenant; the next is refused with `full`.
  public init(capacity: Int = standardCapacity) { self.capacity = capacity }

  /// Takes one from a budget; see `RateLimiter`.
  public func charge(
    _ tenant: Tenant, _ key: StateKey, _ limit: RateLimit, at now: UnixTime
  ) throws(StateError) -> RateAnswer {
    var table = tables.removeValue(forKey: tenant) ?? ExpiringTable(capacity: capacity)
    defer { tables[tenant] = table }
    let fullAt = max(table.value(key, at: now) ?? now, now).adding(seconds: limit.interval)
    let latest = now.adding(seconds: limit.fullAfter)
    guard fullAt <= latest else { return .refused(until: fullAt.adding(seconds: -limit.fullAfter)) }
    try table.set(key, fullAt, until: fullAt, at: now)
    return .allowed(remaining: Int((latest.seconds - fullAt.seconds) / limit.interval))
  }

  /// Gives back one that was charged; see `RateLimiter`.
  public func refund(_ tenant: Tenant, _ key: StateKey, _ limit: RateLimit, at now: UnixTime) throws(StateError) {
    guard let fullAt = tables[tenant]?.value(key, at: now) else { return }
    let earlier = fullAt.adding(seconds: -limit.interval)
    try tables[tenant]?.set(key, earlier, until: earlier, at: now)
  }
}
