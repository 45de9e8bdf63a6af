import AssayCodec
import AssayCrypto
import Testing

/// The names and numbers of IANA's registries, "JSON Web Signature and Encryption Algorithms" and "COSE Algorithms".
@Suite struct SignatureAlgorithmTests {
  @Test(arguments: [(SignatureAlgorithm.es256, "ES256", -7), (.rs256, "RS256", -257), (.edDSA, "EdDSA", -8)])
  func registeredNames(_ algorithm: SignatureAlgorithm, _ name: String, _ identifier: Int64) {
    #expect(algorithm.joseName == UTF8Text(name))
    #expect(algorithm.coseIdentifier == identifier)
    #expect(SignatureAlgorithm(joseName: UTF8Text(name)) == algorithm)
    #expect(SignatureAlgorithm(coseIdentifier: identifier) == algorithm)
  }

  @Test(arguments: ["", "none", "es256", "ES256 ", "ES256K", "RS1", "HS256", "EdDSA\u{0}", "PS256"])
  func otherNamesAreUnknown(_ name: String) { #expect(SignatureAlgorithm(joseName: UTF8Text(name)) == nil) }

  @Test(arguments: [0, 7, 257, -9, -19, -47, -65535, Int64.min, Int64.max])
  func otherNumbersAreUnknown(_ identifier: Int64) {
    #expect(SignatureAlgorithm(coseIdentifier: identifier) == nil)
  }
}
