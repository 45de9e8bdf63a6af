import AssayCodec
import AssayCrypto
import AssayJOSE
import Testing

/// Tokens by their profile: what one side issues the other verifies, and no verifier takes another's token.
struct ProfileTests {
  private static let issuer: UTF8Text = "https://a.example"
  private static let audience: UTF8Text = "https://b.example"

  private static func signer() throws -> JWTSigner { JWTSigner(key: try Keys.key(.es256), kid: "1") }
  private static func keys() throws -> TrustedKeys { try TrustedKeys([jwk(.es256, kid: "1")], algorithms: [.es256]) }

  /// One kind of token: made with the same key, issuer and audience as the others, where it has them.
  struct Profile: Sendable, CustomTestStringConvertible {
    let name: String
    let issue: @Sendable () throws -> UTF8Text
    let verify: @Sendable (UTF8Text) throws -> Void
    var testDescription: String { name }
  }

  static let profiles = [
    Profile(name: "ID token") {
      try IDTokenIssuer(issuer: issuer, signer: signer()).issue(
        subject: "alice", clientID: audience, nonce: nil, validFor: 60, at: now)
    } verify: { token in
      _ = try IDTokenVerifier(issuer: issuer, clientID: audience, keys: keys()).verify(
        token.utf8.span, expecting: IDTokenVerifier.Expectation(nonce: nil), at: now)
    },
    Profile(name: "access token") {
      try AccessTokenIssuer(issuer: issuer, signer: signer()).issue(
        subject: "alice", audience: audience, clientID: "client", scopes: ["openid", "read"], validFor: 60, at: now)
    } verify: { token in
      var expected = AccessTokenVerifier.Expectation()
      expected.requiredScopes = ["read"]
      _ = try AccessTokenVerifier(issuer: issuer, audience: audience, keys: keys()).verify(
        token.utf8.span, expecting: expected, at: now)
    },
    Profile(name: "client assertion") {
      try ClientAssertionIssuer(clientID: issuer, signer: signer()).issue(audience: audience, at: now)
    } verify: { token in
      _ = try ClientAssertionVerifier(clientID: issuer, audience: .issuer(audience), keys: keys()).verify(
        token.utf8.span, at: now)
    },
    Profile(name: "DPoP proof") {
      try DPoPProver(key: Keys.key(.es256)).proof(method: "POST", uri: audience, at: now)
    } verify: { token in
      _ = try DPoPVerifier(algorithms: [.es256]).verify([token.utf8], method: "POST", uri: audience, at: now)
    },
    Profile(name: "identity token") {
      let app = try #require(IdentityTokenIssuer(appID: issuer, key: Keys.key(.es256)))
      return try app.issue(externalID: "alice", subscriptions: [IdentitySubscription(.email, "a@b.example")], at: now)
    } verify: { token in
      let verifier = try IdentityTokenVerifier(appID: issuer, keys: [jwk(.es256)])
      let identity = try verifier.verify(token.utf8.span, for: "alice", at: now)
      #expect(identity.subscriptions == [IdentitySubscription(.email, "a@b.example")])
    },
    Profile(name: "request object") {
      try RequestObjectIssuer(clientID: issuer, signer: signer()).issue(
        ["response_type": "code", "scope": "openid", "login_hint": "alice"], issuer: audience, at: now)
    } verify: { token in
      let request = try RequestObjectVerifier(issuer: audience, clientID: issuer, keys: keys()).verify(
        token.utf8.span, at: now)
      #expect(request.responseType == "code")
    },
    Profile(name: "authentication request") {
      try AuthenticationRequestIssuer(clientID: issuer, signer: signer()).issue(
        ["scope": "openid", "login_hint": "alice", "client_id": .string(issuer)], issuer: audience, at: now)
    } verify: { token in
      let request = try AuthenticationRequestVerifier(issuer: audience, clientID: issuer, keys: keys()).verify(
        token.utf8.span, at: now)
      #expect(request.hint == .loginHint("alice"))
    },
    Profile(name: "logout token") {
      try LogoutTokenIssuer(issuer: issuer, signer: signer()).issue(
        clientID: audience, subject: "alice", session: "1", at: now)
    } verify: { token in
      _ = try LogoutTokenVerifier(issuer: issuer, clientID: audience, keys: keys()).verify(token.utf8.span, at: now)
    },
  ]

  @Test func noVerifierTakesAnothersToken() throws {
    #expect(Self.profiles.count == 8)
    var (accepted, refused) = (0, 0)
    for issued in Self.profiles {
      let token = try issued.issue()
      for verifier in Self.profiles {
        let isAccepted = (try? verifier.verify(token)) != nil
        #expect(isAccepted == (issued.name == verifier.name), "\(issued.name) at the verifier of \(verifier.name)")
        if isAccepted { accepted += 1 } else { refused += 1 }
      }
    }
    #expect([accepted, refused] == [8, 56])
  }

  /// The same with everything that a header could say alike: tokens of others, signed again as `typ` `JWT` and without one.
  @Test func noVerifierTakesAnothersClaims() throws {
    var refused = 0
    for issued in Self.profiles {
      let token = try issued.issue().utf8
      let claims = try UnverifiedJWT.decodeWithoutVerifying(token.span).unverifiedClaims
      let key = try JWSSigner(key: Keys.key(.es256), kid: "1")
      for type in [nil, "JWT", "dpop+jwt", "at+jwt", "oauth-authz-req+jwt", "logout+jwt", "client-authentication+jwt"]
        as [UTF8Text?]
      {
        var header: JSONObject = [:]
        header["typ"] = type.map(JSONValue.string)
        let token = try key.signCompact(JSONValue.object(claims).encoded(), header: header)
        for verifier in Self.profiles where verifier.name != issued.name {
          #expect(
            throws: JWTError.self, "\(issued.name) as \(type?.string ?? "none") at the verifier of \(verifier.name)"
          ) { try verifier.verify(token) }
          refused += 1
        }
      }
    }
    #expect(refused == 8 * 7 * 7)
  }

  /// RFC 9101: what a request object must say and may not say.
  @Test func requestObjects() throws {
    let verifier = try RequestObjectVerifier(issuer: "https://as.example", clientID: "c", keys: Self.keys())
    let good: JSONObject = [
      "iss": "c", "aud": "https://as.example", "exp": .number(JSONNumber(now.seconds + 60)), "jti": "1",
      "client_id": "c", "response_type": "code", "redirect_uri": "https://c.example/cb", "scope": "openid read",
      "max_age": .number(JSONNumber(0)),
    ]
    func refusal(_ name: UTF8Text, _ value: JSONValue?) throws -> JWTError? {
      var claims = good
      claims[name] = value
      let token = try Self.signer().sign(claims, type: "oauth-authz-req+jwt", allowMissingExpiration: true)
      return self.refusal { _ = try verifier.verify(token.utf8.span, at: now) }
    }
    let token = try Self.signer().sign(good, type: "oauth-authz-req+jwt")
    let request = try verifier.verify(token.utf8.span, at: now)
    #expect(request.redirectURI == "https://c.example/cb")
    #expect(request.scopes == ["openid", "read"])
    #expect([request.issuer, request.id] == ["c", "1"])
    #expect(request.replayableUntil == now.adding(seconds: 59))
    #expect(request.expiresAt == now.adding(seconds: 60))
    let late = JSONValue.number(JSONNumber(now.seconds + 3601))
    let table: [(UTF8Text, JSONValue?, JWTError.Code, Field)] = [
      ("iss", nil, .missing, "iss"), ("iss", "d", .wrongIssuer, "iss"),
      ("aud", nil, .missing, "aud"), ("aud", ["https://as.example", "x"], .wrongAudience, "aud"),
      ("exp", nil, .missing, "exp"), ("exp", .number(JSONNumber(now.seconds)), .expired, "exp"),
      ("exp", late, .lifetimeTooLong(limit: 3600), "exp"),
      ("nbf", .number(JSONNumber(now.seconds - 3541)), .lifetimeTooLong(limit: 3600), "exp"),
      ("iat", .number(JSONNumber(now.seconds - 3541)), .lifetimeTooLong(limit: 3600), "exp"),
      ("nbf", .number(JSONNumber(now.seconds + 1)), .notYetValid, "nbf"),
      ("iat", .number(JSONNumber(now.seconds + 1)), .issuedInFuture, "iat"),
      ("jti", nil, .missing, "jti"), ("jti", "", .invalidValue, "jti"), ("sub", "c", .unexpected, "sub"),
      ("client_id", nil, .missing, "client_id"), ("client_id", "d", .mismatch, "client_id"),
      ("request", "x", .unexpected, "request"), ("request_uri", "x", .unexpected, "request_uri"),
      ("response_type", nil, .missing, "response_type"), ("response_type", "", .invalidValue, "response_type"),
      ("scope", "two  spaces", .invalidValue, "scope"), ("redirect_uri", 1, .wrongType, "redirect_uri"),
      ("state", ["a"], .wrongType, "state"), ("max_age", "0", .wrongType, "max_age"),
      ("max_age", -1, .invalidValue, "max_age"), ("claims", "x", .wrongType, "claims"),
      ("events", [:], .unexpected, "events"), ("requested_expiry", 1, .unexpected, "requested_expiry"),
    ]
    for (name, value, code, field) in table { expectCode(try refusal(name, value), code, field) }
  }

  /// CIBA Core 1.0, 7.1.1: signed by the client's own key, never by a secret that the server has too.
  @Test func authenticationRequestsAreNotSignedBySecrets() throws {
    let secret = try SharedSecretTests.key()
    let keys = try TrustedKeys(secrets: [SharedSecret(secret)])
    let token = try AuthenticationRequestIssuer(clientID: "c", signer: JWTSigner(key: secret)).issue(
      ["scope": "openid", "login_hint": "alice"], issuer: "i", at: now)
    let verifier = AuthenticationRequestVerifier(issuer: "i", clientID: "c", keys: keys)
    expectCode(refusal { _ = try verifier.verify(token.utf8.span, at: now) }, .algorithmNotAllowed, "alg")
  }

  /// What counts once says by whom it is, which one it is, and how long to remember it: to the second.
  @Test func whatCountsOnceSaysForHowLong() throws {
    func check(_ one: some SingleUseToken, _ accepts: (UnixTime) throws -> Void) throws {
      #expect(!one.id.isEmpty)
      #expect(!one.issuer.isEmpty)
      try accepts(one.replayableUntil)
      #expect(throws: JWTError.self) { try accepts(one.replayableUntil.adding(seconds: 1)) }
    }
    let (key, keys) = (try Self.signer(), try Self.keys())
    let assertion = try ClientAssertionIssuer(clientID: "c", signer: key).issue(audience: "i", at: now)
    let asserts = ClientAssertionVerifier(clientID: "c", audience: .issuer("i"), keys: keys, leeway: 10)
    try check(try asserts.verify(assertion.utf8.span, at: now)) { _ = try asserts.verify(assertion.utf8.span, at: $0) }
    let request = try AuthenticationRequestIssuer(clientID: "c", signer: key).issue(
      ["scope": "openid", "login_hint": "alice"], issuer: "i", at: now)
    let requests = AuthenticationRequestVerifier(issuer: "i", clientID: "c", keys: keys, leeway: 10)
    try check(try requests.verify(request.utf8.span, at: now)) { _ = try requests.verify(request.utf8.span, at: $0) }
    let object = try RequestObjectIssuer(clientID: "c", signer: key).issue(
      ["response_type": "code"], issuer: "i", at: now)
    let objects = RequestObjectVerifier(issuer: "i", clientID: "c", keys: keys, leeway: 10)
    try check(try objects.verify(object.utf8.span, at: now)) { _ = try objects.verify(object.utf8.span, at: $0) }
    let logout = try LogoutTokenIssuer(issuer: "i", signer: key).issue(
      clientID: "c", subject: "alice", session: nil, at: now)
    let logouts = LogoutTokenVerifier(issuer: "i", clientID: "c", keys: keys, leeway: 10)
    try check(try logouts.verify(logout.utf8.span, at: now)) { _ = try logouts.verify(logout.utf8.span, at: $0) }
    let proof = try DPoPProver(key: Keys.key(.es256)).proof(method: "GET", uri: "https://a.example", at: now).utf8
    let dpop = DPoPVerifier(algorithms: [.es256])
    try check(try dpop.verify([proof], method: "GET", uri: "https://a.example", at: now)) {
      _ = try dpop.verify([proof], method: "GET", uri: "https://a.example", at: $0)
    }
  }

  /// Whatever is cut off or flipped is refused.
  @Test(arguments: profiles) func changedTokensAreRefused(_ profile: Profile) throws {
    let token = try profile.issue().utf8
    for count in 0..<token.count {
      #expect(throws: JWTError.self) { try profile.verify(Self.text(Array(token[..<count]))) }
    }
    for index in stride(from: 0, to: token.count, by: 7) {
      var changed = token
      changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      #expect(throws: JWTError.self) { try profile.verify(Self.text(changed)) }
    }
  }

  private static func text(_ bytes: [UInt8]) throws -> UTF8Text {
    let text = UTF8Text(validating: bytes.span)
    return try #require(text)
  }

  private func refusal(_ body: () throws -> Void) -> JWTError? {
    do {
      try body()
      return nil
    } catch {
      return error as? JWTError
    }
  }

  @Test func hashesTieATokenToWhatCameWithIt() throws {
    let token = try IDTokenIssuer(issuer: Self.issuer, signer: Self.signer()).issue(
      subject: "alice", clientID: "client", nonce: "n", validFor: 60, accessToken: "access", code: "code",
      state: "state",
      claims: ["acr": "2"], at: now)
    let verifier = try IDTokenVerifier(issuer: Self.issuer, clientID: "client", keys: Self.keys())
    var expected = IDTokenVerifier.Expectation(nonce: "n")
    expected.accessToken = "access"
    expected.code = "code"
    expected.state = "state"
    expected.requiresHashes = true
    #expect(try verifier.verify(token.utf8.span, expecting: expected, at: now).acr == "2")
    for (path, field) in [
      (\IDTokenVerifier.Expectation.accessToken, "at_hash"), (\.code, "c_hash"), (\.state, "s_hash"),
    ]
      as [(WritableKeyPath<IDTokenVerifier.Expectation, UTF8Text?>, Field)]
    {
      var other = expected
      other[keyPath: path] = "another"
      expectCode(refusal { _ = try verifier.verify(token.utf8.span, expecting: other, at: now) }, .mismatch, field)
    }
    expectCode(
      refusal {
        _ = try verifier.verify(token.utf8.span, expecting: IDTokenVerifier.Expectation(nonce: nil), at: now)
      }, .unexpected, "nonce")
  }

  /// A token that is bound to a key is good with a proof by that key alone.
  @Test func boundTokensNeedTheirProof() throws {
    let prover = try DPoPProver(key: Keys.key(.es256))
    let access = try AccessTokenIssuer(issuer: Self.issuer, signer: Self.signer()).issue(
      subject: "alice", audience: Self.audience, clientID: "client", validFor: 60,
      proofThumbprint: prover.thumbprint, at: now)
    let uri: UTF8Text = "https://b.example/things?page=2"
    let proof = try prover.proof(method: "GET", uri: uri, accessToken: access, nonce: "n", at: now)
    var expected = DPoPVerifier.Expectation()
    expected.accessToken = access
    expected.nonce = "n"
    let dpop = DPoPVerifier(algorithms: [.es256])
    let verified = try dpop.verify([proof.utf8], method: "GET", uri: uri, expecting: expected, at: now)
    #expect(verified.thumbprint == prover.thumbprint)
    let verifier = try AccessTokenVerifier(issuer: Self.issuer, audience: Self.audience, keys: Self.keys())
    var shown = AccessTokenVerifier.Expectation()
    expectCode(refusal { _ = try verifier.verify(access.utf8.span, expecting: shown, at: now) }, .mismatch, "cnf")
    shown.proof = verified
    #expect(try verifier.verify(access.utf8.span, expecting: shown, at: now).clientID == "client")
    let last = now.adding(seconds: 300)
    #expect(verified.replayableUntil == last)
    _ = try dpop.verify([proof.utf8], method: "GET", uri: uri, expecting: expected, at: last)
    expectCode(
      refusal {
        _ = try dpop.verify([proof.utf8], method: "GET", uri: uri, expecting: expected, at: last.adding(seconds: 1))
      }, .tooOld, "iat")
    expectCode(
      refusal { _ = try dpop.verify([proof.utf8, proof.utf8], method: "GET", uri: uri, at: now) }, .notOneProof)
    expectCode(refusal { _ = try dpop.verify([], method: "GET", uri: uri, at: now) }, .notOneProof)
    expectCode(refusal { _ = try prover.proof(method: "GET", uri: "/things", at: now) }, .invalidValue, "htu")
  }

  /// C-29: with `issuer`, the audience is that one string; with `anyOf`, nothing but what is listed.
  @Test func audiencesOfAssertions() throws {
    let endpoints: [UTF8Text] = [Self.audience, "https://b.example/token"]
    func refusal(_ aud: JSONValue, _ audience: ClientAssertionVerifier.Audience) throws -> JWTError? {
      let token = try Self.signer().sign(
        ["iss": "c", "sub": "c", "aud": aud, "exp": .number(JSONNumber(now.seconds + 60)), "jti": "1"])
      let verifier = try ClientAssertionVerifier(clientID: "c", audience: audience, keys: Self.keys())
      return self.refusal { _ = try verifier.verify(token.utf8.span, at: now) }
    }
    let string = JSONValue.string(Self.audience)
    #expect(try refusal(string, .issuer(Self.audience)) == nil)
    #expect(try refusal(string, .anyOf(endpoints)) == nil)
    expectCode(try refusal([string], .issuer(Self.audience)), .wrongType, "aud")
    #expect(try refusal([string, "https://b.example/token"], .anyOf(endpoints)) == nil)
    expectCode(try refusal("https://b.example/token", .issuer(Self.audience)), .wrongAudience, "aud")
    expectCode(try refusal([string, "https://c.example"], .anyOf(endpoints)), .wrongAudience, "aud")
  }

  /// O-15: an identity token that lives for long is refused; only ES256 makes one.
  @Test func identityTokensAreShortLived() throws {
    let issuer = try #require(IdentityTokenIssuer(appID: "app", key: Keys.key(.es256)))
    let verifier = try IdentityTokenVerifier(appID: "app", keys: [jwk(.es256)])
    let day = try issuer.issue(externalID: "alice", validFor: 86_400, at: now)
    #expect(try verifier.verify(day.utf8.span, for: nil, at: now).externalID == "alice")
    let longer = try issuer.issue(externalID: "alice", validFor: 86_401, at: now)
    expectCode(
      refusal { _ = try verifier.verify(longer.utf8.span, for: nil, at: now) }, .lifetimeTooLong(limit: 86_400), "exp")
    #expect(try IdentityTokenIssuer(appID: "app", key: Keys.key(.edDSA)) == nil)
    #expect(throws: TrustedIssuerError.self) { try IdentityTokenVerifier(appID: "app", keys: [jwk(.es384)]) }
  }

  @Test func issuersKeepTheirOwnClaims() throws {
    let signer = try Self.signer()
    for name: UTF8Text in ["iss", "nonce", "at_hash", "events"] {
      var claims: JSONObject = [:]
      claims[name] = "x"
      #expect(throws: JWTError.self) {
        try IDTokenIssuer(issuer: "i", signer: signer).issue(
          subject: "s", clientID: "c", nonce: nil, validFor: 60, claims: claims, at: now)
      }
    }
    #expect(throws: JWTError.self) {
      try AuthenticationRequestIssuer(clientID: "c", signer: signer).issue(["sub": "s"], issuer: "i", at: now)
    }
    for name: UTF8Text in ["sub", "request", "client_id", "jti"] {
      var parameters: JSONObject = ["response_type": "code"]
      parameters[name] = "x"
      #expect(throws: JWTError.self) {
        try RequestObjectIssuer(clientID: "c", signer: signer).issue(parameters, issuer: "i", at: now)
      }
    }
    #expect(throws: JWTError.self) {
      try RequestObjectIssuer(clientID: "c", signer: signer).issue(["scope": "openid"], issuer: "i", at: now)
    }
    #expect(throws: JWTError.self) {
      try AccessTokenIssuer(issuer: "i", signer: signer).issue(
        subject: "s", audience: "a", clientID: "c", scopes: ["two words"], validFor: 60, at: now)
    }
    #expect(throws: JWTError.self) {
      try LogoutTokenIssuer(issuer: "i", signer: signer).issue(clientID: "c", subject: nil, session: nil, at: now)
    }
  }
}
