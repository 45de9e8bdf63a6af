/// A `StepStore` of one process: after a restart, codes still in their window are good again.
public actor InMemoryStepStore: StepStore {
  /// How many devices each tenant may have, unless said otherwise.
  public static let standardCapacity = 1_000_000

  private let capacity: Int
  private var tables: [Tenant: [StateKey: UsedStep]] = [:]

  /// An empty store.
  ///
  /// - Parameter capacity: How many devices each tenant may have; the next is refused with `full`.
  public init(capacity: Int = standardCapacity) { self.capacity = capacity }

  /// What was stored last; see `StepStore`.
  public func lastUsed(_ tenant: Tenant, _ keys: [StateKey]) -> [StateKey: UsedStep] {
    var found: [StateKey: UsedStep] = [:]
    for key in keys { found[key] = tables[tenant]?[key] }
    return found
  }

  /// Writes all the steps, or none; see `StepStore`.
  public func advance(_ tenant: Tenant, to steps: [StateKey: UsedStep]) throws(StateError) -> Bool {
    let stored = tables[tenant] ?? [:]
    var added = 0
    for (key, new) in steps {
      guard let last = stored[key] else {
        added += 1
        continue
      }
      guard last.step < new.step else { return false }
    }
    guard added == 0 || added <= capacity - stored.count else { throw StateError(.full) }
    tables[tenant, default: [:]].merge(steps) { $1 }
    return true
  }

  /// Forgets a device; see `StepStore`.
  public func remove(_ tenant: Tenant, _ key: StateKey) { tables[tenant]?[key] = nil }
}
