import AssayCodec
import AssayCrypto
import Foundation
import TestSupport
import Testing

/// Every case of Wycheproof's files for our algorithms (read from where the environment says, never carried here).
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
    "SmallRandS": .asLabelled, "SpecialCaseHash": .asLabelled, "ValidSignature": .asLabelled,
    // RSASSA-PKCS1-v1_5
    "BerEncodedPadding": .asLabelled, "EdgeCaseSignature": .asLabelled, "InvalidAsnInPadding": .asLabelled,
    "InvalidPadding": .asLabelled, "ModifiedPadding": .asLabelled, "NoHash": .asLabelled, "ShortPadding": .asLabelled,
    "SignatureMalleability": .asLabelled, "SmallPublicKey": .asLabelled, "SmallSignature": .asLabelled,
    "WrongHash": .asLabelled, "WrongPrimitive": .asLabelled,
    // DigestInfo without NULL: RFC 8017, 9.2 note 1 lets a verifier take it; one encoding is enough.
    "MissingNull": .refuse,
    // Ed25519
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

  /// Runs every case, and checks that there are as many as the file declares.
  private func run(
    _ file: String, _ verdict: (_ group: [String: Any], _ test: [String: Any]) throws -> Bool
  ) throws {
    let json = try TestData.extraJSON("wycheproof/\(file).json")
    var count = 0
    var accepted = 0
    for group in try json.get("testGroups", as: [[String: Any]].self) {
      for test in try group.get("tests", as: [[String: Any]].self) {
        let identifier: Int = try test.get("tcId")
        let expected = try expectation(test)
        let comment: String = try test.get("comment")
        #expect(try verdict(group, test) == expected, "\(file) tcId \(identifier): \(comment)")
        count += 1
        accepted += expected ? 1 : 0
      }
    }
    #expect(try json.get("numberOfTests", as: Int.self) == count)
    #expect(accepted > 0 && accepted < count)
  }

  private static func hex(_ object: [String: Any], _ name: String) throws -> [UInt8] {
    [UInt8](hex: try object.get(name))
  }

  /// A number as a JWK would have it: left-padded to `count`, or without leading zeros.
  private static func number(_ bytes: [UInt8], _ count: Int = 0) -> [UInt8] {
    let digits = bytes.drop { $0 == 0 }
    return [UInt8](repeating: 0, count: max(0, count - digits.count)) + digits
  }

  private static func numbers(_ group: [String: Any], _ algorithm: SignatureAlgorithm) throws -> PublicKeyNumbers {
    let key: [String: Any] = try group.get("publicKey")
    switch algorithm {
    case .es256: return .ec(.p256, x: number(try hex(key, "wx"), 32), y: number(try hex(key, "wy"), 32))
    case .rs256:
      return .rsa(modulus: number(try hex(key, "modulus")), exponent: number(try hex(key, "publicExponent")))
    case .edDSA: return .edwards(.ed25519, x: try hex(key, "pk"))
    }
  }

  @Test(arguments: [
    ("ecdsa_secp256r1_sha256", SignatureAlgorithm.es256, ECDSASignatureFormat.der),
    ("ecdsa_secp256r1_sha256_p1363", .es256, .fixedWidth),
    ("rsa_signature_2048_sha256", .rs256, .der),
    ("rsa_signature_3072_sha256", .rs256, .der),
    ("rsa_signature_4096_sha256", .rs256, .der),
    ("rsa_signature_8192_sha256", .rs256, .der),
    ("ed25519", .edDSA, .der),
  ])
  func signatures(_ file: String, _ algorithm: SignatureAlgorithm, _ format: ECDSASignatureFormat) throws {
    try run(file + "_test") { group, test in
      let key = try VerificationKey(Self.numbers(group, algorithm), for: algorithm)
      return key.accepts(try Self.hex(test, "sig"), try Self.hex(test, "msg"), format)
    }
  }

  /// A later edition, which adds keys of small and of mixed order. A refused key refuses its signatures.
  @Test func unusualEd25519Keys() throws {
    try run("ed25519_test_pypi_2026-10-23") { group, test in
      guard let key = try? VerificationKey(Self.numbers(group, .edDSA), for: .edDSA) else { return false }
      return key.accepts(try Self.hex(test, "sig"), try Self.hex(test, "msg"))
    }
  }

  @Test(arguments: [
    ("hmac_sha1", Digest.sha1), ("hmac_sha256", .sha256), ("hmac_sha384", .sha384), ("hmac_sha512", .sha512),
  ])
  func authenticationCodes(_ file: String, _ digest: Digest) throws {
    try run(file + "_test") { group, test in
      let bits: Int = try group.get("tagSize")
      let code = try Self.code(key: Self.hex(test, "key"), Self.hex(test, "msg"), digest)
      let tag = try Self.hex(test, "tag")
      return constantTimeEqual(Array(code.prefix(bits / 8)).span, tag.span)
    }
  }

  private static func code(key: [UInt8], _ message: [UInt8], _ digest: Digest) throws -> [UInt8] {
    try HMACKey(SecretBytes(key), digest).authenticate(message)
  }

  /// The list of wrong labels says nothing about the files above beyond what the table of flags decides.
  @Test func errata() throws {
    let errata = try TestData.extraJSON("wycheproof/_errata.json")
    var seen = 0
    for note in try errata.get("notes", as: [[String: Any]].self) {
      let files: String = try note.get("file")
      guard
        files.contains("rsa_signature_") || files.contains("ed25519_") || files.contains("secp256r1")
          || files.contains("hmac_")
      else { continue }
      seen += 1
      #expect(try note.get("label", as: String.self) == "acceptable", "\(files)")
    }
    #expect(seen == 2)
  }
}
