internal import AssayCodec
public import AssayState

/// What every `RecoveryCodeStore` must show. Throws `ConformanceFailure` with the first rule that is broken.
///
/// - Parameters:
///   - store: An empty store.
///   - races: How often the race is run.
public func checkRecoveryCodeStore(_ store: any RecoveryCodeStore, races: Races = Races()) async throws {
  let (a, b) = (try Tenant("a"), try Tenant("b"))
  let (one, two) = (try StateKey("test", [1]), try StateKey("test", [2]))
  let codes = (1...3).map { StoredRecoveryCode(selector: [UInt8($0)], mac: [UInt8](repeating: UInt8($0), count: 32)) }
  let (first, second) = (codes[0], codes[1])

  try require(try await store.remaining(a, one) == 0, "at first there are none")
  try require(try await store.find(a, one, selector: [1]) == nil, "and none is found")
  try await store.replaceAll(a, one, with: codes)
  try require(try await store.remaining(a, one) == 3, "all are kept")
  try require(try await store.find(a, one, selector: [2]) == second, "each is found by its selector")
  for other in [[], [4], [1, 1]] as [[UInt8]] {
    try require(try await store.find(a, one, selector: other) == nil, "and by no other")
  }
  try require(try await store.find(a, two, selector: [1]) == nil, "accounts are apart")
  try require(try await store.find(b, one, selector: [1]) == nil, "tenants are apart")
  try require(try await !store.consume(a, two, first), "a code is consumed by its account only")
  try require(try await !store.consume(b, one, first), "and by its tenant only")

  let altered = StoredRecoveryCode(selector: first.selector, mac: second.mac)
  try require(try await !store.consume(a, one, altered), "only the very code is consumed")
  try require(try await store.consume(a, one, first), "a code is consumed")
  try require(try await !store.consume(a, one, first), "once")
  try require(try await store.find(a, one, selector: [1]) == nil, "and not found again")
  try require(try await store.remaining(a, one) == 2, "the others are left")

  let fresh = StoredRecoveryCode(selector: [2], mac: first.mac)
  try await store.replaceAll(a, one, with: [fresh])
  try require(try await !store.consume(a, one, second), "old codes go when new ones come")
  try require(try await store.find(a, one, selector: [2]) == fresh, "new ones are there")
  try require(try await store.remaining(a, one) == 1, "and no others")
  try await store.replaceAll(a, one, with: [])
  try require(try await store.remaining(a, one) == 0, "all can be removed")

  for _ in 0..<races.rounds {
    try await store.replaceAll(a, one, with: codes)
    let winners = try await race(races.tasks) { try await store.consume(a, one, first) }
    try require(winners == 1, "of \(races.tasks) uses at once \(winners) were right")
  }
}
