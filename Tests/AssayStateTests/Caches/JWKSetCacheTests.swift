import AssayCodec
import AssayJOSE
import AssayState
import Testing

@Suite(.timeLimit(.minutes(2))) struct JWKSetCacheTests {
  private let now = CacheTime.now

  private func code(_ body: () async throws -> some Sendable) async -> JWTError.Code? {
    (await refusal(body) as? JWTError)?.code
  }

  @Test func keysAreFetchedWhenNeededAndKept() async throws {
    let (source, key) = (TestSource(), try IssuerKey("a"))
    source.answer([key.jwk], maximumAge: 100)
    let cache = try makeCache(source)
    #expect(source.fetches == 0)
    for second in 0..<100 {
      let token = try await cache.verify(key.token(), at: now.adding(seconds: Int64(second)))
      #expect(token.subject == "alice")
    }
    #expect(source.fetches == 1)
    _ = try await cache.verify(key.token(), at: now.adding(seconds: 100))
    #expect(source.fetches == 2)
    #expect(try await cache.keys(at: now).generation == 1)
    #expect(await cache.lastFailure == nil)
  }

  @Test func aNewKeyIsFoundAfterTheCoolDown() async throws {
    let source = TestSource()
    let (old, new) = (try IssuerKey("old"), try IssuerKey("new"))
    source.answer([old.jwk])
    let cache = try makeCache(source)
    _ = try await cache.verify(old.token(), at: now)
    let scope = try await cache.keys(at: now).scope

    source.answer([new.jwk])
    #expect(await code { try await cache.verify(new.token(), at: now.adding(seconds: 29)) } == .unknownKeyID)
    #expect(source.fetches == 1)
    _ = try await cache.verify(new.token(), at: now.adding(seconds: 30))
    #expect(source.fetches == 2)
    #expect(await code { try await cache.verify(old.token(), at: now.adding(seconds: 31)) } == .unknownKeyID)
    let keys = try await cache.keys(at: now.adding(seconds: 31))
    #expect(keys.generation == 2 && keys.scope != scope)
  }

  /// Other faults of a token cause no fetch.
  @Test func onlyAnUnknownKeyAsks() async throws {
    let (source, key) = (TestSource(), try IssuerKey("a"))
    source.answer([key.jwk])
    let cache = try makeCache(source)
    _ = try await cache.keys(at: now)
    let later = now.adding(seconds: 60)
    var altered = try key.token()
    altered[altered.count - 10] ^= 1
    #expect(await code { try await cache.verify(altered, at: later) } != nil)
    #expect(await code { try await cache.verify([], at: later) } != nil)
    #expect(await code { try await cache.verify(key.token(exp: 1), at: later) } == .expired)
    #expect(
      await code { try await cache.verify(key.token { $0["iss"] = "https://evil.example" }, at: later) } == .wrongIssuer
    )
    #expect(source.fetches == 1)
  }

  @Test func tenThousandUnknownKeysCauseOneFetchACoolDown() async throws {
    let (source, key) = (TestSource(), try IssuerKey("a"))
    source.answer([key.jwk])
    let cache = try makeCache(source)
    _ = try await cache.keys(at: now)
    let other = try IssuerKey("x")
    // Only the header matters: the key is looked for before the signature.
    let rest = try other.token().drop { $0 != UInt8(ascii: ".") }
    func token(_ number: Int) -> [UInt8] {
      let header: JSONObject = ["alg": "EdDSA", "kid": .string(UTF8Text("attacker-\(number)")), "typ": "JWT"]
      return Base64URL.encode(JSONValue.object(header).encoded().span).utf8 + rest
    }
    for (round, later) in [30, 60].map({ now.adding(seconds: $0) }).enumerated() {
      let refused = await withTaskGroup(of: Int.self) { group in
        for part in 0..<10 {
          group.addTask {
            var refused = 0
            for number in 0..<1000
            where await code({ try await cache.verify(token(part * 1000 + number), at: later) }) == .unknownKeyID {
              refused += 1
            }
            return refused
          }
        }
        return await group.reduce(0, +)
      }
      #expect(refused == 10_000)
      #expect(source.fetches == 2 + round)
    }
    _ = try await cache.verify(key.token(), at: now.adding(seconds: 60))
    #expect(try await cache.keys(at: now.adding(seconds: 60)).generation == 1)
  }

  @Test func callersShareOneFetch() async throws {
    let (source, key) = (TestSource(), try IssuerKey("a"))
    source.answer([key.jwk])
    source.holdBack()
    let cache = try makeCache(source)
    let token = try key.token()
    let callers = (0..<50).map { _ in Task { try await cache.verify(token, at: CacheTime.now).subject } }
    #expect(try await eventually { source.waiting == 1 })
    source.letGo()
    for caller in callers { #expect(try await caller.value == "alice") }
    #expect(source.fetches == 1)
  }

  @Test func aCancelledCallerLeavesTheFetchToTheOthers() async throws {
    let (source, key) = (TestSource(), try IssuerKey("a"))
    source.answer([key.jwk])
    source.holdBack()
    let cache = try makeCache(source)
    let token = try key.token()
    // The one that is cancelled is the one that began the fetch.
    let first = Task { try await cache.verify(token, at: CacheTime.now).subject }
    #expect(try await eventually { source.waiting == 1 })
    let second = Task { try await cache.verify(token, at: CacheTime.now).subject }
    first.cancel()
    #expect(await refusal { try await first.value } is CancellationError)
    #expect(source.waiting == 1, "it returned while the fetch went on")
    source.letGo()
    #expect(try await second.value == "alice")
    #expect(source.fetches == 1 && !source.sawCancellation)

    let cancelled = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await cache.verify(token, at: CacheTime.now.adding(seconds: 100_000))
    }
    cancelled.cancel()
    #expect(await refusal { try await cancelled.value } is CancellationError)
  }

  @Test func oldKeysStayWhenARefreshFailsUntilTheLimit() async throws {
    let (source, key) = (TestSource(), try IssuerKey("a"))
    source.answer([key.jwk], maximumAge: 100)
    let cache = try makeCache(source) { $0.staleLimit = 1000 }
    let token = try key.token(exp: now.seconds + 100_000)
    _ = try await cache.verify(token, at: now)
    source.fail()
    for second: Int64 in stride(from: 100, to: 1000, by: 10) {
      _ = try await cache.verify(token, at: now.adding(seconds: second))
    }
    #expect(source.fetches == 31, "one each cool-down")
    guard case .source(let error) = await cache.lastFailure, error is TestSource.Broken else {
      Issue.record("the failure is not told")
      return
    }
    #expect(await refusal { try await cache.verify(token, at: now.adding(seconds: 1000)) } is KeysUnavailable)
    source.answer([key.jwk])
    _ = try await cache.verify(token, at: now.adding(seconds: 1030))
    #expect(try await cache.keys(at: now.adding(seconds: 1030)).generation == 1)
    #expect(await cache.lastFailure == nil)
  }

  @Test func withoutAnyKeysEveryTokenIsRefused() async throws {
    let (source, key) = (TestSource(), try IssuerKey("a"))
    let cache = try makeCache(source)
    for second: Int64 in 0..<30 {
      let error = await refusal { try await cache.verify(key.token(), at: now.adding(seconds: second)) }
      #expect(error is KeysUnavailable)
    }
    #expect(source.fetches == 1)
    source.answer([key.jwk])
    _ = try await cache.verify(key.token(), at: now.adding(seconds: 30))
  }

  @Test(
    arguments: [
      (nil, 600), (0, 60), (-5, 60), (59, 60), (61, 61), (86_400, 86_400), (86_401, 86_400), (.max, 86_400),
      (.min, 60),
    ] as [(Int64?, Int64)])
  func agesAreBounded(_ stated: Int64?, _ used: Int64) async throws {
    let (source, key) = (TestSource(), try IssuerKey("a"))
    source.answer([key.jwk], maximumAge: stated)
    let cache = try makeCache(source)
    _ = try await cache.keys(at: now)
    _ = try await cache.keys(at: now.adding(seconds: used - 1))
    #expect(source.fetches == 1)
    _ = try await cache.keys(at: now.adding(seconds: used))
    #expect(source.fetches == 2)
  }

  /// A policy of any numbers neither traps nor fetches without end.
  @Test(arguments: [Int64.min, -1, 0, 1, .max]) func anyPolicyIsTotal(_ number: Int64) async throws {
    let (source, key) = (TestSource(), try IssuerKey("a"))
    source.answer([key.jwk], maximumAge: number)
    let cache = try makeCache(source) { policy in
      policy.minimumAge = number
      policy.maximumAge = number
      policy.standardAge = number
      policy.coolDown = number
      policy.staleLimit = number
      policy.timeout = number
      policy.maximumBytes = Int(truncatingIfNeeded: number)
      policy.maximumKeys = Int(truncatingIfNeeded: number)
    }
    for time: Int64 in [.min, 0, 0, 0, .max] { _ = await refusal { try await cache.keys(at: UnixTime(time)) } }
    #expect((1...3).contains(source.fetches))
  }

  @Test func sizesAreBounded() async throws {
    let source = TestSource()
    let keys = try (0..<4).map { try IssuerKey(UTF8Text("\($0)")).jwk }
    let cache = try makeCache(source) { $0.maximumKeys = 3 }
    source.answer(keys)
    #expect(await refusal { try await cache.keys(at: now) } is KeysUnavailable)
    guard case .tooManyKeys(limit: 3) = await cache.lastFailure else { Issue.record("too many keys"); return }
    source.answer(Array(keys.dropLast()))
    #expect(try await cache.keys(at: now.adding(seconds: 30)).issuer.keys.unusable.isEmpty)

    let length = JSONValue.object(["keys": .array(keys)]).encoded().count
    source.answer(keys)
    let small = try makeCache(source) { $0.maximumBytes = length - 1 }
    #expect(await refusal { try await small.keys(at: now) } is KeysUnavailable)
    guard case .tooLarge = await small.lastFailure else { Issue.record("too large"); return }
    let exact = try makeCache(source) { $0.maximumBytes = length }
    _ = try await exact.keys(at: now)
  }

  @Test func whatIsNoSetChangesNothing() async throws {
    let (source, key) = (TestSource(), try IssuerKey("a"))
    source.answer([key.jwk], maximumAge: 60)
    let cache = try makeCache(source)
    _ = try await cache.keys(at: now)
    var later = now
    for text in ["", "<html>", "{}", "[]", #"{"keys":{}}"#, #"{"keys":[],"keys":[]}"#] {
      later = later.adding(seconds: 60)
      source.answer(text: Array(text.utf8))
      _ = try await cache.verify(key.token(exp: later.seconds + 1), at: later)
      guard case .notASet = await cache.lastFailure else { Issue.record("\(text)"); return }
    }
    // A set without keys is one: the issuer took them all back.
    later = later.adding(seconds: 60)
    source.answer([])
    #expect(await code { try await cache.verify(key.token(exp: later.seconds + 1), at: later) } == .unknownKeyID)
  }

  @Test func aSourceThatNeverAnswersIsGivenUp() async throws {
    let (source, key) = (TestSource(), try IssuerKey("a"))
    source.answer([key.jwk])
    source.holdBack()
    let cache = try makeCache(source) { $0.timeout = 1 }
    #expect(await refusal { try await cache.keys(at: now) } is KeysUnavailable)
    guard case .timedOut = await cache.lastFailure else { Issue.record("not timed out"); return }
    // What comes too late counts for nothing.
    source.letGo()
    #expect(try await eventually { source.sawCancellation })
    #expect(await refusal { try await cache.keys(at: now) } is KeysUnavailable)
    _ = try await cache.keys(at: now.adding(seconds: 30))
    #expect(source.fetches == 2)
  }

  /// Callers whose clocks differ by seconds do not undo the cool-down; a clock that went far back does not freeze the keys.
  @Test func clocksThatGoBack() async throws {
    let (source, key) = (TestSource(), try IssuerKey("a"))
    source.answer([key.jwk], maximumAge: 100)
    let cache = try makeCache(source)
    _ = try await cache.keys(at: now)
    for back: Int64 in [-1, -29, -99] { _ = try await cache.keys(at: now.adding(seconds: back)) }
    #expect(source.fetches == 1)
    _ = try await cache.keys(at: now.adding(seconds: -100_000))
    #expect(source.fetches == 2)
  }

  @Test func anIssuerNeedsAlgorithms() throws {
    #expect(throws: TrustedIssuerError.self) {
      try JWKSetCache(Tenant("t"), issuer: "i", algorithms: [], audience: nil, source: TestSource())
    }
  }
}
