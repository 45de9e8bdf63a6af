import AssayCodec
import AssayCrypto
import AssayFoundation
import AssayJOSE
import Foundation
import Testing

/// Foundation's types among the claims of a verified token.
@Suite struct ClaimsTests {
  private struct Claims: Decodable, Equatable {
    var sub: String
    var exp: Date
    var authTime: Date?
    var thumbprint: Data?
    var website: URL?
    var roles: [String: [Date]]?

    enum CodingKeys: String, CodingKey {
      case sub, exp, website, roles
      case authTime = "auth_time"
      case thumbprint = "x5t#S256"
    }
  }

  @Test func claimsOfAToken() throws {
    let key = try SigningKey.generate(.edDSA)
    let now = UnixTime(1_700_000_000)
    let token = try JWTSigner(key: key).sign(
      [
        "iss": "https://id.example", "aud": "api", "sub": "alice", "exp": 1_700_000_060,
        "auth_time": try JSONValue.decode(Array("1699999999.5".utf8).span), "x5t#S256": "-_8",
        "website": "https://alice.example/?a=b#c", "roles": ["admin": [0, 1]], "extra": [1, 2, [:]],
      ])
    let verifier = JWTVerifier(
      try TrustedIssuer(
        "https://id.example", keys: [JWK(key.verificationKey.numbers)], algorithms: [.edDSA], audience: "api"))
    let verified = try verifier.verify(Data(token.utf8), at: now)
    #expect(
      try verified.claims(as: Claims.self)
        == Claims(
          sub: "alice", exp: Date(timeIntervalSince1970: 1_700_000_060),
          authTime: Date(timeIntervalSince1970: 1_699_999_999.5), thumbprint: Data([0xFB, 0xFF]),
          website: URL(string: "https://alice.example/?a=b#c"),
          roles: ["admin": [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1)]]))
    #expect(throws: JWTError.self) { try verifier.verify(Data(token.utf8) + [0x41], at: now) }
    #expect(throws: JWTError.self) { try verifier.verify(Data(), at: now) }
  }

  private func isRefused<T: Decodable>(_ type: T.Type, _ text: String) -> Bool {
    do {
      _ = try JSONValue.decode(Array(text.utf8).span).decoded(as: type)
      return false
    } catch { return error is DecodingError }
  }

  @Test func dates() throws {
    for text in ["-1", "-0.1", "253402300800", "1e300", #""1""#, #""2026-01-01T00:00:00Z""#, "null", "true", "[]"] {
      #expect(isRefused(Date.self, text), "\(text)")
    }
    #expect(!isRefused(Date.self, "253402300799.5"))
    #expect(!isRefused(Date?.self, "null"))
    #expect(isRefused([Date].self, "[0,null]"))
    #expect(isRefused([String: Date].self, #"{"a":-1}"#))
  }

  @Test func dataAndURLs() throws {
    for text in [#""-_8=""#, #""+/8""#, #""A""#, #""-_9""#, "[1]", "1", "null"] {
      #expect(isRefused(Data.self, text), "\(text)")
    }
    #expect(try JSONValue.string("").decoded(as: Data.self).isEmpty)
    for text in [#""""#, #""a b""#, #""/path""#, #""https://é.example""#, #""https://a.example/\n""#, "1", "{}"] {
      #expect(isRefused(URL.self, text), "\(text)")
    }
    #expect(!isRefused(URL.self, #""https://a.example/%20""#))
    // Nobody reads money from a Double.
    #expect(isRefused(Decimal.self, "1.5"))
  }

  @Test func keySets() throws {
    #expect(try JWKSet(json: Data(#"{"keys":[]}"#.utf8)).keys.isEmpty)
    #expect(throws: JWKSetError.self) { try JWKSet(json: Data("{}".utf8)) }
  }
}
