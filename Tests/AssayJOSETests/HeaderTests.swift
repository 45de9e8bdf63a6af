import AssayCodec
import AssayCrypto
import AssayJOSE
import Testing

/// Header parameters: each case changes one of a header that is accepted.
struct HeaderTests {
  @Test func theSampleIsAccepted() throws {
    expectCode(try refusal { _ in }, nil)
  }

  @Test(arguments: ["none", "None", "NONE", "nOnE"]) func unsecuredTokensAreRefused(_ name: String) throws {
    expectCode(try refusal { $0.header["alg"] = .string(UTF8Text(name)) }, .unsecured, "alg")
  }

  @Test(arguments: ["", "none ", "ES256 ", "es256", "HS1", "ESP256", "ES257", "ed25519", "\u{0}"])
  func unknownAlgorithmsAreRefused(_ name: String) throws {
    expectCode(try refusal { $0.header["alg"] = .string(UTF8Text(name)) }, .algorithmUnsupported, "alg")
  }

  @Test func theAlgorithmMustBeAnAllowedOne() throws {
    let only = try TrustedIssuer("https://id.example", keys: [jwk(.edDSA)], algorithms: [.edDSA], audience: "api")
    expectCode(try refusal(by: only) { _ in }, nil)
    expectCode(try refusal(by: only) { $0.header["alg"] = "ES256" }, .algorithmNotAllowed, "alg")
  }

  @Test(arguments: ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"]) func mlDSAIsKnownAndRefused(_ name: UTF8Text) throws {
    let error = try refusal { $0.header["alg"] = .string(name) }
    expectCode(error, .mlDSAUnsupported, "alg")
    #expect(error?.step == .algorithm)
  }

  /// RFC 9864 has names that say the curve. They are other names, though the signature is the same.
  @Test func eachNameOfEdDSAIsItsOwn() throws {
    let key = try Keys.key(.edDSA)
    let names: [SignatureAlgorithm] = [.edDSA, .ed25519]
    for allowed in names {
      let only = try TrustedIssuer(
        "https://id.example", keys: [JWK(key.verificationKey.numbers)], algorithms: [allowed], audience: "api")
      for name in names {
        expectCode(
          try refusal(by: only) { $0.header["alg"] = .string(name.joseName) },
          name == allowed ? nil : .algorithmNotAllowed, name == allowed ? nil : "alg")
      }
    }
    let both = try TrustedIssuer(
      "https://id.example", keys: [jwk(.ed448), jwk(.edDSA)], algorithms: [.edDSA, .ed448], audience: "api")
    for (algorithm, name, expected) in [
      (SignatureAlgorithm.ed448, "EdDSA" as UTF8Text, nil), (.ed448, "Ed448", nil), (.edDSA, "EdDSA", nil),
      (.edDSA, "Ed448", .invalidSignature), (.edDSA, "Ed25519", .algorithmNotAllowed),
    ] as [(SignatureAlgorithm, UTF8Text, JWTError.Code?)] {
      let refused = try refusal(by: both) {
        $0.algorithm = algorithm
        $0.header["alg"] = .string(name)
      }
      #expect(refused?.code == expected, "\(algorithm) as \(name.string)")
    }
  }

  /// What only COSE has another name for is, in JOSE, the algorithm that it has always been.
  @Test func allowingANameOfCOSEAloneAllowsTheOneOfJOSE() throws {
    let keys = try TrustedKeys([jwk(.es256)], algorithms: [.esp256])
    #expect(keys.algorithms == [.signature(.es256)])
    let token = try JWTSigner(key: Keys.key(.es256)).sign(Sample().claims)
    _ = try JWS.verifyCompact(token.utf8.span, keys: keys)
  }

  @Test func aSignatureUnderAnotherAlgorithmsNameIsRefused() throws {
    expectCode(try refusal { $0.header["alg"] = "ES256" }, .invalidSignature)
  }

  @Test(arguments: ["alg", "typ", "kid", "cty"] as [UTF8Text])
  func parametersMustBeStrings(_ name: UTF8Text) throws {
    for value: JSONValue in [.null, 1, true, [], ["EdDSA"], [:]] {
      #expect(try refusal { $0.header[name] = value }?.code == .wrongType)
    }
  }

  @Test func theAlgorithmMustBePresent() throws {
    expectCode(try refusal { $0.header["alg"] = nil }, .missing, "alg")
  }

  @Test func noExtensionIsUnderstood() throws {
    for value: JSONValue in [
      ["exp"], ["b64"], ["alg"], ["a", "a"], [], .null, false, "exp", [1], ["a", .null], [:],
    ] {
      expectCode(try refusal { $0.header["crit"] = value }, .extensionNotUnderstood, "crit")
    }
    for value: JSONValue in [true, false, .null, "false"] {
      expectCode(try refusal { $0.header["b64"] = value }, .extensionNotUnderstood, "b64")
    }
  }

  @Test func unknownParametersAreIgnored() throws {
    expectCode(try refusal { $0.header["x"] = ["y": [1, 2, 3]] }, nil)
    for name: UTF8Text in ["jwk", "jku", "x5u", "x5c", "x5t", "x5t#S256"] {
      expectCode(try refusal { $0.header[name] = "https://attacker.example" }, nil)
    }
  }

  @Test func aKeyInTheHeaderIsNotUsed() throws {
    let attacker = try SigningKey.generate(.edDSA)
    guard case .edwards(_, let x) = attacker.verificationKey.numbers else { return #expect(Bool(false)) }
    let header: JSONValue = [
      "alg": "EdDSA", "jwk": ["kty": "OKP", "crv": "Ed25519", "x": .string(Base64URL.encode(x.span))],
    ]
    let token = try signed(
      header: header.encoded(), payload: JSONValue.object(Sample().claims).encoded(), with: attacker)
    expectCode(try refusal(token), .invalidSignature)
  }

  @Test(
    arguments: [
      (nil, true), ("JWT", true), ("jwt", true), ("application/jwt", true), ("APPLICATION/JWT", true),
      ("at+jwt", false),
      ("", false), ("JWT ", false), ("x/JWT", false), ("application/", false), ("application/a/jwt", false),
    ] as [(UTF8Text?, Bool)]) func typIsAbsentOrJWT(_ type: UTF8Text?, _ accepted: Bool) throws
  {
    expectCode(
      try refusal { $0.header["typ"] = type.map(JSONValue.string) }, accepted ? nil : .wrongTokenType,
      accepted ? nil : "typ")
  }

  @Test func anExpectedTypMustBeThere() throws {
    for expected: UTF8Text in ["at+jwt", "application/at+jwt"] {
      let issuer = try issuer { $0.type = expected }
      for type: JSONValue in ["at+jwt", "AT+JWT", "application/at+jwt"] {
        expectCode(try refusal(by: issuer) { $0.header["typ"] = type }, nil)
      }
      expectCode(try refusal(by: issuer) { $0.header["typ"] = "JWT" }, .wrongTokenType, "typ")
      expectCode(try refusal(by: issuer) { $0.header["typ"] = nil }, .missing, "typ")
    }
  }

  @Test func applicationStandsOnlyBeforeANameWithoutSlash() throws {
    let issuer = try issuer { $0.type = "a/jwt" }
    expectCode(try refusal(by: issuer) { $0.header["typ"] = "A/JWT" }, nil)
    expectCode(try refusal(by: issuer) { $0.header["typ"] = "application/a/jwt" }, .wrongTokenType, "typ")
  }

  @Test func nestedTokensAreRefused() throws {
    for type: JSONValue in ["JWT", "jwt", "application/jwt"] {
      expectCode(try refusal { $0.header["cty"] = type }, .nested, "cty")
    }
    expectCode(try refusal { $0.header["cty"] = "json" }, nil)
  }

  @Test(arguments: [#"["EdDSA"]"#, #""EdDSA""#, "null", "1", "true"]) func theHeaderMustBeAnObject(_ text: String)
    throws
  {
    expectCode(try refusal { $0.headerText = text }, .notAnObject, "header")
  }

  @Test(arguments: [
    ("", CodecError.Code.truncated), ("{", .truncated), (#"{"alg":"EdDSA"} x"#, .trailingBytes),
    (#"{"alg":"none","alg":"EdDSA"}"#, .duplicateKey), (#"{"\u0061lg":"none","alg":"EdDSA"}"#, .duplicateKey),
    (#"{"alg":"EdDSA","x":{"a":1,"a":2}}"#, .duplicateKey), ("\u{FEFF}" + #"{"alg":"EdDSA"}"#, .invalidCharacter),
    (#"{"alg":"EdDSA","x":"# + String(repeating: "[", count: 32), .tooDeep),
  ]) func theHeaderIsStrictJSON(_ text: String, _ code: CodecError.Code) throws {
    let error = try refusal { $0.headerText = text }
    #expect(error?.malformation == code)
    #expect(error?.step == .header)
  }
}
