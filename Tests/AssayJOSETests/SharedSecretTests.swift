import AssayCodec
import AssayCrypto
import AssayJOSE
import Testing

/// Tokens with MACs, and that a public key never is a secret.
@Suite struct SharedSecretTests {
  static let claims = Sample().claims

  static func secret(_ byte: UInt8 = 0x5A, count: Int = 64) -> SecretBytes {
    SecretBytes(copying: [UInt8](repeating: byte, count: count).span)
  }

  static func key(_ algorithm: MACAlgorithm = .hs256, _ byte: UInt8 = 0x5A) throws -> MACKey {
    try MACKey(secret(byte), for: algorithm)
  }

  static func issuer(_ secrets: [SharedSecret]) throws -> TrustedIssuer {
    try TrustedIssuer("https://id.example", secrets: secrets, audience: "api")
  }

  @Test(arguments: MACAlgorithm.allCases) func weAcceptWhatWeSign(_ algorithm: MACAlgorithm) throws {
    let key = try Self.key(algorithm)
    let signer = JWTSigner(key: key, kid: "k")
    #expect(signer.algorithm == .mac(algorithm))
    let token = try signer.sign(Self.claims)
    let jwt = try JWTVerifier(Self.issuer([SharedSecret(key, kid: "k")])).verify(token, at: now)
    #expect(jwt.algorithm == .mac(algorithm))
    #expect(jwt.keyID == "k")
    #expect(jwt.header == ["alg": .string(algorithm.joseName), "kid": "k", "typ": "JWT"])
    let jws = try JWS.verifyCompact(token.utf8.span, key: key)
    #expect(jws.algorithm == .mac(algorithm))
    for other in MACAlgorithm.allCases where other != algorithm {
      let error = #expect(throws: JWTError.self) {
        try JWS.verifyCompact(token.utf8.span, key: try Self.key(other))
      }
      expectCode(error, .algorithmNotAllowed, "alg")
    }
    let stranger = try Self.issuer([SharedSecret(Self.key(algorithm, 0xA5))])
    expectCode(try refusal(token.utf8, by: stranger), .invalidSignature)
  }

  @Test func everyBitOfATokenCounts() throws {
    let token = try JWTSigner(key: Self.key()).sign(Self.claims).utf8
    let verifier = JWTVerifier(try Self.issuer([SharedSecret(Self.key())]))
    _ = try verifier.verify(token, at: now)
    var accepted: [Int] = []
    for bit in 0..<token.count * 8 {
      var altered = token
      altered[bit / 8] ^= 1 << UInt8(bit % 8)
      if (try? verifier.verify(altered, at: now)) != nil { accepted.append(bit) }
    }
    #expect(accepted.isEmpty)
  }

  /// The confusion that public keys in HMAC's place have caused again and again.
  @Test func aPublicKeyVerifiesNoMAC() throws {
    for algorithm in [SignatureAlgorithm.rs256, .es256, .edDSA] {
      let numbers = try Keys.key(algorithm).verificationKey.numbers
      for bytes in [numbers.spki(), PEM.encode(.publicKey, numbers.spki().span), JWK(numbers).encoded()] {
        #expect(throws: KeyError(.keyFileAsSecret)) {
          try MACKey(SecretBytes(copying: bytes.span), for: .hs256)
        }
      }
      // An attacker who signs with whatever he likes finds no key to meet him.
      for attacker in MACAlgorithm.allCases {
        let token = try JWTSigner(key: Self.key(attacker)).sign(Self.claims).utf8
        let only = try TrustedIssuer(
          "https://id.example", keys: [JWK(numbers)], algorithms: [algorithm], audience: "api")
        expectCode(try refusal(token, by: only), .algorithmNotAllowed, "alg")
        expectCode(
          #expect(throws: JWTError.self) {
            try JWS.verifyCompact(token.span, key: Keys.key(algorithm).verificationKey)
          }, .algorithmNotAllowed, "alg")
      }
    }
  }

  /// Both kinds under one issuer: each token is tried with keys of its kind alone.
  @Test func publicKeysAndSecretsCanBeTrustedTogether() throws {
    let keys = try TrustedKeys(
      [jwk(.es256, kid: "a")], algorithms: [.es256], secrets: [SharedSecret(Self.key(), kid: "a")])
    #expect(keys.algorithms == [.signature(.es256), .mac(.hs256)])
    let issuer = TrustedIssuer("https://id.example", keys: keys, audience: "api")
    let signed = try JWTSigner(key: Keys.key(.es256), kid: "a").sign(Self.claims)
    let authenticated = try JWTSigner(key: Self.key(), kid: "a").sign(Self.claims)
    let verifier = JWTVerifier(issuer)
    #expect(try verifier.verify(signed, at: now).algorithm == .signature(.es256))
    #expect(try verifier.verify(authenticated, at: now).algorithm == .mac(.hs256))
    expectCode(
      try refusal(JWTSigner(key: Self.key(.hs384)).sign(Self.claims).utf8, by: issuer), .algorithmNotAllowed, "alg")
  }

  @Test func whatASymmetricJWKSaysBinds() throws {
    func refusal(_ jwk: consuming SymmetricJWK, _ algorithm: MACAlgorithm = .hs256) -> KeyError.Reason? {
      do throws(KeyError) {
        _ = try SharedSecret(jwk, for: algorithm)
        return nil
      } catch {
        return error.reason
      }
    }
    #expect(refusal(SymmetricJWK(Self.secret())) == nil)
    #expect(refusal(SymmetricJWK(Self.secret(), alg: "HS256", use: "sig", keyOps: ["sign", "verify"])) == nil)
    #expect(refusal(SymmetricJWK(Self.secret(), alg: "HS384")) == .algorithmMismatch(algorithm: "HS256"))
    #expect(refusal(SymmetricJWK(Self.secret(), use: "enc")) == .usageNotAllowed(what: "use"))
    #expect(
      refusal(SymmetricJWK(Self.secret(), keyOps: ["sign"])) == .usageNotAllowed(what: "key_ops"))
    #expect(refusal(SymmetricJWK(Self.secret(count: 31))) == .secretTooShort(bytes: 31, minimum: 32))
    #expect(refusal(SymmetricJWK(Self.secret(count: 63)), .hs512) == .secretTooShort(bytes: 63, minimum: 64))
    let named = try SharedSecret(SymmetricJWK(Self.secret(), kid: "k"), for: .hs256)
    #expect(named.kid == "k")
  }

  @Test func countsAreBounded() throws {
    func reason(_ secrets: [SharedSecret], _ keys: [JWK] = []) -> TrustedIssuerError.Reason? {
      do throws(TrustedIssuerError) {
        _ = try TrustedKeys(keys, algorithms: [.edDSA], secrets: secrets)
        return nil
      } catch {
        return error.reason
      }
    }
    let secret = SharedSecret(try Self.key())
    #expect(reason([]) == .noKeys)
    #expect(reason([secret]) == nil)
    let many = [SharedSecret](repeating: secret, count: TrustedKeys.maximumKeys)
    #expect(reason(many) == nil)
    #expect(reason(many, [try jwk(.edDSA)]) == .tooManyKeys(limit: TrustedKeys.maximumKeys))
  }
}
