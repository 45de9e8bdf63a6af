public import AssayCodec
public import AssayCrypto

/// Keys that may have signed, each with the algorithms it may sign by. Making one decodes and checks every key, once.
///
/// A public key signs by signature algorithms and a shared secret by HMAC. Each key has its kind by its type, whatever a token
/// says: to trust both at once confuses nothing.
public struct TrustedKeys: Sendable {
  /// The most keys that are held.
  public static let maximumKeys = 256
  /// The most keys that are tried for one token: each costs a verification.
  public static let maximumTries = 8

  /// The allowed algorithms, each by its JOSE name.
  public let algorithms: [JWSAlgorithm]
  /// The keys of a set that will never be tried, each with the reason; none where every key had to be usable.
  public let unusable: [JWKSet.RefusedKey]
  private let keys: [TrustedKey]
  /// Whether a key without `kid` may have made a token that names another: the caller chose the keys one by one.
  private let triesNamelessKeys: Bool
  /// Whether any key has a certificate, by whose digest a token may name it.
  private let hasCertificates: Bool

  /// Takes the keys that may sign by the allowed algorithms, and secrets, each of which allows its own algorithm.
  ///
  /// Every key must be usable, or none is taken: a public key that fits an allowed algorithm, and whose own `use` and
  /// `key_ops` let it verify signatures. A key with `alg` is for that algorithm only (RFC 7517, 4.2 to 4.4).
  public init(
    _ keys: [JWK], algorithms: [SignatureAlgorithm], secrets: [SharedSecret] = []
  ) throws(TrustedIssuerError) {
    let (count, overflow) = keys.count.addingReportingOverflow(secrets.count)
    guard count > 0 else { throw TrustedIssuerError(.noKeys) }
    guard !overflow, count <= Self.maximumKeys else {
      throw TrustedIssuerError(.tooManyKeys(limit: Self.maximumKeys))
    }
    guard keys.isEmpty || !algorithms.isEmpty else { throw TrustedIssuerError(.noAlgorithms) }
    let algorithms = algorithms.map(\.inJOSE)
    var trusted = secrets.map { TrustedKey(.mac($0.key), keyID: $0.kid) }
    for (index, jwk) in keys.enumerated() {
      let usable: [TrustedKey]
      do throws(KeyError) {
        usable = try Self.usable(jwk, for: algorithms)
      } catch {
        throw TrustedIssuerError(.key(index: index, error))
      }
      guard !usable.isEmpty else { throw TrustedIssuerError(.keyFitsNoAlgorithm(index: index)) }
      trusted += usable
    }
    self.keys = trusted
    self.algorithms = algorithms.map { .signature($0) } + Self.algorithms(of: secrets)
    unusable = []
    triesNamelessKeys = true
    hasCertificates = trusted.contains { $0.certificateDigest != nil }
  }

  /// No key, for an issuer whose certificates are trusted instead.
  init(noneFor algorithms: [SignatureAlgorithm]) {
    keys = []
    self.algorithms = algorithms.map { .signature($0) }
    unusable = []
    triesNamelessKeys = false
    hasCertificates = false
  }

  /// Takes secrets alone, each of which allows its own algorithm.
  public init(secrets: [SharedSecret]) throws(TrustedIssuerError) {
    try self.init([], algorithms: [], secrets: secrets)
  }

  /// Takes the keys of a set that may sign by the allowed algorithms, and sets the others aside in `unusable`.
  ///
  /// There may be none that is left: then every token is refused. A token that names a key is only ever tried with keys of that
  /// name.
  public init(_ set: JWKSet, algorithms: [SignatureAlgorithm]) throws(TrustedIssuerError) {
    guard set.keys.count <= Self.maximumKeys else { throw TrustedIssuerError(.tooManyKeys(limit: Self.maximumKeys)) }
    guard !algorithms.isEmpty else { throw TrustedIssuerError(.noAlgorithms) }
    let algorithms = algorithms.map(\.inJOSE)
    var trusted: [TrustedKey] = []
    var unusable = set.refused
    for (position, jwk) in zip(set.positions, set.keys) {
      do throws(KeyError) {
        let usable = try Self.usable(jwk, for: algorithms)
        guard !usable.isEmpty else { throw KeyError(.unsupported(what: "this key with the allowed algorithms")) }
        trusted += usable
      } catch {
        unusable.append(JWKSet.RefusedKey(position: position, kid: jwk.kid, reason: error))
      }
    }
    self.keys = trusted
    self.algorithms = algorithms.map { .signature($0) }
    self.unusable = unusable.sorted { $0.position < $1.position }
    triesNamelessKeys = false
    hasCertificates = trusted.contains { $0.certificateDigest != nil }
  }

  /// Each algorithm once.
  private static func algorithms(of secrets: [SharedSecret]) -> [JWSAlgorithm] {
    MACAlgorithm.allCases.filter { algorithm in secrets.contains { $0.key.algorithm == algorithm } }.map { .mac($0) }
  }

  /// The key once for each allowed algorithm that it fits.
  private static func usable(_ jwk: JWK, for algorithms: [SignatureAlgorithm]) throws(KeyError) -> [TrustedKey] {
    if let alg = jwk.alg, !algorithms.contains(where: { $0.joseName == alg }) { return [] }
    try jwk.check(for: .verifying)
    let digest = jwk.x5tS256 ?? jwk.x5c.first.flatMap { try? Digest.sha256.hash($0.span) }
    var usable: [TrustedKey] = []
    for algorithm in SignatureAlgorithm.allCases where algorithms.contains(algorithm) {
      if let alg = jwk.alg, alg != algorithm.joseName { continue }
      do throws(KeyError) {
        let key = try VerificationKey(jwk.numbers, for: algorithm)
        usable.append(TrustedKey(.signature(key), keyID: jwk.kid, certificateDigest: digest))
      } catch {
        if case .wrongKind = error.reason { continue }
        throw error
      }
    }
    return usable
  }

  /// The keys that may have made a token with this header.
  ///
  /// A `kid` in the header names a key byte for byte. If no key bears it, the keys without a `kid` are left, since they
  /// could be meant; a key that bears another name never is (RFC 7515, 4.1.4). Without one, all keys may be meant. In the
  /// same way `x5t#S256` names the key of a certificate, where keys have any (RFC 7515, 4.1.8).
  func candidates(for header: JWSHeader) throws(JWTError) -> [TrustedKey] {
    guard algorithms.contains(header.algorithm) else { throw JWTError(.algorithmNotAllowed, .algorithm, "alg") }
    var named = keys
    if let keyID = header.keyID {
      named = keys.filter { $0.keyID == keyID }
      if named.isEmpty, triesNamelessKeys { named = keys.filter { $0.keyID == nil } }
      guard !named.isEmpty else { throw JWTError(.unknownKeyID, .key, "kid") }
    }
    if hasCertificates, let digest = try header.sha256Thumbprint() {
      let certified = named.filter { $0.certificateDigest == digest }
      named = certified.isEmpty ? named.filter { $0.certificateDigest == nil } : certified
      guard !named.isEmpty else { throw JWTError(.certificateMismatch, .key, "x5t#S256") }
    }
    let candidates = named.filter { $0.algorithm == header.algorithm }
    guard !candidates.isEmpty else { throw JWTError(.noKeyForAlgorithm, .key, "alg") }
    guard candidates.count <= Self.maximumTries else {
      throw JWTError(.tooManyKeys(limit: Self.maximumTries), .key, "kid")
    }
    return candidates
  }
}
