internal import AssayCodec
internal import AssayCrypto

extension JWSHeader {
  /// The certificates in `x5c`, in DER; none of them read.
  func certificates() throws(JWTError) -> [[UInt8]] {
    guard let x5c = parameters[HeaderName.x5c] else { throw JWTError(.missing, .header, "x5c") }
    guard let elements = x5c.array else { throw JWTError(.wrongType, .header, "x5c") }
    guard elements.count <= CertificateSignedJWS.maximumCertificates else {
      throw JWTError(.tooManyCertificates(limit: CertificateSignedJWS.maximumCertificates), .header, "x5c")
    }
    var certificates: [[UInt8]] = []
    for element in elements {
      guard let text = element.string else { throw JWTError(.wrongType, .header, "x5c") }
      do throws(CodecError) {
        certificates.append(try Base64.decode(text.utf8.span, field: "x5c"))
      } catch {
        throw JWTError(.malformed(error), .header, "x5c")
      }
    }
    return certificates
  }

  /// The SHA-1 in `x5t` (RFC 7515, 4.1.7); nil if it is not there.
  func sha1Thumbprint() throws(JWTError) -> [UInt8]? { try bytes(HeaderName.x5t, "x5t") }

  /// The SHA-256 in `x5t#S256` (RFC 7515, 4.1.8); nil if it is not there.
  func sha256Thumbprint() throws(JWTError) -> [UInt8]? { try bytes(HeaderName.x5tS256, "x5t#S256") }

  private func bytes(_ name: UTF8Text, _ field: Field) throws(JWTError) -> [UInt8]? {
    guard let text = try parameters.string(name, field, .header) else { return nil }
    do throws(CodecError) {
      return try Base64URL.decode(text.utf8.span, field: field)
    } catch {
      throw JWTError(.malformed(error), .header, field)
    }
  }
}

extension JWS {
  /// The certificate that comes first.
  static func leaf(of certificates: [[UInt8]]) throws(JWTError) -> X509Certificate {
    guard let first = certificates.first else { throw JWTError(.missing, .header, "x5c") }
    return try reading { () throws(CodecError) in try X509Certificate(first.span) }
  }

  /// The key of a certificate.
  static func key(of leaf: X509Certificate, for algorithm: SignatureAlgorithm) throws(JWTError) -> VerificationKey {
    do throws(KeyError) {
      return try VerificationKey(leaf.publicKey(), for: algorithm)
    } catch {
      throw JWTError(.noKeyForAlgorithm, .key, "x5c")
    }
  }

  /// Reads something of a certificate in `x5c`.
  static func reading<T>(_ body: () throws(CodecError) -> T) throws(JWTError) -> T {
    do throws(CodecError) {
      return try body()
    } catch {
      throw JWTError(.malformed(error), .header, "x5c")
    }
  }
}
