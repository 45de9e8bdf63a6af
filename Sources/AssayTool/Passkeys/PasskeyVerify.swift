internal import AssayCodec
internal import AssayVectors
internal import AssayWebAuthn

/// `passkey verify`: verifies captured registrations and sign-ins, and lists every step of the standard in order.
enum PasskeyVerify {
  static let command = Command(
    path: ["passkey", "verify"], summary: "verify captured registrations and sign-ins, step by step",
    options: [
      .option(
        "--registration", "FILE", "the registration of the credential that signs in (default: the file's own word)"),
      .option("--at", "T", "the time at which certificates are judged, in seconds since 1970 (default: now)"),
    ] + AttestationArguments.trustOptions + AttestationArguments.demandOptions,
    operands: Command.Operands(name: "FILE...", help: CeremonyFile.help, count: 1...100),
    notes: [
      """
      A sign-in is verified with the key that its registration gave, so that is verified first. Of several files, each
      is verified with what those before it left: signature counters must go on from one to the next.
      What only a server can know is listed as up to you: whether the challenge was used before, whose account it is.
      """
    ],
    run: { arguments throws(Failure) in
      var verifier = try Verifier(arguments)
      guard arguments.operands.count > 1 else { return try verifier.verify(arguments.operands.first ?? "-") }
      var all = Report.valid
      var failures: [Failure] = []
      for path in arguments.operands {
        do throws(Failure) {
          all.add(try verifier.verify(path), under: "ceremonies")
        } catch {
          failures.append(error)
          all.add(.refused(error), under: "ceremonies")
        }
      }
      if let first = failures.first {
        all.refuse(.refused("\(failures.count) of \(arguments.operands.count) ceremonies, the first: \(first.message)"))
      }
      return all
    })

  static func report(_ verified: VerifiedRegistration, _ path: UTF8Text) -> Report {
    var report = Report.valid
    report.heading("valid: \(CeremonyFile.shown(path)) registers a passkey for \(Shown.text(verified.credential.rpId))")
    list(verified.steps, in: &report)
    PasskeyFields.add(verified.authenticatorData, to: &report)
    AttestationReport.add(verified.attestation, to: &report)
    return report
  }

  /// - Parameter warning: why the credential's key is nobody's but the file's own word; nil if it was registered.
  static func report(_ verified: VerifiedAuthentication, _ path: UTF8Text, _ warning: String? = nil) -> Report {
    var report = Report.valid
    let verdict = warning == nil ? "valid" : "valid signature by an UNVERIFIED key"
    report.heading(
      "\(verdict): \(CeremonyFile.shown(path)) signs in with a passkey of \(Shown.text(verified.credential.rpId))")
    if let warning { report.warning(warning) }
    list(verified.steps, in: &report)
    PasskeyFields.add(verified.authenticatorData, to: &report)
    report.fact("credentialId", "credential id", .string(Base64URL.encode(verified.credentialID.span)))
    report.fact(
      "keyVerified", "key from a verified registration", .bool(warning == nil), shown: warning == nil ? "yes" : "NO")
    return report
  }

  private static func list(_ steps: [CheckedStep], in report: inout Report) {
    for step in steps {
      let outcome = word(for: step.outcome)
      report.check(
        step: step.step.number, "\(outcome): \(step.what)",
        [
          "step": .string(UTF8Text(step.step.description)), "outcome": .string(UTF8Text(outcome)),
          "what": .string(UTF8Text(step.what)),
        ])
    }
  }

  private static func word(for outcome: CheckedStep.Outcome) -> String {
    switch outcome {
    case .verified: "verified"
    case .done: "done"
    case .notRequired: "not required"
    case .leftToCaller: "up to you"
    }
  }
}
