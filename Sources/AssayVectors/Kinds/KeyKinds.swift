internal import AssayCodec
internal import AssayCrypto

extension VectorKind {
  /// A file that holds a key, or does not: which key is read, or what the refusal must mention.
  static let keyFile = VectorKind(name: "key-file") { (one, _) throws(VectorFileError) in
    let file = try one.keyFile()
    let password = try one.optionalText("password")
    let algorithm = try one.optionalText("algorithm")
    let wanted = try one.optionalText("wanted")
    guard wanted == nil || wanted == "public" || wanted == "private" else { throw one.fault("unknown kind of key") }
    let expectation = try KeyExpectation(&one)
    return expectation.judge { () throws(KeyError) in
      let file = try readKeyFile(file, password)
      if wanted == "public", file.isPrivate { throw KeyError(.privateKeyNotAllowed) }
      if wanted == "private", !file.isPrivate { throw KeyError(.privateKeyRequired) }
      let numbers = try file.publicKey()
      return try file.isPrivate
        ? Judged(numbers, for: algorithm, signingWith: file.privateKey()) : Judged(numbers, for: algorithm)
    }
  }

  /// A JWK that is wanted for a purpose.
  static let jwk = VectorKind(name: "jwk") { (one, _) throws(VectorFileError) in
    let text = try one.text("jwk").utf8
    let purpose: KeyPurpose
    switch try one.text("purpose") {
    case "verify": purpose = .verifying
    case "sign": purpose = .signing
    default: throw one.fault("unknown purpose")
    }
    let expectation = try KeyExpectation(&one)
    return expectation.judge { () throws(KeyError) in
      let value: JSONValue
      do throws(CodecError) { value = try JSONValue.decode(text.span) } catch { throw KeyError(.malformed(error)) }
      if value["kty"]?.string == "oct" {
        let jwk = try SymmetricJWK(value)
        try jwk.check(for: purpose)
        return .secret(thumbprint: try? KeyThumbprint(jwk: jwk.secret))
      }
      guard purpose == .signing else {
        let jwk = try JWK(value)
        try jwk.check(for: .verifying)
        return try Judged(jwk.numbers)
      }
      let jwk = try PrivateJWK(value)
      let publicJWK = jwk.publicJWK
      try publicJWK.check(for: .signing)
      return try Judged(publicJWK.numbers, signingWith: jwk.numbersAlone())
    }
  }

  /// The thumbprint of a JWK.
  static let thumbprint = VectorKind(name: "thumbprint") { (one, _) throws(VectorFileError) in
    let value = try one.value("jwk")
    let expected = try one.text("expected").string
    do {
      let thumbprint =
        value["kty"]?.string == "oct"
        ? try KeyThumbprint(jwk: SymmetricJWK(value).secret) : try KeyThumbprint(jwk: JWK(value).numbers)
      return .compare(expected: expected, actual: thumbprint.text.string)
    } catch {
      return .failed(expected: expected, actual: "\(error)")
    }
  }

  private static func readKeyFile(_ bytes: [UInt8], _ password: UTF8Text?) throws(KeyError) -> KeyFile {
    guard let password else { return try KeyFile.read(bytes.span) }
    return try KeyFile.read(bytes.span, password: SecretBytes(copying: password.utf8.span))
  }
}

/// The key that was made.
private enum Judged {
  case key(PublicKeyNumbers)
  case secret(thumbprint: KeyThumbprint?)

  /// Makes a key to verify with, for the algorithm, or for any: that a JWK's `alg` fits was checked when it was read.
  init(_ numbers: PublicKeyNumbers, for alg: UTF8Text? = nil) throws(KeyError) {
    self = try Self.outcome(numbers, alg) { algorithm throws(KeyError) in
      _ = try VerificationKey(numbers, for: algorithm)
    }
  }

  /// Makes a key to sign with, for the algorithm or for any.
  init(
    _ numbers: PublicKeyNumbers, for alg: UTF8Text? = nil, signingWith key: consuming PrivateKeyNumbers
  ) throws(KeyError) {
    let key = key
    self = try Self.outcome(numbers, alg) { algorithm throws(KeyError) in _ = try SigningKey(key, for: algorithm) }
  }

  private static func outcome(
    _ numbers: PublicKeyNumbers, _ alg: UTF8Text?, _ make: (SignatureAlgorithm) throws(KeyError) -> Void
  ) throws(KeyError) -> Judged {
    guard let algorithm = alg.map({ SignatureAlgorithm(joseName: $0) }) ?? fitting(numbers) else {
      throw KeyError(.unsupported(what: "the algorithm that the key is wanted for"))
    }
    try make(algorithm)
    return .key(numbers)
  }

  /// An algorithm for this kind of key: which one is all the same to whether the key is usable.
  private static func fitting(_ numbers: PublicKeyNumbers) -> SignatureAlgorithm? {
    SignatureAlgorithm.allCases.first { algorithm in
      do throws(KeyError) {
        _ = try VerificationKey(numbers, for: algorithm)
        return true
      } catch {
        if case .wrongKind = error.reason { return false }
        return true
      }
    }
  }
}

/// What a case says must come of a key.
struct KeyExpectation {
  private let verdict: Verdict
  private let spkiSHA256: [UInt8]?
  private let thumbprint: UTF8Text?
  private let mention: [UTF8Text]

  init(_ one: inout MemberReader) throws(VectorFileError) {
    verdict = try one.verdict()
    _ = try one.optionalText("choice")
    spkiSHA256 = verdict == .valid ? try one.optionalHex("spkiSha256") : nil
    thumbprint = verdict == .valid ? try one.optionalText("thumbprint") : nil
    mention = verdict == .invalid ? try one.texts("mention") : []
    guard verdict == .valid ? spkiSHA256 != nil || thumbprint != nil : !mention.isEmpty else {
      throw one.fault("a valid case must name the key, an invalid one what the refusal must mention")
    }
  }

  fileprivate func judge(_ make: () throws(KeyError) -> Judged) -> CaseOutcome {
    do throws(KeyError) {
      switch try make() {
      case .secret(let thumbprint): return judge(spki: nil, thumbprint?.text)
      case .key(let numbers): return judge(spki: numbers.spki(), try? KeyThumbprint(jwk: numbers).text)
      }
    } catch {
      let message = error.description
      guard verdict == .invalid else { return .compare(expected: verdict, actual: .invalid, because: message) }
      guard mention.contains(where: { Self.mentions(message, $0.string) }) else {
        return .failed(
          expected: "a refusal that mentions one of \(mention.map(\.string).joined(separator: ", "))", actual: message)
      }
      return .passed
    }
  }

  private func judge(spki: [UInt8]?, _ actualThumbprint: UTF8Text?) -> CaseOutcome {
    guard verdict == .valid else { return .failed(expected: "invalid", actual: "valid") }
    if let spkiSHA256 {
      guard let spki, let digest = try? Digest.sha256.hash(spki.span), digest == spkiSHA256 else {
        return .failed(expected: "the given key", actual: "another key")
      }
    }
    if let thumbprint, thumbprint != actualThumbprint {
      return .failed(expected: thumbprint.string, actual: actualThumbprint?.string ?? "no thumbprint")
    }
    return .passed
  }

  /// Whether a message has the words in it, in any case; one or two characters only as a word of their own.
  static func mentions(_ message: String, _ words: String) -> Bool {
    let (message, words) = (Array(message.lowercased().utf8), Array(words.lowercased().utf8))
    guard message.count >= words.count else { return false }
    return (0...(message.count - words.count)).contains { start in
      let end = start + words.count
      guard Array(message[start..<end]) == words else { return false }
      return words.count > 2 || !isLetter(message, start - 1) && !isLetter(message, end)
    }
  }

  private static func isLetter(_ text: [UInt8], _ index: Int) -> Bool {
    guard text.indices.contains(index) else { return false }
    return switch text[index] {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }
}

extension MemberReader {
  fileprivate mutating func keyFile() throws(VectorFileError) -> [UInt8] {
    guard let base64 = try optionalText("fileBase64") else { return try text("file", orParts: "fileParts") }
    do throws(CodecError) { return try Base64.decode(base64.utf8.span) } catch {
      throw fault("the member fileBase64 must be base64")
    }
  }
}
