import AssayCodec
import AssayCrypto
import AssayJOSE
import Testing

/// Sets of keys as issuers publish them.
@Suite struct JWKSetTests {
  @Test func goodKeysAreKeptAndTheOthersListed() throws {
    let good = try jwk(.es256, kid: "a")
    let set = try JWKSet(
      JSONValue.object([
        "keys": [
          ["kty": "new"], .object(good.json), 5, ["kty": "oct", "k": "AAAA", "kid": "secret"],
          .object(try jwk(.rs256, kid: "b").json),
        ]
      ]))
    #expect(set.keys == [good, try jwk(.rs256, kid: "b")])
    #expect(set.refused.map(\.position) == [0, 2, 3])
    #expect(set.refused.map(\.kid) == [nil, nil, "secret"])
    let keys = try TrustedKeys(set, algorithms: [.es256])
    #expect(keys.unusable.map(\.position) == [0, 2, 3, 4])
  }

  @Test func tokensOfASetsIssuerAreVerified() throws {
    let set = try JWKSet(JSONValue.object(["keys": [.object(try jwk(.edDSA, kid: "a").json), ["kty": "?"]]]))
    let issuer = try TrustedIssuer("https://id.example", keys: set, algorithms: [.edDSA], audience: "api")
    expectCode(try refusal(by: issuer) { $0.header["kid"] = "a" }, nil)
    expectCode(try refusal(by: issuer) { _ in }, nil)
    expectCode(try refusal(by: issuer) { $0.header["kid"] = "b" }, .unknownKeyID, "kid")
  }

  /// A key that came without a name is not the default for names that no key bears.
  @Test func aSetHasNoDefaultKey() throws {
    let set = try JWKSet(JSONValue.object(["keys": [.object(try jwk(.edDSA).json)]]))
    let issuer = try TrustedIssuer("https://id.example", keys: set, algorithms: [.edDSA], audience: "api")
    expectCode(try refusal(by: issuer) { _ in }, nil)
    expectCode(try refusal(by: issuer) { $0.header["kid"] = "a" }, .unknownKeyID, "kid")
  }

  @Test func useAndOperationsAndAlgorithmOfAKeyBind() throws {
    var json = try jwk(.es256, kid: "a").json
    for (name, value) in [("use", "enc"), ("alg", "ES384"), ("key_ops", JSONValue.array(["sign"]))]
      as [(UTF8Text, JSONValue)]
    {
      json[name] = value
      let keys = try TrustedKeys(JWKSet(JSONValue.object(["keys": [.object(json)]])), algorithms: [.es256])
      #expect(keys.unusable.count == 1)
      json[name] = nil
    }
    json["use"] = "sig"
    json["alg"] = "ES256"
    json["key_ops"] = ["verify"]
    #expect(try TrustedKeys(JWKSet(JSONValue.object(["keys": [.object(json)]])), algorithms: [.es256]).unusable == [])
  }

  @Test func setsAreBounded() throws {
    func set(_ count: Int) throws(JWKSetError) -> JWKSet {
      try JWKSet(JSONValue.object(["keys": .array(Array(repeating: .null, count: count))]))
    }
    #expect(try set(JWKSet.maximumKeys).refused.count == JWKSet.maximumKeys)
    #expect(throws: JWKSetError.self) { try set(JWKSet.maximumKeys + 1) }
  }
}
