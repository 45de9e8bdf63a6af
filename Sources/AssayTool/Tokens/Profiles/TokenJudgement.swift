internal import AssayCodec
internal import AssayJOSE

extension TokenVerify {
  /// What a verified token proves.
  struct Finding {
    let heading: String
    var facts: [(name: UTF8Text, label: String, value: JSONValue)] = []
    var warning: String?
    /// What must count once, and until when.
    let once: (any SingleUseToken)?

    init(_ heading: String, once: (any SingleUseToken)? = nil) {
      self.heading = heading
      self.once = once
    }

    mutating func add(_ name: UTF8Text, _ label: String, _ text: UTF8Text?) {
      if let text { facts.append((name, label, .string(text))) }
    }
  }

  /// The token of a command, and what it is judged by.
  struct Judging {
    let token: [UInt8]
    let key: TrustedKeyFile?
    let leeway: Int64
    let now: UnixTime

    /// The keys; only a token that brings its own goes without.
    func keys() throws(Failure) -> TrustedKeys {
      guard let key else { throw .usage("--key is missing") }
      return key.keys
    }

    /// Verifies the token and tells what was found; or why it was refused, given what its claims were compared with.
    func judge(
      _ issuer: UTF8Text?, _ audience: [UTF8Text], type: UTF8Text? = nil,
      _ verify: ([UInt8], UnixTime) throws(JWTError) -> Finding
    ) throws(Failure) -> Report {
      do throws(JWTError) {
        let finding = try verify(token, now)
        return report(finding, try UnverifiedJWT.decodeWithoutVerifying(token.span))
      } catch {
        let expectation = TokenExpectation(
          issuer: issuer, audience: audience, type: type, algorithms: key?.keys.algorithms ?? [],
          keyIDs: key?.keyIDs ?? [], unusable: key?.keys.unusable ?? [], leeway: leeway, now: now)
        throw JWTExplanation.failure(error, token, expectation)
      }
    }

    private func report(_ finding: Finding, _ token: UnverifiedJWT) -> Report {
      var report = Report.valid
      report.heading("valid: \(finding.heading)")
      if let warning = finding.warning { report.warning(warning) }
      for fact in finding.facts { report.fact(fact.name, fact.label, fact.value) }
      if let once = finding.once {
        report.fact(
          "once", "counts once",
          [
            "issuer": .string(once.issuer), "jti": .string(once.id),
            "until": .number(JSONNumber(once.replayableUntil.seconds)),
          ],
          shown: "jti \(Shown.text(once.id)) of \(Shown.text(once.issuer)), until "
            + "\(Shown.time(once.replayableUntil)): whether it was used before, this command cannot know")
      }
      report.object("header", "header", token.unverifiedHeader)
      report.object("claims", "claim", token.unverifiedClaims)
      for unusable in key?.keys.unusable ?? [] { report.warning("not used: \(TrustedKeyFile.words(unusable))") }
      return report
    }
  }

  /// - Parameters:
  ///   - algorithm: The only one there is for this kind of token.
  ///   - bringsKey: Whether the token has its key in its header.
  static func command(
    _ profile: UTF8Text, _ summary: String, _ options: [Command.Option], algorithm: JWSAlgorithm? = nil,
    bringsKey: Bool = false, _ verify: @escaping @Sendable (Arguments, Judging) throws(Failure) -> Report
  ) -> Command {
    var all: [Command.Option] = []
    if !bringsKey { all.append(.option("--key", "FILE", "the public key or JWK Set; - is standard input")) }
    if bringsKey {
      all.append(.list("--alg", "ALG", "an algorithm that is allowed (default: all for public keys)"))
    } else if algorithm == nil {
      all.append(
        .option("--alg", "ALG", "the algorithm, or of a JWK Set those allowed (\(KeyLoading.defaults))"))
    }
    all += options + [TokenProfile.at]
    let most = algorithm == nil ? JWTPolicy.maximumLeeway : IdentityTokenVerifier.maximumLeeway
    if !bringsKey {
      all.append(.option("--leeway", "S", "how far clocks may differ, in seconds, up to \(most) (default: 0)"))
    }
    return Command(
      path: ["token", "verify", profile], summary: summary, options: all, operands: TokenInput.token,
      run: { arguments throws(Failure) in
        var key: TrustedKeyFile?
        if !bringsKey {
          let path = try arguments.required("--key")
          let wanted = try arguments.choices("--alg", among: KeyLoading.algorithms, by: \.joseName)
          key = try TrustedKeyFile(path, for: algorithm.map { [$0] } ?? wanted)
        }
        let leeway = try arguments.seconds("--leeway", in: 0...most) ?? 0
        let now = try arguments.time("--at")
        let judging = Judging(token: try TokenInput.token(arguments), key: key, leeway: leeway, now: now)
        return try verify(arguments, judging)
      })
  }
}
