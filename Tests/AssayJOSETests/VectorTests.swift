import AssayCodec
import AssayCrypto
import AssayJOSE
import Foundation
import TestSupport
import Testing

/// Tokens of `Vectors/jose` and of RFC 7515 and 8037: each is accepted or refused as its file says.
struct VectorTests {
  /// Every file, and how many of its cases are to be accepted and refused.
  static let jws: [(String, valid: Int, invalid: Int)] = [
    ("rfc/rfc7515", 4, 6), ("rfc/rfc8037", 1, 1), ("jose/jws-control", 13, 0), ("jose/jws-alg-none", 0, 14),
    ("jose/jws-alg-confusion", 0, 28), ("jose/jws-ecdsa-signature", 0, 26), ("jose/jws-eddsa-signature", 0, 9),
    ("jose/jws-key-injection", 0, 6), ("jose/jws-rsa-signature", 0, 22), ("jose/jws-hmac", 0, 8),
  ]
  static let jwt: [(String, valid: Int, invalid: Int)] = [
    ("jose/jwt-control", 11, 0), ("jose/jwt-alg-none", 0, 1), ("jose/jwt-claims", 2, 72), ("jose/jwt-encoding", 0, 32),
    ("jose/jwt-header", 2, 39), ("jose/jwt-key-injection", 0, 11), ("jose/jwt-resource", 3, 9),
  ]

  @Test(arguments: jws) func signedBytes(_ file: (String, valid: Int, invalid: Int)) throws {
    try run(file) { vector in
      let keys = try vector.trusted(named: try vector.fields.get("key"), try vector.fields.get("algorithms"))
      let token = try vector.token
      let jws = try JWS.verifyCompact(token.span, keys: keys)
      if let payload = vector.fields["payload"] as? String {
        #expect(Base16.encode(jws.payload.span) == UTF8Text(payload))
      }
    }
  }

  @Test(arguments: jwt) func claims(_ file: (String, valid: Int, invalid: Int)) throws {
    try run(file) { vector in
      var policy = JWTPolicy()
      policy.type = (vector.fields["type"] as? String).map { UTF8Text($0) }
      let issuer = TrustedIssuer(
        UTF8Text(try vector.fields.get("issuer")),
        keys: try vector.trusted(named: try vector.fields.get("key"), try vector.fields.get("algorithms")),
        audience: (vector.fields["audience"] as? String).map { UTF8Text($0) }, policy: policy)
      _ = try JWTVerifier(issuer).verify(try vector.token, at: UnixTime(try vector.fields.get("now", as: Int64.self)))
    }
  }

  /// Runs every case of a file and checks that there are as many as expected.
  private func run(_ file: (String, valid: Int, invalid: Int), _ verify: (Vector) throws -> Void) throws {
    let contents = try TestData.json(TestData.vectors.appending(path: file.0 + ".json"))
    let keys: [String: Any] = try contents.get("keys")
    var counts = ["valid": 0, "invalid": 0]
    for fields: [String: Any] in try contents.get("cases", as: [[String: Any]].self) {
      let expected: String = try fields.get("expected")
      counts[expected, default: 0] += 1
      let vector = Vector(fields: fields, keys: keys)
      #expect(try vector.verdict(verify) == (expected == "valid"), "\(file.0) \(fields["id"] ?? "")")
    }
    #expect(counts == ["valid": file.valid, "invalid": file.invalid])
  }
}

/// The same hostile tokens as they were first made, each under its own key and algorithms, where they are at hand.
struct ForeignVectorTests {
  static let files = [
    "alg-confusion", "alg-none", "claims", "control", "ecdsa-signature", "eddsa-signature", "encoding", "header",
    "hmac", "key-injection", "resource", "rsa-signature",
  ]

  @Test(.enabled(if: TestData.hasExtra)) func verdicts() throws {
    let keys = try TestData.extraJSON("jwt-bad/keys.json")
    let policy = try TestData.extraJSON("jwt-bad/policy.json")
    let time = UnixTime(try policy.get("now", as: Int64.self))
    var counts = ["accept": 0, "reject": 0]
    for file in Self.files {
      let cases: [[String: Any]] = try TestData.extraJSON("jwt-bad/\(file).json").get("cases")
      for fields in cases {
        let named: [String: Any] = try keys.get(try fields.get("key"))
        let key = try (fields["keyJwk"] as? [String: Any]) ?? named.get("jwk")
        let expected: String = try fields.get("expected")
        counts[expected, default: 0] += 1
        let options = fields["options"] as? [String: String] ?? [:]
        let vector = Vector(fields: fields, keys: ["the key": key])
        let verdict = try vector.verdict { vector in
          var policy = JWTPolicy()
          policy.type = options["typ"].map { UTF8Text($0) }
          policy.allowMissingIssuer = options["iss"] == nil
          let issuer = TrustedIssuer(
            UTF8Text(options["iss"] ?? "https://issuer.example"),
            keys: try vector.trusted(named: "the key", try fields.get("algs")),
            audience: options["aud"].map { UTF8Text($0) }, policy: policy)
          _ = try JWTVerifier(issuer).verify(try vector.token, at: time)
        }
        #expect(verdict == (expected == "accept"), "\(fields["id"] ?? "")")
      }
    }
    #expect(counts == ["accept": 31, "reject": 277])
  }
}

/// One case and the keys of its file.
struct Vector {
  let fields: [String: Any]
  let keys: [String: Any]

  /// The key as it is trusted: a public one with the signature algorithms of these, a secret with the MAC algorithms.
  func trusted(named name: String, _ names: [String]) throws -> TrustedKeys {
    let algorithms = try names.map { try #require(JWSAlgorithm(joseName: UTF8Text($0))) }
    let key: [String: Any] = try keys.get(name)
    let json = [UInt8](try JSONSerialization.data(withJSONObject: key))
    guard key["kty"] as? String == "oct" else {
      let signatures = algorithms.compactMap { if case .signature(let algorithm) = $0 { algorithm } else { nil } }
      return try TrustedKeys([JWK(json.span)], algorithms: signatures)
    }
    let jwk = try SymmetricJWK(json.span)
    var secrets: [SharedSecret] = []
    for case .mac(let algorithm) in algorithms { secrets.append(try SharedSecret(jwk, for: algorithm)) }
    return try TrustedKeys(secrets: secrets)
  }

  var token: [UInt8] {
    get throws {
      if let token = fields["token"] as? String { return Array(token.utf8) }
      var token = ""
      for part in try fields.get("tokenParts", as: [[Any]].self) {
        guard part.count == 2, let text = part[0] as? String, let count = part[1] as? Int else {
          throw TestData.Missing(path: "tokenParts")
        }
        token += String(repeating: text, count: count)
      }
      return Array(token.utf8)
    }
  }

  /// Whether the case is accepted. A refused token and a refused key are both a no; any other error is the test's own.
  func verdict(_ verify: (Vector) throws -> Void) throws -> Bool {
    do {
      try verify(self)
      return true
    } catch is JWTError {
      return false
    } catch is TrustedIssuerError {
      return false
    } catch is KeyError {
      return false
    }
  }
}
