import AssayCodec
import AssayJOSE
import AssayState
import StoreConformance
import Testing

@Suite struct ReplayStoreTests {
  private let tenant: Tenant
  private let now = UnixTime(1_700_000_000)

  init() throws { tenant = try Tenant("example") }

  private func key(_ number: Int) throws -> StateKey { try StateKey("test", Array("\(number)".utf8)) }

  @Test func itKeepsTheContract() async throws { try await checkReplayStore(InMemoryReplayStore()) }

  @Test func aFullStoreRefusesAndForgetsNothing() async throws {
    let store = InMemoryReplayStore(capacity: 3)
    for number in 0..<3 {
      #expect(try await store.remember(tenant, key(number), until: now.adding(seconds: 10), at: now) == .fresh)
    }
    await #expect(throws: StateError(.full)) {
      try await store.remember(tenant, key(3), until: now.adding(seconds: 10), at: now)
    }
    for number in 0..<3 {
      #expect(try await store.remember(tenant, key(number), until: now.adding(seconds: 10), at: now) == .replayed)
    }
    // Room is each tenant's own, and comes back with time.
    #expect(try await store.remember(Tenant("other"), key(3), until: now, at: now) == .fresh)
    let later = now.adding(seconds: 11)
    #expect(try await store.remember(tenant, key(3), until: later, at: later) == .fresh)
  }

  @Test func aClockSetBackDoesNotMakeUsedThingsFresh() async throws {
    let store = InMemoryReplayStore(capacity: 2)
    let (early, late) = (now.adding(seconds: 5), now.adding(seconds: 500))
    #expect(try await store.remember(tenant, key(0), until: early, at: now) == .fresh)
    #expect(try await store.remember(tenant, key(1), until: late, at: now) == .fresh)
    // The first is forgotten to make room for the third.
    #expect(try await store.remember(tenant, key(2), until: late, at: now.adding(seconds: 100)) == .fresh)
    await #expect(throws: StateError(.alreadyExpired)) {
      try await store.remember(tenant, key(0), until: early, at: now)
    }
  }

  @Test func manyKeysComeAndGo() async throws {
    let store = InMemoryReplayStore(capacity: 3000)
    for number in 0..<20_000 {
      let time = now.adding(seconds: Int64(number))
      #expect(try await store.remember(tenant, key(number), until: time.adding(seconds: 2000), at: time) == .fresh)
    }
  }

  /// A token's name is one among its issuer's, to the last second at which it would be accepted.
  @Test func tokensCountOnce() async throws {
    struct Token: SingleUseToken {
      let issuer: UTF8Text
      let id: UTF8Text
      let replayableUntil: UnixTime
    }
    let store = InMemoryReplayStore()
    let end = now.adding(seconds: 60)
    func use(_ issuer: UTF8Text, _ id: UTF8Text, at time: UnixTime? = nil) async throws -> Freshness {
      try await store.remember(tenant, Token(issuer: issuer, id: id, replayableUntil: end), at: time ?? now)
    }
    #expect(try await use("a", "bc") == .fresh)
    #expect(try await use("a", "bc") == .replayed)
    #expect(try await use("a", "bc", at: end) == .replayed)
    #expect(try await use("ab", "c") == .fresh)
    #expect(try await use("b", "bc") == .fresh)
    await #expect(throws: StateError(.alreadyExpired)) { try await use("a", "bc", at: end.adding(seconds: 1)) }
  }

  @Test func tenantsHaveBounds() throws {
    #expect(throws: StateError(.tenantNotAllowed)) { try Tenant("") }
    #expect(throws: StateError(.tenantNotAllowed)) { try Tenant([UInt8](repeating: 1, count: 65)) }
    #expect(try Tenant([UInt8](repeating: 1, count: 64)).id.count == 64)
    // Canonically equivalent texts are two tenants.
    #expect(try Tenant("\u{E9}") != Tenant("e\u{301}"))
  }
}
