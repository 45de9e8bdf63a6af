import AssayCodec
import AssayCrypto
import Testing

/// The names and numbers of IANA's registries, "JSON Web Signature and Encryption Algorithms" and "COSE Algorithms".
@Suite struct SignatureAlgorithmTests {
  static let registered: [(SignatureAlgorithm, String, Int64)] = [
    (.es256, "ES256", -7), (.es384, "ES384", -35), (.es512, "ES512", -36), (.es256k, "ES256K", -47),
    (.rs256, "RS256", -257), (.rs384, "RS384", -258), (.rs512, "RS512", -259), (.ps256, "PS256", -37),
    (.ps384, "PS384", -38), (.ps512, "PS512", -39), (.edDSA, "EdDSA", -8), (.ed25519, "Ed25519", -19),
    (.ed448, "Ed448", -53),
  ]

  @Test(arguments: registered)
  func registeredNames(_ algorithm: SignatureAlgorithm, _ name: String, _ identifier: Int64) {
    #expect(algorithm.joseName == UTF8Text(name))
    #expect(algorithm.coseIdentifier == identifier)
    #expect(SignatureAlgorithm(joseName: UTF8Text(name)) == algorithm)
    #expect(SignatureAlgorithm(coseIdentifier: identifier) == algorithm)
  }

  /// RFC 9864, 2.1: names of COSE alone, for what JOSE's names have always said.
  @Test(arguments: [(SignatureAlgorithm.esp256, "ES256", -9), (.esp384, "ES384", -51), (.esp512, "ES512", -52)])
  func namesOfCOSEAlone(_ algorithm: SignatureAlgorithm, _ name: String, _ identifier: Int64) {
    #expect(algorithm.joseName == UTF8Text(name))
    #expect(algorithm.coseIdentifier == identifier)
    #expect(SignatureAlgorithm(joseName: UTF8Text(name)) != algorithm)
    #expect(SignatureAlgorithm(coseIdentifier: identifier) == algorithm)
  }

  @Test func thoseAreAll() { #expect(SignatureAlgorithm.allCases.count == Self.registered.count + 3) }

  @Test(arguments: [("ML-DSA-44", -48), ("ML-DSA-65", -49), ("ML-DSA-87", -50)] as [(String, Int64)])
  func knownAndRefused(_ name: String, _ identifier: Int64) {
    #expect(SignatureAlgorithm(joseName: UTF8Text(name)) == nil)
    #expect(SignatureAlgorithm(coseIdentifier: identifier) == nil)
    let words = "ML-DSA is not supported: OpenSSL before 3.5 has none"
    #expect(SignatureAlgorithm.refusal(joseName: UTF8Text(name))?.description == words)
    #expect(SignatureAlgorithm.refusal(coseIdentifier: identifier)?.description == words)
    #expect(SignatureAlgorithm.refusal(joseName: "ES256") == nil)
    #expect(SignatureAlgorithm.refusal(coseIdentifier: -47) == nil)
  }

  @Test(arguments: ["", "none", "es256", "ES256 ", "ESP256", "RS1", "HS256", "EdDSA\u{0}", "ed25519", "PS257"])
  func otherNamesAreUnknown(_ name: String) { #expect(SignatureAlgorithm(joseName: UTF8Text(name)) == nil) }

  @Test(arguments: [0, 7, 257, -10, -46, -48, -65535, Int64.min, Int64.max])
  func otherNumbersAreUnknown(_ identifier: Int64) {
    #expect(SignatureAlgorithm(coseIdentifier: identifier) == nil)
  }
}
