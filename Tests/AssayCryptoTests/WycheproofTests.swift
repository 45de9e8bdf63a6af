import AssayCodec
import AssayCrypto
import Foundation
import TestSupport
import Testing

/// Every case of Wycheproof's files about signatures and MACs (read from where the environment says, never carried here).
@Suite(.enabled(if: TestData.hasExtra)) struct WycheproofTests {
  /// What a flag means for a case whose label is "acceptable": both verdicts are defensible, this is ours and why.
  /// Cases labelled "valid" or "invalid" are judged as labelled. A flag that is not here fails the test.
  enum Decision { case asLabelled, refuse, accept }
  static let decisions: [String: Decision] = [
    // ECDSA
    "ArithmeticError": .asLabelled, "BerEncodedSignature": .asLabelled, "EdgeCasePublicKey": .asLabelled,
    "EdgeCaseShamirMultiplication": .asLabelled, "IntegerOverflow": .asLabelled, "InvalidEncoding": .asLabelled,
    "InvalidSignature": .asLabelled, "InvalidTypesInSignature": .asLabelled, "MissingZero": .asLabelled,
    "ModifiedInteger": .asLabelled, "ModifiedSignature": .asLabelled, "ModularInverse": .asLabelled,
    "PointDuplication": .asLabelled, "RangeCheck": .asLabelled, "SignatureSize": .asLabelled,
    "SmallRandS": .asLabelled, "SpecialCaseHash": .asLabelled, "Untruncatedhash": .asLabelled,
    "ValidSignature": .asLabelled,
    // RSASSA-PKCS1-v1_5
    "BerEncodedPadding": .asLabelled, "EdgeCaseSignature": .asLabelled, "InvalidAsnInPadding": .asLabelled,
    "InvalidPadding": .asLabelled, "ModifiedPadding": .asLabelled, "NoHash": .asLabelled, "ShortPadding": .asLabelled,
    "SignatureMalleability": .asLabelled, "SmallSignature": .asLabelled, "WrongHash": .asLabelled,
    "WrongPrimitive": .asLabelled,
    // An exponent of 3 is odd: with the padding checked to the last byte, it is as good as another.
    "SmallPublicKey": .accept,
    // DigestInfo without NULL: RFC 8017, 9.2 note 1 lets a verifier take it; one encoding is enough.
    "MissingNull": .refuse,
    // RSASSA-PSS
    "DistinctHash": .asLabelled, "Mgf1Sha1": .asLabelled, "Normal": .asLabelled, "ParameterTest": .asLabelled,
    // Nobody is asked about SHA-224, and about SHA-1 only as old attestation uses it.
    "WeakHash": .accept,
    // Ed25519 and Ed448
    "CompressedSignature": .asLabelled, "InvalidKtv": .asLabelled, "Ktv": .asLabelled,
    "SignatureWithGarbage": .asLabelled, "TinkOverflow": .asLabelled, "TruncatedSignature": .asLabelled,
    "Valid": .asLabelled,
    // Under such a key one signature fits every message.
    "SmallOrderPublicKey": .refuse,
    // RFC 8032 does not forbid these keys, and its equation without the cofactor holds.
    "MixedOrderPublicKey": .accept,
    // HMAC
    "ModifiedTag": .asLabelled, "Pseudorandom": .asLabelled,
  ]

  /// Cases whose label is not about what is tested here, by the errata that lie beside the files, or as said.
  static let relabelled: [String: [Int: Bool]] = [
    // Larger than half the order: wrong in Bitcoin, right in ECDSA.
    "ecdsa_secp256k1_sha256_bitcoin": [1: true, 388: true]
  ]

  private struct UnknownLabel: Error { let label: String }

  /// Whether the case is to be accepted.
  private func expectation(_ test: [String: Any]) throws -> Bool {
    let flags: [String] = try test.get("flags")
    let label: String = try test.get("result")
    let known = try flags.map { try #require(Self.decisions[$0], "unknown flag \($0)") }
    switch label {
    case "valid": return true
    case "invalid": return false
    case "acceptable":
      // Undecided flags would make the verdict arbitrary.
      try #require(known.contains { $0 != .asLabelled })
      return !known.contains { $0 == .refuse }
    default: throw UnknownLabel(label: label)
    }
  }

  /// Runs every case, and checks that there are as many as the file declares. `verdict` is nil for what cannot be asked.
  @discardableResult
  private func run(
    _ file: String, suffix: String = "_test", _ verdict: (_ group: [String: Any], _ test: [String: Any]) throws -> Bool?
  ) throws -> (accepted: Int, refused: Int, notAsked: Int) {
    let json = try TestData.extraJSON("wycheproof/\(file)\(suffix).json")
    var count = (accepted: 0, refused: 0, notAsked: 0)
    for group in try json.get("testGroups", as: [[String: Any]].self) {
      for test in try group.get("tests", as: [[String: Any]].self) {
        let identifier: Int = try test.get("tcId")
        let expected = try Self.relabelled[file]?[identifier] ?? expectation(test)
        guard let actual = try verdict(group, test) else {
          count.notAsked += 1
          continue
        }
        let comment: String = try test.get("comment")
        #expect(actual == expected, "\(file) tcId \(identifier): \(comment)")
        if expected { count.accepted += 1 } else { count.refused += 1 }
      }
    }
    #expect(try json.get("numberOfTests", as: Int.self) == count.accepted + count.refused + count.notAsked)
    return count
  }

  private static func hex(_ object: [String: Any], _ name: String) throws -> [UInt8] {
    [UInt8](hex: try object.get(name))
  }

  /// A number as a JWK would have it: left-padded to `count`, or without leading zeros.
  private static func number(_ bytes: [UInt8], _ count: Int = 0) -> [UInt8] {
    let digits = bytes.drop { $0 == 0 }
    return [UInt8](repeating: 0, count: max(0, count - digits.count)) + digits
  }

  private static func numbers(_ group: [String: Any], _ scheme: SignatureScheme) throws -> PublicKeyNumbers {
    let key = try (group["publicKey"] as? [String: Any]) ?? group.get("privateKey")
    switch scheme {
    case .ecdsa(let curve, _):
      return .ec(
        curve, x: number(try hex(key, "wx"), curve.byteCount), y: number(try hex(key, "wy"), curve.byteCount))
    case .rsaPKCS1, .rsaPSS:
      return .rsa(modulus: number(try hex(key, "modulus")), exponent: number(try hex(key, "publicExponent")))
    case .edDSA(let curve): return .edwards(curve ?? .ed25519, x: try hex(key, "pk"))
    }
  }

  /// The algorithms that JOSE has a name for, each with its files.
  static let named: [(String, SignatureAlgorithm, ECDSASignatureFormat, accepted: Int, refused: Int)] = [
    ("ecdsa_secp256r1_sha256", .es256, .der, 174, 310), ("ecdsa_secp256r1_sha256_p1363", .es256, .fixedWidth, 173, 89),
    ("ecdsa_secp384r1_sha384", .es384, .der, 194, 310), ("ecdsa_secp384r1_sha384_p1363", .es384, .fixedWidth, 193, 87),
    ("ecdsa_secp521r1_sha512", .es512, .der, 232, 310), ("ecdsa_secp521r1_sha512_p1363", .es512, .fixedWidth, 231, 87),
    ("ecdsa_secp256k1_sha256", .es256k, .der, 168, 308),
    ("ecdsa_secp256k1_sha256_p1363", .es256k, .fixedWidth, 167, 85),
    ("ecdsa_secp256k1_sha256_bitcoin", .es256k, .der, 164, 299),
    ("rsa_signature_2048_sha256", .rs256, .der, 9, 250), ("rsa_signature_2048_sha384", .rs384, .der, 7, 251),
    ("rsa_signature_2048_sha512", .rs512, .der, 8, 251), ("rsa_signature_3072_sha256", .rs256, .der, 8, 251),
    ("rsa_signature_3072_sha384", .rs384, .der, 7, 252), ("rsa_signature_3072_sha512", .rs512, .der, 8, 252),
    ("rsa_signature_4096_sha256", .rs256, .der, 7, 251), ("rsa_signature_4096_sha384", .rs384, .der, 7, 252),
    ("rsa_signature_4096_sha512", .rs512, .der, 7, 252), ("rsa_signature_8192_sha256", .rs256, .der, 7, 251),
    ("rsa_pss_2048_sha256_mgf1_32", .ps256, .der, 63, 45), ("rsa_pss_2048_sha384_mgf1_48", .ps384, .der, 95, 46),
    ("rsa_pss_3072_sha256_mgf1_32", .ps256, .der, 63, 45), ("rsa_pss_4096_sha256_mgf1_32", .ps256, .der, 63, 45),
    ("rsa_pss_4096_sha384_mgf1_48", .ps384, .der, 95, 46), ("rsa_pss_4096_sha512_mgf1_64", .ps512, .der, 132, 47),
    ("ed25519", .ed25519, .der, 88, 63), ("ed448", .ed448, .der, 17, 70),
  ]

  @Test(arguments: named)
  func signatures(
    _ file: String, _ algorithm: SignatureAlgorithm, _ format: ECDSASignatureFormat, accepted: Int, refused: Int
  ) throws {
    let count = try run(file) { group, test in
      let key = try VerificationKey(Self.numbers(group, algorithm.scheme), for: algorithm)
      return key.accepts(try Self.hex(test, "sig"), try Self.hex(test, "msg"), format)
    }
    #expect(count == (accepted, refused, 0))
  }

  /// Combinations of curve, digest and salt that JOSE has no name for, at the primitive itself.
  static let unnamed: [(String, SignatureScheme, ECDSASignatureFormat, accepted: Int, refused: Int)] = [
    ("ecdsa_secp256r1_sha512", .ecdsa(.p256, .sha512), .der, 243, 311),
    ("ecdsa_secp256r1_sha512_p1363", .ecdsa(.p256, .sha512), .fixedWidth, 242, 90),
    ("ecdsa_secp384r1_sha256", .ecdsa(.p384, .sha256), .der, 162, 310),
    ("ecdsa_secp384r1_sha512", .ecdsa(.p384, .sha512), .der, 231, 311),
    ("ecdsa_secp384r1_sha512_p1363", .ecdsa(.p384, .sha512), .fixedWidth, 230, 88),
    ("rsa_pss_2048_sha256_mgf1_0", .rsaPSS(.sha256, saltByteCount: 0), .der, 61, 42),
    ("rsa_pss_4096_sha512_mgf1_32", .rsaPSS(.sha512, saltByteCount: 32), .der, 132, 45),
  ]

  @Test(arguments: unnamed)
  func primitives(
    _ file: String, _ scheme: SignatureScheme, _ format: ECDSASignatureFormat, accepted: Int, refused: Int
  ) throws {
    let count = try run(file) { group, test in
      let key = try SchemeKey(Self.numbers(group, scheme), scheme)
      return try key.accepts(Self.hex(test, "sig"), Self.hex(test, "msg"), format)
    }
    #expect(count == (accepted, refused, 0))
  }

  /// Digests as the files call them. SHA-1 and SHA-224 sign nothing here.
  static let digests: [String: Digest] = ["SHA-256": .sha256, "SHA-384": .sha384, "SHA-512": .sha512]

  /// Parameters of PSS in every combination. Where MGF1 has another digest than the message, and where either is SHA-1 or
  /// SHA-224, there is no way to ask; and under the algorithm with that digest the signature is refused.
  @Test(arguments: [
    ("rsa_pss_misc", accepted: 18, refused: 0, notAsked: 132),
    ("rsa_pss_2048_sha256_mgf1sha1_20", accepted: 0, refused: 0, notAsked: 108),
  ])
  func parametersOfPSS(_ file: String, accepted: Int, refused: Int, notAsked: Int) throws {
    let count = try run(file) { group, test in
      let salt: Int = try group.get("sLen")
      guard let digest = Self.digests[try group.get("sha")] else { return nil }
      let key = try Self.numbers(group, .rsaPSS(digest, saltByteCount: salt))
      let algorithm: SignatureAlgorithm = digest == .sha256 ? .ps256 : digest == .sha384 ? .ps384 : .ps512
      let isNamed = try group.get("mgfSha") == group.get("sha", as: String.self) && salt == digest.byteCount
      let verdict = try VerificationKey(key, for: algorithm).accepts(Self.hex(test, "sig"), Self.hex(test, "msg"), .der)
      let expected = try isNamed && expectation(test)
      #expect(verdict == expected)
      guard try group.get("mgfSha") == group.get("sha", as: String.self) else { return nil }
      return try SchemeKey(key, .rsaPSS(digest, saltByteCount: salt)).accepts(
        Self.hex(test, "sig"), Self.hex(test, "msg"), .der)
    }
    #expect(count == (accepted, refused, notAsked))
  }

  /// Signatures to be made, whose one result (RFC 8017, 8.2.1) is verified.
  @Test(arguments: [
    ("rsa_pkcs1_2048_sig_gen", accepted: 35, refused: 0, notAsked: 8),
    ("rsa_pkcs1_3072_sig_gen", accepted: 26, refused: 0, notAsked: 0),
    ("rsa_pkcs1_4096_sig_gen", accepted: 24, refused: 0, notAsked: 0),
  ])
  func madeSignatures(_ file: String, accepted: Int, refused: Int, notAsked: Int) throws {
    let count = try run(file) { group, test in
      // SHA-1 too: attestation statements may be signed so.
      let name: String = try group.get("sha")
      guard let digest = name == "SHA-1" ? .sha1 : Self.digests[name] else { return nil }
      let scheme = SignatureScheme.rsaPKCS1(digest)
      return try SchemeKey(Self.numbers(group, scheme), scheme).accepts(
        Self.hex(test, "sig"), Self.hex(test, "msg"), .der)
    }
    #expect(count == (accepted, refused, notAsked))
  }

  /// A later edition, which adds keys of small and of mixed order. A refused key refuses its signatures.
  @Test func unusualEd25519Keys() throws {
    let count = try run("ed25519_test_pypi_2026-10-23", suffix: "") { group, test in
      guard let key = try? VerificationKey(Self.numbers(group, .edDSA(nil)), for: .edDSA) else { return false }
      return key.accepts(try Self.hex(test, "sig"), try Self.hex(test, "msg"))
    }
    #expect(count.notAsked == 0 && count.accepted > 117)
  }

  @Test(arguments: [
    ("hmac_sha1", Digest.sha1, accepted: 66, refused: 104), ("hmac_sha256", .sha256, 66, 108),
    ("hmac_sha384", .sha384, 66, 108), ("hmac_sha512", .sha512, 66, 108),
  ])
  func authenticationCodes(_ file: String, _ digest: Digest, accepted: Int, refused: Int) throws {
    let count = try run(file) { group, test in
      let bits: Int = try group.get("tagSize")
      let code = try Self.code(key: Self.hex(test, "key"), Self.hex(test, "msg"), digest)
      let tag = try Self.hex(test, "tag")
      return constantTimeEqual(Array(code.prefix(bits / 8)).span, tag.span)
    }
    #expect(count == (accepted, refused, 0))
  }

  private static func code(key: [UInt8], _ message: [UInt8], _ digest: Digest) throws -> [UInt8] {
    try HMACKey(SecretBytes(key), digest).authenticate(message)
  }

  /// Every file that lies there is run by a test here, or is about something else.
  @Test func noFileIsForgotten() throws {
    let folder = try #require(TestData.extra).appending(path: "wycheproof")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
    var run = Set((Self.named.map(\.0) + Self.unnamed.map(\.0)).map { "\($0)_test.json" })
    for name in [
      "rsa_pss_misc", "rsa_pss_2048_sha256_mgf1sha1_20", "rsa_pkcs1_2048_sig_gen", "rsa_pkcs1_3072_sig_gen",
      "rsa_pkcs1_4096_sig_gen", "hmac_sha1", "hmac_sha256", "hmac_sha384", "hmac_sha512",
    ] { run.insert("\(name)_test.json") }
    run.insert("ed25519_test_pypi_2026-10-23.json")
    // Curves as numbers, and what is above the primitives: keys, signed and encrypted tokens.
    let others: Set = [
      "_errata.json", "ec_prime_order_curves_test.json", "json_web_crypto_test.json", "json_web_key_test.json",
      "json_web_signature_test.json",
    ]
    #expect(Set(names).subtracting(run).subtracting(others) == [])
    #expect(run.isSubset(of: names))
  }
}

extension SchemeKey {
  func accepts(_ signature: [UInt8], _ message: [UInt8], _ format: ECDSASignatureFormat) -> Bool {
    isValid(signature.span, for: message.span, ecdsa: format)
  }
}
