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

  /// RFC 7520, 4.5, 4.6 and 4.8: detached, flattened and general forms are not read; their signatures are right.
  @Test(arguments: [
    ("4_5.signature_with_detached_content", 1), ("4_6.protecting_specific_header_fields", 1),
    ("4_7.protecting_content_only", 1), ("4_8.multiple_signatures", 3),
  ])
  func otherFormsAreRefusedAsTokens(_ file: String, _ signatures: Int) throws {
    let example = try TestData.extraJSON("jose-cookbook/jws/\(file).json")
    let output: [String: Any] = try example.get("output")
    let general: [String: Any] = try output.get("json")
    let input: [String: Any] = try example.get("input")
    let keys = try (input["key"] as? [[String: Any]]) ?? [input.get("key")]
    let names = try (input["alg"] as? [String]) ?? [input.get("alg")]
    let payload = Base64URL.encode(Array(try input.get("payload", as: String.self).utf8).span)
    let parts: [[String: Any]] = try general.get("signatures")
    #expect(parts.count == signatures)
    for (index, part) in parts.enumerated() {
      let protected = part["protected"] as? String ?? ""
      let message = Array(protected.utf8) + [UInt8(ascii: ".")] + payload.utf8
      let signature = try Base64URL.decode(Array(try part.get("signature", as: String.self).utf8).span)
      var key = keys[index]
      switch try Self.algorithm(names[index]) {
      case .mac(let algorithm):
        let json = [UInt8](try JSONSerialization.data(withJSONObject: key))
        let isValid = try SharedSecret(SymmetricJWK(json.span), for: algorithm).key.isValid(
          signature.span, for: message.span)
        #expect(isValid)
      case .signature(let algorithm):
        for name in ["d", "p", "q", "dp", "dq", "qi"] { key[name] = nil }
        let json = [UInt8](try JSONSerialization.data(withJSONObject: key))
        let isValid = try VerificationKey(JWK(json.span).numbers, for: algorithm).isValid(
          signature.span, for: message.span, ecdsa: .fixedWidth)
        #expect(isValid)
      }
    }
    let text = [UInt8](try JSONSerialization.data(withJSONObject: general))
    let secret = try SharedSecretTests.key()
    #expect(throws: JWTError.self) { try JWS.verifyCompact(text.span, key: secret) }
    if let detached = output["compact"] as? String {
      let error = #expect(throws: JWTError.self) {
        let keys = try Self.trusted(keys[0], Self.algorithm(names[0]))
        _ = try JWS.verifyCompact(Array(detached.utf8).span, keys: keys)
      }
      #expect(error?.code == .invalidSignature)
    }
  }
}
