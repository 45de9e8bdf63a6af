internal import AssayCodec
internal import AssayCrypto

extension VectorKind {
  /// One signature by its parameters, also where JOSE has no name for them.
  static let primitive = VectorKind(name: "primitive", usesKeys: true) { (one, keys) throws(VectorFileError) in
    let name = try one.text("primitive")
    let digest = try one.digest()
    let jwk = try keys.jwk(&one)
    let message = try one.hex("message")
    let signature = try one.hex("signature")
    var format = ECDSASignatureFormat.der
    let scheme: SignatureScheme
    switch name {
    case "ECDSA":
      format = try one.signatureFormat()
      guard let curve = EllipticCurve.allCases.first(where: { UTF8Text($0.jwkName) == jwk["crv"]?.string }) else {
        throw one.fault("the key names no curve")
      }
      scheme = .ecdsa(curve, digest)
    case "RSASSA-PKCS1-v1_5": scheme = .rsaPKCS1(digest)
    case "RSASSA-PSS":
      guard let salt = Int(exactly: try one.integer("saltBytes")) else { throw one.fault("saltBytes is out of range") }
      scheme = .rsaPSS(digest, saltByteCount: salt)
    default: throw one.fault("unknown primitive")
    }
    let verdict = try one.verdict()
    do throws(KeyError) {
      let key = try SchemeKey(JWK(jwk).numbers, scheme)
      let isValid = key.isValid(signature.span, for: message.span, ecdsa: format)
      return .compare(expected: verdict, actual: isValid ? .valid : .invalid)
    } catch {
      return .compare(expected: verdict, actual: .invalid, because: error.description)
    }
  }

  /// A message authentication code; one that is cut is compared with the leftmost bytes of ours.
  static let mac = VectorKind(name: "mac") { (one, _) throws(VectorFileError) in
    let digest = try one.digest()
    let secret = try one.hex("secret")
    let message = try one.hex("message")
    let tag = try one.hex("tag")
    guard !tag.isEmpty, tag.count <= digest.byteCount else { throw one.fault("no tag is as long as this") }
    let verdict = try one.verdict()
    do throws(CryptoError) {
      let code = try HMACKey(SecretBytes(copying: secret.span), digest).authenticate(message.span)
      return .compare(expected: verdict, actual: Array(code.prefix(tag.count)) == tag ? .valid : .invalid)
    } catch {
      return .compare(expected: verdict, actual: .invalid, because: error.description)
    }
  }
}

extension MemberReader {
  fileprivate mutating func signatureFormat() throws(VectorFileError) -> ECDSASignatureFormat {
    switch try text("format") {
    case "fixedWidth": .fixedWidth
    case "der": .der
    default: throw fault("unknown format")
    }
  }

  fileprivate mutating func digest() throws(VectorFileError) -> Digest {
    guard let digest = Digest(nistName: try text("digest")) else { throw fault("unknown digest") }
    return digest
  }
}
