import AssayCodec
import AssayState
import StoreConformance
import Testing

/// The stores in memory keep their contracts, and their bounds.
@Suite struct StoreTests {
  private let tenant: Tenant
  private let now = UnixTime(1_700_000_000)

  init() throws { tenant = try Tenant("example") }

  private func key(_ number: Int) throws -> StateKey { try StateKey("test", Array("\(number)".utf8)) }

  @Test func stepsKeepTheContract() async throws { try await checkStepStore(InMemoryStepStore()) }
  @Test func ceremoniesKeepTheContract() async throws { try await checkCeremonyStore(InMemoryCeremonyStore()) }
  @Test func ratesKeepTheContract() async throws { try await checkRateLimiter(InMemoryRateLimiter()) }
  @Test func attemptsKeepTheContract() async throws { try await checkAttemptStore(InMemoryAttemptStore()) }
  @Test func recoveryCodesKeepTheContract() async throws {
    try await checkRecoveryCodeStore(InMemoryRecoveryCodeStore())
  }

  /// The check itself finds what is wrong: here a store that never refuses.
  @Test func theCheckSeesABrokenStore() async throws {
    struct Forgetful: ReplayStore {
      func remember(_: Tenant, _: StateKey, until _: UnixTime, at _: UnixTime) async throws -> Freshness { .fresh }
    }
    await #expect(throws: ConformanceFailure.self) { try await checkReplayStore(Forgetful()) }
  }

  @Test func fullStoresRefuseAndForgetNothing() async throws {
    let steps = InMemoryStepStore(capacity: 1)
    #expect(try await steps.advance(tenant, to: [key(0): UsedStep(step: 1)]))
    await #expect(throws: StateError(.full)) { try await steps.advance(tenant, to: [key(1): UsedStep(step: 1)]) }
    #expect(try await steps.advance(tenant, to: [key(0): UsedStep(step: 2)]))

    let ceremonies = InMemoryCeremonyStore(capacity: 1)
    let later = now.adding(seconds: 5)
    try await ceremonies.put(tenant, key(0), [1], until: later, at: now)
    await #expect(throws: StateError(.full)) { try await ceremonies.put(tenant, key(1), [2], until: later, at: now) }
    #expect(try await ceremonies.take(tenant, key(0), at: now) == [1])
    try await ceremonies.put(tenant, key(1), [2], until: later, at: now)

    let limit = try RateLimit(burst: 2, interval: 10)
    let rates = InMemoryRateLimiter(capacity: 1)
    #expect(try await rates.charge(tenant, key(0), limit, at: now) == .allowed(remaining: 1))
    await #expect(throws: StateError(.full)) { try await rates.charge(tenant, key(1), limit, at: now) }
    #expect(try await rates.charge(tenant, key(0), limit, at: now) == .allowed(remaining: 0))
    #expect(
      try await rates.charge(tenant, key(1), limit, at: now.adding(seconds: 21)) == .allowed(remaining: 1))

    let attempts = InMemoryAttemptStore(capacity: 1)
    #expect(try await attempts.charge(tenant, key(0), .standard, at: now) == .allowed)
    await #expect(throws: StateError(.full)) { try await attempts.charge(tenant, key(1), .standard, at: now) }
    #expect(try await attempts.charge(tenant, key(0), .standard, at: now) == .allowed)

    let codes = InMemoryRecoveryCodeStore(capacity: 1)
    let code = StoredRecoveryCode(selector: [1], mac: [2])
    try await codes.replaceAll(tenant, key(0), with: [code])
    await #expect(throws: StateError(.full)) { try await codes.replaceAll(tenant, key(1), with: [code]) }
    #expect(try await codes.remaining(tenant, key(0)) == 1)
  }

  @Test func limitsHaveBounds() {
    for (burst, interval) in [(0, 1), (-1, 1), (100_001, 1), (1, 0), (1, -5), (1, 2_678_401)] as [(Int, Int64)] {
      #expect(throws: StateError(.policyNotAllowed)) { try RateLimit(burst: burst, interval: interval) }
    }
    #expect((try? RateLimit(burst: 100_000, interval: 2_678_400))?.fullAfter == 267_840_000_000)
  }

  /// Times at the ends of what can be expressed are answered, not trapped on.
  @Test func extremeTimesAreAnswered() async throws {
    let limit = try RateLimit(burst: 2, interval: 10)
    for time in [UnixTime(.min), UnixTime(0), UnixTime(.max)] {
      let (rates, attempts) = (InMemoryRateLimiter(), InMemoryAttemptStore())
      for _ in 0..<20 {
        _ = try await rates.charge(tenant, key(0), limit, at: time)
        try await rates.refund(tenant, key(0), limit, at: time)
        _ = try await attempts.charge(tenant, key(0), .standard, at: time)
      }
      let replays = InMemoryReplayStore()
      #expect(try await replays.remember(tenant, key(0), until: UnixTime(.max), at: time) == .fresh)
      #expect(try await replays.remember(tenant, key(0), until: UnixTime(.max), at: time) == .replayed)
    }
  }
}
