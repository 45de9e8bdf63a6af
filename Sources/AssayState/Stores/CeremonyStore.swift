public import AssayCodec

/// Keeps the state of something begun, such as a passkey ceremony, until it ends or expires.
///
/// Take the state before judging the answer, whatever comes of it: a state that survives a failed answer lets answers be tried.
///
/// An implementer guarantees:
/// - `take` is one atomic step: of any number of calls at once, in any number of processes, one gets the state. In SQL it is
///   one statement, `DELETE … WHERE tenant = :tenant AND key = :key RETURNING state, until`.
/// - `put` is durable before it returns, and never replaces a state: `INSERT … ON CONFLICT (tenant, key) DO UPDATE … WHERE until
///   < :now`, that changed one row or none.
/// - A state counts up to and including its expiry, and is not forgotten earlier, not even to make room.
/// - A state of one tenant is never given to another.
public protocol CeremonyStore: Sendable {
  /// Keeps a state until it is taken.
  ///
  /// - Parameters:
  ///   - tenant: Whose it is.
  ///   - key: What it is found by: its purpose, and an identifier that only the client it was begun for knows.
  ///   - state: The state, at most `CeremonyLimits.maximumStateBytes`.
  ///   - expiry: The last second at which it may be taken.
  ///   - now: The time to judge at.
  /// - Throws: `StateError` `full`, `stateTooLong`, `alreadyExpired`; `keyInUse` if a state is kept under the key; and what
  ///   the store's own medium throws.
  func put(
    _ tenant: Tenant, _ key: StateKey, _ state: [UInt8], until expiry: UnixTime, at now: UnixTime
  ) async throws

  /// Takes a state away, so that nobody takes it again.
  ///
  /// - Returns: The state; nil if there is none, it was taken or it expired, which are not told apart.
  func take(_ tenant: Tenant, _ key: StateKey, at now: UnixTime) async throws -> [UInt8]?
}

/// What every `CeremonyStore` holds to.
public enum CeremonyLimits {
  /// The longest state, in bytes.
  public static let maximumStateBytes = 64 << 10
}
