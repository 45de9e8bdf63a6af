internal import AssayCodec
internal import AssayCrypto
internal import AssayJOSE

/// `token verify`: verifies tokens of each profile and says what they prove.
enum TokenVerify {
  static let all = [
    idToken, accessToken, dpop, clientAssertion, requestObject, authenticationRequest, logoutToken, identityToken,
  ]

  private static let idToken = command(
    "id-token", "verify an ID token (OpenID Connect)",
    [
      TokenProfile.issuer, TokenProfile.client, TokenProfile.nonce,
      .option("--max-age", "S", "how long ago the user may have signed in, in seconds"),
      .list("--acr", "ACR", "one that was asked for; several with commas between or by repeating the option"),
      TokenProfile.accessToken, .option("--code", "CODE", "the code that came with it"),
      .option("--state", "STATE", "the state that came with it"),
      .flag("--front-channel", "demand the hash of each of the three that is given"),
    ]
  ) { (arguments, judging) throws(Failure) in
    let (issuer, client) = (try arguments.required("--issuer"), try arguments.required("--client-id"))
    var expected = IDTokenVerifier.Expectation(nonce: arguments["--nonce"])
    expected.maximumAuthenticationAge = try arguments.seconds("--max-age", in: 0...Int64.max)
    expected.acrValues = arguments.list("--acr")
    expected.accessToken = try TokenProfile.secretText(arguments, "--access-token")
    expected.code = arguments["--code"]
    expected.state = arguments["--state"]
    expected.requiresHashes = arguments.has("--front-channel")
    let verifier = IDTokenVerifier(
      issuer: issuer, clientID: client, keys: try judging.keys(), leeway: judging.leeway)
    return try judging.judge(issuer, [client]) { (token, now) throws(JWTError) in
      let verified = try verifier.verify(token.span, expecting: expected, at: now)
      var finding = Finding("an ID token of \(Shown.text(issuer)) for \(Shown.text(client))")
      finding.add("subject", "subject", verified.subject)
      finding.add("acr", "acr", verified.acr)
      if expected.nonce == nil { finding.warning = "no nonce was expected: it may be the answer to another sign-in" }
      return finding
    }
  }

  private static let accessToken = command(
    "access-token", "verify an access token (RFC 9068)",
    [
      TokenProfile.issuer, .option("--audience", "AUD", "the resource server that it must be for"),
      .option("--client-id", "ID", "the client that it must have been given to"),
      .list("--scope", "SCOPE", "what it must allow; several with commas between or by repeating the option"),
      .option("--proof-thumbprint", "JKT", "the thumbprint of the key of the DPoP proof that came with it"),
      .option("--certificate-thumbprint", "X5T", "the thumbprint of the client's certificate"),
    ]
  ) { (arguments, judging) throws(Failure) in
    let (issuer, audience) = (try arguments.required("--issuer"), try arguments.required("--audience"))
    var expected = AccessTokenVerifier.Expectation()
    expected.clientID = arguments["--client-id"]
    expected.requiredScopes = arguments.list("--scope")
    expected.proofThumbprint = arguments["--proof-thumbprint"]
    expected.certificateThumbprint = arguments["--certificate-thumbprint"]
    let verifier = AccessTokenVerifier(
      issuer: issuer, audience: audience, keys: try judging.keys(), leeway: judging.leeway)
    return try judging.judge(issuer, [audience], type: "at+jwt") { (token, now) throws(JWTError) in
      let verified = try verifier.verify(token.span, expecting: expected, at: now)
      var finding = Finding("an access token of \(Shown.text(issuer)) for \(Shown.text(audience))")
      finding.add("subject", "subject", verified.subject)
      finding.add("clientId", "client", verified.clientID)
      finding.facts.append(("scopes", "scopes", .array(verified.scopes.map(JSONValue.string))))
      return finding
    }
  }

  private static let dpop = command(
    "dpop", "verify the DPoP proof of one request (RFC 9449)",
    [
      TokenProfile.method, TokenProfile.uri, TokenProfile.accessToken, TokenProfile.nonce,
      .option("--thumbprint", "JKT", "the thumbprint of its key, such as cnf.jkt of the access token"),
      .option("--max-age", "S", "how long ago it may have been made, in seconds (default: 300)"),
      .option("--max-ahead", "S", "how far the client's clock may be ahead, in seconds (default: 10)"),
    ], bringsKey: true
  ) { (arguments, judging) throws(Failure) in
    let (method, uri) = (try arguments.required("--method"), try arguments.required("--uri"))
    var expected = DPoPVerifier.Expectation()
    expected.accessToken = try TokenProfile.secretText(arguments, "--access-token")
    expected.nonce = arguments["--nonce"]
    expected.thumbprint = arguments["--thumbprint"]
    let all = KeyLoading.algorithms.compactMap { if case .signature(let one) = $0 { one } else { nil } }
    let chosen = try arguments.choices("--alg", among: all, by: \.joseName)
    let verifier = DPoPVerifier(
      algorithms: chosen.isEmpty ? all : chosen,
      maximumAge: try arguments.seconds("--max-age", in: 0...Int64.max) ?? 300,
      maximumFuture: try arguments.seconds("--max-ahead", in: 0...Int64.max) ?? 10)
    return try judging.judge(nil, [], type: "dpop+jwt") { (token, now) throws(JWTError) in
      let verified = try verifier.verify([token], method: method, uri: uri, expecting: expected, at: now)
      var finding = Finding("a DPoP proof for \(Shown.text(method)) \(Shown.text(uri))", once: verified)
      finding.add("thumbprint", "key", verified.thumbprint)
      if expected.thumbprint == nil {
        finding.warning = "any key would do: give --thumbprint with the cnf.jkt of the access token"
      }
      return finding
    }
  }

  private static let clientAssertion = command(
    "client-assertion", "verify an assertion by which a client authenticates itself (private_key_jwt)",
    [
      TokenProfile.maker, .option("--issuer", "ISS", "demand this issuer identifier alone as aud (FAPI 2.0)"),
      .list("--audience", "AUD", "allow this aud: the issuer identifier, or the URL of an endpoint; may be repeated"),
      .option("--max-lifetime", "S", "how far ahead exp may be, in seconds (default: 300)"),
    ]
  ) { (arguments, judging) throws(Failure) in
    let client = try arguments.required("--client-id")
    let audiences = arguments.all("--audience")
    guard arguments.has("--issuer") != !audiences.isEmpty else { throw .usage("give either --issuer or --audience") }
    let verifier = ClientAssertionVerifier(
      clientID: client, audience: arguments["--issuer"].map { .issuer($0) } ?? .anyOf(audiences),
      keys: try judging.keys(), maximumLifetime: try arguments.seconds("--max-lifetime", in: 1...Int64.max) ?? 300,
      leeway: judging.leeway)
    let expected = arguments["--issuer"].map { [$0] } ?? audiences
    return try judging.judge(client, expected) { (token, now) throws(JWTError) in
      Finding("an assertion of the client \(Shown.text(client))", once: try verifier.verify(token.span, at: now))
    }
  }

  private static let requestObject = command(
    "request-object", "verify a request for the authorization endpoint (RFC 9101)",
    [TokenProfile.maker, TokenProfile.server]
  ) { (arguments, judging) throws(Failure) in
    let (client, issuer) = (try arguments.required("--client-id"), try arguments.required("--issuer"))
    let verifier = RequestObjectVerifier(
      issuer: issuer, clientID: client, keys: try judging.keys(), leeway: judging.leeway)
    return try judging.judge(client, [issuer]) { (token, now) throws(JWTError) in
      Finding("a request of the client \(Shown.text(client))", once: try verifier.verify(token.span, at: now))
    }
  }

  private static let authenticationRequest = command(
    "authentication-request", "verify a signed request for the backchannel endpoint (CIBA)",
    [TokenProfile.maker, TokenProfile.server]
  ) { (arguments, judging) throws(Failure) in
    let (client, issuer) = (try arguments.required("--client-id"), try arguments.required("--issuer"))
    let verifier = AuthenticationRequestVerifier(
      issuer: issuer, clientID: client, keys: try judging.keys(), leeway: judging.leeway)
    return try judging.judge(client, [issuer]) { (token, now) throws(JWTError) in
      Finding("a request of the client \(Shown.text(client))", once: try verifier.verify(token.span, at: now))
    }
  }

  private static let logoutToken = command(
    "logout-token", "verify a logout token (OpenID Connect Back-Channel Logout)",
    [TokenProfile.issuer, TokenProfile.client]
  ) { (arguments, judging) throws(Failure) in
    let (issuer, client) = (try arguments.required("--issuer"), try arguments.required("--client-id"))
    let verifier = LogoutTokenVerifier(
      issuer: issuer, clientID: client, keys: try judging.keys(), leeway: judging.leeway)
    return try judging.judge(issuer, [client]) { (token, now) throws(JWTError) in
      let verified = try verifier.verify(token.span, at: now)
      var finding = Finding(
        "a logout token of \(Shown.text(issuer)) for \(Shown.text(client))", once: verified)
      finding.add("subject", "subject", verified.subject)
      finding.add("session", "session", verified.session)
      return finding
    }
  }

  private static let identityToken = command(
    "identity-token", "verify OneSignal's identity token",
    [
      .option("--app-id", "UUID", "the app (iss)"),
      .option("--external-id", "ID", "the user that the request addresses (default: it addresses none)"),
    ], algorithm: .signature(.es256)
  ) { (arguments, judging) throws(Failure) in
    let app = try arguments.required("--app-id")
    let keys = try judging.keys()
    guard let verifier = try? IdentityTokenVerifier(appID: app, keys: keys, leeway: judging.leeway) else {
      throw .usage("the keys must be for ES256 and nothing else")
    }
    return try judging.judge(app, []) { (token, now) throws(JWTError) in
      let verified = try verifier.verify(token.span, for: arguments["--external-id"], at: now)
      var finding = Finding("an identity token of the app \(Shown.text(app))")
      finding.add("externalId", "user", verified.externalID)
      return finding
    }
  }
}
