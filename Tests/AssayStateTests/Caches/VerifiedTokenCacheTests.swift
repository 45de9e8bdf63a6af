import AssayCodec
import AssayCrypto
import AssayJOSE
import AssayState
import AssayWebAuthn
import Testing

@Suite(.timeLimit(.minutes(2))) struct VerifiedTokenCacheTests {
  private let now = CacheTime.now

  /// A cache with a verifier that counts.
  private final class Counted {
    let tokens: VerifiedTokenCache<VerifiedJWT>
    let verifier: JWTVerifier
    let scope = VerificationScope()
    var count = 0

    init(_ key: IssuerKey, maximumTokens: Int = 100, maximumBytes: Int = 1 << 20) throws {
      tokens = VerifiedTokenCache(maximumTokens: maximumTokens, maximumBytes: maximumBytes)
      var rules = JWTPolicy()
      rules.leeway = 10
      rules.allowMissingExpiration = true
      verifier = JWTVerifier(
        try TrustedIssuer(
          "https://id.example", keys: [JWK(key.key.verificationKey.numbers, kid: key.kid)], algorithms: [.edDSA],
          audience: "api", policy: rules))
    }

    /// Whether the verdict was remembered; throws the refusal.
    func isHit(
      _ token: [UInt8], _ scope: VerificationScope? = nil, maximumAge: Int64? = nil, at now: UnixTime
    ) throws(JWTError) -> Bool {
      let before = count
      _ = try tokens.verified(token, scope: scope ?? self.scope, maximumAge: maximumAge, at: now) {
        () throws(JWTError) in
        count += 1
        return try verifier.verify(token, at: now)
      }
      return count == before
    }
  }

  @Test func aTokenIsVerifiedOnce() throws {
    let key = try IssuerKey("a")
    let cache = try Counted(key)
    let token = try key.token()
    #expect(try !cache.isHit(token, at: now))
    for second: Int64 in 0..<300 { #expect(try cache.isHit(token, at: now.adding(seconds: second))) }
    #expect(cache.count == 1 && cache.tokens.count == 1 && cache.tokens.byteCount == token.count)
    cache.tokens.removeAll()
    #expect(try !cache.isHit(token, at: now))
  }

  /// Every bit of a remembered token counts.
  @Test func allBytesMustBeEqual() throws {
    let key = try IssuerKey("a")
    let cache = try Counted(key)
    let token = try key.token()
    _ = try cache.isHit(token, at: now)
    for index in token.indices {
      for bit in 0..<8 {
        var altered = token
        altered[index] ^= 1 << bit
        #expect(throws: JWTError.self) { try cache.isHit(altered, at: now) }
      }
    }
    for length in 0..<token.count {
      #expect(throws: JWTError.self) { try cache.isHit(Array(token[..<length]), at: now) }
    }
    #expect(throws: JWTError.self) { try cache.isHit(token + [UInt8(ascii: "A")], at: now) }
    #expect(cache.tokens.count == 1, "refusals are not remembered")
  }

  @Test func anotherScopeKnowsNothing() throws {
    let key = try IssuerKey("a")
    let cache = try Counted(key)
    let token = try key.token()
    _ = try cache.isHit(token, at: now)
    #expect(try !cache.isHit(token, VerificationScope(), at: now))
    #expect(try cache.isHit(token, at: now))
    #expect(Set((0..<1000).map { _ in VerificationScope() }).count == 1000)
  }

  @Test func timesAreCheckedAtEveryHit() throws {
    let key = try IssuerKey("a")
    let cache = try Counted(key)
    let token = try key.token(exp: now.seconds + 100) {
      $0["nbf"] = .number(JSONNumber(now.seconds + 5))
      $0["iat"] = .number(JSONNumber(now.seconds + 7))
    }
    // Verified within the leeway, before its time by the letter.
    #expect(try !cache.isHit(token, at: now))
    for second: Int64 in [0, 4, 5, 6] { #expect(try !cache.isHit(token, at: now.adding(seconds: second)), "\(second)") }
    for second: Int64 in [7, 8, 99] { #expect(try cache.isHit(token, at: now.adding(seconds: second)), "\(second)") }
    for second: Int64 in [100, 109] { #expect(try !cache.isHit(token, at: now.adding(seconds: second)), "\(second)") }
    #expect(throws: JWTError.self) { try cache.isHit(token, at: now.adding(seconds: 110)) }
    #expect(throws: JWTError.self) { try cache.isHit(token, at: now.adding(seconds: -10)) }
  }

  @Test func aClockThatWentBackIsAMiss() throws {
    let key = try IssuerKey("a")
    let cache = try Counted(key)
    let token = try key.token()
    _ = try cache.isHit(token, at: now)
    #expect(try !cache.isHit(token, at: now.adding(seconds: -1)))
    // What was verified again counts from then.
    #expect(try cache.isHit(token, at: now.adding(seconds: -1)))
  }

  @Test func theAgeLimitIsCheckedAtEveryHit() throws {
    let key = try IssuerKey("a")
    let cache = try Counted(key)
    let token = try key.token { $0["iat"] = .number(JSONNumber(now.seconds)) }
    _ = try cache.isHit(token, maximumAge: 10, at: now)
    #expect(try cache.isHit(token, maximumAge: 10, at: now.adding(seconds: 9)))
    #expect(try !cache.isHit(token, maximumAge: 10, at: now.adding(seconds: 10)))
    let ageless = try key.token()
    _ = try cache.isHit(ageless, maximumAge: 10, at: now)
    #expect(try !cache.isHit(ageless, maximumAge: 10, at: now))
  }

  @Test func aTokenWithoutAnEndIsNotRemembered() throws {
    let key = try IssuerKey("a")
    let cache = try Counted(key)
    let token = try JWTSigner(key: key.key, kid: "a").sign(
      ["iss": "https://id.example", "aud": "api"], allowMissingExpiration: true
    ).utf8
    #expect(try !cache.isHit(token, at: now))
    #expect(try !cache.isHit(token, at: now))
    #expect(cache.tokens.count == 0)
  }

  /// A certificate can end, or be revoked, before the token does.
  @Test func aTokenByCertificatesIsNotRemembered() throws {
    struct Token: ReusableToken {
      typealias Circumstances = NoCircumstances
      let expiresAt: UnixTime?
      let notBefore: UnixTime? = nil
      let issuedAt: UnixTime? = nil
      let certificatePath: ValidatedPath?
    }
    let anchors = AttestationTrust.Authority.appleWebAuthn.anchors
    let path = try CertificatePath(certificates: anchors.certificates).validated(to: anchors, at: now)
    for (certificatePath, remembered) in [(nil, 1), (path, 0)] {
      let tokens = VerifiedTokenCache<Token>()
      let scope = VerificationScope()
      for _ in 0..<2 {
        _ = tokens.verified([1], scope: scope, at: now) {
          Token(expiresAt: now.adding(seconds: 60), certificatePath: certificatePath)
        }
      }
      #expect(tokens.count == remembered)
    }
  }

  @Test func entriesAndBytesAreBounded() throws {
    let key = try IssuerKey("a")
    let few = try Counted(key, maximumTokens: 10)
    let favourite = try key.token { $0["sub"] = "favourite" }
    for number in 0..<200 {
      _ = try few.isHit(favourite, at: now)
      _ = try few.isHit(key.token { $0["sub"] = .string(UTF8Text("\(number)")) }, at: now)
      #expect(few.tokens.count <= 10)
    }
    #expect(try few.isHit(favourite, at: now), "what is used stays")
    #expect(few.count <= 202)

    let small = try Counted(key, maximumBytes: 2000)
    for number in 0..<200 {
      _ = try small.isHit(key.token { $0["sub"] = .string(UTF8Text("\(number)")) }, at: now)
      #expect(small.tokens.byteCount <= 2000)
    }
    #expect(small.tokens.count > 2)
    let large = try key.token { $0["x"] = .string(UTF8Text(String(repeating: "x", count: 1000))) }
    _ = try small.isHit(large, at: now)
    #expect(try !small.isHit(large, at: now), "a token of more than half the room is not remembered")
    for (tokens, bytes) in [(0, 0), (-1, -1), (.min, .min), (.max, .max)] {
      let odd = try Counted(key, maximumTokens: tokens, maximumBytes: bytes)
      for _ in 0..<3 { _ = try odd.isHit(favourite, at: now) }
    }
  }

  @Test func manyAtOnce() async throws {
    let key = try IssuerKey("a")
    let tokens = VerifiedTokenCache<VerifiedJWT>(maximumTokens: 8)
    let issuer = try TrustedIssuer(
      "https://id.example", keys: [JWK(key.key.verificationKey.numbers, kid: "a")], algorithms: [.edDSA],
      audience: "api")
    let verifier = CachingJWTVerifier(issuer, remembering: tokens)
    let compacts = try (0..<16).map { number in try key.token { $0["sub"] = .string(UTF8Text("\(number)")) } }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for round in 0..<100 {
            let number = (task * 7 + round) % 16
            let subject = try verifier.verify(compacts[number], at: CacheTime.now).subject
            #expect(subject == UTF8Text("\(number)"))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(tokens.count <= 8)
  }

  @Test func verifiersShareNothing() throws {
    let key = try IssuerKey("a")
    let tokens = VerifiedTokenCache<VerifiedJWT>()
    func issuer(_ audience: UTF8Text) throws -> TrustedIssuer {
      try TrustedIssuer(
        "https://id.example", keys: [JWK(key.key.verificationKey.numbers, kid: "a")], algorithms: [.edDSA],
        audience: audience)
    }
    let token = try key.token()
    _ = try CachingJWTVerifier(issuer("api"), remembering: tokens).verify(token, at: now)
    let other = CachingJWTVerifier(try issuer("other"), remembering: tokens)
    #expect(throws: JWTError.self) { try other.verify(token, at: now) }
  }

  /// What was remembered under keys that the issuer took back is not found again.
  @Test func newKeysForgetOldVerdicts() async throws {
    let (source, old, new) = (TestSource(), try IssuerKey("old"), try IssuerKey("new"))
    source.answer([old.jwk], maximumAge: 60)
    let tokens = VerifiedTokenCache<VerifiedJWT>()
    let cache = try makeCache(source, remembering: tokens)
    let token = try old.token()
    for _ in 0..<3 { _ = try await cache.verify(token, at: now) }
    #expect(tokens.count == 1)
    // Fetched again, unchanged: still remembered.
    _ = try await cache.verify(token, at: now.adding(seconds: 60))
    #expect(tokens.count == 1 && source.fetches == 2)
    source.answer([new.jwk], maximumAge: 60)
    let later = now.adding(seconds: 120)
    #expect((await refusal { try await cache.verify(token, at: later) } as? JWTError)?.code == .unknownKeyID)
    // Within its stale limit no verdict outlives the keys either.
    source.fail()
    #expect(await refusal { try await cache.verify(new.token(), at: later) } == nil)
  }

  @Test func accessTokensAreRememberedForWhatTheRequestShowed() throws {
    let key = try IssuerKey("a")
    let keys = try TrustedKeys(
      [JWK(key.key.verificationKey.numbers, kid: "a")], algorithms: [.edDSA])
    let verifier = AccessTokenVerifier(issuer: "https://id.example", audience: "api", keys: keys)
    let token = try AccessTokenIssuer(issuer: "https://id.example", signer: JWTSigner(key: key.key, kid: "a"))
      .issue(subject: "alice", audience: "api", clientID: "c", scopes: ["read"], validFor: 300, at: now).utf8
    let (tokens, scope) = (VerifiedTokenCache<VerifiedAccessToken>(), VerificationScope())
    var count = 0
    func verify(_ expected: AccessTokenVerifier.Expectation) throws(JWTError) -> VerifiedAccessToken {
      try tokens.verified(token, scope: scope, circumstances: expected, at: now) { () throws(JWTError) in
        count += 1
        return try verifier.verify(token.span, expecting: expected, at: now)
      }
    }
    var expected = AccessTokenVerifier.Expectation()
    expected.requiredScopes = ["read"]
    for _ in 0..<3 { _ = try verify(expected) }
    #expect(count == 1)
    expected.requiredScopes = ["write"]
    #expect(throws: JWTError.self) { try verify(expected) }
    expected.requiredScopes = []
    expected.proofThumbprint = "jkt"
    #expect(throws: JWTError.self) { try verify(expected) }
  }

  /// `VerifiedTokenCache<VerifiedDPoPProof>` does not compile: none of these types is reusable.
  @Test func whatCountsOnceCannotBeCached() {
    let once: [any Any.Type] = [
      VerifiedDPoPProof.self, VerifiedClientAssertion.self, VerifiedRequestObject.self,
      VerifiedAuthenticationRequest.self, VerifiedLogoutToken.self, VerifiedIdentityToken.self, VerifiedIDToken.self,
    ]
    for type in once { #expect(!(type is any ReusableToken.Type), "\(type)") }
    for type in [VerifiedJWT.self, VerifiedAccessToken.self] as [any Any.Type] {
      #expect(type is any ReusableToken.Type)
      #expect(!(type is any SingleUseToken.Type))
    }
  }
}
