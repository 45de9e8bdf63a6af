import AssayCodec
import AssayCrypto
import TestSupport
import Testing

/// Every signature and code of RFC 6979, RFC 8032, RFC 4231 and of NIST's CAVP files that is made with digests we have, also
/// in combinations that no algorithm of ours has (read from where the environment says).
@Suite(.enabled(if: TestData.hasExtra)) struct PublishedSignatureTests {
  private static let curves: [String: EllipticCurve] = ["P-256": .p256, "P-384": .p384, "P-521": .p521]
  private static let digests: [String: Digest] = [
    "SHA256": .sha256, "SHA384": .sha384, "SHA512": .sha512, "SHA-256": .sha256, "SHA-384": .sha384, "SHA-512": .sha512,
  ]

  private static func tests(_ file: String, _ member: String = "tests") throws -> [[String: Any]] {
    try TestData.extraJSON(file).get(member)
  }

  private static func hex(_ one: [String: Any], _ name: String, byteCount: Int? = nil) throws -> [UInt8] {
    let text: String = try one.get(name)
    let width = (byteCount ?? (text.utf8.count + 1) / 2) * 2
    return [UInt8](hex: String(repeating: "0", count: max(0, width - text.utf8.count)) + text)
  }

  /// RFC 6979, A.2.5 to A.2.7. With SHA-1 and SHA-224 nothing is verified.
  @Test func deterministicECDSA() throws {
    let keys: [String: [String: String]] = try TestData.extraJSON("rfc/rfc6979.json").get("keys")
    var count = 0
    for one in try Self.tests("rfc/rfc6979.json") {
      let name: String = try one.get("curve")
      guard let curve = Self.curves[name], let digest = Self.digests[try one.get("hash")] else { continue }
      let width = curve.byteCount
      let key = try SchemeKey(
        .ec(curve, x: [UInt8](hex: keys[name]?["Ux"] ?? ""), y: [UInt8](hex: keys[name]?["Uy"] ?? "")),
        .ecdsa(curve, digest))
      let signature = try Self.hex(one, "r", byteCount: width) + Self.hex(one, "s", byteCount: width)
      let message = Array(try one.get("msg", as: String.self).utf8)
      #expect(key.accepts(signature, message, .fixedWidth))
      #expect(!key.accepts(signature, message + [0], .fixedWidth))
      count += 1
    }
    #expect(count == 18)
  }

  /// RFC 8032, 7.1 and 7.4: signed again, and verified.
  @Test(arguments: [("ed25519", EllipticCurve.ed25519, SignatureAlgorithm.ed25519, 5), ("ed448", .ed448, .ed448, 8)])
  func edwards(_ member: String, _ curve: EllipticCurve, _ algorithm: SignatureAlgorithm, _ count: Int) throws {
    let tests = try Self.tests("rfc/rfc8032.json", member)
    #expect(tests.count == count)
    for one in tests {
      let publicKey = PublicKeyNumbers.edwards(curve, x: try Self.hex(one, "publicKey"))
      let secret = SecretBytes(try Self.hex(one, "secretKey"))
      let key = try SigningKey(PrivateKeyNumbers(publicKey: publicKey, secret: .scalar(secret)), for: algorithm)
      let message = try Self.hex(one, "msg")
      let signature = try Self.hex(one, "sig")
      #expect(try key.sign(message) == signature)
      #expect(key.verificationKey.accepts(signature, message))
    }
  }

  @Test(arguments: [("ecdsa_siggen", accepted: 90, refused: 0), ("ecdsa_sigver", accepted: 18, refused: 72)])
  func ecdsa(_ file: String, accepted: Int, refused: Int) throws {
    let count = try verdicts(file) { one in
      let curve = try #require(Self.curves[try one.get("curve")])
      let digest = try #require(Self.digests[try one.get("hash")])
      let width = curve.byteCount
      let numbers = PublicKeyNumbers.ec(
        curve, x: try Self.hex(one, "qx", byteCount: width), y: try Self.hex(one, "qy", byteCount: width))
      // "Q changed": a point that is not on the curve refuses all its signatures.
      guard let key = try? SchemeKey(numbers, .ecdsa(curve, digest)) else { return false }
      let signature = try Self.hex(one, "r", byteCount: width) + Self.hex(one, "s", byteCount: width)
      return key.accepts(signature, try Self.hex(one, "msg"), .fixedWidth)
    }
    #expect(count == (accepted, refused))
  }

  @Test(arguments: [
    ("rsa_siggen15", accepted: 60, refused: 0), ("rsa_sigver15", accepted: 18, refused: 90),
    ("rsa_siggenpss", accepted: 60, refused: 0), ("rsa_sigverpss", accepted: 18, refused: 90),
  ])
  func rsa(_ file: String, accepted: Int, refused: Int) throws {
    let count = try verdicts(file) { one in
      let digest = try #require(Self.digests[try one.get("hash")])
      let scheme: SignatureScheme =
        if let salt = one["saltLen"] as? Int { .rsaPSS(digest, saltByteCount: salt) } else { .rsaPKCS1(digest) }
      let numbers = PublicKeyNumbers.rsa(modulus: try Self.hex(one, "n"), exponent: try Self.hex(one, "e"))
      return try SchemeKey(numbers, scheme).accepts(Self.hex(one, "sig"), Self.hex(one, "msg"), .fixedWidth)
    }
    #expect(count == (accepted, refused))
  }

  private func verdicts(
    _ file: String, _ verdict: ([String: Any]) throws -> Bool
  ) throws -> (accepted: Int, refused: Int) {
    var count = (accepted: 0, refused: 0)
    for one in try Self.tests("nist/\(file).json") {
      let expected = try one.get("result", as: String.self) == "valid"
      #expect(try verdict(one) == expected, "\(file) \(one["id"] ?? "")")
      if expected { count.accepted += 1 } else { count.refused += 1 }
    }
    return count
  }

  @Test func hmac() throws {
    let digests: [String: Digest] = ["sha1": .sha1, "sha256": .sha256, "sha384": .sha384, "sha512": .sha512]
    var count = 0
    for one in try Self.tests("nist/hmac.json") {
      guard let digest = digests[try one.get("hash")] else { continue }
      let code = try Self.code(key: Self.hex(one, "key"), Self.hex(one, "msg"), digest)
      #expect(Array(code.prefix(try one.get("tagBytes"))) == (try Self.hex(one, "mac")))
      count += 1
    }
    #expect(count == 80)
  }

  /// RFC 4231, 4. Case 5 cuts the code.
  @Test func hmacOfRFC4231() throws {
    var count = 0
    for one in try Self.tests("rfc/rfc4231.json") {
      guard let digest = Self.digests[try one.get("hash")] else { continue }
      let code = try Self.code(key: Self.hex(one, "key"), Self.hex(one, "msg"), digest)
      let mac = try Self.hex(one, "mac")
      #expect(Array(code.prefix(mac.count)) == mac)
      #expect(try one.get("truncated", as: Bool.self) == (mac.count < code.count))
      count += 1
    }
    #expect(count == 21)
  }

  private static func code(key: [UInt8], _ message: [UInt8], _ digest: Digest) throws -> [UInt8] {
    try HMACKey(SecretBytes(key), digest).authenticate(message)
  }
}
