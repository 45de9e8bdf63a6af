internal import AssayCodec
internal import AssayWebAuthn

/// `passkey inspect`: shows the fields of a ceremony, and says that nothing in it was verified.
enum PasskeyInspect {
  static let command = Command(
    path: ["passkey", "inspect"], summary: "show the fields of a ceremony, WITHOUT verifying anything",
    options: [
      .option("--providers", "FILE", "a list of the names of passkey providers by AAGUID, to show whose passkey it is")
    ],
    operands: Command.Operands(
      name: "FILE", help: "a ceremony file, or only the browser's answer (credential.toJSON()); - is standard input",
      count: 1...1),
    notes: ["Anyone can write any answer. Use passkey verify to find out whether one is true."],
    run: { arguments throws(Failure) in
      let path = arguments.operands.first ?? "-"
      let file = try CeremonyFile.json(path)
      let answer = file["result"]?["json"] ?? file["credential"] ?? file
      guard answer["response"]?.object != nil else {
        throw .refused("\(CeremonyFile.shown(path)): this is neither a ceremony file nor a browser's answer")
      }
      let fields = PasskeyFields(answer: answer)
      let providers = try providers(arguments["--providers"])
      var report = Report.done
      report.warning("NOTHING WAS VERIFIED: anyone may have written every word of this")
      add("the client data", fields.clientData, to: &report) { data, report in
        report.fact("type", "type", .string(data.type))
        report.fact("challenge", "challenge", .string(data.challenge))
        report.fact("origin", "origin", .string(data.origin))
        if let crossOrigin = data.crossOrigin { report.fact("crossOrigin", "crossOrigin", .bool(crossOrigin)) }
        if let topOrigin = data.topOrigin { report.fact("topOrigin", "topOrigin", .string(topOrigin)) }
      }
      add("the authenticator data", fields.authenticatorData, to: &report) { data, report in
        report.fact("rpIdHash", "rpIdHash", .string(Base16.encode(data.rpIdHash.span)))
        PasskeyFields.add(data, to: &report)
        if let made = data.attestedCredentialData, let name = providers?[made.aaguid] {
          report.fact("provider", "provider, by its own word", .string(name))
        }
      }
      if let attestation = fields.attestation {
        report.fact("fmt", "attestation format", .string(attestation.fmt))
        report.fact("attStmt", "attestation", .string(UTF8Text(attestation.attStmt.diagnostic)))
      }
      if let signature = fields.signature {
        report.fact("signature", "signature", .string(Base64URL.encode(signature.span)))
      }
      if let user = fields.userHandle {
        report.fact("userHandle", "user handle", .string(Base64URL.encode(user.span)))
      }
      return report
    })

  private static func providers(_ path: UTF8Text?) throws(Failure) -> PasskeyProviderNames? {
    guard let path else { return nil }
    let text = try Input.read(path)
    do throws(WebAuthnError) {
      return try PasskeyProviderNames(json: text.span)
    } catch { throw .refused("\(CeremonyFile.shown(path)): \(error)") }
  }

  private static func add<Part>(
    _ name: String, _ part: Part?, to report: inout Report, _ body: (Part, inout Report) -> Void
  ) {
    if let part { body(part, &report) } else { report.warning("\(name) cannot be read") }
  }
}
