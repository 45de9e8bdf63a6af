import AssayCodec
import AssayCrypto
import AssayJOSE
import Testing

/// Tokens we make, and that our verifier accepts what our signer signs.
struct SigningTests {
  private let claims = Sample().claims

  @Test(arguments: SignatureAlgorithm.allCases) func weAcceptWhatWeSign(_ algorithm: SignatureAlgorithm) throws {
    let key = try Keys.key(algorithm)
    let token = try JWTSigner(key: key, kid: "k").sign(claims)
    #expect(try JWS.verifyCompact(token.utf8.span, key: key.verificationKey).keyID == nil)
    let jwt = try JWTVerifier(issuer()).verify(token, at: now)
    #expect(jwt.claims == claims)
    #expect(jwt.algorithm.joseName == algorithm.joseName)
    #expect(jwt.header["alg"] == .string(algorithm.joseName))
    #expect(jwt.header.members.map(\.name) == ["alg", "kid", "typ"])
    #expect(try JWTVerifier(issuer()).verify(token.string, at: now) == jwt)
    #expect(try JWTVerifier(issuer()).verify(token.utf8, at: now) == jwt)
  }

  @Test func theTextIsDetermined() throws {
    let token = try JWTSigner(key: Keys.key(.edDSA)).sign(["exp": 1, "a": "/"])
    #expect(token.string.hasPrefix(#"eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJleHAiOjEsImEiOiIvIn0."#))
    #expect(try JWTSigner(key: Keys.key(.edDSA)).sign(["exp": 1, "a": "/"]) == token)
  }

  @Test func aLifetimeSetsIatAndExp() throws {
    let token = try JWTSigner(key: Keys.key(.es256)).sign(
      ["iss": "https://id.example", "aud": "api", "exp": 1], type: "at+jwt", validFor: 60, from: now)
    let verifier = JWTVerifier(try issuer { $0.type = "at+jwt" })
    let jwt = try verifier.verify(token, at: UnixTime(now.seconds + 59))
    #expect(jwt.issuedAt == now)
    #expect(jwt.expiresAt == UnixTime(now.seconds + 60))
    #expect(throws: JWTError.self) { try verifier.verify(token, at: UnixTime(now.seconds + 60)) }
  }

  @Test func whatWeWouldRefuseWeDoNotSign() throws {
    let signer = JWTSigner(key: try Keys.key(.edDSA))
    func code(_ change: (inout JSONObject) -> Void) -> JWTError? {
      var claims = claims
      change(&claims)
      return #expect(throws: JWTError.self) { try signer.sign(claims) }
    }
    expectCode(code { $0["exp"] = nil }, .missing, "exp")
    expectCode(code { $0["exp"] = "1700003600" }, .wrongType, "exp")
    expectCode(code { $0["nbf"] = -1 }, .dateOutOfRange, "nbf")
    expectCode(code { $0["aud"] = [] }, .wrongType, "aud")
    expectCode(code { $0["sub"] = 1 }, .wrongType, "sub")
    expectCode(
      code { $0["x"] = .string(UTF8Text(String(repeating: "x", count: 65_536))) }, .tooLarge(limit: 65_536))
    let deep = (1...32).reduce(JSONValue.null) { value, _ in .array([value]) }
    #expect(code { $0["x"] = deep }?.malformation == .tooDeep)
    expectCode(
      #expect(throws: JWTError.self) { try signer.sign([:], validFor: .max, from: now) }, .dateOutOfRange, "exp")
    _ = try signer.sign([:], allowMissingExpiration: true)
  }

  @Test func oneVerifierServesManyTasks() async throws {
    let verifier = JWTVerifier(try issuer())
    let tokens = try SignatureAlgorithm.allCases.map { try JWTSigner(key: Keys.key($0)).sign(claims) }
    let accepted = try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask {
          var count = 0
          for round in 0..<60 {
            var token = tokens[(task + round) % tokens.count].utf8
            let altered = round % 2 == 1
            if altered { token[token.count - 20] ^= 1 }
            if (try? verifier.verify(token, at: now)) != nil { count += altered ? 1_000_000 : 1 }
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(accepted == 8 * 30)
  }
}

struct UnverifiedJWTTests {
  @Test func nothingIsVerified() throws {
    let token = Array("eyJhbGciOiJub25lIn0.eyJleHAiOiJ4In0.".utf8)
    let jwt = try UnverifiedJWT.decodeWithoutVerifying(token.span)
    #expect(jwt.unverifiedHeader == ["alg": "none"])
    #expect(jwt.unverifiedClaims == ["exp": "x"])
  }

  @Test(arguments: ["", "..", "e30.e30", "e30.W10.", "W10.e30.", "e30.e31.", "a.b.c.d.e"])
  func whatIsNoTokenIsRefused(_ text: String) {
    #expect(throws: JWTError.self) { try UnverifiedJWT.decodeWithoutVerifying(Array(text.utf8).span) }
  }
}

struct ErrorTests {
  @Test func descriptionsSayWhereAndWhat() throws {
    #expect(
      try #require(try refusal { $0.claims["exp"] = 1 }).description == "exp: the token has expired; ask for a new one")
    #expect(
      try #require(try refusal { $0.headerText = #"{"secret":"# }).description
        == "header: it cannot be read: the input ends too early (JSON value, byte 10)")
    #expect(
      try #require(try refusal(Array("e30.e3+.".utf8))).description
        == "payload: it cannot be read: a character that is not allowed here (base64url, byte 6 of the token)")
    #expect(try #require(try refusal { $0.header["alg"] = "ES256" }).description == "the signature is not valid")
  }
}
