import AssayCodec
import AssayCrypto
import AssayJOSE
import Foundation
import TestSupport
import Testing

/// RFC 7520, 4 and RFC 8037: every example in compact form, and the signatures of those that have none.
@Suite(.enabled(if: TestData.hasExtra)) struct CookbookTests {
  static let compact = [
    ("jws/4_1.rsa_v15_signature", "RS256"), ("jws/4_2.rsa-pss_signature", "PS384"),
    ("jws/4_3.ecdsa_signature", "ES512"),
    ("jws/4_4.hmac-sha2_integrity_protection", "HS256"), ("curve25519/jws", "EdDSA"),
  ]

  private static func algorithm(_ name: String) throws -> JWSAlgorithm {
    try #require(JWSAlgorithm(joseName: UTF8Text(name)))
  }

  /// A key of the examples as it verifies; its private members are left out.
  private static func trusted(_ key: [String: Any], _ algorithm: JWSAlgorithm) throws -> TrustedKeys {
    var key = key
    switch algorithm {
    case .mac(let mac):
      let json = [UInt8](try JSONSerialization.data(withJSONObject: key))
      return try TrustedKeys(secrets: [SharedSecret(SymmetricJWK(json.span), for: mac)])
    case .signature(let signature):
      for name in ["d", "p", "q", "dp", "dq", "qi"] { key[name] = nil }
      let json = [UInt8](try JSONSerialization.data(withJSONObject: key))
      return try TrustedKeys([JWK(json.span)], algorithms: [signature])
    }
  }

  @Test(arguments: compact) func verifies(_ file: String, _ name: String) throws {
    let example = try TestData.extraJSON("jose-cookbook/\(file).json")
    let input: [String: Any] = try example.get("input")
    #expect(input["alg"] as? String == name)
    let token = Array(try example.get("output", as: [String: Any].self).get("compact", as: String.self).utf8)
    let algorithm = try Self.algorithm(name)
    let keys = try Self.trusted(try input.get("key"), algorithm)
    let jws = try JWS.verifyCompact(token.span, keys: keys)
    #expect(jws.payload == Array(try input.get("payload", as: String.self).utf8))
    #expect(jws.algorithm == algorithm)
    var altered = token
    altered[token.count - 20] ^= 1
    #expect(throws: JWTError.self) { try JWS.verifyCompact(altered.span, keys: keys) }
  }

  /// Signing the same again gives the same where it is deterministic, and otherwise verifies.
  @Test(arguments: compact) func signs(_ file: String, _ name: String) throws {
    let example = try TestData.extraJSON("jose-cookbook/\(file).json")
    let input: [String: Any] = try example.get("input")
    let json = [UInt8](try JSONSerialization.data(withJSONObject: try input.get("key", as: [String: Any].self)))
    let token = try example.get("output", as: [String: Any].self).get("compact", as: String.self)
    let end = try #require(token.lastIndex(of: "."))
    let signingInput = Array(token[..<end].utf8)
    let published = try Base64URL.decode(Array(token[token.index(after: end)...].utf8).span)
    switch try Self.algorithm(name) {
    case .mac(let algorithm):
      let secret = try SymmetricJWK(json.span)
      let key = try MACKey(secret.secret, for: algorithm)
      let tag = try key.tag(for: signingInput.span)
      #expect(tag == published)
    case .signature(let algorithm):
      let numbers = try PrivateJWK(json.span)
      let key = try SigningKey(numbers.numbers, for: algorithm)
      let signature = try key.sign(signingInput.span, ecdsa: .fixedWidth)
      #expect((signature == published) == [.rs256, .edDSA].contains(algorithm))
      let isValid = key.verificationKey.isValid(published.span, for: signingInput.span, ecdsa: .fixedWidth)
      #expect(isValid)
    }
  }

  /// RFC 7520, 4.1 to 4.8, in both JSON forms, detached and with several signatures.
  @Test(arguments: [
    ("4_1.rsa_v15_signature", 1, true), ("4_2.rsa-pss_signature", 1, true), ("4_3.ecdsa_signature", 1, true),
    ("4_4.hmac-sha2_integrity_protection", 1, true), ("4_5.signature_with_detached_content", 1, true),
    ("4_6.protecting_specific_header_fields", 1, true), ("4_7.protecting_content_only", 1, false),
    ("4_8.multiple_signatures", 3, false),
  ])
  func jsonForms(_ file: String, _ count: Int, _ isAlgorithmProtected: Bool) throws {
    let example = try TestData.extraJSON("jose-cookbook/jws/\(file).json")
    let output: [String: Any] = try example.get("output")
    let input: [String: Any] = try example.get("input")
    let jwks = try (input["key"] as? [[String: Any]]) ?? [input.get("key")]
    let names = try (input["alg"] as? [String]) ?? [input.get("alg")]
    let payload = Array(try input.get("payload", as: String.self).utf8)
    let keys = try Self.trusted(jwks, names)
    var policy = JWSPolicy()
    policy.allowUnprotectedAlgorithm = true
    var forms = 0
    for form in ["json", "json_flat"] {
      guard let object = output[form] as? [String: Any] else { continue }
      forms += 1
      let text = [UInt8](try JSONSerialization.data(withJSONObject: object))
      let detached = object["payload"] == nil ? payload : nil
      let jws = try JWS.verifyJSON(text.span, detachedPayload: detached, keys: keys, policy: policy)
      #expect(jws.payload == payload && jws.refused.isEmpty)
      #expect(jws.signatures.map(\.position) == Array(0..<count))
      #expect(jws.signatures.map { $0.algorithm.joseName.string } == names)
      let strict = Result { try JWS.verifyJSON(text.span, detachedPayload: detached, keys: keys) }
      #expect((try? strict.get()) == (isAlgorithmProtected ? jws : nil))
      // With the payload where it is not expected, or without it.
      let error = #expect(throws: JWTError.self) {
        try JWS.verifyJSON(text.span, detachedPayload: detached == nil ? payload : nil, keys: keys, policy: policy)
      }
      #expect(error?.code == .payloadNotAsExpected)
    }
    #expect(forms == (count == 1 ? 2 : 1))
    if let compact = output["compact"] as? String, output.get(json: "json")?["payload"] == nil {
      let jws = try JWS.verifyCompact(Array(compact.utf8).span, detachedPayload: payload, keys: keys)
      #expect(jws.payload == payload)
    }
  }

  /// The keys of an example with several, each as it verifies.
  private static func trusted(_ jwks: [[String: Any]], _ names: [String]) throws -> TrustedKeys {
    var keys: [JWK] = []
    var secrets: [SharedSecret] = []
    var algorithms: [SignatureAlgorithm] = []
    for (var key, name) in zip(jwks, names) {
      switch try algorithm(name) {
      case .mac(let mac):
        let json = [UInt8](try JSONSerialization.data(withJSONObject: key))
        secrets.append(try SharedSecret(SymmetricJWK(json.span), for: mac))
      case .signature(let signature):
        for name in ["d", "p", "q", "dp", "dq", "qi"] { key[name] = nil }
        keys.append(try JWK([UInt8](try JSONSerialization.data(withJSONObject: key)).span))
        algorithms.append(signature)
      }
    }
    return try TrustedKeys(keys, algorithms: algorithms, secrets: secrets)
  }
}

extension [String: Any] {
  fileprivate func get(json name: String) -> [String: Any]? { self[name] as? [String: Any] }
}
