internal import AssayCodec
package import AssayCrypto

// x5c = [ + base64 of a DER certificate ]: the certificate of the key that signed, then those that vouch for it (RFC 7515,
// 4.1.6). It is base64 with padding and no line breaks, not base64url.

/// What the key of a certificate signed, which the token itself has brought.
///
/// NOTHING here says that the certificate is to be trusted: anyone can make one, put it into a token and sign with its
/// key. Until a path from it to a trusted certificate is verified, and its name, the payload may be anyone's invention.
package struct CertificateSignedJWS: Hashable, Sendable {
  /// The bytes that were signed, decoded.
  package let payload: [UInt8]
  /// The certificate whose key signed, then the further ones, each in DER, byte for byte. Of the further ones nothing was
  /// read.
  package let certificates: [[UInt8]]

  /// The most certificates in a token.
  package static let maximumCertificates = 8
}

extension JWS {
  /// Verifies that the key of the first certificate in the token's own `x5c` signed it, and returns what was signed.
  ///
  /// For formats that prescribe just this, and never for a token that someone presents to be let in: it proves nothing
  /// until the certificates are verified too.
  /// - Parameters:
  ///   - maximumBytes: The longest token that is read.
  ///   - algorithms: The algorithms that may sign.
  /// - Throws: the first step that fails, as with a known key.
  package static func verifyCompactByOwnCertificate(
    _ token: Span<UInt8>, maximumBytes: Int = maximumTokenBytes, algorithms: [SignatureAlgorithm]
  ) throws(JWTError) -> CertificateSignedJWS {
    var certificates: [[UInt8]] = []
    let verified = try verifyCompact(token, maximumBytes: maximumBytes) { (header, _) throws(JWTError) in
      guard case .signature(let algorithm) = header.algorithm, algorithms.contains(algorithm) else {
        throw JWTError(.algorithmNotAllowed, .algorithm, "alg")
      }
      certificates = try header.certificates()
      return [TrustedKey(.signature(try key(of: leaf(of: certificates), for: algorithm)), keyID: nil)]
    }
    return CertificateSignedJWS(payload: verified.payload, certificates: certificates)
  }
}
