import AssayCodec
import AssayCrypto
import Foundation
import TestSupport
import Testing

/// Encrypted keys that the `openssl` command made, and ours that it reads.
@Suite(.enabled(if: OpenSSLTool.path != nil, "the openssl command is not installed"))
struct PasswordTests {
  static let password = "correct horse"

  static func read(_ bytes: [UInt8], _ password: String) throws(KeyError) -> KeyFile {
    try KeyFile.read(bytes.span, password: SecretBytes(copying: Array(password.utf8).span))
  }

  static func refusal(_ bytes: [UInt8], _ password: String) -> KeyError.Reason? {
    do throws(KeyError) {
      _ = try read(bytes, password)
      return nil
    } catch {
      return error.reason
    }
  }

  static func key(_ curve: String) throws -> (pem: [UInt8], spki: [UInt8]) {
    let pem = try OpenSSLTool.run(["genpkey"] + keys[curve, default: []])
    return (pem, try OpenSSLTool.run("pkey", "-pubout", "-outform", "DER", input: pem))
  }

  static let keys: [String: [String]] = [
    "RSA": ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
    "P-256": ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
    "P-384": ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"],
    "P-521": ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-521"],
    "secp256k1": ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:secp256k1"],
    "Ed25519": ["-algorithm", "ED25519"], "Ed448": ["-algorithm", "ED448"],
  ]

  /// Ciphers and pseudorandom functions of PBES2, and scrypt.
  static let schemes: [[String]] = [
    ["-v2", "aes-128-cbc", "-v2prf", "hmacWithSHA1"], ["-v2", "aes-192-cbc", "-v2prf", "hmacWithSHA256"],
    ["-v2", "aes-256-cbc", "-v2prf", "hmacWithSHA384"], ["-v2", "aes-256-cbc", "-v2prf", "hmacWithSHA512"],
    ["-v2", "des-ede3-cbc"], ["-v2", "aes-256-cbc", "-iter", "100000"], ["-scrypt"],
    ["-scrypt", "-scrypt_N", "1024", "-scrypt_r", "4", "-scrypt_p", "2"],
  ]

  @Test(arguments: keys.keys.sorted()) func encryptedPKCS8(_ kind: String) throws {
    let (pem, spki) = try Self.key(kind)
    for (index, scheme) in Self.schemes.enumerated() {
      let form = index % 2 == 0 ? "PEM" : "DER"
      let encrypted = try OpenSSLTool.run(
        ["pkcs8", "-topk8", "-passout", "pass:\(Self.password)", "-outform", form] + scheme, input: pem)
      #expect(Self.refusal(encrypted, "wrong") == .wrongPassword, "\(scheme)")
      #expect(Self.refusal(encrypted, "") == .wrongPassword, "\(scheme)")
      #expect(throws: KeyError(.encrypted)) { _ = try KeyFile.read(encrypted.span) }
      let file = try Self.read(encrypted, Self.password)
      #expect(file.wasEncrypted && file.isPrivate && file.isPEM == (form == "PEM") && file.format == .pkcs8)
      #expect(try file.publicKey().spki() == spki, "\(scheme)")
    }
    #expect(try !Self.read(pem, Self.password).wasEncrypted)
  }

  @Test(arguments: ["RSA", "P-256", "P-521"], ["-aes128", "-aes192", "-aes256", "-des3"])
  func traditionalPEM(_ kind: String, _ cipher: String) throws {
    let (pem, spki) = try Self.key(kind)
    let command = kind == "RSA" ? ["rsa", "-traditional"] : ["ec"]
    let encrypted = try OpenSSLTool.run(command + [cipher, "-passout", "pass:\(Self.password)"], input: pem)
    #expect(String(decoding: encrypted, as: UTF8.self).contains("DEK-Info"))
    let file = try Self.read(encrypted, Self.password)
    #expect(file.wasEncrypted && file.isPEM && file.format == (kind == "RSA" ? .pkcs1 : .sec1))
    #expect(try file.publicKey().spki() == spki)
    #expect(Self.refusal(encrypted, "wrong") == .wrongPassword)
    #expect(throws: KeyError(.encrypted)) { _ = try KeyFile.read(encrypted.span) }
    // As one line of an environment variable.
    let variable = String(decoding: encrypted, as: UTF8.self).replacing("\n", with: "\\n")
    #expect(try Self.read(Array(variable.utf8), Self.password).publicKey().spki() == spki)
  }

  @Test(arguments: keys.keys.sorted()) func opensslReadsOurs(_ kind: String) throws {
    let (pem, spki) = try Self.key(kind)
    let numbers = try KeyFile.read(pem.span).privateKey()
    let secret = SecretBytes(copying: Array(Self.password.utf8).span)
    let encrypted = try numbers.encryptedPKCS8(password: secret, iterations: 1000)
    #expect(try Self.read(encrypted, Self.password).publicKey().spki() == spki)
    let armoured = PEM.encode(.encryptedPrivateKey, encrypted.span)
    #expect(
      try OpenSSLTool.run(
        "pkey", "-passin", "pass:\(Self.password)", "-pubout", "-outform", "DER", input: armoured) == spki)
    #expect(throws: OpenSSLTool.Failed.self) {
      try OpenSSLTool.run("pkey", "-passin", "pass:wrong", "-pubout", input: armoured)
    }
    let again = try numbers.encryptedPKCS8(password: secret, iterations: 1000)
    #expect(again != encrypted)
    let nothing = SecretBytes(count: 0) { _ in }
    #expect(throws: KeyError(.invalid("password", .missing))) { try numbers.encryptedPKCS8(password: nothing) }
    for iterations in [0, 2_000_001] as [UInt32] {
      #expect(throws: KeyError(.invalid("iterationCount", .numberOutOfRange))) {
        try numbers.encryptedPKCS8(password: secret, iterations: iterations)
      }
    }
  }

  /// Every truncation is refused, and every changed byte either is or leaves the key as it was.
  @Test func damagedFiles() throws {
    let (pem, spki) = try Self.key("P-256")
    for scheme in [["-v2", "aes-256-cbc", "-iter", "2"], ["-scrypt", "-scrypt_N", "2", "-scrypt_r", "1"]] {
      let encrypted = try OpenSSLTool.run(
        ["pkcs8", "-topk8", "-passout", "pass:\(Self.password)", "-outform", "DER"] + scheme, input: pem)
      for count in 0..<encrypted.count { #expect(Self.refusal(Array(encrypted.prefix(count)), Self.password) != nil) }
      #expect(Self.refusal(encrypted + [0], Self.password) != nil)
      for index in encrypted.indices {
        for change in [0x01, 0x20, 0x80] as [UInt8] {
          var changed = encrypted
          changed[index] ^= change
          // A changed byte of the plaintext's public half gives another one, which a signing key's check finds.
          guard let file = try? Self.read(changed, Self.password) else { continue }
          #expect((try? SigningKey(file, for: .es256)) == nil || (try? file.publicKey().spki()) == spki)
        }
      }
    }
    #expect(throws: KeyError.self) { _ = try Self.read([0x30, 0x80], Self.password) }
  }

  @Test func workIsLimited() throws {
    let scrypt: KeyError.Reason = .tooMuchWork(what: "the memory that scrypt needs, in bytes,", maximum: 64 << 20)
    let (pem, _) = try Self.key("P-256")
    // N = 16384, r = 8, p = 1.
    let usual = try OpenSSLTool.run(
      "pkcs8", "-topk8", "-passout", "pass:x", "-scrypt", "-outform", "DER", input: pem)
    let parameters: [UInt8] = [0x02, 0x02, 0x40, 0x00, 0x02, 0x01, 0x08, 0x02, 0x01, 0x01]
    let start = try #require(usual.indices.first { Array(usual[$0...].prefix(10)) == parameters })
    #expect(Self.refusal(usual, "x") == nil)
    for (offset, value, reason) in [
      (6, 0x21, scrypt), (6, 0x7F, scrypt), (2, 0x30, .invalid("scrypt-params", .invalidValue)),
      (9, 0x11, .tooMuchWork(what: "the parallelisation of scrypt", maximum: 16)),
      (6, 0x00, .invalid("scrypt-params", .invalidValue)), (9, 0x00, .invalid("scrypt-params", .invalidValue)),
      (6, 0x20, .wrongPassword), (9, 0x02, .wrongPassword),
    ] as [(Int, UInt8, KeyError.Reason)] {
      var changed = usual
      changed[start + offset] = value
      #expect(Self.refusal(changed, "x") == reason, "\(offset) \(value)")
    }
    let iterations = try OpenSSLTool.run(
      "pkcs8", "-topk8", "-passout", "pass:x", "-v2", "aes-128-cbc", "-iter", "2000001", input: pem)
    #expect(
      Self.refusal(iterations, "x") == .tooMuchWork(what: "the iteration count of PBKDF2", maximum: 2_000_000))
  }

  @Test func otherSchemesAreNamed() throws {
    let (pem, _) = try Self.key("P-256")
    let pbes1 = try OpenSSLTool.run(
      "pkcs8", "-topk8", "-passout", "pass:x", "-v1", "PBE-SHA1-3DES", input: pem)
    #expect(
      Self.refusal(pbes1, "x")
        == .unsupported(what: "the scheme (PBE) that encrypts this key: PBES2 is needed, which"))
  }

  // MARK: What is computed

  @Test(arguments: ["P-256", "P-384", "P-521", "secp256k1"]) func compressedPoints(_ kind: String) throws {
    for _ in 0..<4 {
      let (pem, spki) = try Self.key(kind)
      let compressed = try OpenSSLTool.run(
        "ec", "-pubout", "-conv_form", "compressed", "-outform", "DER", input: pem)
      #expect(try KeyFile.read(compressed.span).publicKey().spki() == spki)
      let sec1 = try OpenSSLTool.run("ec", "-conv_form", "compressed", "-outform", "DER", input: pem)
      #expect(try KeyFile.read(sec1.span).publicKey().spki() == spki)
      var wrong = sec1
      wrong[sec1.count - 1] ^= 1
      let other = try KeyFile.read(wrong.span)
      #expect(throws: KeyError(.inconsistent)) { try other.publicKey() }
      let alone = try OpenSSLTool.run("ec", "-no_public", "-outform", "DER", input: pem)
      #expect(try KeyFile.read(alone.span).publicKey().spki() == spki)
    }
  }
}
