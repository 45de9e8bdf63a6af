import AssayCodec
import AssayCrypto
import AssayJOSE
import Testing

/// What hostile makers write into tokens of each profile: everything is signed by the right key.
struct HostileProfileTests {
  /// The token that the profile issues, with one claim replaced by JSON text and the header changed.
  private static func token(
    _ profile: ProfileTests.Profile, _ claim: UTF8Text? = nil, _ value: String = "", more: String = "",
    header change: (inout JSONObject) -> Void = { _ in }
  ) throws -> UTF8Text {
    let text = try profile.issue().utf8
    let issued = try UnverifiedJWT.decodeWithoutVerifying(text.span)
    var (header, claims) = (issued.unverifiedHeader, issued.unverifiedClaims)
    change(&header)
    var payload = "{"
    if let claim {
      claims[claim] = nil
      payload += "\"\(claim.string)\":\(value),"
    }
    payload += more
    payload += String(decoding: JSONValue.object(claims).encoded().dropFirst(), as: UTF8.self)
    let token = try signed(
      header: JSONValue.object(header).encoded(), payload: Array(payload.utf8), with: Keys.key(.es256))
    return UTF8Text(String(decoding: token, as: UTF8.self))
  }

  /// A registered claim of the wrong type or out of range is refused by every profile, whether it needs the claim or not.
  @Test(arguments: ProfileTests.profiles) func registeredClaims(_ profile: ProfileTests.Profile) throws {
    try profile.verify(try Self.token(profile))
    let strings = ["1", "null", "true", "[]", "{}", #"["x"]"#, #""\ud800""#, #""\udc00\ud800""#, "\"\u{0}\"", #""a"#]
    let dates = [
      "null", "true", "[]", "{}", #""1700000000""#, "-1", "-0.5", "-1e308", "1e400", "-1e400", "1e308",
      "253402300800", "99999999999999999999", "NaN", "Infinity", "1.", "+1", "01", "[1700000000]",
    ]
    let audiences = [
      "1", "null", "[]", "{}", "[null]", #"[["https://b.example"]]"#, #"["https://b.example",1]"#,
      #"["https://b.example",["https://b.example"]]"#, #"{"0":"https://b.example"}"#,
    ]
    for (claim, texts) in [
      ("iss", strings), ("sub", strings), ("jti", strings), ("exp", dates), ("nbf", dates), ("iat", dates),
      ("aud", audiences),
    ] as [(UTF8Text, [String])] {
      for text in texts {
        #expect(throws: JWTError.self, "\(claim.string): \(text)") {
          try profile.verify(try Self.token(profile, claim, text))
        }
      }
    }
  }

  @Test(arguments: ProfileTests.profiles) func whatIsThereTwice(_ profile: ProfileTests.Profile) throws {
    let text = try profile.issue().utf8
    let claims = try UnverifiedJWT.decodeWithoutVerifying(text.span).unverifiedClaims
    for member in claims.members {
      let first = try #require(member.name.utf8.first)
      let escaped =
        "\"\\u00\(String(first, radix: 16))\(String(decoding: member.name.utf8.dropFirst(), as: UTF8.self))\""
      let value = String(decoding: member.value.encoded(), as: UTF8.self)
      for name in ["\"\(member.name.string)\"", escaped] {
        #expect(throws: JWTError.self) { try profile.verify(try Self.token(profile, more: "\(name):\(value),")) }
      }
    }
  }

  /// A `typ` that is not the one is none, however near it comes.
  @Test(arguments: ProfileTests.profiles) func types(_ profile: ProfileTests.Profile) throws {
    for type in [
      "AT+JWT", "at+jwt ", " at+jwt", "at+jwt\u{0}", "application/at+jwt;v=1", "APPLICATION/AT+JWT", "DPOP+JWT",
      "application/dpop+jwt", "dpop+jwt ", "Logout+JWT", "jwt ", "application/jwt+x", "JWT\u{0}", "", "JWS", "JOSE",
      "\u{FF2A}WT",
    ] as [UTF8Text] {
      #expect(throws: JWTError.self, "\(type.string)") {
        try profile.verify(try Self.token(profile) { $0["typ"] = .string(type) })
      }
    }
    for value in [1, true, ["JWT"], .null, [:]] as [JSONValue] {
      #expect(throws: JWTError.self) { try profile.verify(try Self.token(profile) { $0["typ"] = value }) }
    }
    for (name, value) in [
      ("crit", ["exp"]), ("crit", []), ("b64", false), ("b64", true), ("kid", 1), ("cty", 1), ("alg", "none"),
      ("alg", "es256"), ("alg", "HS256"), ("alg", "ES384"),
    ] as [(UTF8Text, JSONValue)] {
      #expect(throws: JWTError.self, "\(name.string)") {
        try profile.verify(try Self.token(profile) { $0[name] = value })
      }
    }
  }

  /// Large and deep claims that nobody asks for do no harm, and those that are too large or too deep are refused.
  @Test(arguments: ProfileTests.profiles) func largeClaims(_ profile: ProfileTests.Profile) throws {
    try profile.verify(try Self.token(profile, "x", "\"\(String(repeating: "a", count: 40_000))\""))
    for text in [
      "\"\(String(repeating: "a", count: 65_536))\"",
      String(repeating: "[", count: 40) + String(repeating: "]", count: 40),
      String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000), "1e400",
    ] {
      #expect(throws: JWTError.self) { try profile.verify(try Self.token(profile, "x", text)) }
    }
  }

  /// Texts that look alike are not the same: `iss`, `aud`, `nonce`, `azp`, `acr`, `at_hash`.
  @Test func equivalentTexts() throws {
    let (composed, decomposed): (UTF8Text, UTF8Text) = ("\u{E9}", "e\u{301}")
    let keys = try TrustedKeys([jwk(.es256)], algorithms: [.es256])
    let good: JSONObject = [
      "iss": .string(composed), "aud": .string(composed), "azp": .string(composed), "nonce": .string(composed),
      "acr": .string(composed), "sub": "alice", "exp": .number(JSONNumber(now.seconds + 60)),
      "iat": .number(JSONNumber(now.seconds)),
    ]
    var expected = IDTokenVerifier.Expectation(nonce: composed)
    expected.acrValues = [composed]
    let verifier = IDTokenVerifier(issuer: composed, clientID: composed, keys: keys)
    func verify(_ claims: JSONObject) throws {
      let token = try JWTSigner(key: Keys.key(.es256)).sign(claims)
      _ = try verifier.verify(token.utf8.span, expecting: expected, at: now)
    }
    try verify(good)
    for name in ["iss", "aud", "azp", "nonce", "acr"] as [UTF8Text] {
      var claims = good
      claims[name] = .string(decomposed)
      #expect(throws: JWTError.self, "\(name.string)") { try verify(claims) }
    }
  }

  /// The key in the header of a proof: public, of the right kind and on its curve.
  @Test func keysOfProofs() throws {
    let profile = try #require(ProfileTests.profiles.first { $0.name == "DPoP proof" })
    let numbers = try Keys.key(.es256).verificationKey.numbers
    let good = JWK(numbers).json
    let small = JWK(try Keys.key(.es384).verificationKey.numbers).json
    var keys: [JSONValue?] = [nil, "x", [:], [.object(good)], .null, .object(small)]
    for (name, value) in [
      ("d", good["x"]), ("kty", "oct"), ("kty", "RSA"), ("crv", "P-384"), ("use", "enc"), ("key_ops", ["sign"]),
      ("alg", "ES384"), ("x", good["y"]), ("y", nil), ("x", "AA"), ("p", "AA"),
    ] as [(UTF8Text, JSONValue?)] {
      var key = good
      key[name] = value
      keys.append(.object(key))
    }
    keys.append(["kty": "oct", "k": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"])
    var accepted: [Int] = []
    for (index, key) in keys.enumerated() {
      let token = try Self.token(profile) { $0["jwk"] = key }
      if (try? profile.verify(token)) != nil { accepted.append(index) }
    }
    #expect(accepted.isEmpty, "\(accepted)")
    try profile.verify(try Self.token(profile) { $0["jwk"] = .object(good) })
  }

  /// Points of small order: with them, signatures are made without a private key.
  @Test func keysOfSmallOrder() throws {
    for x in [
      "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
      "7P________________________________________38",
    ] as [UTF8Text] {
      let header: JSONObject = [
        "typ": "dpop+jwt", "alg": "EdDSA", "jwk": ["kty": "OKP", "crv": "Ed25519", "x": .string(x)],
      ]
      let claims: JSONObject = [
        "htm": "GET", "htu": "https://a.example", "iat": .number(JSONNumber(now.seconds)), "jti": "1",
      ]
      let signature = [1] + [UInt8](repeating: 0, count: 63)
      let parts = [JSONValue.object(header).encoded(), JSONValue.object(claims).encoded(), signature]
      let token = parts.map { Base64URL.encode($0.span).string }.joined(separator: ".")
      #expect(throws: JWTError.self) {
        try DPoPVerifier(algorithms: [.edDSA]).verify(
          [Array(token.utf8)], method: "GET", uri: "https://a.example", at: now)
      }
    }
  }

  @Test func targets() throws {
    let dpop = DPoPVerifier(algorithms: [.es256])
    func fits(_ htu: UTF8Text, _ uri: UTF8Text) throws -> Bool {
      let claims: JSONObject = [
        "htm": "GET", "htu": .string(htu), "iat": .number(JSONNumber(now.seconds)), "jti": "1",
      ]
      let token = try JWSSigner(key: Keys.key(.es256)).signCompact(
        JSONValue.object(claims).encoded(),
        header: ["typ": "dpop+jwt", "jwk": .object(JWK(Keys.key(.es256).verificationKey.numbers).json)])
      return (try? dpop.verify([token.utf8], method: "GET", uri: uri, at: now)) != nil
    }
    for (htu, uri) in [
      ("https://a.example", "https://a.example/"), ("HTTPS://A.example:443/%7ex", "https://a.example/~x"),
      ("https://a.example/a/./b/../c", "https://a.example/a/c"),
      ("https://[2001:DB8::1]:443/", "https://[2001:db8::1]"),
      ("https://a.example/%2f", "https://a.example/%2F"), ("https://a.example/x?q#f", "https://a.example/x"),
      ("https://a.example/a/%2e%2E/c", "https://a.example/c"), ("https://a.example/..", "https://a.example"),
    ] as [(UTF8Text, UTF8Text)] {
      #expect(try fits(htu, uri), "\(htu.string)")
      #expect(try fits(uri, htu), "\(htu.string)")
    }
    for (htu, uri) in [
      ("https://a.example@b.example/", "https://b.example/"), ("https://u:p@a.example/", "https://u:p@a.example/"),
      ("http://a.example/", "https://a.example/"), ("https://a.example:8443/", "https://a.example/"),
      ("https://a.example/%2f", "https://a.example//"), ("https://a.example/a%2f..%2fb", "https://a.example/b"),
      ("https://a.example./", "https://a.example/"), ("https://a.example\\@b/", "https://a.example\\@b/"),
      ("https://%61.example/", "https://a.example/"), ("https://a.example/%6", "https://a.example/%6"),
      ("https://a.example/%zz", "https://a.example/%zz"), ("https://[::1/", "https://[::1/"),
      ("https://[::1]x/", "https://[::1]x/"), ("https://a.example:/x:70000", "https://a.example:70000/x"),
      ("https://a.example:70000/", "https://a.example:70000/"), ("https://a.example:0/", "https://a.example:0/"),
      ("//a.example/", "https://a.example/"), ("/", "/"), ("", ""), ("https://", "https://"),
      ("https:///x", "https:///x"),
      ("https://a.example/é", "https://a.example/é"), ("ftp://a.example/", "ftp://a.example/"),
      ("https://[fe80::1%25en0]/", "https://[fe80::1%25en0]/"), (" https://a.example/", "https://a.example/"),
      ("https://a.example/A", "https://a.example/a"), ("https://a.example/a/", "https://a.example/a"),
    ] as [(UTF8Text, UTF8Text)] {
      #expect(try !fits(htu, uri), "\(htu.string)")
    }
  }

  /// RFC 9449, 7.1: a proof is for the token it comes with, whatever the caller forgot to ask of it.
  @Test func proofsAreForTheirToken() throws {
    let prover = try DPoPProver(key: Keys.key(.es256))
    let issuer = AccessTokenIssuer(issuer: "i", signer: JWTSigner(key: try Keys.key(.es256)))
    func access(_ thumbprint: UTF8Text?) throws -> UTF8Text {
      try issuer.issue(
        subject: "alice", audience: "a", clientID: "c", validFor: 60, proofThumbprint: thumbprint, at: now)
    }
    let verifier = AccessTokenVerifier(
      issuer: "i", audience: "a", keys: try TrustedKeys([jwk(.es256)], algorithms: [.es256]))
    func refusal(_ token: UTF8Text, proofFor named: UTF8Text?) throws -> JWTError? {
      let proof = try prover.proof(method: "GET", uri: "https://a.example", accessToken: named, at: now)
      var expected = AccessTokenVerifier.Expectation()
      expected.proof = try DPoPVerifier(algorithms: [.es256]).verify(
        [proof.utf8], method: "GET", uri: "https://a.example", at: now)
      do {
        _ = try verifier.verify(token.utf8.span, expecting: expected, at: now)
        return nil
      } catch { return error }
    }
    let (token, other) = (try access(prover.thumbprint), try access(prover.thumbprint))
    #expect(try refusal(token, proofFor: token) == nil)
    expectCode(try refusal(token, proofFor: nil), .missing, "ath")
    expectCode(try refusal(token, proofFor: other), .mismatch, "ath")
    let foreign = try access("0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
    expectCode(try refusal(foreign, proofFor: foreign), .mismatch, "cnf")
    let bearer = try access(nil)
    expectCode(try refusal(bearer, proofFor: bearer), .mismatch, "cnf")
  }

  /// O-5, O-8, O-15: the lifetime counts from `iat` too; identity and subscriptions have their types.
  @Test func identityTokens() throws {
    let profile = try #require(ProfileTests.profiles.first { $0.name == "identity token" })
    func code(_ claim: UTF8Text, _ text: String) throws -> JWTError.Code? {
      let token = try Self.token(profile, claim, text)
      do {
        try profile.verify(token)
        return nil
      } catch { return (error as? JWTError)?.code }
    }
    #expect(try code("iat", "\(now.seconds + 3600 - 86_400)") == nil)
    #expect(try code("iat", "\(now.seconds + 3599 - 86_400)") == .lifetimeTooLong(limit: 86_400))
    #expect(try code("nbf", "\(now.seconds + 3599 - 86_400)") == .lifetimeTooLong(limit: 86_400))
    #expect(try code("identity", "[]") == .wrongType)
    #expect(try code("identity", #"{"external_id":["alice"]}"#) == .wrongType)
    #expect(try code("identity", #"{"external_id":"Alice"}"#) == .mismatch)
    #expect(try code("subscriptions", "null") == .wrongType)
    #expect(try code("subscriptions", #"[{"type":"email","token":"a@b.example"}]"#) == .invalidValue)
  }

  /// The client's clock may be ahead: what it makes for the whole time allowed is accepted within the leeway.
  @Test func lifetimesAllowForClocks() throws {
    let token = try ClientAssertionIssuer(clientID: "c", signer: JWTSigner(key: Keys.key(.es256))).issue(
      audience: "i", validFor: 300, at: now.adding(seconds: 10))
    let keys = try TrustedKeys([jwk(.es256)], algorithms: [.es256])
    for (leeway, isAccepted) in [(10, true), (9, false)] as [(Int64, Bool)] {
      let verifier = ClientAssertionVerifier(clientID: "c", audience: .issuer("i"), keys: keys, leeway: leeway)
      #expect(((try? verifier.verify(token.utf8.span, at: now)) != nil) == isAccepted)
    }
  }

  /// What its own verifier would refuse is not issued.
  @Test(arguments: ["", "é", "a\u{0}", "a\u{7F}", String(repeating: "a", count: 256)])
  func subjectsOfIDTokens(_ subject: String) throws {
    #expect(throws: JWTError.self) {
      try IDTokenIssuer(issuer: "i", signer: JWTSigner(key: Keys.key(.es256))).issue(
        subject: UTF8Text(subject), clientID: "c", nonce: "n", validFor: 60, at: now)
    }
  }
}
