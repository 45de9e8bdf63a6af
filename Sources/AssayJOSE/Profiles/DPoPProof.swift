public import AssayCodec
public import AssayCrypto

/// Verifies DPoP proofs: that whoever makes a request holds a private key (RFC 9449, 4.3).
public struct DPoPVerifier: Sendable {
  /// What a proof must fit besides the request.
  public struct Expectation: Hashable, Sendable {
    /// The access token that the request carries. If set, the proof must be for it (`ath`). Whether it is bound to the proof's
    /// key is to be checked too: give the proof to `AccessTokenVerifier`, or the `thumbprint` of a token that is not a JWT.
    public var accessToken: UTF8Text?
    /// The nonce that the server gave out. If set, the proof must have it.
    public var nonce: UTF8Text?
    /// The thumbprint of the key that the proof must be by: `cnf.jkt` of the access token, or `dpop_jkt`.
    public var thumbprint: UTF8Text?

    /// Expects a proof by any key, for no token.
    public init() {}
  }

  private let algorithms: [SignatureAlgorithm]
  private let maximumAge: Int64
  private let maximumFuture: Int64

  /// Accepts proofs by any key for one of the algorithms.
  /// - Parameters:
  ///   - maximumAge: How long ago a proof may have been made, in seconds.
  ///   - maximumFuture: How far the client's clock may be ahead of ours, in seconds.
  public init(algorithms: [SignatureAlgorithm], maximumAge: Int64 = 300, maximumFuture: Int64 = 10) {
    self.algorithms = algorithms.map(\.inJOSE)
    self.maximumAge = max(maximumAge, 0)
    self.maximumFuture = max(maximumFuture, 0)
  }

  /// Verifies the proof of a request.
  ///
  /// Success proves that the holder of the key made it for this method and URI, and not long ago. It must count once.
  /// - Parameters:
  ///   - proofs: The values of all `DPoP` header fields of the request: there must be one.
  ///   - method: The method of the request, as it stood.
  ///   - uri: The URI of the request, absolute and as the client sees it. Query and fragment do not count.
  /// - Throws: the first step that fails: header with `jwk`, signature, then `htm`, `htu`, `iat`, `jti`, `nonce`, `ath`, `jkt`.
  public func verify(
    _ proofs: [[UInt8]], method: UTF8Text, uri: UTF8Text, expecting expected: Expectation = Expectation(),
    at now: UnixTime = .now()
  ) throws(JWTError) -> VerifiedDPoPProof {
    guard let only = proofs.first, proofs.count == 1 else { throw JWTError(.notOneProof, .shape) }
    var numbers: PublicKeyNumbers?
    let proof = try ProfileToken(
      only.span, .one(of: [Self.type]), allowsContentType: true
    ) { (header) throws(JWTError) in
      let key = try key(in: header)
      numbers = key.numbers
      return [TrustedKey(.signature(key), keyID: nil)]
    }
    try proof.require("htm", is: method)
    let htu = try proof.requiredText("htu")
    guard let claimed = DPoPTargetURI(htu), let actual = DPoPTargetURI(uri), claimed == actual else {
      throw JWTError(.mismatch, .claims, "htu")
    }
    guard let issuedAt = proof.registered.issuedAt else { throw JWTError(.missing, .claims, "iat") }
    guard issuedAt <= now.adding(seconds: maximumFuture) else { throw JWTError(.issuedInFuture, .claims, "iat") }
    let end = issuedAt.adding(seconds: maximumAge)
    guard now <= end else { throw JWTError(.tooOld, .claims, "iat") }
    let id = try proof.id()
    if let nonce = expected.nonce { try proof.require("nonce", is: nonce) }
    if let accessToken = expected.accessToken {
      guard let hash = TokenHash.sha256(of: accessToken.utf8.span) else {
        throw JWTError(.mismatch, .claims, "ath")
      }
      try proof.require("ath", is: hash)
    }
    guard let numbers, let thumbprint = try? KeyThumbprint(jwk: numbers).text else {
      throw JWTError(.mismatch, .claims, "jkt")
    }
    if let expected = expected.thumbprint, expected != thumbprint { throw JWTError(.mismatch, .claims, "jkt") }
    return VerifiedDPoPProof(
      thumbprint: thumbprint, id: id, issuedAt: issuedAt, replayableUntil: end, claims: proof.claims)
  }

  static let type: UTF8Text = "dpop+jwt"

  /// The proof's own key: public, usable, and for the algorithm of the proof.
  private func key(in header: JWSHeader) throws(JWTError) -> VerificationKey {
    guard case .signature(let algorithm) = header.algorithm, algorithms.contains(algorithm) else {
      throw JWTError(.algorithmNotAllowed, .algorithm, "alg")
    }
    guard let value = header.parameters["jwk"] else { throw JWTError(.missing, .key, "jwk") }
    do throws(KeyError) {
      let jwk = try JWK(value)
      try jwk.check(for: .verifying)
      if let alg = jwk.alg, alg != algorithm.joseName {
        throw KeyError(.algorithmMismatch(algorithm: algorithm.joseName.string))
      }
      return try VerificationKey(jwk.numbers, for: algorithm)
    } catch {
      throw JWTError(.keyRefused(error), .key, "jwk")
    }
  }
}

/// A DPoP proof that was verified.
public struct VerifiedDPoPProof: SingleUseToken, Hashable {
  /// The thumbprint of its key (RFC 7638, SHA-256), as `cnf.jkt` has it.
  public let thumbprint: UTF8Text
  /// Its own name (`jti`), which must count once.
  public let id: UTF8Text
  /// When it was made (`iat`), by the client's clock.
  public let issuedAt: UnixTime
  /// The last second at which it would be accepted again.
  public let replayableUntil: UnixTime
  /// All its claims.
  public let claims: JSONObject

  /// The same as `thumbprint`: only who holds the key makes its proofs.
  public var issuer: UTF8Text { thumbprint }

  /// It was made for this access token (RFC 9449, 4.3 step 12).
  func checkIsFor(accessToken: Span<UInt8>) throws(JWTError) {
    guard let ath = claims["ath"] else { throw JWTError(.missing, .claims, "ath") }
    guard let hash = TokenHash.sha256(of: accessToken), ath == .string(hash) else {
      throw JWTError(.mismatch, .claims, "ath")
    }
  }
}

/// Makes DPoP proofs with one key (RFC 9449, 4.2).
public struct DPoPProver: Sendable {
  private let signer: JWSSigner
  private let header: JSONObject
  /// The thumbprint of the key, as `cnf.jkt` has it.
  public let thumbprint: UTF8Text

  /// Proves that it holds `key`.
  public init(key: SigningKey) throws(CryptoError) {
    signer = JWSSigner(key: key)
    let numbers = key.verificationKey.numbers
    header = [HeaderName.typ: .string(DPoPVerifier.type), "jwk": .object(JWK(numbers).json)]
    thumbprint = try KeyThumbprint(jwk: numbers).text
  }

  /// Makes the proof for a request, with a fresh `jti`.
  /// - Parameters:
  ///   - uri: The absolute URI of the request; query and fragment are left out.
  ///   - accessToken: The access token of the request, if it carries one.
  ///   - nonce: The nonce that the server gave last, if it gave one.
  public func proof(
    method: UTF8Text, uri: UTF8Text, accessToken: UTF8Text? = nil, nonce: UTF8Text? = nil, at now: UnixTime = .now()
  ) throws(JWTError) -> UTF8Text {
    guard DPoPTargetURI(uri) != nil else { throw JWTError(.invalidValue, .signing, "htu") }
    let target = uri.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    var claims = ProfileClaims()
    claims.set("jti", try ProfileClaims.freshID())
    claims.set("htm", method)
    claims.set("htu", UTF8Text(unchecked: Array(target)))
    claims.set("iat", now)
    if let accessToken {
      guard let hash = TokenHash.sha256(of: accessToken.utf8.span) else {
        throw JWTError(.signingFailed, .signing, "ath")
      }
      claims.set("ath", hash)
    }
    claims.set("nonce", nonce)
    return try signer.signCompact(JSONValue.object(claims.object).encoded(), header: header)
  }
}
