internal import AssayCodec
public import AssayState

/// What every `AttemptStore` must show. Throws `ConformanceFailure` with the first rule that is broken.
///
/// - Parameters:
///   - store: One that has counted nothing.
///   - races: How often the race is run.
public func checkAttemptStore(_ store: any AttemptStore, races: Races = Races()) async throws {
  let (a, b) = (try Tenant("a"), try Tenant("b"))
  let key = try StateKey("test", [1])
  let policy = try AttemptPolicy(budget: 3, firstLock: 10, longestLock: 35, forgetAfter: 100)
  var now = UnixTime(1_000_000)
  func charge(_ tenant: Tenant, after seconds: Int64 = 0) async throws -> AttemptAnswer {
    try await store.charge(tenant, key, policy, at: now.adding(seconds: seconds))
  }

  for _ in 0..<3 { try require(try await charge(a) == .allowed, "the budget is allowed") }
  // Locks of 10, 20 and then 35 seconds, each after one more attempt.
  for lock in [10, 20, 35, 35] as [Int64] {
    let until = now.adding(seconds: lock)
    try require(try await charge(a) == .locked(until: until), "then the account is locked for \(lock) seconds")
    try require(try await charge(a, after: lock - 1) == .locked(until: until), "and being refused does not prolong it")
    now = until
    try require(try await charge(a) == .allowed, "after the lock one attempt is allowed")
  }
  try require(try await charge(b) == .allowed, "tenants are apart")
  try require(try await store.charge(a, StateKey("test", [2]), policy, at: now) == .allowed, "accounts are apart")

  try await store.clear(a, key)
  for _ in 0..<3 { try require(try await charge(a) == .allowed, "after a success the whole budget is there") }
  try require(try await charge(a) == .locked(until: now.adding(seconds: 10)), "and the first lock is short again")

  now = now.adding(seconds: 100)
  try require(try await charge(a) == .allowed, "failures count to the last second")
  try require(try await charge(a) == .locked(until: now.adding(seconds: 20)), "so this was the fourth")
  now = now.adding(seconds: 101)
  for _ in 0..<3 { try require(try await charge(a) == .allowed, "old failures are forgotten") }

  for round in 0..<races.rounds {
    let key = try StateKey("race", Array("\(round)".utf8))
    let time = now
    let winners = try await race(races.tasks) { try await store.charge(a, key, policy, at: time) == .allowed }
    try require(winners == min(3, races.tasks), "of \(races.tasks) at once \(winners) were allowed, and not 3")
  }
}
