public import AssayCodec

/// What an `AttemptStore` says.
public enum AttemptAnswer: Hashable, Sendable {
  /// Judge the attempt. It counts as failed until `clear`.
  case allowed
  /// Refuse without judging; the next attempt may come at that time.
  case locked(until: UnixTime)
}

/// Counts the failed attempts against each account, and locks it for longer and longer.
///
/// Every attempt is charged as failed before it is judged, and cleared after success: a failure that is never written, or
/// written in a transaction that is rolled back, would never lock. Whatever a call throws, refuse.
///
/// An implementer stores the number of failures, until when the account is locked, and when the failures are forgotten, and
/// guarantees:
/// - `charge` is one atomic step, durable before the answer and outside any transaction of the caller. In SQL it is one
///   statement, `INSERT … (failures = 1) ON CONFLICT (tenant, key) DO UPDATE SET failures = …, locked_until = :now + …, forget_at =
///   :now + :forgetAfter WHERE locked_until <= :now RETURNING locked_until`, that changed one row or none; where `forget_at < :now`
///   the failures begin again at 1. `AttemptPolicy.lock(afterFailures:)` says how long a lock is.
/// - No row is forgotten before `forget_at`, not even to make room.
public protocol AttemptStore: Sendable {
  /// Counts one attempt as failed, unless the account is locked.
  ///
  /// - Throws: `StateError` `full`, and what the store's own medium throws.
  func charge(
    _ tenant: Tenant, _ key: StateKey, _ policy: AttemptPolicy, at now: UnixTime
  ) async throws -> AttemptAnswer

  /// Forgets the failures of an account, after a success. It does not shorten anything if it does not happen.
  func clear(_ tenant: Tenant, _ key: StateKey) async throws
}
