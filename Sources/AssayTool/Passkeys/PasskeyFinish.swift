internal import AssayCodec
internal import AssayWebAuthn

/// `passkey finish`: finishes a ceremony that `passkey begin` began, with the browser's answer.
enum PasskeyFinish {
  static let command = Command(
    path: ["passkey", "finish"], summary: "finish a ceremony with the browser's answer, step by step",
    options: [
      .option("--rp-id", "DOMAIN", "the relying party's id"),
      .option("--state", "FILE", "the state that passkey begin wrote"),
      .option("--credential", "FILE", "the credential that signs in, as the last passkey finish stored it"),
      .option("--out", "FILE", "where the credential goes, with its new state after a sign-in"),
      .option("--at", "T", "the time, in seconds since 1970 (default: now)"),
      .flag("--force", "replace FILE if it exists"),
    ] + AttestationArguments.trustOptions + [
      .flag("--allow-base64", "also answers in plain or padded base64, as apps' own code writes it")
    ],
    operands: Command.Operands(
      name: "ANSWER", help: "what credential.toJSON() gave; - is standard input", count: 1...1),
    notes: [
      "A state is for one answer: a server deletes it before it finishes. The tool leaves that to you.",
      "What is demanded of attestation was said when the ceremony began. Who is trusted to vouch is said now.",
    ],
    run: { arguments throws(Failure) in
      let answer = arguments.operands.first ?? "-"
      let rp = try PasskeyRecords.relyingParty(arguments)
      let state = try Input.read(try arguments.required("--state"))
      let out = try arguments.required("--out")
      let now = try arguments.time("--at")
      let trust = try AttestationArguments.trust(arguments, at: now)
      let response = try Input.read(answer)
      let tolerances: ResponseTolerances = arguments.has("--allow-base64") ? [.padding, .standardAlphabet] : []
      if let path = arguments["--credential"] {
        if let option = AttestationArguments.trustOptions.map(\.name).first(where: { arguments.has($0) }) {
          throw .usage("\(option.string) is for a registration")
        }
        let credential = try PasskeyRecords.credential(path)
        let verified = try PasskeyRecords.judging { () throws(WebAuthnError) in
          try rp.finishAuthentication(
            AuthenticationResponse(json: response.span, tolerances),
            state: AuthenticationState(decoding: state.span), credential: credential, at: now)
        }
        try PasskeyRecords.write(verified.credential.encoded(), to: out, arguments)
        return PasskeyVerify.report(verified, answer)
      }
      let verified = try PasskeyRecords.judging { () throws(WebAuthnError) in
        try rp.finishRegistration(
          RegistrationResponse(json: response.span, tolerances), state: RegistrationState(decoding: state.span),
          trust: trust, at: now)
      }
      try PasskeyRecords.write(verified.credential.encoded(), to: out, arguments)
      return PasskeyVerify.report(verified, answer)
    })
}
