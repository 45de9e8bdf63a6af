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

  /// PKCS #8 holds an Ed25519 key without its public half (RFC 8410, 7): it is computed.
  @Test func theSeedAloneIsTheWholeKey() throws {
    let key = try SigningKey.generate(.edDSA)
    let der = try key.privateNumbers().pkcs8()
    let file = try der.withSpan { der in try KeyFile.read(der) }
    switch file.contents {
    case .privateScalar(let scalar):
      let again = try SigningKey(scalar, for: .edDSA)
      #expect(again.verificationKey.numbers == key.verificationKey.numbers)
      let other = try? SigningKey(scalar, for: .es256)
      #expect(other == nil)
    default: Issue.record("not a key without its public half")
    }
  }
}
