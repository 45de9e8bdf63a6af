internal import AssayCodec
internal import AssayCrypto
internal import AssayJOSE

/// The keys of a case, as JWKs, with the algorithms that it allows.
enum VectorKeys {
  /// One key with those of the algorithms that are for its kind of key.
  static func trusted(_ jwk: JSONValue, _ algorithms: [JWSAlgorithm]) throws -> TrustedKeys {
    guard isSecret(jwk) else { return try TrustedKeys([JWK(jwk)], algorithms: signatures(algorithms)) }
    return try TrustedKeys(secrets: secrets(jwk, macs(algorithms)))
  }

  private static func macs(_ algorithms: [JWSAlgorithm]) -> [MACAlgorithm] {
    algorithms.compactMap { if case .mac(let algorithm) = $0 { algorithm } else { nil } }
  }

  /// Several keys, of either kind, each with those of the algorithms that are for it.
  static func trusted(_ jwks: [JSONValue], _ algorithms: [JWSAlgorithm]) throws -> TrustedKeys {
    try TrustedKeys(
      jwks.filter { !isSecret($0) }.map { try JWK($0) }, algorithms: signatures(algorithms),
      secrets: jwks.filter(isSecret).flatMap { try secrets($0, macs(algorithms)) })
  }

  /// The public keys of a set with those of the algorithms that are for public keys.
  static func trusted(_ set: JWKSet, _ algorithms: [JWSAlgorithm]) throws -> TrustedKeys {
    try TrustedKeys(set, algorithms: signatures(algorithms))
  }

  /// Those of the algorithms that are for public keys.
  static func signatures(_ algorithms: [JWSAlgorithm]) -> [SignatureAlgorithm] {
    algorithms.compactMap { if case .signature(let algorithm) = $0 { algorithm } else { nil } }
  }

  /// The keys of a set: public ones, beside which secrets are set aside, or secrets alone.
  static func trusted(set jwks: [JSONValue]) throws -> TrustedKeys {
    guard jwks.allSatisfy(isSecret) else {
      let set = try JWKSet(JSONValue.object(["keys": .array(jwks)]))
      return try TrustedKeys(set, algorithms: SignatureAlgorithm.allCases)
    }
    return try TrustedKeys(secrets: jwks.flatMap { (try? secrets($0, MACAlgorithm.allCases)) ?? [] })
  }

  /// Whether a JWK is symmetric.
  private static func isSecret(_ jwk: JSONValue) -> Bool { jwk["kty"]?.string == "oct" }

  /// The secret once for each algorithm it is good for; it is refused if there is none.
  private static func secrets(_ jwk: JSONValue, _ algorithms: [MACAlgorithm]) throws(KeyError) -> [SharedSecret] {
    let jwk = try SymmetricJWK(jwk)
    var refusal = KeyError(.unsupported(what: "a symmetric key with the allowed algorithms"))
    var secrets: [SharedSecret] = []
    for algorithm in algorithms {
      do throws(KeyError) { secrets.append(try SharedSecret(jwk, for: algorithm)) } catch { refusal = error }
    }
    guard !secrets.isEmpty else { throw refusal }
    return secrets
  }
}
