internal import AssayCodec
internal import AssayCrypto

/// Signatures over one message, each under the key of its group.
enum WycheproofSignatures {
  static func ecdsa(_ format: ECDSASignatureFormat) -> WycheproofSchema.Prepare {
    { (group, _) throws(VectorFileError) in
      let curveName = try curveName(&group)
      let scheme = StatedScheme.withDigest(try group.text("sha")) { digest in
        WycheproofKey.curve(curveName).map { .scheme(.ecdsa($0, digest)) }
          ?? .outside(UTF8Text("curve: \(curveName.string)"))
      }
      return judge(scheme, try WycheproofKey(&group, jwk: "publicKeyJwk"), format)
    }
  }

  static func edwards(_ group: inout MemberReader, _: UTF8Text?) throws(VectorFileError) -> WycheproofJudge {
    guard let curve = WycheproofKey.curve(try curveName(&group)) else { throw group.fault("unknown curve") }
    return judge(.scheme(.edDSA(curve)), try WycheproofKey(&group, jwk: "publicKeyJwk"))
  }

  static func pkcs1(_ group: inout MemberReader, _: UTF8Text?) throws(VectorFileError) -> WycheproofJudge {
    group.ignore("keySize", "publicKey")
    let scheme = StatedScheme.withDigest(try group.text("sha")) { .scheme(.rsaPKCS1($0)) }
    return judge(scheme, try WycheproofKey(&group, pkcs1: "publicKeyAsn", jwk: "keyJwk"))
  }

  static func pss(_ group: inout MemberReader, _: UTF8Text?) throws(VectorFileError) -> WycheproofJudge {
    group.ignore("keySize", "publicKey")
    guard try group.text("mgf") == "MGF1" else { throw group.fault("unknown mask generation function") }
    let digestName = try group.text("sha")
    let maskName = try group.text("mgfSha")
    guard let salt = Int(exactly: try group.integer("sLen")) else { throw group.fault("sLen is out of range") }
    let scheme = StatedScheme.withDigest(digestName) { digest in
      maskName == digestName
        ? .scheme(.rsaPSS(digest, saltByteCount: salt)) : .outside("mask: MGF1 with another digest")
    }
    return judge(scheme, try WycheproofKey(&group, pkcs1: "publicKeyAsn", jwk: "publicKeyJwk"))
  }

  /// Signatures to be made again: RSASSA-PKCS1-v1_5 has one for each message.
  static func pkcs1Generate(_ group: inout MemberReader, _: UTF8Text?) throws(VectorFileError) -> WycheproofJudge {
    group.ignore("keySize", "privateKey", "privateKeyPem", "privateKeyJwk")
    let scheme = StatedScheme.withDigest(try group.text("sha")) { .scheme(.rsaPKCS1($0)) }
    let verify = judge(
      scheme, try WycheproofKey(&group, spki: "keyDer", pem: "keyPem", pkcs1: "keyAsn", jwk: "keyJwk"))
    let pkcs8 = try group.hex("privateKeyPkcs8")
    var key: SigningKey?
    var refusal: String?
    do throws(KeyError) {
      let file = try KeyFile.read(pkcs8.span)
      if let algorithm = scheme.algorithm { key = try SigningKey(file, for: algorithm) }
    } catch { refusal = error.description }
    return { (one) throws(VectorFileError) in
      let judgement = try verify(&one)
      guard case .verdict(.valid, _) = judgement else { return judgement }
      guard let key else { return .verdict(.invalid, because: refusal) }
      let message = try one.hex("msg")
      let expected = try one.hex("sig")
      do throws(CryptoError) {
        let signature = try key.sign(message.span, ecdsa: .der)
        return .verdict(signature == expected ? .valid : .invalid, because: "another signature")
      } catch { return .verdict(.invalid, because: error.description) }
    }
  }

  private static func judge(
    _ scheme: StatedScheme, _ key: WycheproofKey, _ format: ECDSASignatureFormat = .der
  ) -> WycheproofJudge {
    switch scheme {
    case .outside(let reason):
      return { (one) throws(VectorFileError) in
        one.ignore("msg", "sig")
        return .skipped(.named(reason))
      }
    case .scheme(let scheme):
      var verifier: SchemeKey?
      var refusal: String?
      do throws(KeyError) { verifier = try SchemeKey(key.numbers(), scheme) } catch { refusal = error.description }
      return { (one) throws(VectorFileError) in
        let message = try one.hex("msg")
        let signature = try one.hex("sig")
        guard let verifier else { return .verdict(.invalid, because: refusal) }
        return .isValid(verifier.isValid(signature.span, for: message.span, ecdsa: format))
      }
    }
  }

  private static func curveName(_ group: inout MemberReader) throws(VectorFileError) -> UTF8Text {
    guard let curve = try group.value("publicKey")["curve"]?.string else {
      throw group.fault("the member publicKey names no curve")
    }
    return curve
  }
}
