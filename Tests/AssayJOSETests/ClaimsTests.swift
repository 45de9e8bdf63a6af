import AssayCodec
import AssayCrypto
import AssayJOSE
import Testing

/// Claims: each case changes one of claims that are accepted, or one thing of the policy.
struct ClaimsTests {
  @Test(arguments: ["exp", "nbf", "iat"] as [UTF8Text]) func datesAreNumbersInRange(_ name: UTF8Text) throws {
    for value: JSONValue in [.null, true, "1700003600", "", [], [1_700_003_600], [:]] {
      #expect(try refusal { $0.claims[name] = value }?.code == .wrongType)
    }
    for text in [
      "-1", "-0.5", "-1e300", "253402300800", "253402300799.5", "1e12", "9223372036854775807", "9223372036854775808",
      "18446744073709551615", "1e300",
    ] {
      expectCode(
        try refusal { $0.claimsText = "{\"\(name.string)\":\(text)}" }, .dateOutOfRange, Self.field(name))
    }
    // The issuer is looked at after the types, so nothing before it is wrong.
    expectCode(try refusal { $0.claimsText = "{\"\(name.string)\":253402300799}" }, .missing, "iss")
  }

  private static func field(_ name: UTF8Text) -> Field? {
    switch name {
    case "exp": "exp"
    case "nbf": "nbf"
    case "iat": "iat"
    default: nil
    }
  }

  @Test(
    arguments: [
      ("1700000001", nil), ("1700000000.5", nil), ("1.7000036e9", nil), ("253402300799", nil), ("253402300799.0", nil),
      ("1700000000", .expired), ("1699999999.9", .expired), ("1699999999", .expired), ("0", .expired), ("-0", .expired),
      ("-0.0", .expired),
    ] as [(String, JWTError.Code?)]) func expiry(_ text: String, _ code: JWTError.Code?) throws
  {
    let error = try refusal { $0.claimsText = #"{"iss":"https://id.example","aud":"api","exp":"# + text + "}" }
    expectCode(error, code, code == nil ? nil : "exp")
  }

  @Test func expIsRequiredUnlessAllowedToBeMissing() throws {
    expectCode(try refusal { $0.claims["exp"] = nil }, .missing, "exp")
    let lenient = try issuer { $0.allowMissingExpiration = true }
    expectCode(try refusal(by: lenient) { $0.claims["exp"] = nil }, nil)
    expectCode(try refusal(by: lenient) { $0.claims["exp"] = .null }, .wrongType, "exp")
    expectCode(try refusal(by: lenient) { $0.claims["exp"] = 1 }, .expired, "exp")
  }

  @Test func timesAreComparedToTheSecondAndWithinTheLeeway() throws {
    for leeway: Int64 in [0, 1, 300] {
      let issuer = try issuer { $0.leeway = leeway }
      let exp = now.seconds - leeway
      expectCode(try refusal(by: issuer) { $0.claims["exp"] = .number(JSONNumber(exp + 1)) }, nil)
      expectCode(try refusal(by: issuer) { $0.claims["exp"] = .number(JSONNumber(exp)) }, .expired, "exp")
      let later = now.seconds + leeway
      expectCode(try refusal(by: issuer) { $0.claims["nbf"] = .number(JSONNumber(later)) }, nil)
      expectCode(try refusal(by: issuer) { $0.claims["nbf"] = .number(JSONNumber(later + 1)) }, .notYetValid, "nbf")
      expectCode(try refusal(by: issuer) { $0.claims["iat"] = .number(JSONNumber(later)) }, nil)
      expectCode(try refusal(by: issuer) { $0.claims["iat"] = .number(JSONNumber(later + 1)) }, .issuedInFuture, "iat")
    }
  }

  @Test func leewayIsBounded() throws {
    var policy = JWTPolicy()
    #expect(policy.leeway == 0)
    for (set, got): (Int64, Int64) in [(-1, 0), (.min, 0), (300, 300), (301, 300), (.max, 300)] {
      policy.leeway = set
      #expect(policy.leeway == got)
    }
  }

  @Test func everyMomentGivesAnAnswer() throws {
    let issuer = try issuer {
      $0.leeway = 300
      $0.maximumAge = .max
    }
    expectCode(try refusal(by: issuer, at: UnixTime(.max)) { _ in }, .expired, "exp")
    expectCode(try refusal(by: issuer, at: UnixTime(.min)) { _ in }, .issuedInFuture, "iat")
    expectCode(try refusal(by: issuer, at: UnixTime(.min)) { $0.claims["nbf"] = 0 }, .notYetValid, "nbf")
    for age: Int64 in [.min, -1] {
      let issuer = try AssayJOSETests.issuer { $0.maximumAge = age }
      expectCode(try refusal(by: issuer) { _ in }, .tooOld, "iat")
    }
  }

  @Test func aMaximumAgeNeedsIat() throws {
    let issuer = try issuer { $0.maximumAge = 60 }
    expectCode(try refusal(by: issuer, at: UnixTime(now.seconds + 60)) { _ in }, nil)
    expectCode(try refusal(by: issuer, at: UnixTime(now.seconds + 61)) { _ in }, .tooOld, "iat")
    expectCode(try refusal(by: issuer) { $0.claims["iat"] = nil }, .missing, "iat")
    let lenient = try AssayJOSETests.issuer {
      $0.maximumAge = 60
      $0.leeway = 10
    }
    expectCode(try refusal(by: lenient, at: UnixTime(now.seconds + 70)) { _ in }, nil)
    expectCode(try refusal(by: lenient, at: UnixTime(now.seconds + 71)) { _ in }, .tooOld, "iat")
  }

  @Test(arguments: [
    "https://id.example/", "https://id.exampl", "HTTPS://id.example", "https://id.example\u{0}", "", "id.example",
    "https://іd.example",
  ]) func issIsComparedByteForByte(_ name: String) throws {
    expectCode(try refusal { $0.claims["iss"] = .string(UTF8Text(name)) }, .wrongIssuer, "iss")
  }

  @Test func issIsRequiredUnlessAllowedToBeMissing() throws {
    expectCode(try refusal { $0.claims["iss"] = nil }, .missing, "iss")
    let lenient = try issuer { $0.allowMissingIssuer = true }
    expectCode(try refusal(by: lenient) { $0.claims["iss"] = nil }, nil)
    expectCode(try refusal(by: lenient) { $0.claims["iss"] = "other" }, .wrongIssuer, "iss")
    expectCode(try refusal(by: lenient) { $0.claims["iss"] = .null }, .wrongType, "iss")
  }

  @Test func textsThatLookTheSameAreNotTheSame() throws {
    let composed = try issuer("caf\u{E9}", audience: "caf\u{E9}")
    let claims: JSONObject = ["iss": "caf\u{E9}", "aud": "caf\u{E9}", "exp": 1_700_003_600]
    expectCode(try refusal(by: composed) { $0.claims = claims }, nil)
    for name: UTF8Text in ["iss", "aud"] {
      #expect(
        try refusal(by: composed) {
          $0.claims = claims
          $0.claims[name] = "cafe\u{301}"
        }?.step == .claims)
    }
  }

  @Test func audIsOneStringOrSeveral() throws {
    for value: JSONValue in ["api", ["api"], ["other", "api"], ["api", "api"]] {
      expectCode(try refusal { $0.claims["aud"] = value }, nil)
    }
    for value: JSONValue in ["other", "", "ap", "api.example", "API", "other,api", "api\u{0}", ["other"], [""]] {
      expectCode(try refusal { $0.claims["aud"] = value }, .wrongAudience, "aud")
    }
    for value: JSONValue in [.null, 1, true, [], [["api"]], ["api", 1], ["api", .null], ["api": true]] {
      expectCode(try refusal { $0.claims["aud"] = value }, .wrongType, "aud")
    }
    expectCode(try refusal { $0.claims["aud"] = nil }, .missing, "aud")
  }

  @Test func anAudienceThatNoOneExpectsIsRefused() throws {
    let issuer = try issuer(audience: nil)
    expectCode(try refusal(by: issuer) { $0.claims["aud"] = nil }, nil)
    expectCode(try refusal(by: issuer) { _ in }, .unexpectedAudience, "aud")
    expectCode(try refusal(by: issuer) { $0.claims["aud"] = "" }, .unexpectedAudience, "aud")
    expectCode(try refusal(by: issuer) { $0.claims["aud"] = [] }, .wrongType, "aud")
  }

  @Test(arguments: ["iss", "sub", "jti"] as [UTF8Text]) func namesAreStrings(_ name: UTF8Text) throws {
    for value: JSONValue in [.null, 1, true, [], ["alice"], [:]] {
      #expect(try refusal { $0.claims[name] = value }?.code == .wrongType)
    }
  }

  @Test func requiredClaimsMustBeThere() throws {
    let issuer = try issuer { $0.requiredClaims = ["sub", "role"] }
    expectCode(try refusal(by: issuer) { $0.claims["role"] = .null }, nil)
    expectCode(try refusal(by: issuer) { _ in }, .requiredClaimMissing("role"))
    expectCode(
      try refusal(by: issuer) {
        $0.claims["role"] = "admin"
        $0.claims["sub"] = nil
      }, .requiredClaimMissing("sub"))
  }

  @Test(arguments: [
    ("", CodecError.Code.truncated), (#"{"exp":1,"exp":1700003600}"#, .duplicateKey),
    (#"{"exp":1700003600,"x":[{"a":1,"\u0061":2}]}"#, .duplicateKey), (#"{"exp":NaN}"#, .invalidCharacter),
    (#"{"exp":1e400}"#, .numberOutOfRange), (#"{"exp":1700003600}}"#, .trailingBytes),
  ]) func claimsAreStrictJSON(_ text: String, _ code: CodecError.Code) throws {
    let error = try refusal { $0.claimsText = text }
    #expect(error?.malformation == code)
    #expect(error?.step == .claims)
  }

  @Test(arguments: ["[]", #""exp""#, "null", "1700003600"]) func claimsAreAnObject(_ text: String) throws {
    expectCode(try refusal { $0.claimsText = text }, .notAnObject, "claims")
  }

  @Test func theResultHoldsWhatWasSigned() throws {
    let token = try Sample {
      $0.claims["aud"] = ["other", "api"]
      $0.claims["nbf"] = 1_699_999_999
      $0.claims["jti"] = "1"
      $0.claimsText = nil
      $0.header["kid"] = "a"
    }.token()
    let issuer = try TrustedIssuer(
      "https://id.example", keys: [jwk(.edDSA, kid: "a")], algorithms: [.edDSA], audience: "api")
    let jwt = try JWTVerifier(issuer).verify(token, at: now)
    #expect(jwt.issuer == "https://id.example")
    #expect(jwt.subject == "alice")
    #expect(jwt.audience == ["other", "api"])
    #expect(jwt.expiresAt == UnixTime(1_700_003_600))
    #expect(jwt.notBefore == UnixTime(1_699_999_999))
    #expect(jwt.issuedAt == now)
    #expect(jwt.id == "1")
    #expect(jwt.algorithm == .signature(.edDSA))
    #expect(jwt.keyID == "a")
    #expect(jwt.header == ["alg": "EdDSA", "typ": "JWT", "kid": "a"])
    #expect(jwt.claims["sub"] == "alice")
  }
}
