internal import AssayCodec
internal import AssayCrypto
internal import AssayJOSE

/// What verifies tokens, as a file had it: a public key, a shared secret, or the public keys of a JWK Set.
struct TrustedKeyFile {
  let keys: TrustedKeys
  /// What kind of key it is, in words.
  let kind: String
  /// The names of the keys in use, in their order.
  let keyIDs: [UTF8Text]

  /// Reads the file. A fault in it is one of the command, and says nothing about the token.
  ///
  /// Of one key, `wanted` may hold one algorithm. Of a set, it holds those that are allowed; if it is empty, the keys' own are.
  init(_ path: UTF8Text, for wanted: [JWSAlgorithm]) throws(Failure) {
    var bytes = try Input.read(path)
    defer { wipe(&bytes) }
    do {
      if let set = try Self.set(bytes.span) {
        try self.init(set, for: wanted)
      } else {
        guard wanted.count <= 1 else { throw Failure.usage("--alg may list several algorithms for a JWK Set only") }
        try self.init(KeyFile.read(bytes.span), for: wanted.first)
      }
    } catch let failure as Failure {
      throw failure
    } catch { throw .usage("\(KeyLoading.name(path)): \(error)") }
  }

  private init(_ file: borrowing KeyFile, for wanted: JWSAlgorithm?) throws {
    switch try KeyLoading.algorithm(wanted, of: file) {
    case .mac(let algorithm):
      keys = try TrustedKeys(secrets: [SharedSecret(KeyLoading.symmetric(file), for: algorithm)])
    case .signature(let algorithm):
      let numbers = try file.publicKey()
      guard !file.isPrivate else { throw KeyError(.privateKeyNotAllowed) }
      let jwk = JWK(numbers, kid: file.kid, alg: file.alg, use: file.use, keyOps: file.keyOps)
      keys = try TrustedKeys([jwk], algorithms: [algorithm])
    }
    kind = file.kind
    keyIDs = [file.kid].compactMap { $0 }
  }

  private init(_ set: JWKSet, for wanted: [JWSAlgorithm]) throws {
    var allowed: [SignatureAlgorithm] = []
    for algorithm in wanted {
      guard case .signature(let algorithm) = algorithm else {
        throw Failure.usage("\(algorithm.joseName.string) needs a shared secret, and a JWK Set holds public keys")
      }
      allowed.append(algorithm)
    }
    if wanted.isEmpty {
      let own = set.keys.compactMap { key in
        key.alg.map { SignatureAlgorithm(joseName: $0) } ?? KeyLoading.usual(key.numbers)
      }
      allowed = SignatureAlgorithm.allCases.filter { own.contains($0) }
    }
    guard !set.keys.isEmpty else { throw Self.noneUsable(set.refused) }
    keys = try TrustedKeys(set, algorithms: allowed)
    let unusable = Set(keys.unusable.map(\.position))
    let usable = zip(set.positions, set.keys).filter { !unusable.contains($0.0) }.map(\.1)
    guard !usable.isEmpty else { throw Self.noneUsable(keys.unusable) }
    kind = "one of a JWK Set (\(usable.count) in use)"
    keyIDs = usable.compactMap(\.kid)
  }

  private static func noneUsable(_ keys: [JWKSet.RefusedKey]) -> Failure {
    guard let first = keys.first else { return .usage("the JWK Set is empty") }
    return .usage("no key of the JWK Set can be used: \(words(first))")
  }

  /// The JWK Set in a file; nil if it is something else, which may be a key.
  private static func set(_ bytes: Span<UInt8>) throws(JWKSetError) -> JWKSet? {
    guard let value = try? JSONValue.decode(bytes), value["keys"] != nil, value["kty"] == nil else { return nil }
    return try JWKSet(value)
  }

  /// Which key was set aside, and why.
  static func words(_ key: JWKSet.RefusedKey) -> String {
    "key \(key.position)\(key.kid.map { " (\(Shown.text($0)))" } ?? ""): \(key.reason)"
  }
}
