internal import AssayCodec
internal import AssayCrypto
internal import AssayJOSE

/// From a key file to a key that signs or verifies.
enum KeyLoading {
  /// The algorithms that have a name of their own in JOSE.
  static let algorithms: [JWSAlgorithm] =
    SignatureAlgorithm.allCases.filter { $0.inJOSE == $0 }.map { .signature($0) }
    + MACAlgorithm.allCases.map { .mac($0) }
  static let algorithmNames = algorithms.map(\.joseName.string).joined(separator: ", ")
  /// What the algorithm is where nobody names one.
  static let defaults = "default: the key's alg; RS256, ES256, ES384, ES512, ES256K, EdDSA, HS256"

  /// The algorithm that `--alg` names.
  static func algorithm(_ arguments: Arguments) throws(Failure) -> JWSAlgorithm? {
    try arguments.choice("--alg", among: algorithms, by: \.joseName)
  }

  /// For commands that read one key.
  static let operand = Command.Operands(
    name: "FILE", help: "PEM, DER, certificate, JWK or COSE_Key; - is standard input", count: 1...1)

  /// For commands that read a private key.
  static let passwordOption = Command.Option.option(
    "--password-file", "FILE", "holds the password of an encrypted key, and nothing else; - is standard input")

  /// Reads a key file to judge it. What is wrong with it is said of its name.
  static func read(_ path: UTF8Text, passwordFile: UTF8Text? = nil) throws(Failure) -> KeyFile {
    try read(path, passwordFile) { .refused($0) }
  }

  /// Reads a key file to use it: a fault in it is one of the command, and says nothing about what the key was to judge.
  private static func readToUse(_ path: UTF8Text, passwordFile: UTF8Text?) throws(Failure) -> KeyFile {
    try read(path, passwordFile) { .usage($0) }
  }

  private static func read(
    _ path: UTF8Text, _ passwordFile: UTF8Text?, orElse failure: (String) -> Failure
  ) throws(Failure) -> KeyFile {
    var bytes = try Input.read(path)
    defer { wipe(&bytes) }
    let password = try passwordFile.map { file throws(Failure) in try self.password(file) }
    do throws(KeyError) {
      guard let password else { return try KeyFile.read(bytes.span) }
      return try KeyFile.read(bytes.span, password: password)
    } catch {
      let hint = error.reason == .encrypted ? ": give --password-file" : ""
      throw failure(words(error, path) + hint)
    }
  }

  /// The password in a file: its one line, without the line's end.
  static func password(_ path: UTF8Text) throws(Failure) -> SecretBytes {
    var line = try Input.readLine(path)
    defer { wipe(&line) }
    return SecretBytes(copying: line.span)
  }

  /// What signs with the key in a file: a private key or a shared secret.
  static func signer(
    _ path: UTF8Text, passwordFile: UTF8Text?, for algorithm: JWSAlgorithm?, kid: UTF8Text?,
    certificates: CertificatePath? = nil
  ) throws(Failure) -> JWTSigner {
    let file = try readToUse(path, passwordFile: passwordFile)
    do throws(KeyError) {
      try checkSigns(file)
      switch try self.algorithm(algorithm, of: file) {
      case .mac(let algorithm):
        guard certificates == nil else { throw KeyError(.symmetricKeyNotAllowed) }
        let jwk = try symmetric(file)
        return JWTSigner(key: try MACKey(jwk.secret, for: algorithm), kid: kid ?? file.kid)
      case .signature(let algorithm):
        let key = try SigningKey(file, for: algorithm)
        guard let certificates else { return JWTSigner(key: key, kid: kid ?? file.kid) }
        return try JWTSigner(key: key, kid: kid ?? file.kid, certificates: certificates)
      }
    } catch { throw .usage(words(error, path)) }
  }

  /// The private key in a file, for tokens that no shared secret signs.
  static func signingKey(
    _ path: UTF8Text, passwordFile: UTF8Text?, for algorithm: JWSAlgorithm?
  ) throws(Failure) -> SigningKey {
    let file = try readToUse(path, passwordFile: passwordFile)
    do throws(KeyError) {
      try checkSigns(file)
      guard case .signature(let algorithm) = try self.algorithm(algorithm, of: file) else {
        throw KeyError(.symmetricKeyNotAllowed)
      }
      return try SigningKey(file, for: algorithm)
    } catch { throw .usage(words(error, path)) }
  }

  private static func checkSigns(_ file: borrowing KeyFile) throws(KeyError) {
    if let use = file.use, use != "sig" { throw KeyError(.usageNotAllowed(what: "use")) }
    if let operations = file.keyOps, !operations.contains("sign") {
      throw KeyError(.usageNotAllowed(what: "key_ops"))
    }
  }

  /// Makes a key of a file, and says which algorithm it is for.
  static func checked(
    _ file: borrowing KeyFile, for wanted: JWSAlgorithm?
  ) throws(KeyError) -> SignatureAlgorithm {
    let numbers = try file.publicKey()
    guard case .signature(let algorithm) = try algorithm(wanted, of: file) else {
      throw KeyError(.symmetricKeyNotAllowed)
    }
    if file.isPrivate {
      _ = try SigningKey(file, for: algorithm)
    } else {
      _ = try VerificationKey(numbers, for: algorithm)
    }
    return algorithm
  }

  /// The algorithm that was asked for, or the one that the file names, or the usual one of this kind of key.
  static func algorithm(
    _ wanted: JWSAlgorithm?, of file: borrowing KeyFile
  ) throws(KeyError) -> JWSAlgorithm {
    let named = file.namedAlgorithm
    let algorithm: JWSAlgorithm
    if let known = wanted ?? named { algorithm = known } else { algorithm = try usual(file) }
    let isUnmarked = file.alg == nil && file.coseAlg == nil
    guard isUnmarked || named?.joseName == algorithm.joseName else {
      throw KeyError(.algorithmMismatch(algorithm: algorithm.joseName.string))
    }
    return algorithm
  }

  private static func usual(_ file: borrowing KeyFile) throws(KeyError) -> JWSAlgorithm {
    switch file.contents {
    case .symmetricKey: return .mac(.hs256)
    default: break
    }
    return .signature(usual(try file.publicKey()))
  }

  /// The algorithm that is meant where neither key nor caller names one.
  static func usual(_ key: PublicKeyNumbers) -> SignatureAlgorithm {
    switch key {
    case .rsa: .rs256
    case .ec(.p384, _, _): .es384
    case .ec(.p521, _, _): .es512
    case .ec(.secp256k1, _, _): .es256k
    case .ec: .es256
    case .edwards: .edDSA
    }
  }

  /// The secret of a file with what is said about it.
  static func symmetric(_ file: borrowing KeyFile) throws(KeyError) -> SymmetricJWK {
    switch file.contents {
    case .symmetricKey(let secret):
      return SymmetricJWK(secret.clone(), kid: file.kid, alg: file.alg, use: file.use, keyOps: file.keyOps)
    default: throw KeyError(.wrongKind(key: file.kind, algorithm: "HMAC", needed: "a symmetric key (kty oct)"))
    }
  }

  static func words(_ error: KeyError, _ path: UTF8Text) -> String { "\(name(path)): \(error)" }

  static func name(_ path: UTF8Text) -> String { path == "-" ? "standard input" : Shown.text(path) }
}

extension KeyFile {
  /// The algorithm that the file names, if it is a supported one.
  fileprivate var namedAlgorithm: JWSAlgorithm? {
    if let alg { return JWSAlgorithm(joseName: alg) }
    return coseAlg.flatMap { SignatureAlgorithm(coseIdentifier: $0) }.map { .signature($0) }
  }
}
