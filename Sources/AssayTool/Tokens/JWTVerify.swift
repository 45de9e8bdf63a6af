internal import AssayCodec
internal import AssayCrypto
internal import AssayJOSE

/// `jwt verify`: verifies a token and says what was checked, in order.
enum JWTVerify {
  static let command = Command(
    path: ["jwt", "verify"], summary: "verify a token: its signature, then its claims",
    options: [
      .option(
        "--key", "FILE",
        "the issuer's public key or JWK Set, or a shared secret as a JWK (kty oct); - is standard input")
    ] + TrustedCertificateOptions.options + [
      .option("--issuer", "ISS", "whose tokens the key signs"),
      .option("--audience", "AUD", "whom the token must be for; without it, it must be for nobody in particular"),
      .option(
        "--alg", "ALG", "the algorithm, or for a JWK Set those allowed, with commas between (\(KeyLoading.defaults))"),
      .option("--type", "TYP", "the typ the header must have (default: JWT or none)"),
      .option("--at", "T", "the time, in seconds since 1970 (default: now)"),
      .option(
        "--leeway", "S", "how far clocks may differ, in seconds, up to \(JWTPolicy.maximumLeeway) (default: 0)"),
    ],
    operands: TokenInput.token,
    run: { arguments throws(Failure) in
      let issuer = try arguments.required("--issuer")
      let wanted = try arguments.choices("--alg", among: KeyLoading.algorithms, by: \.joseName)
      var policy = JWTPolicy()
      policy.type = arguments["--type"]
      policy.leeway = try arguments.seconds("--leeway", in: 0...JWTPolicy.maximumLeeway) ?? 0
      let now = try arguments.time("--at")
      let token = try TokenInput.token(arguments)
      let audience = arguments["--audience"]
      let trusted: TrustedIssuer
      var key: TrustedKeyFile?
      if let certificates = try TrustedCertificateOptions.read(arguments, wanted) {
        trusted = TrustedIssuer(issuer, certificates: certificates, audience: audience, policy: policy)
      } else {
        guard let path = arguments["--key"] else { throw .usage("--key is missing (or --roots)") }
        let file = try TrustedKeyFile(path, for: wanted)
        trusted = TrustedIssuer(issuer, keys: file.keys, audience: audience, policy: policy)
        key = file
      }
      let verified: VerifiedJWT
      do throws(JWTError) {
        verified = try JWTVerifier(trusted).verify(token.span, at: now)
      } catch { throw JWTExplanation.failure(error, token, TokenExpectation(trusted, key, at: now)) }
      return report(verified, token, trusted, key, now)
    })

  /// One line for each step of `JWTError.Step`, in its order.
  private static func report(
    _ token: VerifiedJWT, _ bytes: [UInt8], _ issuer: TrustedIssuer, _ key: TrustedKeyFile?, _ now: UnixTime
  ) -> Report {
    var report = Report.valid
    report.heading("valid: a token of \(Shown.text(issuer.name))")
    report.check("size: \(bytes.count) bytes, at most \(JWS.maximumTokenBytes)")
    report.check("shape: three parts of strict base64url between two dots")
    let type = token.header["typ"].map { "typ \(Shown.value($0))" } ?? "no typ"
    report.check("header: a JSON object, no name twice, no extension demanded (crit), \(type)")
    let allowed = issuer.keys.algorithms.map(\.joseName.string)
    report.check(
      "algorithm: \(token.algorithm.joseName.string), "
        + (allowed.count == 1 ? "the one allowed" : "one of those allowed: \(allowed.joined(separator: ", "))"))
    if let key {
      let kid = token.keyID.map { "named \(Shown.text($0))" } ?? "without a name"
      report.check("key: \(key.kind), \(kid), for this algorithm")
    } else {
      let count = token.certificatePath?.certificates.count ?? 0
      report.check("key: of the issuer's certificate, \(count) certificates up to a trusted one, each valid then")
    }
    report.check("signature: made by that key over header and claims")
    let audience = issuer.audience.map { "for \(Shown.text($0))" } ?? "for no one in particular"
    report.check("claims: from \(Shown.text(issuer.name)), \(audience), \(validity(token, issuer.policy, now))")
    report.object("header", "header", token.header)
    report.object("claims", "claim", token.claims)
    for unusable in issuer.keys.unusable { report.warning("not used: \(TrustedKeyFile.words(unusable))") }
    return report
  }

  /// What `exp`, `nbf` and `iat` say, at `now`.
  private static func validity(_ token: VerifiedJWT, _ policy: JWTPolicy, _ now: UnixTime) -> String {
    var parts = ["valid at \(Shown.time(now))"]
    if let time = token.notBefore { parts.append("from \(Shown.time(time)) (nbf)") }
    if let time = token.expiresAt { parts.append("until \(Shown.time(time)) (exp)") }
    if let time = token.issuedAt { parts.append("issued \(Shown.time(time)) (iat)") }
    if policy.leeway > 0 { parts.append("clocks may differ by \(policy.leeway) s") }
    return parts.joined(separator: ", ")
  }
}
