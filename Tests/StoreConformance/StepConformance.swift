internal import AssayCodec
public import AssayState

/// What every `StepStore` must show. Throws `ConformanceFailure` with the first rule that is broken.
///
/// - Parameters:
///   - store: An empty store.
///   - races: How often the race is run.
public func checkStepStore(_ store: any StepStore, races: Races = Races()) async throws {
  let (a, b) = (try Tenant("a"), try Tenant("b"))
  let (one, two) = (try StateKey("test", [1]), try StateKey("test", [2]))
  func stored(_ tenant: Tenant) async throws -> [StateKey: UsedStep] { try await store.lastUsed(tenant, [one, two]) }

  try require(try await stored(a).isEmpty, "at first nothing is stored")
  // Step 0 is a step: it is not "none".
  try require(try await store.advance(a, to: [one: UsedStep(step: 0, drift: -2)]), "the first step is written")
  try require(try await stored(a) == [one: UsedStep(step: 0, drift: -2)], "step and drift are read back")
  try require(try await !store.advance(a, to: [one: UsedStep(step: 0, drift: 1)]), "the same step is not written")
  try require(try await stored(a) == [one: UsedStep(step: 0, drift: -2)], "what is refused changes nothing")
  try require(try await stored(b).isEmpty, "tenants are apart")
  try require(try await store.advance(b, to: [one: UsedStep(step: 0)]), "each tenant has its own steps")

  // Numbers that signed or floating-point columns get wrong.
  let steps: [UInt64] = [1, 255, 256, 1 << 32, 1 << 53, 1 << 53 + 1, 1 << 63 - 1, 1 << 63, .max - 1, .max]
  for step in steps {
    try require(try await store.advance(a, to: [one: UsedStep(step: step)]), "\(step) comes after all before it")
    try require(try await stored(a)[one]?.step == step, "\(step) is read back")
    try require(try await !store.advance(a, to: [one: UsedStep(step: step - 1)]), "no step goes back from \(step)")
  }

  let all = [one: UsedStep(step: .max), two: UsedStep(step: 7)]
  try require(try await !store.advance(a, to: all), "all steps are written, or none: one was used")
  try require(try await stored(a)[two] == nil, "where one step was used the others are not written")
  try await store.remove(a, one)
  try require(try await stored(a).isEmpty, "what is removed is forgotten")
  try require(try await stored(b) == [one: UsedStep(step: 0)], "by its tenant only")
  try require(try await store.advance(a, to: all), "several steps are written together")
  try require(try await stored(a) == all, "and read back")

  for round in 0..<races.rounds {
    let step = UsedStep(step: UInt64(round))
    let keys = [try StateKey("race", [1]), try StateKey("race", [2])]
    let winners = try await race(races.tasks) { try await store.advance(a, to: [keys[0]: step, keys[1]: step]) }
    try require(winners == 1, "of \(races.tasks) uses at once \(winners) were written")

    let key = try StateKey("ladder", Array("\(round)".utf8))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for step in 0..<UInt64(races.tasks) {
        group.addTask { _ = try await store.advance(a, to: [key: UsedStep(step: step)]) }
      }
      try await group.waitForAll()
    }
    let last = try await store.lastUsed(a, [key])[key]?.step
    try require(last == UInt64(races.tasks) - 1, "of different steps at once the last is stored")
  }
}
