import AssayCodec
import AssayCrypto
import AssayJOSE
import AssayState
import Testing

@Suite(.timeLimit(.minutes(2))) struct JWKSetCachesTests {
  private let now = CacheTime.now

  private func cache(_ tenant: String, _ issuer: UTF8Text, _ source: TestSource) throws -> JWKSetCache {
    try JWKSetCache(
      Tenant(tenant), issuer: issuer, algorithms: [.edDSA], audience: "api", source: source)
  }

  private func code(_ body: () async throws -> some Sendable) async -> JWTError.Code? {
    (await refusal(body) as? JWTError)?.code
  }

  @Test func aTokenChoosesAmongItsTenantsIssuers() async throws {
    let keys = try ["a", "b", "c"].map { try IssuerKey($0) }
    let sources = keys.map { _ in TestSource() }
    for (key, source) in zip(keys, sources) { source.answer([key.jwk]) }
    let caches = try JWKSetCaches([
      cache("one", "https://a.example", sources[0]), cache("one", "https://b.example", sources[1]),
      cache("two", "https://a.example", sources[2]),
    ])
    let (one, two) = (try Tenant("one"), try Tenant("two"))
    func token(_ key: Int, _ issuer: JSONValue?) throws -> [UInt8] { try keys[key].token { $0["iss"] = issuer } }

    _ = try await caches.verify(one, token(0, "https://a.example"), at: now)
    #expect(sources.map(\.fetches) == [1, 0, 0])
    _ = try await caches.verify(one, token(1, "https://b.example"), at: now)
    _ = try await caches.verify(two, token(2, "https://a.example"), at: now)
    #expect(sources.map(\.fetches) == [1, 1, 1])
    // Another issuer's key, another tenant's key, another tenant's issuer, nobody.
    #expect(await code { try await caches.verify(one, token(1, "https://a.example"), at: now) } == .unknownKeyID)
    #expect(await code { try await caches.verify(two, token(0, "https://a.example"), at: now) } == .unknownKeyID)
    #expect(await code { try await caches.verify(two, token(1, "https://b.example"), at: now) } == .wrongIssuer)
    #expect(await code { try await caches.verify(one, token(0, "https://x.example"), at: now) } == .wrongIssuer)
    #expect(await code { try await caches.verify(one, token(0, nil), at: now) } == .missing)
    #expect(await code { try await caches.verify(Tenant("x"), token(0, "https://a.example"), at: now) } == .wrongIssuer)
    #expect(await code { try await caches.verify(one, [0x2E], at: now) } == .notCompact)
    #expect(sources.map(\.fetches) == [1, 1, 1])
  }

  @Test func theListIsClosed() throws {
    let source = TestSource()
    #expect(throws: TrustedIssuerError.self) { try JWKSetCaches([]) }
    let twice = [try cache("one", "a", source), try cache("one", "a", source)]
    #expect(throws: TrustedIssuerError.self) { try JWKSetCaches(twice) }
    let caches = try JWKSetCaches([cache("one", "a", source), cache("two", "a", source)])
    let one = try Tenant("one")
    #expect(caches.cache(one, issuer: "a") != nil && caches.cache(one, issuer: "b") == nil)
  }

  @Test func accessTokens() async throws {
    let (source, key) = (TestSource(), try IssuerKey("a"))
    source.answer([key.jwk])
    var rules = JWTPolicy()
    rules.maximumAge = 100
    rules.requiredClaims = ["tier"]
    let cache = try makeCache(source, rules: rules)
    let issuer = AccessTokenIssuer(issuer: "https://id.example", signer: JWTSigner(key: key.key, kid: "a"))
    func token(_ claims: JSONObject = ["tier": 1], audience: UTF8Text = "api") throws -> [UInt8] {
      try issuer.issue(
        subject: "alice", audience: audience, clientID: "c", scopes: ["read"], validFor: 300, claims: claims, at: now
      ).utf8
    }
    let (tokens, good) = (VerifiedTokenCache<VerifiedAccessToken>(), try token())
    for remembering in [nil, tokens, tokens] {
      let token = try await cache.verifyAccessToken(good, remembering: remembering, at: now)
      #expect(token.subject == "alice" && token.scopes == ["read"])
    }
    #expect(tokens.count == 1)
    var expected = AccessTokenVerifier.Expectation()
    expected.requiredScopes = ["write"]
    for remembering in [nil, tokens] {
      #expect(
        await code { try await cache.verifyAccessToken(good, expecting: expected, remembering: remembering, at: now) }
          == .mismatch)
      let (last, late) = (now.adding(seconds: 100), now.adding(seconds: 101))
      _ = try await cache.verifyAccessToken(good, remembering: remembering, at: last)
      #expect(await code { try await cache.verifyAccessToken(good, remembering: remembering, at: late) } == .tooOld)
      #expect(
        await code { try await cache.verifyAccessToken(token([:]), remembering: remembering, at: now) }
          == .requiredClaimMissing("tier"))
      #expect(
        await code { try await cache.verifyAccessToken(token(audience: "other"), remembering: remembering, at: now) }
          == .wrongAudience)
      #expect(
        await code { try await cache.verifyAccessToken(key.token(), remembering: remembering, at: now) }
          == .wrongTokenType)
    }
    let other = try IssuerKey("other")
    source.answer([key.jwk, other.jwk])
    let rotated = try AccessTokenIssuer(issuer: "https://id.example", signer: JWTSigner(key: other.key, kid: "other"))
      .issue(subject: "bob", audience: "api", clientID: "c", validFor: 300, claims: ["tier": 1], at: now).utf8
    #expect(try await cache.verifyAccessToken(rotated, at: now.adding(seconds: 30)).subject == "bob")

    let anybody = try JWKSetCache(
      Tenant("t"), issuer: "https://id.example", algorithms: [.edDSA], audience: nil, source: source)
    #expect(await code { try await anybody.verifyAccessToken(good, at: now) } == .unexpectedAudience)
  }
}
