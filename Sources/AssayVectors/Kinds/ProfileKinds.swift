internal import AssayCodec
internal import AssayCrypto
internal import AssayJOSE

/// What every case of a token of one profile has.
private struct ProfileCase {
  let token: [UInt8]
  let now: UnixTime
  let leeway: Int64
  private let jwks: [JSONValue]
  let algorithms: [JWSAlgorithm]
  private let verdict: Verdict
  private let step: UTF8Text?
  private let used: Set<UTF8Text>

  /// Without `keys` a token brings its own.
  init(_ one: inout MemberReader, _ keys: KeyTable?) throws(VectorFileError) {
    token = try one.text("token").utf8
    now = UnixTime(try one.integer("now"))
    leeway = try one.optionalInteger("leeway") ?? 0
    jwks = try keys?.jwks(&one) ?? []
    algorithms = try one.algorithms()
    verdict = try one.verdict()
    step = verdict == .invalid ? try one.optionalText("step") : nil
    used = Set(one.optional("used") == nil ? [] : try one.texts("used"))
  }

  /// The keys as a set, so that a token that names one is tried with no other.
  func set() throws -> JWKSet { try JWKSet(JSONValue.object(["keys": .array(jwks)])) }

  func trusted() throws -> TrustedKeys { try VectorKeys.trusted(set(), algorithms) }

  /// Judges what the verifier of the profile says. `verify` returns the token's `jti`, if it counts once.
  func judge(_ verify: () throws -> UTF8Text?) -> CaseOutcome {
    do {
      let id = try verify()
      if let id, used.contains(id) {
        return .compare(
          expected: expectation, actual: verdict == .invalid && step != nil ? "invalid at jti" : "invalid")
      }
      return .compare(expected: expectation, actual: "valid")
    } catch {
      let actual = step == nil ? "invalid" : "invalid at \((error as? JWTError)?.stepName ?? "set-up")"
      return .compare(expected: expectation, actual: actual, because: "\(error)")
    }
  }

  private var expectation: String { step.map { "invalid at \($0.string)" } ?? verdict.description }
}

extension JWTError {
  /// The name of the step that failed: the field, or what is wrong before there are fields.
  fileprivate var stepName: String {
    switch code {
    case .malformed(let fault): return fault.code == .duplicateKey ? "duplicate" : "parse"
    case .notAnObject, .nested: return "parse"
    case .extensionNotUnderstood: return "crit"
    default: break
    }
    switch step {
    case .size: return "parse"
    case .shape: return code == .notOneProof ? "count" : "parse"
    case .signature: return "signature"
    case .key: return "key"
    default: return field?.description ?? "parse"
    }
  }
}

extension MemberReader {
  /// An array of strings that may be left out.
  fileprivate mutating func optionalTexts(_ name: UTF8Text) throws(VectorFileError) -> [UTF8Text] {
    optional(name) == nil ? [] : try texts(name)
  }
}

extension VectorKind {
  /// Tokens of one profile each.
  static let profiles: [VectorKind] = [
    idToken, accessToken, clientAssertion, dpopProof, identityToken, authenticationRequest, logoutToken,
  ]

  private static let idToken = VectorKind(name: "id-token", usesKeys: true) { (one, keys) throws(VectorFileError) in
    let common = try ProfileCase(&one, keys)
    let issuer = try one.text("issuer")
    let clientID = try one.text("clientId")
    var expected = IDTokenVerifier.Expectation(nonce: try one.optionalText("nonce"))
    expected.maximumAuthenticationAge = try one.optionalInteger("maxAge")
    expected.acrValues = try one.optionalTexts("acrValues")
    expected.accessToken = try one.optionalText("accessToken")
    expected.code = try one.optionalText("code")
    expected.state = try one.optionalText("state")
    expected.requiresHashes = try one.optionalBool("requiresHashes") ?? false
    return common.judge {
      let verifier = IDTokenVerifier(
        issuer: issuer, clientID: clientID, keys: try common.trusted(), leeway: common.leeway)
      _ = try verifier.verify(common.token.span, expecting: expected, at: common.now)
      return nil
    }
  }

  private static let accessToken = VectorKind(
    name: "access-token", usesKeys: true
  ) { (one, keys) throws(VectorFileError) in
    let common = try ProfileCase(&one, keys)
    let issuer = try one.text("issuer")
    let audience = try one.text("audience")
    var expected = AccessTokenVerifier.Expectation()
    expected.clientID = try one.optionalText("clientId")
    expected.requiredScopes = try one.optionalTexts("requiredScope")
    expected.proofThumbprint = try one.optionalText("expectedJkt")
    expected.certificateThumbprint = try one.optionalText("expectedX5tS256")
    return common.judge {
      let verifier = AccessTokenVerifier(
        issuer: issuer, audience: audience, keys: try common.trusted(), leeway: common.leeway)
      _ = try verifier.verify(common.token.span, expecting: expected, at: common.now)
      return nil
    }
  }

  private static let clientAssertion = VectorKind(
    name: "client-assertion", usesKeys: true
  ) { (one, keys) throws(VectorFileError) in
    let common = try ProfileCase(&one, keys)
    let clientID = try one.text("clientId")
    let audiences = try one.texts("audiences")
    let maximumLifetime = try one.integer("maxLifetime")
    return common.judge {
      let verifier = ClientAssertionVerifier(
        clientID: clientID, audience: .anyOf(audiences), keys: try common.trusted(), maximumLifetime: maximumLifetime,
        leeway: common.leeway)
      return try verifier.verify(common.token.span, at: common.now).id
    }
  }

  private static let dpopProof = VectorKind(name: "dpop-proof") { (one, _) throws(VectorFileError) in
    let common = try ProfileCase(&one, nil)
    let more = try one.optionalTexts("moreProofs")
    let method = try one.text("htm")
    let uri = try one.text("htu")
    var expected = DPoPVerifier.Expectation()
    expected.accessToken = try one.optionalText("accessToken")
    expected.nonce = try one.optionalText("nonce")
    expected.thumbprint = try one.optionalText("expectedJkt")
    let past = try one.integer("iatPast")
    let future = try one.integer("iatFuture")
    return common.judge {
      let verifier = DPoPVerifier(
        algorithms: VectorKeys.signatures(common.algorithms), maximumAge: past, maximumFuture: future)
      return try verifier.verify(
        [common.token] + more.map(\.utf8), method: method, uri: uri, expecting: expected, at: common.now
      ).id
    }
  }

  private static let identityToken = VectorKind(
    name: "identity-token", usesKeys: true
  ) { (one, keys) throws(VectorFileError) in
    let common = try ProfileCase(&one, keys)
    let appID = try one.text("appId")
    let externalID = try one.optionalText("externalId")
    return common.judge {
      let verifier = try IdentityTokenVerifier(appID: appID, keys: common.set(), leeway: common.leeway)
      _ = try verifier.verify(common.token.span, for: externalID, at: common.now)
      return nil
    }
  }

  private static let authenticationRequest = VectorKind(
    name: "authentication-request", usesKeys: true
  ) { (one, keys) throws(VectorFileError) in
    let common = try ProfileCase(&one, keys)
    let issuer = try one.text("issuer")
    let clientID = try one.text("clientId")
    var outer: [(name: UTF8Text, value: UTF8Text)] = []
    for member in try one.value("outerParams").object?.members ?? [] {
      guard let value = member.value.string else { throw one.fault("outerParams must hold strings") }
      outer.append((member.name, value))
    }
    return common.judge {
      let verifier = AuthenticationRequestVerifier(
        issuer: issuer, clientID: clientID, keys: try common.trusted(), leeway: common.leeway)
      return try verifier.verify(common.token.span, outerParameters: outer, at: common.now).id
    }
  }

  private static let logoutToken = VectorKind(
    name: "logout-token", usesKeys: true
  ) { (one, keys) throws(VectorFileError) in
    let common = try ProfileCase(&one, keys)
    let issuer = try one.text("issuer")
    let clientID = try one.text("clientId")
    return common.judge {
      let verifier = LogoutTokenVerifier(
        issuer: issuer, clientID: clientID, keys: try common.trusted(), leeway: common.leeway)
      return try verifier.verify(common.token.span, at: common.now).id
    }
  }
}
