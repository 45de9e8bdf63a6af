import AssayCodec
import AssayCrypto
import Testing

@Suite struct SigningKeyTests {
  /// Generated, exported, made again of the numbers: both sign, and each verifies what the other signed.
  @Test(arguments: SignatureAlgorithm.allCases, [ECDSASignatureFormat.fixedWidth, .der])
  func roundTrip(_ algorithm: SignatureAlgorithm, _ format: ECDSASignatureFormat) throws {
    let message = Array("message".utf8)
    let key = try FreshKey.make(algorithm)
    let again = try SigningKey(try key.privateNumbers(), for: algorithm)
    #expect(again.verificationKey.numbers == key.verificationKey.numbers)
    for (signer, verifier) in [(key, again), (again, key), (key, key)] {
      let signature = try signer.sign(message, format)
      #expect(verifier.verificationKey.accepts(signature, message, format))
      #expect(!verifier.verificationKey.accepts(signature, [], format))
    }
  }

  /// The numbers of fresh keys are the ones that the algorithm is about.
  @Test func freshKeysAreOnTheirCurve() throws {
    let kinds = try [SignatureAlgorithm.es256, .es384, .es512, .es256k, .edDSA, .ed25519, .ed448, .esp384].map {
      try SigningKey.generate($0).verificationKey.numbers.kind
    }
    #expect(kinds == ["P-256", "P-384", "P-521", "secp256k1", "Ed25519", "Ed25519", "Ed448", "P-384"])
    #expect(try SigningKey.generate(.ps512, modulusBits: 3072).verificationKey.numbers.kind == "RSA (3072 bits)")
  }

  /// The salt is drawn anew, and a signature of one scheme is none of another.
  @Test func rsaSchemesAreDistinct() throws {
    let message = Array("message".utf8)
    let numbers = try FreshKey.make(.rs256).verificationKey.numbers
    for signer in FreshKey.rsaAlgorithms {
      let key = try FreshKey.make(signer)
      let signature = try key.sign(message)
      let again = try key.sign(message)
      #expect((again == signature) == [.rs256, .rs384, .rs512].contains(signer))
      for verifier in FreshKey.rsaAlgorithms {
        let other = try VerificationKey(numbers, for: verifier)
        #expect(other.accepts(signature, message) == (verifier == signer))
      }
    }
  }

  /// RFC 8032, 5.2.6: signing has one result.
  @Test func ed448SignsAsPublished() throws {
    let seed = [UInt8](
      hex:
        "c4eab05d357007c632f3dbb48489924d552b08fe0c353a0d4a1f00acda2c463afbea67c5e8d2877c5e3bc397a659949ef8021e954e0a12274e"
    )
    let known = KnownSignature.rfc8032Ed448
    for algorithm in [SignatureAlgorithm.ed448, .edDSA] {
      let key = try SigningKey(
        PrivateKeyNumbers(publicKey: known.numbers, secret: .scalar(SecretBytes(seed))), for: algorithm)
      #expect(try key.sign(known.message) == known.signature)
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
