internal import AssayCodec
internal import AssayCrypto
internal import AssayWebAuthn

/// `passkey begin`: begins a ceremony as a server does: options for the browser, a state to keep.
enum PasskeyBegin {
  private enum Kind { case registration, signIn }

  static let command = Command(
    path: ["passkey", "begin"], summary: "begin a registration or a sign-in: options for the browser, a state to keep",
    options: [
      .option("--rp-id", "DOMAIN", "the relying party's id"),
      .option("--origin", "ORIGIN", "where its page is (default: https://DOMAIN)"),
      .option("--state", "FILE", "where the state goes that passkey finish needs"),
      .option("--user", "HANDLE", "the user handle in base64url (default: a random one; in a sign-in, anyone)"),
      .option("--name", "NAME", "what the person recognises the account by (default: user)"),
      .option("--credential", "FILE", "the credential that is to sign in, as passkey finish stored it (default: any)"),
      .option("--user-verification", "WORD", "required, preferred or discouraged (default: required)"),
      .option(
        "--attestation", "WORD", "none, indirect, direct or enterprise (default: direct if it is demanded, or none)"),
      .option("--at", "T", "the time, in seconds since 1970 (default: now)"),
      .flag("--force", "replace FILE if it exists"),
    ] + AttestationArguments.demandOptions,
    operands: Command.Operands(name: "KIND", help: "registration or sign-in", count: 1...1),
    notes: [
      "The options are printed as the JSON that parseCreationOptionsFromJSON or parseRequestOptionsFromJSON takes."
    ],
    run: { arguments throws(Failure) in
      let kind: Kind
      switch arguments.operands.first ?? "" {
      case "registration": kind = .registration
      case "sign-in": kind = .signIn
      default: throw .usage("KIND must be registration or sign-in")
      }
      let path = try arguments.required("--state")
      let rp = try PasskeyRecords.relyingParty(arguments)
      let (options, state) =
        kind == .registration ? try registration(rp, arguments) : try signIn(rp, arguments)
      try PasskeyRecords.write(state, to: path, arguments)
      var report = Report.done
      report.fact("options", "options", options)
      report.fact("stateFile", "state", .string(path))
      report.body(options.encoded() + [UInt8(ascii: "\n")])
      return report
    })

  private static func registration(
    _ rp: RelyingParty, _ arguments: Arguments
  ) throws(Failure) -> (options: JSONValue, state: [UInt8]) {
    guard !arguments.has("--credential") else { throw .usage("--credential is for a sign-in") }
    var options = RegistrationOptions()
    options.userVerification = try userVerification(arguments)
    options.attestation = try arguments.choice(
      "--attestation",
      [
        "none": AttestationConveyance.none, "indirect": .indirect, "direct": .direct, "enterprise": .enterprise,
      ], default: AttestationArguments.demandsAttestation(arguments) ? .direct : .none)
    options.attestationPolicy = try AttestationArguments.policy(arguments)
    options.attestationFormats = options.attestationPolicy.acceptedFormats ?? []
    let handle = try self.handle(arguments)
    let name = (arguments["--name"] ?? "user").string
    let now = try arguments.time("--at")
    return try PasskeyRecords.judging { () throws(WebAuthnError) in
      let user = PasskeyUser(id: handle ?? randomHandle(), name: name, displayName: name)
      let start = try rp.beginRegistration(user: user, options, at: now)
      return (start.options, start.state.encoded())
    }
  }

  private static func signIn(
    _ rp: RelyingParty, _ arguments: Arguments
  ) throws(Failure) -> (options: JSONValue, state: [UInt8]) {
    let others = ["--name", "--attestation"] + AttestationArguments.demandOptions.map(\.name)
    if let other = others.first(where: { arguments.has($0) }) {
      throw .usage("\(other.string) is for a registration")
    }
    var options = AuthenticationOptions()
    options.userVerification = try userVerification(arguments)
    let credential = try arguments["--credential"].map { (path) throws(Failure) in
      try PasskeyRecords.credential(path)
    }
    if let credential { options.allowCredentials = [credential.descriptor] }
    let user = try handle(arguments) ?? credential?.user
    let now = try arguments.time("--at")
    return try PasskeyRecords.judging { () throws(WebAuthnError) in
      let start = try rp.beginAuthentication(user: user, options, at: now)
      return (start.options, start.state.encoded())
    }
  }

  private static func userVerification(_ arguments: Arguments) throws(Failure) -> UserVerification {
    try arguments.choice(
      "--user-verification",
      ["required": UserVerification.required, "preferred": .preferred, "discouraged": .discouraged], default: .required)
  }

  private static func handle(_ arguments: Arguments) throws(Failure) -> [UInt8]? {
    guard let text = arguments["--user"] else { return nil }
    guard let bytes = try? Base64URL.decode(text.utf8.span) else { throw .usage("--user must be base64url") }
    return bytes
  }

  private static func randomHandle() -> [UInt8] { (try? Random.bytes(32)) ?? [] }
}
