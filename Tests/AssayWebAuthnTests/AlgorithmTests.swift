import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestAuthenticator
import Testing

struct AlgorithmTests {
  /// WebAuthn L3, 5.8.5: by the number of EdDSA, keys are on Ed25519 alone.
  @Test func eachNumberIsTiedToItsCurve() throws {
    for (algorithm, key) in [
      (SignatureAlgorithm.edDSA, SignatureAlgorithm.ed448), (.ed25519, .ed448), (.ed448, .ed25519), (.es256, .es256k),
      (.es384, .es256), (.es512, .es384),
    ] {
      let numbers = try TestAuthenticator.key(key).verificationKey.numbers
      #expect(throws: KeyError(.contradiction("alg", "crv"))) {
        try COSEKey(numbers, alg: algorithm.coseIdentifier)
      }
    }
  }
}
