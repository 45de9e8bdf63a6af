public import AssayCodec
public import AssayCrypto
public import AssayJOSE

/// The keys of one issuer of one tenant, fetched when they are needed and kept while they may be used.
///
/// Fetches begin at least `coolDown` seconds apart, one at a time, and all who wait share it: no token, whatever key it names,
/// causes more. A caller that is cancelled stops waiting and leaves the fetch to the others. When a fetch fails the old keys
/// stay, up to the policy's `staleLimit`.
///
/// Time is what each call says it is: give the present. Which issuers there are is configuration; never make a cache for an
/// issuer or address that a token names.
public actor JWKSetCache {
  /// Whose issuer it is.
  public nonisolated let tenant: Tenant
  /// The issuer's name.
  public nonisolated let issuer: UTF8Text
  /// Why the last fetch that failed did; nil if none did since the last that succeeded.
  public private(set) var lastFailure: RefreshFailure?

  private nonisolated let source: any JWKSetSource
  private nonisolated let policy: JWKSetCachePolicy
  private nonisolated let tokens: VerifiedTokenCache<VerifiedJWT>?
  private nonisolated let algorithms: [SignatureAlgorithm]
  private nonisolated let audience: UTF8Text?
  private nonisolated let rules: JWTPolicy

  private var held: PublishedKeys?
  private var fetch: [Task<Void, Never>]?
  private var lastBegan: UnixTime?
  private var fetchCount: UInt64 = 0
  private var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
  private var waiterCount: UInt64 = 0

  /// A cache without keys; nothing is fetched before a call needs it.
  ///
  /// - Parameters:
  ///   - tenant: Whose issuer it is.
  ///   - issuer: The issuer's name, the `iss` of its tokens.
  ///   - algorithms: Those it may sign by.
  ///   - audience: Who we are in its tokens' `aud`.
  ///   - rules: What else its tokens must satisfy.
  ///   - source: Where its keys come from.
  ///   - policy: How long they are used.
  ///   - tokens: Where verdicts are remembered; nil: nowhere. It may be shared by all issuers and tenants.
  /// - Throws: if no algorithm is allowed.
  public init(
    _ tenant: Tenant, issuer: UTF8Text, algorithms: [SignatureAlgorithm], audience: UTF8Text?,
    rules: JWTPolicy = JWTPolicy(), source: any JWKSetSource, policy: JWKSetCachePolicy = JWKSetCachePolicy(),
    remembering tokens: VerifiedTokenCache<VerifiedJWT>? = nil
  ) throws(TrustedIssuerError) {
    if let empty = try? JWKSet(["keys": []]) { _ = try TrustedKeys(empty, algorithms: algorithms) }
    self.tenant = tenant
    self.issuer = issuer
    self.algorithms = algorithms
    self.audience = audience
    self.rules = rules
    self.source = source
    self.policy = policy
    self.tokens = tokens
  }

  /// Verifies a compact token of the issuer, with the keys it publishes at the time.
  ///
  /// Success proves what `JWTVerifier.verify` proves. A token that names an unknown key is refused after the keys were
  /// fetched again, or at once within the cool-down.
  /// - Throws: `JWTError`; `KeysUnavailable`; `CancellationError`.
  public nonisolated func verify(_ token: [UInt8], at now: UnixTime = .now()) async throws -> VerifiedJWT {
    try await verify(at: now) { (keys) throws(JWTError) in
      let verifier = JWTVerifier(keys.issuer)
      guard let tokens else { return try verifier.verify(token, at: now) }
      return try tokens.verified(token, scope: keys.scope, maximumAge: rules.maximumAge, at: now) {
        () throws(JWTError) in try verifier.verify(token, at: now)
      }
    }
  }

  /// Verifies something by the keys of the issuer, once more with newer ones if the key that it names was unknown.
  ///
  /// - Parameter body: Verifies, with `issuer.keys` of what it is given, and has no effect if it throws.
  /// - Throws: What `body` throws; `KeysUnavailable`; `CancellationError`.
  public nonisolated func verify<Verified>(
    at now: UnixTime, _ body: (PublishedKeys) throws(JWTError) -> Verified
  ) async throws -> Verified {
    let keys = try await keys(at: now)
    do throws(JWTError) {
      return try body(keys)
    } catch {
      guard error.code == .unknownKeyID else { throw error }
      let newer = try await self.keys(at: now, after: keys.generation)
      guard newer.generation != keys.generation else { throw error }
      return try body(newer)
    }
  }

  /// The keys that count at a moment, fetched if those there are no longer fresh.
  ///
  /// - Throws: `KeysUnavailable`; `CancellationError`.
  public func keys(at now: UnixTime) async throws -> PublishedKeys {
    if let held, held.isFresh(at: now) { return held }
    return try await refreshed(at: now)
  }

  /// The keys after a generation in which one was missing.
  private func keys(at now: UnixTime, after generation: UInt64) async throws -> PublishedKeys {
    if let held, held.generation != generation, held.isFresh(at: now) { return held }
    return try await refreshed(at: now)
  }

  /// The keys after the fetch that is under way, or that may begin now.
  private func refreshed(at now: UnixTime) async throws -> PublishedKeys {
    if fetch == nil, mayFetch(at: now) { beginFetch(at: now) }
    if fetch != nil {
      await wait()
      try Task.checkCancellation()
    }
    guard let held, held.isUsable(at: now, staleLimit: policy.staleLimit) else { throw KeysUnavailable() }
    return held
  }

  private func mayFetch(at now: UnixTime) -> Bool {
    guard let lastBegan else { return true }
    return now.distance(from: lastBegan) >= UInt64(clamping: max(1, policy.coolDown))
  }

  /// Fetches in tasks of its own, which no caller's cancellation reaches. A source that never answers is given up.
  private func beginFetch(at now: UnixTime) {
    lastBegan = now
    fetchCount &+= 1
    let number = fetchCount
    let work = Task.detached { await self.endFetch(number, self.fetched(at: now)) }
    let deadline = Task.detached { [seconds = min(max(1, policy.timeout), 300)] in
      do { try await Task.sleep(for: .seconds(seconds)) } catch { return }
      await self.endFetch(number, .failure(.timedOut))
    }
    fetch = [work, deadline]
  }

  /// What the source has, read and checked, away from the actor.
  private nonisolated func fetched(at now: UnixTime) async -> Result<PublishedKeys, RefreshFailure> {
    let maximumBytes = min(max(0, policy.maximumBytes), JWKSet.maximumBytes)
    let maximumKeys = min(max(0, policy.maximumKeys), TrustedKeys.maximumKeys)
    let answer: FetchedJWKSet
    do { answer = try await source.fetch(maximumBytes: maximumBytes) } catch { return .failure(.source(error)) }
    guard answer.json.count <= maximumBytes else { return .failure(.tooLarge(limit: maximumBytes)) }
    let set: JWKSet
    do throws(JWKSetError) { set = try JWKSet(json: answer.json.span) } catch { return .failure(.notASet(error)) }
    guard set.keys.count + set.refused.count <= maximumKeys else { return .failure(.tooManyKeys(limit: maximumKeys)) }
    do throws(TrustedIssuerError) {
      let keys = try TrustedKeys(set, algorithms: algorithms)
      let issuer = TrustedIssuer(issuer, keys: keys, audience: audience, policy: rules)
      return .success(
        PublishedKeys(
          issuer: issuer, generation: 0, scope: VerificationScope(), fetchedAt: now, set: set,
          freshFor: policy.age(answer.maximumAge)))
    } catch { return .failure(.notUsable(error)) }
  }

  /// Takes the first result of a fetch; a later one of the same fetch changes nothing.
  private func endFetch(_ number: UInt64, _ result: Result<PublishedKeys, RefreshFailure>) {
    guard let fetch, number == fetchCount else { return }
    self.fetch = nil
    for task in fetch { task.cancel() }
    switch result {
    case .success(let new):
      lastFailure = nil
      // Unchanged keys are held on with their contexts, and what was remembered under them counts.
      let same = held.flatMap { $0.set == new.set ? $0 : nil }
      held = PublishedKeys(
        issuer: same?.issuer ?? new.issuer, generation: same?.generation ?? (held?.generation ?? 0) &+ 1,
        scope: same?.scope ?? new.scope, fetchedAt: new.fetchedAt, set: new.set, freshFor: new.freshFor)
    case .failure(let failure): lastFailure = failure
    }
    for waiter in waiters.values { waiter.resume() }
    waiters = [:]
  }

  /// Waits for the end of the fetch, or for the caller's cancellation.
  private func wait() async {
    waiterCount &+= 1
    let number = waiterCount
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { continuation.resume() } else { waiters[number] = continuation }
      }
    } onCancel: {
      Task { await self.stopWaiting(number) }
    }
  }

  private func stopWaiting(_ number: UInt64) { waiters.removeValue(forKey: number)?.resume() }
}
