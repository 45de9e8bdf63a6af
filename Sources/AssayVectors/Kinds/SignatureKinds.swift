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
    if case .signature(let signature) = algorithm, case .ecdsa = signature.scheme {
      switch try one.text("format") {
      case "fixedWidth": format = .fixedWidth
      case "der": format = .der
      default: throw one.fault("unknown format")
      }
    }
    let verdict = try one.verdict()
    do throws(KeyError) {
      let isValid =
        switch algorithm {
        case .signature(let algorithm):
          try VerificationKey(JWK(jwk).numbers, for: algorithm).isValid(
            signature.span, for: message.span, ecdsa: format)
        case .mac(let algorithm):
          try SharedSecret(SymmetricJWK(jwk), for: algorithm).key.isValid(signature.span, for: message.span)
        }
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
    let detached = try one.optionalHex("detached")
    var policy = JWSPolicy()
    policy.allowUnencodedPayload = try one.optionalBool("unencoded") ?? false
    let verdict = try one.verdict()
    let payload = verdict == .valid ? try one.optionalHex("payload") : nil
    let trusted: TrustedKeys
    do { trusted = try VectorKeys.trusted(jwk, algorithms) } catch {
      return .compare(expected: verdict, actual: .invalid, because: "\(error)")
    }
    do throws(JWTError) {
      let verified =
        if let detached {
          try JWS.verifyCompact(token.span, detachedPayload: detached, keys: trusted, policy: policy)
        } else if policy.allowUnencodedPayload {
          try JWS.verifyCompact(token.span, keys: trusted, policy: policy)
        } else {
          try JWS.verifyCompact(token.span, keys: trusted)
        }
      guard verdict == .valid else { return .failed(expected: "invalid", actual: "valid") }
      if let payload, payload != verified.payload {
        return .failed(expected: "the given payload", actual: "another payload")
      }
      return .passed
    } catch {
      return .compare(expected: verdict, actual: .invalid, because: error.description)
    }
  }

  /// A JWS in JSON form.
  static let jwsJSON = VectorKind(name: "jws-json", usesKeys: true) { (one, keys) throws(VectorFileError) in
    let text = try one.text("text", orParts: "textParts")
    let jwks = try keys.jwks(&one)
    let algorithms = try one.algorithms()
    let detached = try one.optionalHex("detached")
    var policy = JWSPolicy()
    policy.allowUnencodedPayload = try one.optionalBool("unencoded") ?? false
    policy.allowUnprotectedAlgorithm = try one.optionalBool("unprotectedAlg") ?? false
    policy.signatures = try one.optionalBool("any") ?? false ? .any : .all
    let verdict = try one.verdict()
    let payload = verdict == .valid ? try one.hex("payload") : []
    let verifiedPositions = verdict == .valid ? try one.optionalIntegers("verified") : nil
    let trusted: TrustedKeys
    do { trusted = try VectorKeys.trusted(jwks, algorithms) } catch {
      return .compare(expected: verdict, actual: .invalid, because: "\(error)")
    }
    do throws(JWTError) {
      let verified = try JWS.verifyJSON(text.span, detachedPayload: detached, keys: trusted, policy: policy)
      guard verdict == .valid else { return .failed(expected: "invalid", actual: "valid") }
      guard payload == verified.payload else {
        return .failed(expected: "the given payload", actual: "another payload")
      }
      let positions = verified.signatures.map { Int64($0.position) }
      guard let verifiedPositions else { return .passed }
      return .compare(expected: verifiedPositions, actual: positions)
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
    let trusted: TrustedIssuer
    do {
      trusted = TrustedIssuer(
        issuer, keys: try VectorKeys.trusted(jwk, algorithms), audience: audience, policy: policy)
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
  fileprivate func algorithm(_ name: UTF8Text) throws(VectorFileError) -> JWSAlgorithm {
    guard let algorithm = JWSAlgorithm(joseName: name) else {
      throw fault("the algorithm \"\(name.printable())\" is not supported")
    }
    return algorithm
  }

  mutating func algorithms() throws(VectorFileError) -> [JWSAlgorithm] {
    var algorithms: [JWSAlgorithm] = []
    for name in try texts("algorithms") { algorithms.append(try algorithm(name)) }
    return algorithms
  }
}
