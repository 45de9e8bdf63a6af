public import AssayCodec
public import AssayCrypto

/// Certificates whose keys may sign for an issuer: those that an anchor vouches for and that are the signer's.
///
/// Tokens bring them in their header (`x5c`, RFC 7515, 4.1.6). Nothing in a token is trusted for standing there: the anchors and
/// what tells the signer come from configuration, and `jwk`, `jku` and `x5u` are never used or fetched.
public struct TrustedCertificates: Sendable {
  /// What tells the signer's certificate from all others that the anchors vouch for.
  @nonexhaustive
  public enum Signer: Hashable, Sendable {
    /// This host name stands in subjectAltName, the case of ASCII letters aside. A wildcard there is not that name.
    case dnsName(UTF8Text)
    /// This URI stands in subjectAltName, byte for byte.
    case uri(UTF8Text)
    /// The subject has exactly one common name: this, byte for byte, as a UTF8String or PrintableString.
    case commonName(UTF8Text)
    /// It is one of these certificates, named by the SHA-256 of their DER.
    case certificates(sha256: Set<[UInt8]>)
    /// Any certificate that the anchors vouch for. Only for an authority of your own that issues for nothing but this.
    case anyUnderPrivateAuthority
  }

  /// The certificates that are trusted to vouch.
  public let anchors: TrustAnchors
  /// What tells the signer's certificate.
  public let signer: Signer
  /// The algorithms that may sign.
  public let algorithms: [SignatureAlgorithm]
  /// The purpose for which a certificate must have been issued, as the contents of its OBJECT IDENTIFIER.
  public let extendedKeyUsage: [UInt8]?
  /// What else is asked of the paths.
  public let pathPolicy: CertificatePathPolicy

  /// Says which certificates may sign.
  /// - Parameters:
  ///   - extendedKeyUsage: A purpose that must stand in extKeyUsage, such as `serverAuth`; a certificate for any purpose is
  ///     not enough. Nil: a certificate must not be limited to purposes (RFC 5280, 4.2.1.12), since signing tokens is none.
  /// - Throws: if no certificate could ever be accepted: no anchors, no algorithms, or a signer without a name.
  public init(
    anchors: TrustAnchors, signer: Signer, algorithms: [SignatureAlgorithm], extendedKeyUsage: [UInt8]? = nil,
    pathPolicy: CertificatePathPolicy = CertificatePathPolicy()
  ) throws(TrustedIssuerError) {
    guard anchors.count > 0 else { throw TrustedIssuerError(.noAnchors) }
    guard !algorithms.isEmpty else { throw TrustedIssuerError(.noAlgorithms) }
    guard signer.isNamed else { throw TrustedIssuerError(.noSigner) }
    self.anchors = anchors
    self.signer = signer
    self.algorithms = algorithms.map(\.inJOSE)
    self.extendedKeyUsage = extendedKeyUsage
    self.pathPolicy = pathPolicy
  }

  /// The key that must have made a token with this header, in this order: `alg` is allowed, `x5c` can be read, `x5t` and
  /// `x5t#S256` are its first certificate's, a path leads from that to an anchor at `time`, it is a signer's, and its key is
  /// for `alg`. `kid` is not looked at: the certificate names the key.
  func candidates(for header: JWSHeader, at time: UnixTime) throws(JWTError) -> [TrustedKey] {
    guard case .signature(let algorithm) = header.algorithm, algorithms.contains(algorithm) else {
      throw JWTError(.algorithmNotAllowed, .algorithm, "alg")
    }
    let certificates = try header.certificates()
    let leaf = try JWS.leaf(of: certificates)
    try Self.check(header.sha1Thumbprint(), "x5t", .sha1, of: leaf)
    try Self.check(header.sha256Thumbprint(), "x5t#S256", .sha256, of: leaf)
    let path: ValidatedPath
    do throws(CertificatePathError) {
      path = try CertificatePath(certificates: certificates).validated(to: anchors, at: time, pathPolicy)
    } catch {
      throw JWTError(.certificateRefused(error), .key, "x5c")
    }
    try checkUse(of: leaf)
    try signer.check(leaf)
    return [TrustedKey(.signature(try JWS.key(of: leaf, for: algorithm)), keyID: nil, path: path)]
  }

  private static func check(
    _ stated: [UInt8]?, _ field: Field, _ digest: Digest, of leaf: X509Certificate
  ) throws(JWTError) {
    guard let stated else { return }
    guard let actual = try? digest.hash(leaf.encoded.span), stated == actual else {
      throw JWTError(.certificateMismatch, .key, field)
    }
  }

  /// The certificate is for signing, and no authority's: who may issue is not who may sign.
  private func checkUse(of leaf: X509Certificate) throws(JWTError) {
    if let field = try JWS.reading({ () throws(CodecError) in try leaf.extensionAgainstSigning() }) {
      throw JWTError(.certificateNotForSigning, .key, field)
    }
    let purposes = try JWS.reading { () throws(CodecError) in try leaf.purposes() }
    let isForThis =
      if let extendedKeyUsage {
        purposes?.contains(extendedKeyUsage) ?? false
      } else {
        purposes?.contains(X509Certificate.anyPurpose) ?? true
      }
    guard isForThis else { throw JWTError(.certificateNotForSigning, .key, "extKeyUsage") }
  }
}

extension TrustedCertificates.Signer {
  /// Whether there is a certificate that it can tell.
  fileprivate var isNamed: Bool {
    switch self {
    case .dnsName(let name), .uri(let name), .commonName(let name): !name.isEmpty
    case .certificates(let digests):
      !digests.isEmpty && digests.allSatisfy { $0.count == Digest.sha256.byteCount }
    case .anyUnderPrivateAuthority: true
    }
  }

  fileprivate func check(_ leaf: X509Certificate) throws(JWTError) {
    let isSigner: Bool
    let field: Field
    switch self {
    case .dnsName(let name):
      field = "subjectAltName"
      isSigner = try JWS.reading { () throws(CodecError) in try leaf.isIssued(toHost: name) }
    case .uri(let uri):
      field = "subjectAltName"
      isSigner = try names(of: leaf).uris.contains(uri)
    case .commonName(let name):
      field = "subject"
      isSigner = leaf.commonName == name
    case .certificates(let digests):
      field = "x5c"
      isSigner = (try? Digest.sha256.hash(leaf.encoded.span)).map(digests.contains) ?? false
    case .anyUnderPrivateAuthority: return
    }
    guard isSigner else { throw JWTError(.wrongSigner, .key, field) }
  }

  private func names(of leaf: X509Certificate) throws(JWTError) -> X509Certificate.AlternativeNames {
    try JWS.reading { () throws(CodecError) in try leaf.alternativeNames() }
  }
}

extension JWS {
  /// Verifies that the owner of a trusted certificate, which the token brings in `x5c`, signed the token, and returns what was
  /// signed.
  ///
  /// Success proves who signed, and that their certificate was good at `time`; not when they signed, nor for whom.
  /// - Throws: the first step that fails, in the order of `JWTError.Step` up to `signature`.
  public static func verifyCompact(
    _ token: Span<UInt8>, certificates: TrustedCertificates, at time: UnixTime
  ) throws(JWTError) -> VerifiedJWS {
    try verifyCompact(token, maximumBytes: maximumTokenBytes) { (header, _) throws(JWTError) in
      try certificates.candidates(for: header, at: time)
    }
  }
}
