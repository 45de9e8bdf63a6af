internal import AssayCodec
public import AssayState

/// What every `RateLimiter` must show. Throws `ConformanceFailure` with the first rule that is broken.
///
/// - Parameters:
///   - limiter: One that has counted nothing.
///   - races: How often the race is run.
public func checkRateLimiter(_ limiter: any RateLimiter, races: Races = Races()) async throws {
  let (a, b) = (try Tenant("a"), try Tenant("b"))
  let key = try StateKey("test", [1])
  let now = UnixTime(1_000_000)
  let limit = try RateLimit(burst: 3, interval: 10)
  func charge(_ tenant: Tenant, after seconds: Int64) async throws -> RateAnswer {
    try await limiter.charge(tenant, key, limit, at: now.adding(seconds: seconds))
  }

  for remaining in [2, 1, 0] {
    try require(try await charge(a, after: 0) == .allowed(remaining: remaining), "the budget is counted down")
  }
  for seconds in [0, 9] as [Int64] {
    try require(
      try await charge(a, after: seconds) == .refused(until: now.adding(seconds: 10)), "then there is none for a while")
  }
  try require(try await charge(b, after: 0) == .allowed(remaining: 2), "tenants are apart")
  try require(
    try await limiter.charge(a, StateKey("test", [2]), limit, at: now) == .allowed(remaining: 2), "keys are apart")
  try require(try await charge(a, after: 10) == .allowed(remaining: 0), "one comes back after each interval")
  try require(try await charge(a, after: 19) == .refused(until: now.adding(seconds: 20)), "and not two")

  try await limiter.refund(a, key, limit, at: now.adding(seconds: 19))
  try require(try await charge(a, after: 19) == .allowed(remaining: 0), "what is refunded can be used")
  try require(try await charge(a, after: 500) == .allowed(remaining: 2), "a budget comes back whole")
  for _ in 0..<5 { try await limiter.refund(a, key, limit, at: now.adding(seconds: 500)) }
  try require(try await charge(a, after: 500) == .allowed(remaining: 2), "no more is refunded than was charged")

  let wide = try RateLimit(burst: 5, interval: 100)
  for round in 0..<races.rounds {
    let key = try StateKey("race", Array("\(round)".utf8))
    let winners = try await race(races.tasks) {
      if case .allowed = try await limiter.charge(a, key, wide, at: now) { true } else { false }
    }
    try require(winners == min(5, races.tasks), "of \(races.tasks) at once \(winners) were allowed, and not 5")
  }
}
