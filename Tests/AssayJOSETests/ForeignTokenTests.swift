import AssayCodec
import AssayCrypto
import AssayJOSE
import Foundation
import TestSupport
import Testing

/// The token of `make demo`, which PyJWT made.
struct ForeignTokenTests {
  @Test func aTokenOfPyJWTIsAccepted() throws {
    let folder = TestData.vectors.appending(path: "demo")
    let key = [UInt8](try Data(contentsOf: folder.appending(path: "token.jwk")))
    let text = [UInt8](try Data(contentsOf: folder.appending(path: "token.jwt")))
    let token = Array(text.prefix { $0 > 0x20 })
    let issuer = try TrustedIssuer(
      "https://id.example", keys: [try JWK(key.span)], algorithms: [.es256], audience: "api")
    let verifier = JWTVerifier(issuer)
    let jwt = try verifier.verify(token, at: UnixTime(1_767_229_199))
    #expect(jwt.subject == "alice")
    #expect(jwt.keyID == "demo-1")
    expectCode(try refusal(token, by: issuer, at: UnixTime(1_767_229_200)), .expired, "exp")
    // The caller cuts off what is not token: we do not.
    expectCode(
      try refusal(token + [0x0A], by: issuer),
      .malformed(CodecError(.invalidCharacter, "signature", at: token.count)), "signature")
  }
}
