import AssayCodec
import AssayCrypto
import Foundation
import TestSupport
import Testing

/// What names a key. Further figures are in `Vectors/rfc/rfc7638.json`.
@Suite struct ThumbprintTests {
  static let ed25519 = #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#

  /// RFC 8037, A.3; the URI's form is RFC 9278's.
  @Test func publishedThumbprint() throws {
    let jwk = try JWK(Array(Self.ed25519.utf8).span)
    let thumbprint = try KeyThumbprint(jwk: jwk.numbers)
    #expect(thumbprint.text == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    #expect(
      thumbprint.uri == "urn:ietf:params:oauth:jwk-thumbprint:sha-256:kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    #expect(thumbprint.sha256.count == 32)
  }

  /// What else is said of a key changes nothing; another key has another thumbprint.
  @Test func onlyTheKeyCounts() throws {
    let jwk = try JWK(Array(Self.ed25519.utf8).span)
    let text = Self.ed25519.replacing("}", with: #","kid":"a","use":"sig","alg":"EdDSA"}"#)
    let more = try JWK(Array(text.utf8).span)
    #expect(try KeyThumbprint(jwk: more.numbers) == KeyThumbprint(jwk: jwk.numbers))
    #expect(try KeyThumbprint(cose: more.numbers) != KeyThumbprint(jwk: jwk.numbers))
    let other = PublicKeyNumbers.edwards(.ed25519, x: [UInt8](repeating: 1, count: 32))
    #expect(try KeyThumbprint(jwk: other) != KeyThumbprint(jwk: jwk.numbers))
    #expect(try KeyThumbprint(cose: other) != KeyThumbprint(cose: jwk.numbers))
  }

  /// RFC 9679, 6.
  @Test func publishedCOSEThumbprint() throws {
    let key = PublicKeyNumbers.ec(
      .p256, x: [UInt8](hex: "65eda5a12577c2bae829437fe338701a10aaa375e1bb5b5de108de439c08551d"),
      y: [UInt8](hex: "1e52ed75701163f7f9e40ddf9f341b3dc9ba860af7e0ca7ca7e9eecd0084d19c"))
    let thumbprint = try KeyThumbprint(cose: key)
    #expect(
      thumbprint.sha256 == [UInt8](hex: "496bd8afadf307e5b08c64b0421bf9dc01528a344a43bda88fadd1669da253ec"))
    #expect(thumbprint.uri.string.hasPrefix("urn:ietf:params:oauth:ckt:sha-256:SWvYr63z"))
  }
}
