internal import AssayCodec
internal import AssayCrypto

/// From a key file to a key that signs or verifies.
enum KeyLoading {
  static let algorithms: KeyValuePairs<UTF8Text, SignatureAlgorithm?> = [
    "ES256": .es256, "RS256": .rs256, "EdDSA": .edDSA,
  ]

  /// Reads a key file to judge it. What is wrong with it is said of its name.
  static func read(_ path: UTF8Text) throws(Failure) -> KeyFile {
    try read(path) { .refused($0) }
  }

  /// Reads a key file to use it: a fault in it is one of the command, and says nothing about what the key was to judge.
  private static func readToUse(_ path: UTF8Text) throws(Failure) -> KeyFile {
    try read(path) { .usage($0) }
  }

  private static func read(_ path: UTF8Text, orElse failure: (String) -> Failure) throws(Failure) -> KeyFile {
    var bytes = try Input.read(path)
    defer { wipe(&bytes) }
    do throws(KeyError) {
      return try KeyFile.read(bytes.span)
    } catch { throw failure(words(error, path)) }
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
  static func signingKey(_ path: UTF8Text) throws(Failure) -> (key: SigningKey, kid: UTF8Text?) {
    let file = try readToUse(path)
    do throws(KeyError) {
      if let use = file.use, use != "sig" { throw KeyError(.usageNotAllowed(what: "use")) }
      if let operations = file.keyOps, !operations.contains("sign") {
        throw KeyError(.usageNotAllowed(what: "key_ops"))
      }
      let algorithm = try algorithm(nil, of: try file.publicKey(), file)
      return (try SigningKey(file, for: algorithm), file.kid)
    } catch { throw .usage(words(error, path)) }
  }

  /// The algorithm for a kind of key: the key fixes it, so there is nothing to choose, only to contradict.
  private static func algorithm(
    _ wanted: SignatureAlgorithm?, of numbers: PublicKeyNumbers, _ file: borrowing KeyFile
  ) throws(KeyError) -> SignatureAlgorithm {
    let fitting: SignatureAlgorithm? =
      switch numbers {
      case .rsa: .rs256
      case .ec(.p256, _, _): .es256
      case .edwards(.ed25519, _): .edDSA
      default: nil
      }
    guard let algorithm = wanted ?? fitting else {
      throw KeyError(.unsupported(what: "signing or verifying with this kind of key"))
    }
    let isNamed = file.alg.map { $0 == algorithm.joseName } ?? true
    guard isNamed, file.coseAlg.map({ $0 == algorithm.coseIdentifier }) ?? true else {
      throw KeyError(.algorithmMismatch(algorithm: algorithm.joseName.string))
    }
    return algorithm
  }

  private static func words(_ error: KeyError, _ path: UTF8Text) -> String {
    "\(path == "-" ? "standard input" : Shown.text(path)): \(error)"
  }
}
