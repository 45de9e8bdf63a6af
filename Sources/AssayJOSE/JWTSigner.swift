public import AssayCodec
public import AssayCrypto

/// Makes signed tokens (RFC 7519, 7.1).
public struct JWTSigner: Sendable {
  private let signer: JWSSigner
  /// What stands in every header after `alg` and `kid`, and before `typ`.
  private let header: JSONObject

  /// Signs with `key`. `kid` is written into every header, so that verifiers with several keys find the right one.
  public init(key: SigningKey, kid: UTF8Text? = nil) {
    signer = JWSSigner(key: key, kid: kid)
    header = [:]
  }

  /// Signs with a shared secret. Whoever verifies its tokens can also make them.
  public init(key: MACKey, kid: UTF8Text? = nil) {
    signer = JWSSigner(key: key, kid: kid)
    header = [:]
  }

  /// Signs with `key`, and writes into every header the certificates that lead from it towards an anchor (`x5c`): that of
  /// `key` first, at most 8. A verifier needs all but the anchor.
  ///
  /// - Throws: `KeyError` if there is no certificate, the first cannot be read or is of another key, or there are too many.
  public init(key: SigningKey, kid: UTF8Text? = nil, certificates: CertificatePath) throws(KeyError) {
    let all = certificates.certificates
    guard all.count <= CertificateSignedJWS.maximumCertificates else { throw KeyError(.invalid("x5c", .tooLarge)) }
    guard let first = all.first else { throw KeyError(.invalid("x5c", .missing)) }
    let leaf: X509Certificate
    do throws(CodecError) {
      leaf = try X509Certificate(first.span)
    } catch { throw KeyError(.malformed(error)) }
    guard try leaf.publicKey() == key.verificationKey.numbers else { throw KeyError(.anotherKeyBeside) }
    signer = JWSSigner(key: key, kid: kid)
    header = [HeaderName.x5c: .array(all.map { .string(Base64.encode($0.span)) })]
  }

  /// The algorithm it signs by.
  public var algorithm: JWSAlgorithm { signer.algorithm }

  /// Makes a token of `claims` in compact form.
  ///
  /// The header is `alg`, `kid` and `x5c` if there are any, and `typ`, in this order; the claims keep theirs. Claims that
  /// `JWTVerifier` would refuse at any time and for any audience are refused here: registered claims of the wrong type,
  /// dates out of range, a missing `exp` unless allowed, JSON too deep or a token too large for its default limits.
  public func sign(
    _ claims: JSONObject, type: UTF8Text = "JWT", allowMissingExpiration: Bool = false
  ) throws(JWTError) -> UTF8Text {
    let payload = JSONValue.object(claims).encoded()
    // What is signed is what our reader reads back from the bytes.
    let registered = try RegisteredClaims(try CompactSegments.object(payload, "claims", .claims))
    guard registered.expiresAt != nil || allowMissingExpiration else { throw JWTError(.missing, .claims, "exp") }
    var header = header
    header[HeaderName.typ] = .string(type)
    return try signer.signCompact(payload, header: header)
  }

  /// Makes a token of `claims` that is valid for `duration` seconds from `now`: sets `iat` and `exp`, also where they
  /// were set.
  public func sign(
    _ claims: JSONObject, type: UTF8Text = "JWT", validFor duration: Int64, from now: UnixTime = .now()
  ) throws(JWTError) -> UTF8Text {
    var claims = claims
    claims[ClaimName.iat] = .number(JSONNumber(now.seconds))
    claims[ClaimName.exp] = .number(JSONNumber(now.adding(seconds: duration).seconds))
    return try sign(claims, type: type)
  }
}
