internal import AssayCodec
public import AssayState

/// What every `CeremonyStore` must show. Throws `ConformanceFailure` with the first rule that is broken.
///
/// - Parameters:
///   - store: An empty store.
///   - races: How often the race is run.
public func checkCeremonyStore(_ store: any CeremonyStore, races: Races = Races()) async throws {
  let (a, b) = (try Tenant("a"), try Tenant("b"))
  let key = try StateKey("test", [1])
  let now = UnixTime(1_000_000)
  let expiry = now.adding(seconds: 60)
  func refusal(_ body: () async throws -> Void) async throws -> StateError.Code? {
    do {
      try await body()
      return nil
    } catch let error as StateError { return error.code }
  }

  try require(try await store.take(a, key, at: now) == nil, "at first there is nothing")
  try await store.put(a, key, [1, 0, 2], until: expiry, at: now)
  try require(try await store.take(b, key, at: now) == nil, "tenants are apart")
  try require(
    try await refusal { try await store.put(a, key, [9], until: expiry, at: now) } == .keyInUse,
    "a state is not replaced")
  try require(try await store.take(a, key, at: expiry) == [1, 0, 2], "a state is there to the last second")
  try require(try await store.take(a, key, at: now) == nil, "and is taken once")

  try await store.put(a, key, [], until: expiry, at: now)
  try require(try await store.take(a, key, at: expiry.adding(seconds: 1)) == nil, "an expired state is not given")
  try require(try await store.take(a, key, at: now) == nil, "nor when the clock is set back")

  try await store.put(a, key, [3], until: expiry, at: now)
  let later = expiry.adding(seconds: 1)
  try await store.put(a, key, [4], until: later, at: later)
  try require(try await store.take(a, key, at: later) == [4], "an expired state makes room for another")

  try require(
    try await refusal { try await store.put(a, key, [5], until: now, at: later) } == .alreadyExpired,
    "what has expired is not kept")
  let longest = [UInt8](repeating: 0xFF, count: CeremonyLimits.maximumStateBytes)
  try require(
    try await refusal { try await store.put(a, key, longest + [0], until: expiry, at: now) } == .stateTooLong,
    "a state has its bounds")
  try await store.put(a, key, longest, until: expiry, at: now)
  try require(try await store.take(a, key, at: now) == longest, "the longest state is kept")

  for round in 0..<races.rounds {
    let key = try StateKey("race", Array("\(round)".utf8))
    let putters = try await race(races.tasks) {
      do {
        try await store.put(a, key, [6], until: expiry, at: now)
        return true
      } catch let error as StateError where error.code == .keyInUse { return false }
    }
    try require(putters == 1, "of \(races.tasks) states put at once \(putters) were kept")
    let winners = try await race(races.tasks) { try await store.take(a, key, at: now) != nil }
    try require(winners == 1, "of \(races.tasks) takers at once \(winners) got the state")
  }
}
