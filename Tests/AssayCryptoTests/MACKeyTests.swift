import AssayCodec
import AssayCrypto
import Testing

@Suite struct MACKeyTests {
  private func key(
    _ secret: [UInt8], _ algorithm: MACAlgorithm = .hs256, short: Bool = false
  ) throws(KeyError) -> MACKey {
    let secret = SecretBytes(copying: secret.span)
    return try MACKey(secret, for: algorithm, unsafelyAllowingShortSecret: short)
  }

  private func refusal(_ secret: [UInt8], _ algorithm: MACAlgorithm = .hs256, short: Bool = false) -> KeyError.Reason? {
    do throws(KeyError) {
      _ = try key(secret, algorithm, short: short)
      return nil
    } catch {
      return error.reason
    }
  }

  /// IANA, "JSON Web Signature and Encryption Algorithms" and "COSE Algorithms".
  @Test(arguments: [(MACAlgorithm.hs256, "HS256", 5, 32), (.hs384, "HS384", 6, 48), (.hs512, "HS512", 7, 64)])
  func registeredNames(_ algorithm: MACAlgorithm, _ name: String, _ identifier: Int64, _ minimum: Int) {
    #expect(algorithm.joseName == UTF8Text(name))
    #expect(algorithm.coseIdentifier == identifier)
    #expect(MACAlgorithm(joseName: UTF8Text(name)) == algorithm)
    #expect(MACAlgorithm(coseIdentifier: identifier) == algorithm)
    #expect(algorithm.minimumSecretByteCount == minimum)
    #expect(SignatureAlgorithm(joseName: UTF8Text(name)) == nil)
    #expect(SignatureAlgorithm(coseIdentifier: identifier) == nil)
  }

  @Test func otherNamesAreUnknown() {
    for name: UTF8Text in ["", "HS1", "hs256", "HS256 ", "ES256", "none"] {
      #expect(MACAlgorithm(joseName: name) == nil)
    }
    for identifier: Int64 in [0, 4, 8, -5, -7] { #expect(MACAlgorithm(coseIdentifier: identifier) == nil) }
  }

  /// RFC 7515, A.1: the secret and the tag of the first JWS there is.
  static let secret = [UInt8](
    hex: "0323354b2b0fa5bc837e0665777ba68f5ab328e6f054c928a90f84b2d2502ebf"
      + "d3fb5a92d20647ef968ab4c377623d223d2e2172052e4f08c0cd9af567d080a3")
  static let message = Array(
    ("eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQog"
      + "Imh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ").utf8)
  static let tag = [UInt8](hex: "7418dfb49799e0254ffa607dd8adbbba16d4254d69d6bff05b58055853848d79")

  @Test func publishedTag() throws {
    let key = try key(Self.secret)
    #expect(key.accepts(Self.tag, Self.message))
    let made = try key.tag(for: Self.message.span)
    #expect(made == Self.tag)
  }

  @Test(arguments: MACAlgorithm.allCases) func tagsAreTheirOwn(_ algorithm: MACAlgorithm) throws {
    let key = try key(Self.secret, algorithm)
    let tag = try key.tag(for: Self.message.span)
    #expect(tag.count == algorithm.minimumSecretByteCount)
    #expect(key.accepts(tag, Self.message))
    for bit in 0..<tag.count * 8 { #expect(!key.accepts(tag.flippingBit(bit), Self.message)) }
    for count in 0..<tag.count { #expect(!key.accepts(Array(tag[..<count]), Self.message)) }
    #expect(!key.accepts(tag + [0], Self.message))
    #expect(!key.accepts(tag, Self.message + [0]))
    for other in MACAlgorithm.allCases where other != algorithm {
      #expect(try !self.key(Self.secret, other).accepts(tag, Self.message))
    }
    #expect(try !self.key(Self.secret.flippingBit(511), algorithm).accepts(tag, Self.message))
  }

  @Test(arguments: MACAlgorithm.allCases) func shortSecretsAreRefused(_ algorithm: MACAlgorithm) {
    let minimum = algorithm.minimumSecretByteCount
    for count in 0..<minimum {
      let secret = [UInt8](repeating: 0x5A, count: count)
      #expect(refusal(secret, algorithm) == .secretTooShort(bytes: count, minimum: minimum))
      #expect(refusal(secret, algorithm, short: true) == (count == 0 ? .secretTooShort(bytes: 0, minimum: 1) : nil))
    }
    #expect(refusal([UInt8](repeating: 0x5A, count: minimum), algorithm) == nil)
    #expect(refusal([UInt8](repeating: 0x5A, count: 1000), algorithm) == nil)
  }

  /// CVE-2017-11424, CVE-2022-29217 and their kin: no file of a public key is a secret.
  @Test(arguments: [SignatureAlgorithm.es256, .rs256, .edDSA, .ed448])
  func keyFilesAreNoSecrets(_ algorithm: SignatureAlgorithm) throws {
    let numbers = try FreshKey.make(algorithm).verificationKey.numbers
    let pem = PEM.encode(.publicKey, numbers.spki().span)
    for file in [
      numbers.spki(), pem, Array("  \n".utf8) + pem, JWK(numbers).encoded(),
      try COSEKey(numbers, alg: algorithm == .ed448 ? -53 : algorithm.coseIdentifier).encoded(),
    ] {
      for short in [false, true] { #expect(refusal(file, short: short) == .keyFileAsSecret) }
    }
    // What is no key file any more is a secret like another.
    #expect(refusal(Array(pem.dropFirst())) == nil)
  }

  @Test(arguments: [
    "-----BEGIN PUBLIC KEY-----\nnot base64 at all\n-----END PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    "\r\n\t -----BEGIN RSA PUBLIC KEY-----\n and nothing more",
    "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQDAqL8h0 someone@example",
    "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTY= someone@example",
    "sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29t",
  ])
  func whatLooksLikeAKeyFileIsNoSecret(_ text: String) {
    #expect(refusal(Array(text.utf8)) == .keyFileAsSecret)
  }
}

extension MACKey {
  func accepts(_ tag: [UInt8], _ message: [UInt8]) -> Bool { isValid(tag.span, for: message.span) }
}
