/// How many failed attempts an account bears, and how long it is locked then.
public struct AttemptPolicy: Hashable, Sendable {
  /// How many attempts may fail before the first lock; NIST SP 800-63B, 5.2.2 bears 100.
  public static let budgetsAllowed = 1...100
  /// How long locks and memories may be, in seconds: up to 31 days.
  public static let durationsAllowed: ClosedRange<Int64> = 1...2_678_400

  /// Ten attempts, then a lock of a minute that doubles up to an hour; a day without attempts forgets them.
  public static let standard = AttemptPolicy(
    checkedBudget: 10, firstLock: 60, longestLock: 3600, forgetAfter: 86_400)

  /// How many attempts may fail before the first lock.
  public let budget: Int
  /// How long the first lock is, in seconds. Each failure after it doubles the lock.
  public let firstLock: Int64
  /// The longest lock, in seconds. There is none for good: whoever knows an account's name could shut its owner out.
  public let longestLock: Int64
  /// After how many seconds without an attempt the failures are forgotten.
  public let forgetAfter: Int64

  /// A policy.
  ///
  /// - Parameters:
  ///   - budget: How many attempts may fail before the first lock.
  ///   - firstLock: How long the first lock is, in seconds.
  ///   - longestLock: How long the longest is, not less than the first.
  ///   - forgetAfter: After how many seconds without an attempt the failures are forgotten, not less than `longestLock`.
  /// - Throws: `policyNotAllowed`.
  public init(budget: Int, firstLock: Int64, longestLock: Int64, forgetAfter: Int64) throws(StateError) {
    let allowed = Self.durationsAllowed
    guard Self.budgetsAllowed.contains(budget), allowed.contains(firstLock), allowed.contains(longestLock),
      allowed.contains(forgetAfter), firstLock <= longestLock, longestLock <= forgetAfter
    else { throw StateError(.policyNotAllowed) }
    self.init(checkedBudget: budget, firstLock: firstLock, longestLock: longestLock, forgetAfter: forgetAfter)
  }

  private init(checkedBudget: Int, firstLock: Int64, longestLock: Int64, forgetAfter: Int64) {
    budget = checkedBudget
    self.firstLock = firstLock
    self.longestLock = longestLock
    self.forgetAfter = forgetAfter
  }

  /// How long the lock is after so many failures, in seconds; 0 while the budget lasts.
  public func lock(afterFailures failures: Int) -> Int64 {
    guard failures >= budget else { return 0 }
    var (lock, doublings) = (firstLock, failures - budget)
    while doublings > 0, lock < longestLock {
      lock = min(lock * 2, longestLock)
      doublings -= 1
    }
    return lock
  }

  /// The most attempts that can be made against an account within a time.
  ///
  /// - Parameters:
  ///   - seconds: The time.
  ///   - signIns: How often its owner may succeed in that time, which forgets the failures until then.
  public func attempts(within seconds: Int64, ownerSignIns signIns: Int = 0) -> Double {
    var left = Double(max(0, seconds))
    // How often counting begins anew: an upper bound, as if silence cost none of the time.
    let beginnings = 1 + Double(max(0, signIns)) + (left / Double(forgetAfter)).rounded(.down)
    var attempts = beginnings * Double(budget)
    // Locks grow, so most attempts are made if each beginning has its first lock before any has its second.
    var lock = firstLock
    while lock < longestLock {
      let bought = min(beginnings, (left / Double(lock)).rounded(.down))
      attempts += bought
      left -= bought * Double(lock)
      guard bought == beginnings else { return attempts }
      lock = min(lock * 2, longestLock)
    }
    return attempts + (left / Double(longestLock)).rounded(.down)
  }
}
