import AssayCodec
import Foundation
import TestSupport
import Testing

/// Keys made by the `openssl` command: read, compared with what it prints, and written again byte for byte.
@Suite(.enabled(if: OpenSSLTool.path != nil, "the openssl command is not installed"))
struct KeyFileTests {
  /// How to make a key, and what kind it is then.
  static let kinds: [(arguments: [String], kind: String)] = [
    (["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"], "RSA (2048 bits)"),
    (["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024", "-pkeyopt", "rsa_keygen_pubexp:3"], "RSA (1024 bits)"),
    (["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"], "P-256"),
    (["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"], "P-384"),
    (["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-521"], "P-521"),
    (["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:secp256k1"], "secp256k1"),
    (["-algorithm", "ED25519"], "Ed25519"),
    (["-algorithm", "ED448"], "Ed448"),
  ]

  @Test(arguments: kinds) func everyFormat(_ arguments: [String], _ kind: String) throws {
    let pkcs8PEM = try OpenSSLTool.run(["genpkey"] + arguments)
    let pkcs8 = try OpenSSLTool.run("pkcs8", "-topk8", "-nocrypt", "-outform", "DER", input: pkcs8PEM)
    let spki = try OpenSSLTool.run("pkey", "-pubout", "-outform", "DER", input: pkcs8PEM)
    let spkiPEM = try OpenSSLTool.run("pkey", "-pubout", input: pkcs8PEM)

    let numbers = try PublicKeyNumbers(spki: spki.span)
    #expect(numbers.kind == kind)
    #expect(numbers.spki() == spki)
    #expect(PEM.encode(.publicKey, spki.span) == spkiPEM)
    try expectPublic(spki, .spki, numbers, isPEM: false)
    try expectPublic(spkiPEM, .spki, numbers, isPEM: true)

    let printed = try OpenSSLTool.run("pkey", "-text", "-noout", input: pkcs8PEM)
    let complete = try completed(pkcs8, with: numbers)
    #expect(Self.printedNumbers(printed) == Self.expectedNumbers(complete))

    #expect(bytes(complete.pkcs8()) == pkcs8)
    #expect(bytes(PEM.encodeSecret(.privateKey, pkcs8.span)) == pkcs8PEM)
    try expectPrivate(pkcs8, .pkcs8, complete, isPEM: false)
    try expectPrivate(pkcs8PEM, .pkcs8, complete, isPEM: true)

    switch numbers {
    case .rsa:
      let pkcs1 = try OpenSSLTool.run("rsa", "-traditional", "-outform", "DER", input: pkcs8PEM)
      let pkcs1PEM = try OpenSSLTool.run("rsa", "-traditional", input: pkcs8PEM)
      #expect(bytes(complete.pkcs1()) == pkcs1)
      #expect(bytes(PEM.encodeSecret(.rsaPrivateKey, pkcs1.span)) == pkcs1PEM)
      try expectPrivate(pkcs1, .pkcs1, complete, isPEM: false)
      try expectPrivate(pkcs1PEM, .pkcs1, complete, isPEM: true)
      let publicPKCS1 = try OpenSSLTool.run("rsa", "-RSAPublicKey_out", "-outform", "DER", input: pkcs8PEM)
      let publicPKCS1PEM = try OpenSSLTool.run("rsa", "-RSAPublicKey_out", input: pkcs8PEM)
      #expect(numbers.pkcs1() == publicPKCS1)
      #expect(PEM.encode(.rsaPublicKey, publicPKCS1.span) == publicPKCS1PEM)
      try expectPublic(publicPKCS1, .pkcs1, numbers, isPEM: false)
      try expectPublic(publicPKCS1PEM, .pkcs1, numbers, isPEM: true)
    case .ec:
      let sec1 = try OpenSSLTool.run("ec", "-outform", "DER", input: pkcs8PEM)
      let sec1PEM = try OpenSSLTool.run("ec", input: pkcs8PEM)
      #expect(bytes(complete.sec1()) == sec1)
      #expect(bytes(PEM.encodeSecret(.ecPrivateKey, sec1.span)) == sec1PEM)
      try expectPrivate(sec1, .sec1, complete, isPEM: false)
      try expectPrivate(sec1PEM, .sec1, complete, isPEM: true)
      #expect(bytes(complete.pkcs1()) == nil)
    case .edwards: #expect(bytes(complete.sec1()) == nil)
    }

    let jwk = PrivateJWK(try completed(pkcs8, with: numbers), kid: "k", alg: "A", use: "sig", keyOps: ["sign"])
    let text = bytes(jwk.encoded())
    try expectPrivate(text, .jwk, complete, isPEM: false)
    let publicText = jwk.publicJWK.encoded()
    try expectPublic(publicText, .jwk, numbers, isPEM: false)
    let file = try KeyFile.read(publicText.span)
    #expect(file.kid == "k" && file.alg == "A" && file.use == "sig" && file.keyOps == ["sign"])
    #expect(throws: KeyError(.privateKeyNotAllowed)) { try JWK(text.span) }
    #expect(throws: KeyError(.privateKeyRequired)) { _ = try PrivateJWK(publicText.span) }
  }

  @Test(arguments: ["P-256", "P-384", "P-521", "secp256k1"]) func variantsThatOpenSSLWrites(_ curve: String) throws {
    let pem = try OpenSSLTool.run("ecparam", "-name", Self.openSSLName[curve] ?? curve, "-genkey")
    #expect(String(decoding: pem, as: UTF8.self).contains("BEGIN EC PARAMETERS"))
    #expect(try KeyFile.read(pem.span).kind == curve)
    let compressed = try OpenSSLTool.run("ec", "-pubout", "-conv_form", "compressed", "-outform", "DER", input: pem)
    let spki = try OpenSSLTool.run("ec", "-pubout", "-outform", "DER", input: pem)
    guard case .ec(_, let x, let y) = try PublicKeyNumbers(spki: spki.span) else { return }
    let file = try KeyFile.read(compressed.span)
    switch file.contents {
    case .compressedKey(let point):
      #expect(point.curve.jwkName == curve && point.x == x && point.yIsOdd == (y.last.map { $0 & 1 } == 1))
    default: Issue.record("no compressed point was read")
    }
    let hybrid = try OpenSSLTool.run("ec", "-pubout", "-conv_form", "hybrid", "-outform", "DER", input: pem)
    #expect(isUnsupported(hybrid, "hybrid"))
    for format in [["-pubout"], []] {
      let explicit = try OpenSSLTool.run(["ec", "-param_enc", "explicit", "-outform", "DER"] + format, input: pem)
      #expect(isUnsupported(explicit, "explicit"))
    }
    let lean = try OpenSSLTool.run("ec", "-no_public", "-outform", "DER", input: pem)
    #expect(try Self.scalarCurve(lean) == curve)
  }

  static let openSSLName = ["P-256": "prime256v1", "P-384": "secp384r1", "P-521": "secp521r1"]

  private func isUnsupported(_ key: [UInt8], _ word: String) -> Bool {
    do throws(KeyError) {
      _ = try KeyFile.read(key.span)
      return false
    } catch {
      guard case .unsupported(let what) = error.reason else { return false }
      return what.description.contains(word)
    }
  }

  static func scalarCurve(_ key: [UInt8]) throws -> String? {
    let file = try KeyFile.read(key.span)
    return switch file.contents {
    case .privateScalar(let scalar): scalar.curve.jwkName
    default: nil
    }
  }

  /// Certificates of every version, as PEM and DER; only the key is read.
  @Test(arguments: kinds) func certificates(_ arguments: [String], _ kind: String) throws {
    let key = try OpenSSLTool.run(["genpkey"] + arguments)
    let spki = try OpenSSLTool.run("pkey", "-pubout", "-outform", "DER", input: key)
    let folder = FileManager.default.temporaryDirectory.appending(path: "assay-certificates-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "key.pem")
    try Data(key).write(to: file)
    let numbers = try PublicKeyNumbers(spki: spki.span)
    let request = try OpenSSLTool.run("req", "-new", "-key", file.path, "-subj", "/CN=x/O=y")
    for form in ["PEM", "DER"] {
      let version3 = try OpenSSLTool.run("req", "-x509", "-key", file.path, "-subj", "/CN=x/O=y", "-outform", form)
      try expectPublic(version3, .certificate, numbers, isPEM: form == "PEM")
      let version1 = try OpenSSLTool.run("x509", "-req", "-key", file.path, "-outform", form, input: request)
      try expectPublic(version1, .certificate, numbers, isPEM: form == "PEM")
      guard form == "DER" else { continue }
      for der in [version1, version3] {
        for count in 0..<der.count { #expect(refusal(Array(der.prefix(count))) != nil) }
        #expect(refusal(der + [0]) != nil)
      }
    }
  }

  @Test func whatIsNotAKeyIsNamed() throws {
    let key = try OpenSSLTool.run("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")
    let folder = FileManager.default.temporaryDirectory.appending(path: "assay-keys-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "key.pem")
    try Data(key).write(to: file)

    for form in ["PEM", "DER"] {
      let request = try OpenSSLTool.run("req", "-new", "-key", file.path, "-subj", "/CN=x", "-outform", form)
      #expect(refusal(request) == .notAKey(what: "a certificate request (CSR)"))
      let encrypted = try OpenSSLTool.run(
        "pkcs8", "-topk8", "-passout", "pass:secret", "-in", file.path, "-outform", form)
      #expect(refusal(encrypted) == .encrypted)
    }
    let traditional = try OpenSSLTool.run("ec", "-aes128", "-passout", "pass:secret", "-in", file.path)
    #expect(String(decoding: traditional, as: UTF8.self).contains("Proc-Type"))
    #expect(refusal(traditional) == .encrypted)
    for (name, word) in [("X25519", "X25519"), ("X448", "X448")] {
      let pem = try OpenSSLTool.run("genpkey", "-algorithm", name)
      #expect(isUnsupported(pem, word))
      #expect(try isUnsupported(OpenSSLTool.run("pkey", "-pubout", input: pem), word))
    }
    let pss = try OpenSSLTool.run("genpkey", "-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:1024")
    #expect(isUnsupported(pss, "PSS"))
    let p224 = try OpenSSLTool.run("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-224")
    #expect(isUnsupported(p224, "P-224"))
    let other = try OpenSSLTool.run("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")
    #expect(refusal(key + other) == PEMTests.several)
    #expect(refusal(key + key) == nil)
  }

  @Test(arguments: kinds) func truncationsAndChangedBytes(_ arguments: [String], _ kind: String) throws {
    let pem = try OpenSSLTool.run(["genpkey"] + arguments)
    for der in [
      try OpenSSLTool.run("pkcs8", "-topk8", "-nocrypt", "-outform", "DER", input: pem),
      try OpenSSLTool.run("pkey", "-pubout", "-outform", "DER", input: pem),
    ] {
      for count in 0..<der.count { #expect(refusal(Array(der.prefix(count))) != nil) }
      #expect(refusal(der + [0]) != nil)
      var accepted = 0
      for index in der.indices {
        for change in [0x01, 0x80, 0xFF] as [UInt8] {
          var changed = der
          changed[index] ^= change
          // Either it is refused, or it is another key, and that is written as it was read, but for PKCS #8's version.
          guard let rewritten = rewritten(changed) else { continue }
          accepted += 1
          #expect(rewritten == changed || changed == withVersion1(der))
        }
      }
      #expect(accepted > 60)
    }
    for count in 0..<pem.count - 1 { #expect(refusal(Array(pem.prefix(count))) != nil) }
  }

  // MARK: Helpers

  /// PKCS #8 with a version that it need not have: 1, without a public half.
  private func withVersion1(_ pkcs8: [UInt8]) -> [UInt8] {
    var changed = pkcs8
    if let version = (2...4).first(where: { Array(pkcs8[$0...].prefix(3)) == [2, 1, 0] }) { changed[version + 2] = 1 }
    return changed
  }

  private func refusal(_ bytes: [UInt8]) -> KeyError.Reason? {
    do throws(KeyError) {
      _ = try KeyFile.read(bytes.span)
      return nil
    } catch {
      return error.reason
    }
  }

  private func expectPublic(
    _ bytes: [UInt8], _ format: KeyFile.Format, _ numbers: PublicKeyNumbers, isPEM: Bool
  ) throws {
    let file = try KeyFile.read(bytes.span)
    #expect(file.format == format && file.isPEM == isPEM && !file.isPrivate && file.kind == numbers.kind)
    switch file.contents {
    case .publicKey(let read): #expect(read == numbers)
    default: Issue.record("no public key was read")
    }
  }

  private func expectPrivate(
    _ bytes: [UInt8], _ format: KeyFile.Format, _ numbers: borrowing PrivateKeyNumbers, isPEM: Bool
  ) throws {
    let file = try KeyFile.read(bytes.span)
    #expect(file.format == format && file.isPEM == isPEM && file.isPrivate && file.kind == numbers.publicKey.kind)
    let expected = Self.expectedNumbers(numbers)
    switch file.contents {
    case .privateKey(let read): #expect(Self.expectedNumbers(read) == expected)
    case .privateScalar(let read): #expect(self.bytes(read.scalar.clone()) == expected.first)
    default: Issue.record("no private key was read")
    }
  }

  /// The key with both halves, whichever its file has.
  private func completed(_ pkcs8: [UInt8], with publicKey: PublicKeyNumbers) throws -> PrivateKeyNumbers {
    let file = try KeyFile.read(pkcs8.span)
    switch file.takeContents() {
    case .privateKey(let numbers):
      #expect(numbers.publicKey == publicKey)
      return numbers
    case .privateScalar(let scalar):
      return PrivateKeyNumbers(publicKey: publicKey, secret: .scalar(scalar.scalar.clone()))
    default: throw KeyError(.privateKeyRequired)
    }
  }

  /// A key of either kind in the format it was read from; nil if it is refused.
  private func rewritten(_ bytes: [UInt8]) -> [UInt8]? {
    guard let file = try? KeyFile.read(bytes.span) else { return nil }
    let format = file.format
    switch file.takeContents() {
    case .publicKey(let numbers): return format == .spki ? numbers.spki() : numbers.pkcs1()
    case .privateKey(let numbers):
      return format == .pkcs8
        ? self.bytes(numbers.pkcs8()) : format == .sec1 ? self.bytes(numbers.sec1()) : self.bytes(numbers.pkcs1())
    case .privateScalar(let scalar):
      let publicKey = PublicKeyNumbers.edwards(scalar.curve, x: [])
      return self.bytes(PrivateKeyNumbers(publicKey: publicKey, secret: .scalar(scalar.scalar.clone())).pkcs8())
    default: return nil
    }
  }

  private func bytes(_ secret: consuming SecretBytes) -> [UInt8] { secret.withSpan { Array(copying: $0) } }
  private func bytes(_ secret: consuming SecretBytes?) -> [UInt8]? {
    guard let secret else { return nil }
    return bytes(secret)
  }

  /// The numbers in the order in which `openssl pkey -text` prints them.
  static func expectedNumbers(_ numbers: borrowing PrivateKeyNumbers) -> [[UInt8]] {
    func bytes(_ secret: borrowing SecretBytes) -> [UInt8] { secret.withSpan { Array(copying: $0) } }
    switch numbers.secret {
    case .scalar(let scalar):
      switch numbers.publicKey {
      case .ec(_, let x, let y): return [bytes(scalar), [4] + x + y]
      case .edwards(_, let x): return [bytes(scalar), x]
      case .rsa: return []
      }
    case .rsa(let rsa):
      guard case .rsa(let n, _) = numbers.publicKey else { return [] }
      return [n, bytes(rsa.d), bytes(rsa.p), bytes(rsa.q), bytes(rsa.dp), bytes(rsa.dq), bytes(rsa.qi)]
    }
  }

  /// The blocks of colon-separated hexadecimal digits; an RSA number's sign byte is dropped.
  static func printedNumbers(_ text: [UInt8]) -> [[UInt8]] {
    let text = String(decoding: text, as: UTF8.self)
    let isRSA = text.contains("modulus:")
    var numbers: [[UInt8]] = []
    for line in text.split(separator: "\n") {
      guard line.hasPrefix("    ") else {
        numbers.append([])
        continue
      }
      numbers[numbers.count - 1] += line.split { $0 == ":" || $0 == " " }.compactMap { UInt8($0, radix: 16) }
    }
    return numbers.filter { !$0.isEmpty }.map { isRSA && $0.first == 0 ? Array($0.dropFirst()) : $0 }
  }
}
