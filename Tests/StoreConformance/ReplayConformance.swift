internal import AssayCodec
public import AssayState

/// What every `ReplayStore` must show. Throws `ConformanceFailure` with the first rule that is broken.
///
/// - Parameters:
///   - store: An empty store.
///   - races: How often the race is run.
public func checkReplayStore(_ store: any ReplayStore, races: Races = Races()) async throws {
  let (a, b) = (try Tenant("a"), try Tenant("b"))
  let key = try StateKey("test", [1], [2])
  let now = UnixTime(1_000_000)
  let expiry = now.adding(seconds: 60)

  try require(try await store.remember(a, key, until: expiry, at: now) == .fresh, "the first use is fresh")
  try require(try await store.remember(a, key, until: expiry, at: now) == .replayed, "the second use is a replay")
  try require(
    try await store.remember(a, key, until: expiry, at: expiry) == .replayed, "a key counts to the last second")
  try require(
    try await store.remember(a, key, until: expiry.adding(seconds: 9), at: expiry) == .replayed,
    "a later expiry does not make a key fresh")
  try require(try await store.remember(b, key, until: expiry, at: now) == .fresh, "tenants are apart")
  for other in [try StateKey("test", [2], [1]), try StateKey("test", [1, 2]), try StateKey("other", [1], [2])] {
    try require(try await store.remember(a, other, until: expiry, at: now) == .fresh, "keys are apart")
  }

  let later = expiry.adding(seconds: 1)
  do {
    _ = try await store.remember(a, key, until: expiry, at: later)
    throw ConformanceFailure(description: "what has expired cannot be remembered")
  } catch let error as StateError {
    try require(error.code == .alreadyExpired, "what has expired is refused as alreadyExpired")
  }
  let again = later.adding(seconds: 60)
  try require(try await store.remember(a, key, until: again, at: later) == .fresh, "a key is forgotten when it expired")
  try require(try await store.remember(a, key, until: again, at: later) == .replayed, "and remembered again")

  for round in 0..<races.rounds {
    let key = try StateKey("race", Array("\(round)".utf8))
    let winners = try await race(races.tasks) {
      try await store.remember(a, key, until: expiry, at: now) == .fresh
    }
    try require(winners == 1, "of \(races.tasks) uses at once \(winners) were fresh")
  }
}
