import AssayCodec
import AssayCrypto
import AssayJOSE
import Foundation
import TestSupport
import Testing

/// Sets of keys as issuers publish them.
@Suite struct JWKSetTests {
  /// What became of a token, in the words of the key collection.
  private enum Outcome: String {
    case accepted
    case algNotAllowed = "alg-not-allowed"
    case noMatchingKey = "no-matching-key"
    case badSignature = "bad-signature"
    case tooManyKeys = "too-many-keys"
    case other
  }

  /// Cases whose proposal is not followed: a set of 1,000 keys is refused for its size, one with 100 keys of a name read.
  private static let setsRefusedForTheirSize: Set<String> = ["jwks-many-1000-nokid"]

  @Test(.enabled(if: TestData.hasExtra)) func keyCollection() throws {
    let cases: [[String: Any]] = try TestData.extraJSON("keys/jwks.json").get("cases")
    #expect(cases.count == 68)
    var tokens = 0
    for one in cases {
      let id: String = try one.get("id")
      let text = Array(try one.get("input", as: String.self).utf8)
      let names: [String] = try one.get("allowedAlgs")
      let expected: String = try one.get("expectedSet")
      let set: JWKSet
      do throws(JWKSetError) {
        set = try JWKSet(json: text.span)
      } catch {
        #expect(expected != "accept", "\(id): \(error)")
        expectMention(one, error.description, id)
        continue
      }
      let prefersReject = (one["policy"] as? [String: Any])?["prefer"] as? String == "reject"
      let isPrivate = id.hasPrefix("jwks-private-")
      let isLarge = id.hasPrefix("jwks-many-")
      #expect(expected == "accept" || expected == "policy" && (!prefersReject || isPrivate || isLarge), "\(id)")
      let algorithms = names.compactMap { SignatureAlgorithm(joseName: UTF8Text($0)) }
      let keys: TrustedKeys
      do throws(TrustedIssuerError) {
        keys = try TrustedKeys(set, algorithms: algorithms)
      } catch {
        #expect(Self.setsRefusedForTheirSize.contains(id), "\(id)")
        expectMention(one, error.description, id)
        continue
      }
      if isPrivate {
        let reason = try #require(keys.unusable.first { $0.reason.reason == .privateKeyNotAllowed })
        expectMention(one, reason.reason.description, id)
      }
      for token in try one.get("tokens", as: [[String: Any]].self) {
        let title: String = try token.get("title")
        let compact = Array(try token.get("token", as: String.self).utf8)
        let outcome = outcome(of: compact, keys)
        tokens += 1
        let comment = Comment(rawValue: "\(id): \(title): \(outcome)")
        let expected: String = try token.get("expected")
        // A key of the set cannot be an HMAC secret whatever is allowed: HS256 is no algorithm of a set.
        if id == "jwks-alg-confusion-allowed" {
          #expect(outcome == .algNotAllowed, comment)
          continue
        }
        switch expected {
        case "ambiguous-ok": #expect(outcome == .accepted || outcome == .tooManyKeys, comment)
        case "accepted" where isPrivate && keys.unusable.contains { $0.kid == kid(of: compact) }:
          #expect(outcome == .noMatchingKey, comment)
        case let word: #expect(outcome.rawValue == word, comment)
        }
      }
    }
    #expect(tokens == 139)
  }

  private func expectMention(_ one: [String: Any], _ message: String, _ id: String) {
    guard let words = one["errorMustMention"] as? [String] else { return }
    #expect(words.contains { message.localizedCaseInsensitiveContains($0) }, "\(id): \(message)")
  }

  private func header(of token: [UInt8]) -> JSONValue? {
    let segment = token.prefix { $0 != UInt8(ascii: ".") }
    guard let bytes = try? Base64URL.decode(Array(segment).span) else { return nil }
    return try? JSONValue.decode(bytes.span)
  }

  private func kid(of token: [UInt8]) -> UTF8Text? { header(of: token)?["kid"]?.string }

  private func outcome(of token: [UInt8], _ keys: TrustedKeys) -> Outcome {
    do throws(JWTError) {
      _ = try JWS.verifyCompact(token.span, keys: keys)
      return .accepted
    } catch {
      switch error.code {
      case .algorithmNotAllowed, .algorithmUnsupported, .unsecured: return .algNotAllowed
      case .unknownKeyID, .noKeyForAlgorithm: return .noMatchingKey
      case .tooManyKeys: return .tooManyKeys
      case .invalidSignature: return .badSignature
      default: return .other
      }
    }
  }

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
