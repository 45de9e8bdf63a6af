internal import AssayCodec
internal import AssayCrypto

/// From a key file to a key that signs or verifies.
enum KeyLoading {
  static let algorithms: KeyValuePairs<UTF8Text, SignatureAlgorithm?> = [
    "ES256": .es256, "ES384": .es384, "ES512": .es512, "ES256K": .es256k, "RS256": .rs256, "RS384": .rs384,
    "RS512": .rs512, "PS256": .ps256, "PS384": .ps384, "PS512": .ps512, "EdDSA": .edDSA, "Ed25519": .ed25519,
    "Ed448": .ed448,
  ]
  static let algorithmNames = algorithms.map(\.key.string).joined(separator: ", ")

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
  private static func readToUse(_ path: UTF8Text, passwordFile: UTF8Text? = nil) throws(Failure) -> KeyFile {
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

  /// The public key in a file, with what the file says about it, and the algorithm it is for.
  static func publicKey(
    _ path: UTF8Text, for algorithm: SignatureAlgorithm?
  ) throws(Failure) -> (jwk: JWK, algorithm: SignatureAlgorithm) {
    let file = try readToUse(path)
    do throws(KeyError) {
      let numbers = try file.publicKey()
      guard !file.isPrivate else { throw KeyError(.privateKeyNotAllowed) }
      let jwk = JWK(numbers, kid: file.kid, alg: file.alg, use: file.use, keyOps: file.keyOps)
      return (jwk, try self.algorithm(algorithm, of: numbers, file))
    } catch { throw .usage(words(error, path)) }
  }

  /// The private key in a file, and its name if the file has one.
  static func signingKey(
    _ path: UTF8Text, passwordFile: UTF8Text?, for algorithm: SignatureAlgorithm?
  ) throws(Failure) -> (key: SigningKey, kid: UTF8Text?) {
    let file = try readToUse(path, passwordFile: passwordFile)
    do throws(KeyError) {
      if let use = file.use, use != "sig" { throw KeyError(.usageNotAllowed(what: "use")) }
      if let operations = file.keyOps, !operations.contains("sign") {
        throw KeyError(.usageNotAllowed(what: "key_ops"))
      }
      let algorithm = try self.algorithm(algorithm, of: try file.publicKey(), file)
      return (try SigningKey(file, for: algorithm), file.kid)
    } catch { throw .usage(words(error, path)) }
  }

  /// Makes a key of a file, and says which algorithm it is for.
  static func checked(
    _ file: borrowing KeyFile, for wanted: SignatureAlgorithm?
  ) throws(KeyError) -> SignatureAlgorithm {
    let numbers = try file.publicKey()
    let algorithm = try algorithm(wanted, of: numbers, file)
    if file.isPrivate {
      _ = try SigningKey(file, for: algorithm)
    } else {
      _ = try VerificationKey(numbers, for: algorithm)
    }
    return algorithm
  }

  /// The algorithm that was asked for, or the one that the file names, or the usual one of this kind of key.
  private static func algorithm(
    _ wanted: SignatureAlgorithm?, of numbers: PublicKeyNumbers, _ file: borrowing KeyFile
  ) throws(KeyError) -> SignatureAlgorithm {
    let named =
      file.alg.flatMap { SignatureAlgorithm(joseName: $0) }
      ?? file.coseAlg.flatMap { SignatureAlgorithm(coseIdentifier: $0) }
    let algorithm = wanted ?? named ?? usual(numbers)
    let isUnmarked = file.alg == nil && file.coseAlg == nil
    guard isUnmarked || named?.inJOSE == algorithm.inJOSE else {
      throw KeyError(.algorithmMismatch(algorithm: algorithm.joseName.string))
    }
    return algorithm
  }

  private static func usual(_ numbers: PublicKeyNumbers) -> SignatureAlgorithm {
    switch numbers {
    case .rsa: .rs256
    case .ec(.p384, _, _): .es384
    case .ec(.p521, _, _): .es512
    case .ec(.secp256k1, _, _): .es256k
    case .ec: .es256
    case .edwards: .edDSA
    }
  }

  static func words(_ error: KeyError, _ path: UTF8Text) -> String {
    "\(path == "-" ? "standard input" : Shown.text(path)): \(error)"
  }
}
