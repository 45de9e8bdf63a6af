internal import AssayCodec
internal import AssayVectors
internal import AssayWebAuthn

/// `passkey verify`: verifies captured registrations and sign-ins, and lists every step of the standard in order.
enum PasskeyVerify {
  static let command = Command(
    path: ["passkey", "verify"], summary: "verify captured registrations and sign-ins, step by step",
    options: [
      .option(
        "--registration", "FILE", "the registration of the credential that signs in (default: the file's own word)")
    ],
    operands: Command.Operands(name: "FILE...", help: CeremonyFile.help, count: 1...100),
    notes: [
      """
      A sign-in is verified with the key that its registration gave, so that is verified first. Of several files, each
      is verified with what those before it left: signature counters must go on from one to the next.
      What only a server can know is listed as up to you: whether the challenge was used before, whose account it is.
      """
    ],
    run: { arguments throws(Failure) in
      var session = CeremonySession()
      var reports: [Report] = []
      for path in arguments.operands {
        reports.append(try verify(path, registration: arguments["--registration"], &session))
      }
      if let only = reports.first, reports.count == 1 { return only }
      var all = Report.valid
      for report in reports { all.add(report, under: "ceremonies") }
      return all
    })

  private static func verify(
    _ path: UTF8Text, registration: UTF8Text?, _ session: inout CeremonySession
  ) throws(Failure) -> Report {
    let capture = try CeremonyFile.read(path)
    guard let inputs = capture.inputs else {
      throw .refused("\(CeremonyFile.shown(path)): the browser refused this ceremony, there is nothing to verify")
    }
    if capture.isRegistration {
      let verified = try judging(path, inputs) { () throws(WebAuthnError) in try session.register(inputs) }
      return report(verified, path)
    }
    let (stored, warning) = try credential(of: capture, path, registration, &session)
    let verified = try judging(path, inputs) { () throws(WebAuthnError) in
      try session.signIn(inputs, stored: stored)
    }
    return report(verified, path, warning)
  }

  private static func judging<T>(
    _ path: UTF8Text, _ inputs: CeremonyInputs, _ body: () throws(WebAuthnError) -> T
  ) throws(Failure) -> T {
    do throws(WebAuthnError) {
      return try body()
    } catch { throw PasskeyRefusal(error, path, inputs).failure }
  }

  /// Makes the session know the credential that signs in, by verifying its registration.
  ///
  /// A registration whose attestation cannot be verified here still says which key it made; then a warning comes along.
  private static func credential(
    of capture: ChromiumCapture, _ path: UTF8Text, _ registration: UTF8Text?, _ session: inout CeremonySession
  ) throws(Failure) -> (StoredCredential?, warning: String?) {
    guard !session.knows(capture.credentialID) else { return (nil, nil) }
    let made: UTF8Text
    if let registration {
      made = registration
    } else if let named = capture.registration {
      made = try CeremonyFile.sibling(named, of: path)
    } else {
      guard let stored = capture.stored(session, nil) else {
        throw .usage("\(CeremonyFile.shown(path)) names no registration: give it with --registration")
      }
      return (stored, "the credential's registration is not there: the file itself says which key signs in")
    }
    let first = try CeremonyFile.read(made)
    guard first.isRegistration, let inputs = first.inputs, first.credentialID == capture.credentialID else {
      throw .usage("\(CeremonyFile.shown(made)) is not the registration of the credential that signs in")
    }
    do throws(WebAuthnError) {
      try session.register(inputs)
      return (nil, nil)
    } catch {
      guard error.code == .attestationFormatNotSupported, let stored = capture.stored(session, first) else {
        throw PasskeyRefusal(error, made, inputs).failure
      }
      return (
        stored, "the attestation of \(CeremonyFile.shown(made)) cannot be verified here: its key is taken as it is"
      )
    }
  }

  static func report(_ verified: VerifiedRegistration, _ path: UTF8Text) -> Report {
    var report = Report.valid
    report.heading("valid: \(CeremonyFile.shown(path)) registers a passkey for \(Shown.text(verified.credential.rpId))")
    list(verified.steps, in: &report)
    PasskeyFields.add(verified.authenticatorData, to: &report)
    report.fact("attestation", "attestation", .string(verified.attestation.format))
    return report
  }

  static func report(_ verified: VerifiedAuthentication, _ path: UTF8Text, _ warning: String? = nil) -> Report {
    var report = Report.valid
    report.heading(
      "valid: \(CeremonyFile.shown(path)) signs in with a passkey of \(Shown.text(verified.credential.rpId))")
    if let warning { report.warning(warning) }
    list(verified.steps, in: &report)
    PasskeyFields.add(verified.authenticatorData, to: &report)
    report.fact("credentialId", "credential id", .string(Base64URL.encode(verified.credentialID.span)))
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
