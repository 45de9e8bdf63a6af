public import AssayCodec

/// Remembers what may be used once, such as the `jti` of a token, until it expires by itself.
///
/// Verify first, then remember, then act: what is not verified must not fill the store. Whatever a call throws, refuse.
///
/// An implementer guarantees:
/// - The question and the write are one atomic step: of any number of calls at once, in any number of processes, for one
///   key that nothing is stored for, one gets `fresh`. In SQL it is one statement,
///   `INSERT … ON CONFLICT (tenant, key) DO UPDATE SET until = excluded.until WHERE until < :now`, that changed one row or none.
/// - What was remembered is durable before the answer, and counts up to and including `expiry`. It is not forgotten earlier, not
///   even to make room: `StateError.Code.full` instead.
/// - The time is the one given, never another clock's.
public protocol ReplayStore: Sendable {
  /// Remembers a key if it is not remembered yet.
  ///
  /// - Parameters:
  ///   - tenant: Whose key it is.
  ///   - key: What is used, with its purpose and issuer.
  ///   - expiry: The last second at which the thing would still be accepted: for a token its `exp` and the leeway given to it.
  ///   - now: The time to judge at.
  /// - Returns: `fresh` for one call, `replayed` for every other until `expiry` is past.
  /// - Throws: `StateError` `full`; `alreadyExpired` if `expiry` is before `now`; and what the store's own medium throws.
  func remember(_ tenant: Tenant, _ key: StateKey, until expiry: UnixTime, at now: UnixTime) async throws -> Freshness
}

/// Whether something was used for the first time.
public enum Freshness: Hashable, Sendable {
  /// Not used before, and used up from now on.
  case fresh
  /// Used before: refuse.
  case replayed
}
