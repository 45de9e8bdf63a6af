internal import AssayCodec
internal import AssayCrypto
internal import AssayJOSE

/// `token issue`: makes tokens of each profile.
enum TokenIssue {
  static let all = [
    idToken, accessToken, dpop, clientAssertion, requestObject, authenticationRequest, logoutToken, identityToken,
  ]

  private static let idToken = command(
    "id-token", "make an ID token (OpenID Connect)", lifetime: 300,
    [
      TokenProfile.issuer, TokenProfile.client, .option("--subject", "SUB", "who signed in (sub)"),
      TokenProfile.nonce, TokenProfile.accessToken, .option("--code", "CODE", "the code that goes with it"),
      .option("--state", "STATE", "the state that goes with it"), claims,
    ]
  ) { (arguments, making) throws(Failure) in
    let issuer = IDTokenIssuer(issuer: try arguments.required("--issuer"), signer: try making.signer())
    let subject = try arguments.required("--subject")
    let client = try arguments.required("--client-id")
    let accessToken = try TokenProfile.secretText(arguments, "--access-token")
    let further = try furtherClaims(arguments, "--claims")
    return try making.refusing { () throws(JWTError) in
      try issuer.issue(
        subject: subject, clientID: client, nonce: arguments["--nonce"], validFor: making.duration,
        accessToken: accessToken, code: arguments["--code"], state: arguments["--state"], claims: further,
        at: making.now)
    }
  }

  private static let accessToken = command(
    "access-token", "make an access token (RFC 9068)", lifetime: 300,
    [
      TokenProfile.issuer, .option("--subject", "SUB", "the user, or the client itself (sub)"),
      .option("--audience", "AUD", "the resource server (aud)"), .option("--client-id", "ID", "who asked for it"),
      .list("--scope", "SCOPE", "what it allows; several with commas between or by repeating the option"),
      .option("--proof-thumbprint", "JKT", "bind it to the key of a DPoP proof (cnf.jkt)"),
      .option("--certificate-thumbprint", "X5T", "bind it to a certificate (cnf.x5t#S256)"), claims,
    ]
  ) { (arguments, making) throws(Failure) in
    let issuer = AccessTokenIssuer(issuer: try arguments.required("--issuer"), signer: try making.signer())
    let subject = try arguments.required("--subject")
    let audience = try arguments.required("--audience")
    let client = try arguments.required("--client-id")
    let further = try furtherClaims(arguments, "--claims")
    return try making.refusing { () throws(JWTError) in
      try issuer.issue(
        subject: subject, audience: audience, clientID: client, scopes: arguments.list("--scope"),
        validFor: making.duration, proofThumbprint: arguments["--proof-thumbprint"],
        certificateThumbprint: arguments["--certificate-thumbprint"], claims: further, at: making.now)
    }
  }

  private static let dpop = command(
    "dpop", "make a DPoP proof for one request (RFC 9449)", lifetime: nil,
    [TokenProfile.method, TokenProfile.uri, TokenProfile.accessToken, TokenProfile.nonce]
  ) { (arguments, making) throws(Failure) in
    let key = try making.key(nil)
    let method = try arguments.required("--method")
    let uri = try arguments.required("--uri")
    let accessToken = try TokenProfile.secretText(arguments, "--access-token")
    guard let prover = try? DPoPProver(key: key) else { throw .refused("the key has no thumbprint") }
    return try making.refusing { () throws(JWTError) in
      try prover.proof(
        method: method, uri: uri, accessToken: accessToken, nonce: arguments["--nonce"], at: making.now)
    }
  }

  private static let clientAssertion = command(
    "client-assertion", "make an assertion by which a client authenticates itself (private_key_jwt)", lifetime: 60,
    [TokenProfile.maker, .option("--audience", "AUD", "the server, by its issuer identifier (aud)")]
  ) { (arguments, making) throws(Failure) in
    let issuer = ClientAssertionIssuer(clientID: try arguments.required("--client-id"), signer: try making.signer())
    let audience = try arguments.required("--audience")
    return try making.refusing { () throws(JWTError) in
      try issuer.issue(audience: audience, validFor: making.duration, at: making.now)
    }
  }

  private static let requestObject = command(
    "request-object", "make a request for an authorization endpoint (RFC 9101)", lifetime: 300,
    [TokenProfile.maker, TokenProfile.server, parameters]
  ) { (arguments, making) throws(Failure) in
    let issuer = RequestObjectIssuer(clientID: try arguments.required("--client-id"), signer: try making.signer())
    let server = try arguments.required("--issuer")
    let parameters = try TokenInput.claims(try arguments.required("--parameters"))
    return try making.refusing { () throws(JWTError) in
      try issuer.issue(parameters, issuer: server, validFor: making.duration, at: making.now)
    }
  }

  private static let authenticationRequest = command(
    "authentication-request", "make a signed request for a backchannel endpoint (CIBA)", lifetime: 300,
    [TokenProfile.maker, TokenProfile.server, parameters]
  ) { (arguments, making) throws(Failure) in
    let client = try arguments.required("--client-id")
    let issuer = AuthenticationRequestIssuer(clientID: client, signer: try making.signer())
    let server = try arguments.required("--issuer")
    let parameters = try TokenInput.claims(try arguments.required("--parameters"))
    return try making.refusing { () throws(JWTError) in
      try issuer.issue(parameters, issuer: server, validFor: making.duration, at: making.now)
    }
  }

  private static let logoutToken = command(
    "logout-token", "make a logout token (OpenID Connect Back-Channel Logout)", lifetime: 120,
    [
      TokenProfile.issuer, TokenProfile.client, .option("--subject", "SUB", "whose session ended (sub)"),
      .option("--session", "SID", "the session that ended (sid)"),
    ]
  ) { (arguments, making) throws(Failure) in
    let issuer = LogoutTokenIssuer(issuer: try arguments.required("--issuer"), signer: try making.signer())
    let client = try arguments.required("--client-id")
    guard arguments.has("--subject") || arguments.has("--session") else {
      throw .usage("--subject or --session is missing")
    }
    return try making.refusing { () throws(JWTError) in
      try issuer.issue(
        clientID: client, subject: arguments["--subject"], session: arguments["--session"],
        validFor: making.duration, at: making.now)
    }
  }

  private static let identityToken = command(
    "identity-token", "make OneSignal's identity token for a user", lifetime: 3600,
    [
      .option("--app-id", "UUID", "the app (iss)"), .option("--external-id", "ID", "the user, who is signed in"),
      .list("--email", "ADDRESS", "an e-mail address that may be added for the user"),
      .list("--sms", "NUMBER", "a telephone number that may be added for the user, as E.164"),
    ], takesName: false
  ) { (arguments, making) throws(Failure) in
    let key = try making.key(.signature(.es256))
    let app = try arguments.required("--app-id")
    guard let issuer = IdentityTokenIssuer(appID: app, key: key) else { throw .usage("the key must be for ES256") }
    let user = try arguments.required("--external-id")
    let subscriptions =
      arguments.all("--email").map { IdentitySubscription(.email, $0) }
      + arguments.all("--sms").map { IdentitySubscription(.sms, $0) }
    return try making.refusing { () throws(JWTError) in
      try issuer.issue(externalID: user, subscriptions: subscriptions, validFor: making.duration, at: making.now)
    }
  }

  // MARK: - What they share

  private static let claims = Command.Option.option(
    "--claims", "JSON", "what else it says, as a JSON object; @FILE reads a file, - standard input")
  private static let parameters = Command.Option.option(
    "--parameters", "JSON", "the parameters, as a JSON object; @FILE reads a file, - standard input")

  private static func furtherClaims(_ arguments: Arguments, _ name: UTF8Text) throws(Failure) -> JSONObject {
    guard let word = arguments[name] else { return [:] }
    return try TokenInput.claims(word)
  }

  /// The key and the times of a token that is to be made.
  private struct Making {
    let arguments: Arguments
    let path: UTF8Text
    let wanted: JWSAlgorithm?
    let duration: Int64
    let now: UnixTime

    func signer() throws(Failure) -> JWTSigner {
      try KeyLoading.signer(
        path, passwordFile: arguments["--password-file"], for: wanted, kid: arguments["--kid"])
    }

    func key(_ algorithm: JWSAlgorithm?) throws(Failure) -> SigningKey {
      try KeyLoading.signingKey(path, passwordFile: arguments["--password-file"], for: algorithm ?? wanted)
    }

    func refusing(_ make: () throws(JWTError) -> UTF8Text) throws(Failure) -> UTF8Text {
      do throws(JWTError) { return try make() } catch { throw .refused("\(error)") }
    }
  }

  private static func command(
    _ profile: UTF8Text, _ summary: String, lifetime: Int64?, _ options: [Command.Option], takesName: Bool = true,
    _ make: @escaping @Sendable (Arguments, Making) throws(Failure) -> UTF8Text
  ) -> Command {
    let key: [Command.Option] = [
      .option("--key", "FILE", "the private key, or a secret as a JWK (kty oct); - is standard input"),
      KeyLoading.passwordOption,
    ]
    let name: [Command.Option] = [
      .option("--alg", "ALG", "the algorithm (\(KeyLoading.defaults))"),
      .option("--kid", "KID", "name the key in the header (default: the kid of a JWK)"),
    ]
    let times: [Command.Option] =
      lifetime.map { [.option("--expires-in", "S", "how long it is valid, in seconds (default: \($0))")] } ?? []
    return Command(
      path: ["token", "issue", profile], summary: summary,
      options: key + (takesName ? Array(name.prefix(lifetime == nil ? 1 : 2)) : []) + options + times
        + [TokenProfile.at],
      run: { arguments throws(Failure) in
        let making = Making(
          arguments: arguments, path: try arguments.required("--key"), wanted: try KeyLoading.algorithm(arguments),
          duration: try arguments.seconds("--expires-in", in: 1...Int64.max) ?? lifetime ?? 0,
          now: try arguments.time("--at"))
        let token = try make(arguments, making)
        var report = Report.done
        report.fact("token", "token", .string(token))
        report.body(token.string)
        return report
      })
  }
}
