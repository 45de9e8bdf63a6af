import AssayCodec
import AssayCrypto
import Testing

@Suite struct SigningKeyTests {
  /// Generated, exported, made again of the numbers: both sign, and each verifies what the other signed.
  @Test(arguments: SignatureAlgorithm.allCases, [ECDSASignatureFormat.fixedWidth, .der])
  func roundTrip(_ algorithm: SignatureAlgorithm, _ format: ECDSASignatureFormat) throws {
    let message = Array("message".utf8)
    let key = try SigningKey.generate(algorithm)
    let again = try SigningKey(try key.privateNumbers(), for: algorithm)
    #expect(again.verificationKey.numbers == key.verificationKey.numbers)
    for (signer, verifier) in [(key, again), (again, key), (key, key)] {
      let signature = try signer.sign(message, format)
      #expect(verifier.verificationKey.accepts(signature, message, format))
      #expect(!verifier.verificationKey.accepts(signature, [], format))
    }
  }
}
