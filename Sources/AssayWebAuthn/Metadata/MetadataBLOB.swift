public import AssayCodec
public import AssayCrypto
internal import AssayJOSE

/// What a metadata BLOB is held against besides its signature.
public struct MetadataBLOBPolicy: Hashable, Sendable {
  /// What happens when the day by which there was to be a newer BLOB (`nextUpdate`) is over.
  public enum OutOfDate: Hashable, Sendable {
    /// The BLOB is refused.
    case refuse
    /// It is still used for so many days: a service that cannot be reached for a while should not stop every registration.
    case accept(days: Int)
  }

  /// The host name to which the signer's certificate must have been issued: a dNSName of its subjectAltName. The roots
  /// above it issue to everyone, so without this anyone who can have a certificate could sign metadata. nil asks for none,
  /// for anchors that vouch for nobody else.
  public var signerDNSName: UTF8Text? = "mds.fidoalliance.org"
  /// What happens when there is a newer BLOB by now.
  public var outOfDate: OutOfDate = .refuse
  /// Whether and how the certificates are held against revocation lists.
  public var revocation: RevocationPolicy = .notChecked
  /// The `no` of the BLOB that was accepted last: one with a smaller is refused, so that nobody can bring back the time
  /// before an authenticator was revoked.
  public var lastAcceptedNo: Int64?
  /// Whether pictures are kept in memory. They make up half of a BLOB.
  public var keepsPictures = false

  /// The strict policy, without revocation lists, which only the caller can fetch.
  public init() {}
}

/// A metadata BLOB (FIDO Metadata Service, 3.1.7) whose signature was verified. Only `verify` makes one.
public struct MetadataBLOB: Sendable {
  /// What was signed.
  public let payload: MetadataPayload
  /// The certificates from the signer's to the trust anchor.
  public let path: ValidatedPath

  /// The longest BLOB, in bytes.
  public static let maximumBytes = MetadataPayload.maximumBytes / 3 * 4 + 65_536

  /// Verifies a BLOB, and returns what was signed (FIDO Metadata Service, 3.2 "Metadata BLOB object processing rules").
  ///
  /// Success proves that the payload was signed by the key of a certificate that leads to one of `anchors`, is no authority's
  /// and not barred from signing (RFC 5280, 4.2.1.3 and 4.2.1.9), and was issued to the policy's `signerDNSName`.
  ///
  /// The signer's certificate is replaced often, and a BLOB kept for a month may outlive it. So the path is validated at the
  /// time of the download: give the time at which the BLOB was fetched, not that of today, for one that was kept.
  /// Certificates come from the BLOB's own `x5c`; `x5u` is not followed.
  /// - Parameters:
  ///   - blob: The compact JWS, as it was fetched.
  ///   - anchors: Who is trusted to vouch for the signer: GlobalSign's roots R3 and, since August 2026, R46 for FIDO's service.
  ///   - downloadTime: When it was fetched.
  ///   - time: Now; `nextUpdate` is held against it.
  public static func verify(
    _ blob: Span<UInt8>, to anchors: TrustAnchors, downloadedAt downloadTime: UnixTime, at time: UnixTime,
    _ policy: MetadataBLOBPolicy = MetadataBLOBPolicy()
  ) throws(MetadataError) -> MetadataBLOB {
    // A file may have a line end where a token has none.
    let lineEnd = blob.count > 0 && blob[blob.count - 1] == UInt8(ascii: "\n") ? 1 : 0
    let signed: CertificateSignedJWS
    do throws(JWTError) {
      signed = try JWS.verifyCompactByOwnCertificate(
        blob.extracting(0..<blob.count - lineEnd), maximumBytes: maximumBytes, algorithms: SignatureAlgorithm.allCases)
    } catch {
      throw MetadataError(.token(error), "metadata BLOB")
    }
    let path: ValidatedPath
    do throws(CertificatePathError) {
      path = try CertificatePath(certificates: signed.certificates).validated(
        to: anchors, at: downloadTime, CertificatePathPolicy(revocation: policy.revocation))
    } catch {
      throw MetadataError(.certificatePath(error), "x5c")
    }
    try check(signer: signed.certificates.first ?? [], policy)
    let payload = try MetadataPayload(signed.payload.span, keepsPictures: policy.keepsPictures)
    if let last = policy.lastAcceptedNo, payload.no < last { throw MetadataError(.rollback, "no") }
    let grace: Int64 =
      switch policy.outOfDate {
      case .refuse: 0
      case .accept(let days): Int64(max(0, min(days, 36_500))) * 86_400
      }
    guard time < payload.nextUpdate.end.adding(seconds: grace) else { throw MetadataError(.outOfDate, "nextUpdate") }
    return MetadataBLOB(payload: payload, path: path)
  }

  /// The certificate is for signing, no authority's, and the metadata service's. What cannot be read of it is refused too.
  private static func check(signer: [UInt8], _ policy: MetadataBLOBPolicy) throws(MetadataError) {
    let leaf: X509Certificate
    do throws(CodecError) {
      leaf = try X509Certificate(signer.span)
      if let field = try leaf.extensionAgainstSigning() { throw CodecError(.invalidValue, field, at: 0) }
    } catch {
      throw MetadataError(.signerNotForSigning, error.field)
    }
    guard let host = policy.signerDNSName else { return }
    guard (try? leaf.isIssued(toHost: host)) == true else { throw MetadataError(.otherSigner, "subjectAltName") }
  }
}

extension MetadataPayload {
  /// Reads the payload of a BLOB that NOBODY HAS VERIFIED: anyone may have signed and written every word of it.
  public static func decodeWithoutVerifying(
    blob: Span<UInt8>, keepsPictures: Bool = false
  ) throws(MetadataError) -> MetadataPayload {
    var dots: [Int] = []
    for index in blob.indices where blob[index] == UInt8(ascii: ".") && dots.count < 3 { dots.append(index) }
    guard dots.count == 2, blob.count <= MetadataBLOB.maximumBytes else {
      throw MetadataError(.malformed(CodecError(.malformed, "metadata BLOB", at: 0)), "metadata BLOB")
    }
    let json: [UInt8]
    do throws(CodecError) {
      json = try Base64URL.decode(
        blob.extracting(dots[0] + 1..<dots[1]), field: "payload", base: dots[0] + 1)
    } catch {
      throw MetadataError(.malformed(error), "metadata BLOB")
    }
    return try MetadataPayload(json.span, keepsPictures: keepsPictures)
  }
}
