public import AssayCodec

/// How often something may be done: `burst` times at once, and once more for each `interval` that passed.
public struct RateLimit: Hashable, Sendable {
  /// How many may come at once.
  public static let burstsAllowed = 1...100_000
  /// How long an interval may be, in seconds: up to 31 days.
  public static let intervalsAllowed: ClosedRange<Int64> = 1...2_678_400

  /// How many may come at once.
  public let burst: Int
  /// After how many seconds one more may come.
  public let interval: Int64

  /// A limit. Throws `policyNotAllowed` outside `burstsAllowed` and `intervalsAllowed`.
  public init(burst: Int, interval: Int64) throws(StateError) {
    guard Self.burstsAllowed.contains(burst), Self.intervalsAllowed.contains(interval) else {
      throw StateError(.policyNotAllowed)
    }
    self.burst = burst
    self.interval = interval
  }

  /// How long the whole budget takes to come back, in seconds.
  public var fullAfter: Int64 { Int64(burst) * interval }  // at most 2.7 · 10^11
}

/// What a `RateLimiter` says.
public enum RateAnswer: Hashable, Sendable {
  /// Go on; so many more may come at once.
  case allowed(remaining: Int)
  /// Refuse; the next may come at that time.
  case refused(until: UnixTime)
}

/// A budget for each key that comes back with time.
///
/// Charge before doing what is limited, and refund what shall not count: a crash in between costs the client one try, not us
/// a free one. Whatever a call throws, refuse.
///
/// An implementer stores one number for each key, the time at which its budget is full again, and guarantees:
/// - `charge` is one atomic step, durable before the answer. In SQL it is one statement, `INSERT … (full_at = :now + :interval)
///   ON CONFLICT (tenant, key) DO UPDATE SET full_at = MAX(full_at, :now) + :interval WHERE MAX(full_at, :now) + :interval <=
///   :now + :fullAfter RETURNING full_at`, that changed one row or none.
/// - `refund` is `UPDATE … SET full_at = full_at - :interval`.
/// - A row may be forgotten once `full_at` is past, and not earlier, not even to make room.
public protocol RateLimiter: Sendable {
  /// Takes one from the budget of a key, if there is one.
  ///
  /// - Throws: `StateError` `full`, and what the limiter's own medium throws.
  func charge(_ tenant: Tenant, _ key: StateKey, _ limit: RateLimit, at now: UnixTime) async throws -> RateAnswer

  /// Gives back one that was charged, and never more than was.
  func refund(_ tenant: Tenant, _ key: StateKey, _ limit: RateLimit, at now: UnixTime) async throws
}
