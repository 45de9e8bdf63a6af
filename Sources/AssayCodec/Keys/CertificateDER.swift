extension PublicKeyContents {
  /// Reads the key of a DER certificate; bytes after it are an error. Nothing else of the certificate counts here.
  init(certificate: Span<UInt8>) throws(KeyError) {
    let read: X509Certificate
    do throws(CodecError) {
      read = try X509Certificate(certificate)
    } catch { throw KeyError(.malformed(error)) }
    try self.init(spki: read.subjectPublicKeyInfo.span, base: read.subjectPublicKeyInfoOffset)
  }
}
