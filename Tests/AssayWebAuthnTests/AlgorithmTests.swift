import AssayCodec
import AssayCrypto
import AssayWebAuthn
import Testing

/// Credentials of every algorithm register and sign in; each number of COSE is allowed by itself alone.
struct AlgorithmTests {
  @Test(arguments: SignatureAlgorithm.allCases, ["none", "packed"] as [UTF8Text])
  func registers(_ algorithm: SignatureAlgorithm, _ fmt: UTF8Text) throws {
    var answer = RegistrationAnswer()
    answer.parts.algorithm = algorithm
    answer.fmt = fmt
    var options = RegistrationOptions()
    options.algorithms = [algorithm]
    let verified = try RegistrationRuleTests.finish(answer, options)
    #expect(verified.credential.publicKey == (try TestAuthenticator.coseKey(algorithm).encoded()))

    // WebAuthn L3, 7.1 step 20: one of those asked for, by its number.
    options.algorithms = SignatureAlgorithm.allCases.filter { $0 != algorithm }
    #expect(
      try RegistrationRuleTests.refusal { try RegistrationRuleTests.finish(answer, options) }
        == Refusal(.algorithmNotAllowed, 20, "alg"))
  }

  @Test(arguments: SignatureAlgorithm.allCases) func signsIn(_ algorithm: SignatureAlgorithm) throws {
    var ceremony = AuthenticationRuleTests.Ceremony()
    ceremony.answer.parts.algorithm = algorithm
    _ = try ceremony.finish()
    ceremony.answer.parts.spoilSignature = { $0[$0.count - 1] ^= 1 }
    #expect(
      try RegistrationRuleTests.refusal { try ceremony.finish() } == Refusal(.signatureInvalid, 21, "signature"))
  }

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
