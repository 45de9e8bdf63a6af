import AssayCodec
import AssayCrypto
package import TestCertificates

extension Authority {
  /// A metadata BLOB (FIDO Metadata Service, 3.1.7), signed by this one; its own certificate is the first.
  package func blob(_ payload: [UInt8], x5c: [[UInt8]]) throws -> [UInt8] {
    let certificates = x5c.map { JSONValue.string(Base64.encode($0.span)) }
    let header = JSONValue.object(["alg": "ES256", "typ": "JWT", "x5c": .array(certificates)]).encoded()
    let input = Base64URL.encode(header.span).utf8 + Array(".".utf8) + Base64URL.encode(payload.span).utf8
    let signature = try key.sign(input.span, ecdsa: .fixedWidth)
    return input + Array(".".utf8) + Base64URL.encode(signature.span).utf8
  }
}
