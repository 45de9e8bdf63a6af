import AssayCodec
import AssayCrypto
import AssayJOSE
import Testing

/// Which keys may be tried for a token.
struct KeySelectionTests {
  private func issuer(_ keys: [JWK], _ algorithms: [SignatureAlgorithm] = [.edDSA, .es256]) throws -> TrustedIssuer {
    try TrustedIssuer("https://id.example", keys: keys, algorithms: algorithms, audience: "api")
  }

  private func stranger(_ algorithm: SignatureAlgorithm = .edDSA, kid: UTF8Text?) throws -> JWK {
    JWK(try SigningKey.generate(algorithm).verificationKey.numbers, kid: kid)
  }

  @Test func aKidMustNameAKeyByteForByte() throws {
    let issuer = try issuer([jwk(.edDSA, kid: "caf\u{E9}"), stranger(kid: "b")])
    expectCode(try refusal(by: issuer) { _ in }, nil)
    expectCode(try refusal(by: issuer) { $0.header["kid"] = "caf\u{E9}" }, nil)
    for kid in ["cafe\u{301}", "CAF\u{E9}", "caf\u{E9} ", "caf\u{E9}\u{0}", "", "c"] {
      expectCode(try refusal(by: issuer) { $0.header["kid"] = .string(UTF8Text(kid)) }, .unknownKeyID, "kid")
    }
    expectCode(try refusal(by: issuer) { $0.header["kid"] = "b" }, .invalidSignature)
  }

  @Test func aKeyWithoutKidIsTriedIfNoKeyBearsTheName() throws {
    expectCode(try refusal(by: try issuer([jwk(.edDSA)])) { $0.header["kid"] = "a" }, nil)
    let named = try issuer([jwk(.edDSA), stranger(kid: "a")])
    expectCode(try refusal(by: named) { $0.header["kid"] = "a" }, .invalidSignature)
  }

  @Test func theNamedKeyMustFitTheAlgorithm() throws {
    let issuer = try issuer([jwk(.edDSA, kid: "a"), jwk(.es256, kid: "b")])
    expectCode(try refusal(by: issuer) { $0.header["kid"] = "b" }, .noKeyForAlgorithm, "alg")
  }

  @Test func oneNameMayStandForKeysOfDifferentKinds() throws {
    let issuer = try issuer([jwk(.es256, kid: "a"), jwk(.edDSA, kid: "a")])
    expectCode(try refusal(by: issuer) { $0.header["kid"] = "a" }, nil)
  }

  @Test func onlySoManyKeysAreTried() throws {
    var keys = try (1..<TrustedKeys.maximumTries).map { _ in try stranger(kid: nil) }
    keys.append(try jwk(.edDSA, kid: "a"))
    expectCode(try refusal(by: try issuer(keys)) { _ in }, nil)
    keys.append(try stranger(kid: nil))
    expectCode(try refusal(by: try issuer(keys)) { _ in }, .tooManyKeys(limit: TrustedKeys.maximumTries), "kid")
    expectCode(try refusal(by: try issuer(keys)) { $0.header["kid"] = "a" }, nil)
  }

  @Test func eachIssuerHasItsOwnKeysAndRules() throws {
    let other = try TrustedIssuer(
      "https://other.example", keys: [stranger(kid: nil)], algorithms: [.edDSA], audience: "other")
    let verifier = try JWTVerifier([other, AssayJOSETests.issuer()])
    let accepted = try verifier.verify(try Sample().token(), at: now)
    #expect(accepted.issuer == "https://id.example")

    func code(_ change: (inout Sample) -> Void) throws -> JWTError? {
      let token = try Sample(change).token()
      return #expect(throws: JWTError.self) { try verifier.verify(token, at: now) }
    }
    expectCode(try code { $0.claims["iss"] = "https://other.example" }, .invalidSignature)
    expectCode(try code { $0.claims["iss"] = "https://third.example" }, .wrongIssuer, "iss")
    expectCode(try code { $0.claims["iss"] = nil }, .missing, "iss")
    expectCode(try code { $0.claims["iss"] = 1 }, .wrongType, "iss")
    expectCode(try code { $0.claims["aud"] = "other" }, .wrongAudience, "aud")
    expectCode(try code { $0.claimsText = "[]" }, .notAnObject, "claims")
    expectCode(
      try code { $0.claimsText = #"{"iss":"a","iss":"a"}"# },
      .malformed(.init(.duplicateKey, "JSON member name", at: 11)), "claims")
  }

  @Test func aMissingIssuerCannotBeAllowedAmongSeveral() throws {
    let first = try AssayJOSETests.issuer { $0.allowMissingIssuer = true }
    let second = try AssayJOSETests.issuer("https://other.example") { $0.allowMissingIssuer = true }
    let token = try Sample { $0.claims["iss"] = nil }.token()
    expectCode(
      #expect(throws: JWTError.self) { try JWTVerifier([first, second]).verify(token, at: now) }, .missing, "iss")
  }
}

/// What cannot be configured.
struct TrustedIssuerTests {
  private func reason(
    _ keys: [JWK], _ algorithms: [SignatureAlgorithm] = [.edDSA, .es256, .rs256]
  ) -> TrustedIssuerError.Reason? {
    do throws(TrustedIssuerError) {
      _ = try TrustedKeys(keys, algorithms: algorithms)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func keysAndAlgorithmsAreRequired() throws {
    #expect(reason([try jwk(.edDSA)]) == nil)
    #expect(reason([]) == .noKeys)
    #expect(reason([try jwk(.edDSA)], []) == .noAlgorithms)
    let many = [JWK](repeating: try jwk(.edDSA), count: TrustedKeys.maximumKeys + 1)
    #expect(reason(many) == .tooManyKeys(limit: TrustedKeys.maximumKeys))
  }

  @Test func everyKeyMustFitAnAllowedAlgorithm() throws {
    #expect(reason([try jwk(.edDSA), try jwk(.es256)], [.edDSA]) == .keyFitsNoAlgorithm(index: 1))
    let foreign = JWK(.ec(.p384, x: [UInt8](repeating: 1, count: 48), y: [UInt8](repeating: 1, count: 48)))
    #expect(reason([foreign]) == .keyFitsNoAlgorithm(index: 0))
  }

  @Test func aKeyIsForTheAlgorithmItNames() throws {
    let numbers = try jwk(.rs256).numbers
    #expect(reason([JWK(numbers, alg: "RS256")]) == nil)
    for alg: UTF8Text in ["PS256", "RS512", "rs256", "ES256", "none", ""] {
      #expect(reason([JWK(numbers, alg: alg)]) == .keyFitsNoAlgorithm(index: 0))
    }
  }

  @Test func aKeyMustBeForVerifyingSignatures() throws {
    let numbers = try jwk(.es256).numbers
    #expect(reason([JWK(numbers, use: "sig", keyOps: ["sign", "verify"])]) == nil)
    #expect(reason([JWK(numbers, use: "enc")]) == .key(index: 0, KeyError(.usageNotAllowed(what: "use"))))
    for operations: [UTF8Text] in [[], ["sign"], ["encrypt"]] {
      #expect(
        reason([JWK(numbers, keyOps: operations)]) == .key(index: 0, KeyError(.usageNotAllowed(what: "key_ops"))))
    }
  }

  @Test func unusableKeysAreRefused() throws {
    let offCurve = JWK(.ec(.p256, x: [UInt8](repeating: 1, count: 32), y: [UInt8](repeating: 1, count: 32)))
    #expect(reason([try jwk(.edDSA), offCurve]) == .key(index: 1, KeyError(.notOnCurve)))
    let identity = JWK(.edwards(.ed25519, x: [1] + [UInt8](repeating: 0, count: 31)))
    #expect(reason([identity]) == .key(index: 0, KeyError(.smallOrder)))
  }

  @Test func issuersAreNamedOnce() throws {
    let issuer = try issuer()
    #expect(throws: TrustedIssuerError.self) { try JWTVerifier([]) }
    #expect(throws: TrustedIssuerError.self) { try JWTVerifier([issuer, issuer]) }
    let similar = try [issuer, AssayJOSETests.issuer("https://id.example/")]
    _ = try JWTVerifier(similar)
  }
}
