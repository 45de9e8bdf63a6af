import Assay
import FuzzSupport

/// One input of libFuzzer.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe input(start, count)
  let certificate: X509Certificate
  do {
    certificate = try X509Certificate(bytes.span)
  } catch {
    require((0...bytes.count).contains(error.offset), "an error points into the input")
    require((try? X509Certificate(bytes.span)) == nil, "reading twice gives the same")
    return 0
  }
  require((try? X509Certificate(bytes.span)) == certificate, "reading twice gives the same")
  require(certificate.encoded == bytes, "the certificate is the input")
  require((1...3).contains(certificate.version), "the version is one that exists")
  require(certificate.extensions.count <= X509Certificate.maximumExtensions, "extensions are bounded")
  require(certificate.subject.count <= X509Certificate.maximumAttributes, "names are bounded")
  require(Set(certificate.extensions.map(\.identifier)).count == certificate.extensions.count, "no extension twice")
  let sizes = certificate.extensions.map { $0.identifier.count + $0.value.count }
  require(sizes.reduce(certificate.subjectPublicKeyInfo.count, +) <= bytes.count, "the parts fit into the input")
  if let key = try? certificate.publicKey() {
    require((try? PublicKeyNumbers(spki: certificate.subjectPublicKeyInfo.span)) == key, "one key, read either way")
  }
  // The input as its own anchor at a time it names: the one path that a certificate without an issuer can have.
  let path = CertificatePath(certificates: [bytes])
  require((try? path.validated(to: .none, at: UnixTime(0))) == nil, "nothing is trusted without an anchor")
  if let anchors = try? TrustAnchors(certificates: [bytes]), let validity = try? certificate.validity(),
    let valid = try? path.validated(to: anchors, at: validity.notBefore)
  {
    require(valid.anchor == bytes && valid.certificates == [bytes], "the path is the input")
    require(validity.notBefore < validity.notAfter, "a valid certificate has a time")
  }
  return 0
}
