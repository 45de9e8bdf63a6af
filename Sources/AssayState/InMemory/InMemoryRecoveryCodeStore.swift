/// A `RecoveryCodeStore` of one process: a restart forgets every code. For tests.
public actor InMemoryRecoveryCodeStore: RecoveryCodeStore {
  /// How many accounts each tenant may have, unless said otherwise.
  public static let standardCapacity = 100_000

  private let capacity: Int
  private var tables: [Tenant: [StateKey: [StoredRecoveryCode]]] = [:]

  /// An empty store.
  ///
  /// - Parameter capacity: How many accounts each tenant may have; the next is refused with `full`.
  public init(capacity: Int = standardCapacity) { self.capacity = capacity }

  /// Forgets all codes of an account, and keeps these; see `RecoveryCodeStore`.
  public func replaceAll(
    _ tenant: Tenant, _ account: StateKey, with codes: [StoredRecoveryCode]
  ) throws(StateError) {
    let accounts = tables[tenant] ?? [:]
    guard !codes.isEmpty else {
      tables[tenant]?[account] = nil
      return
    }
    guard accounts[account] != nil || accounts.count < capacity else { throw StateError(.full) }
    tables[tenant, default: [:]][account] = codes
  }

  /// The code with a selector; see `RecoveryCodeStore`.
  public func find(_ tenant: Tenant, _ account: StateKey, selector: [UInt8]) -> StoredRecoveryCode? {
    tables[tenant]?[account]?.first { $0.selector == selector }
  }

  /// Deletes exactly this code; see `RecoveryCodeStore`.
  public func consume(_ tenant: Tenant, _ account: StateKey, _ code: StoredRecoveryCode) -> Bool {
    guard let index = tables[tenant]?[account]?.firstIndex(of: code) else { return false }
    tables[tenant]?[account]?.remove(at: index)
    return true
  }

  /// How many codes an account has left; see `RecoveryCodeStore`.
  public func remaining(_ tenant: Tenant, _ account: StateKey) -> Int { tables[tenant]?[account]?.count ?? 0 }
}
