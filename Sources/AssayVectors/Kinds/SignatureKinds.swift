internal import AssayCodec
internal import AssayCrypto
internal import AssayJOSE

extension VectorKind {
  /// One signature over one message.
  static let signature = VectorKind(name: "signature", usesKeys: true) { (one, keys) throws(VectorFileError) in
    let algorithm = try one.algorithm(try one.text("algorithm"))
    let jwk = try keys.jwk(&one)
    let message = try one.hex("message")
    let signature = try one.hex("signature")
    var format = ECDSASignatureFormat.fixedWidth
    if [.es256, .es384, .es512, .es256k].contains(algorithm) {
      switch try one.text("format") {
      case "fixedWidth": format = .fixedWidth
      case "der": format = .der
      default: throw one.fault("unknown format")
      }
    }
    let verdict = try one.verdict()
    do throws(KeyError) {
      let key = try VerificationKey(JWK(jwk).numbers, for: algorithm)
      let isValid = key.isValid(signature.span, for: message.span, ecdsa: format)
      return .compare(expected: verdict, actual: isValid ? .valid : .invalid)
    } catch {
      return .compare(expected: verdict, actual: .invalid, because: error.description)
    }
  }

  /// The signature and header of a compact token.
  static let jws = VectorKind(name: "jws", usesKeys: true) { (one, keys) throws(VectorFileError) in
    let token = try one.text("token", orParts: "tokenParts")
    let jwk = try keys.jwk(&one)
    let algorithms = try one.algorithms()
    let verdict = try one.verdict()
    let payload = verdict == .valid ? try one.optionalHex("payload") : nil
    if jwk["kty"]?.string == "oct" { return .skipped(.named("tokens: HMAC")) }
    let trusted: TrustedKeys
    do { trusted = try TrustedKeys([JWK(jwk)], algorithms: algorithms) } catch {
      return .compare(expected: verdict, actual: .invalid, because: "\(error)")
    }
    do throws(JWTError) {
      let verified = try JWS.verifyCompact(token.span, keys: trusted)
      guard verdict == .valid else { return .failed(expected: "invalid", actual: "valid") }
      if let payload, payload != verified.payload {
        return .failed(expected: "the given payload", actual: "another payload")
      }
      return .passed
    } catch {
      return .compare(expected: verdict, actual: .invalid, because: error.description)
    }
  }

  /// A whole token under the strict profile.
  static let jwt = VectorKind(name: "jwt", usesKeys: true) { (one, keys) throws(VectorFileError) in
    let token = try one.text("token", orParts: "tokenParts")
    let jwk = try keys.jwk(&one)
    let algorithms = try one.algorithms()
    let issuer = try one.text("issuer")
    let audience = try one.optionalText("audience")
    var policy = JWTPolicy()
    if one.optional("mayOmitIssuer") != nil { policy.allowMissingIssuer = try one.bool("mayOmitIssuer") }
    policy.type = try one.optionalText("type")
    let now = UnixTime(try one.integer("now"))
    let verdict = try one.verdict()
    if jwk["kty"]?.string == "oct" { return .skipped(.named("tokens: HMAC")) }
    let trusted: TrustedIssuer
    do {
      trusted = try TrustedIssuer(
        issuer, keys: [JWK(jwk)], algorithms: algorithms, audience: audience, policy: policy)
    } catch {
      return .compare(expected: verdict, actual: .invalid, because: "\(error)")
    }
    do throws(JWTError) {
      _ = try JWTVerifier(trusted).verify(token.span, at: now)
      return .compare(expected: verdict, actual: .valid)
    } catch {
      return .compare(expected: verdict, actual: .invalid, because: error.description)
    }
  }
}

extension MemberReader {
  /// The algorithm of a JOSE name; a file that names one that is not supported cannot be judged.
  fileprivate func algorithm(_ name: UTF8Text) throws(VectorFileError) -> SignatureAlgorithm {
    guard let algorithm = SignatureAlgorithm(joseName: name) else {
      throw fault("the algorithm \"\(name.printable())\" is not supported")
    }
    return algorithm
  }

  mutating func algorithms() throws(VectorFileError) -> [SignatureAlgorithm] {
    var algorithms: [SignatureAlgorithm] = []
    // A public key is for none of HS256 to HS512, and with another the case is skipped.
    let symmetric: Set<UTF8Text> = ["HS256", "HS384", "HS512"]
    for name in try texts("algorithms") where !symmetric.contains(name) { algorithms.append(try algorithm(name)) }
    return algorithms
  }
}
