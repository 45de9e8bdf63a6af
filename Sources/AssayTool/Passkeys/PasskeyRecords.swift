internal import AssayCodec
internal import AssayWebAuthn

/// The files that `passkey begin` and `passkey finish` hand on: a server's store.
enum PasskeyRecords {
  static func relyingParty(_ arguments: Arguments) throws(Failure) -> RelyingParty {
    let id = try arguments.required("--rp-id").string
    let origin = arguments["--origin"]?.string ?? "https://\(id)"
    do throws(WebAuthnError) {
      return try RelyingParty(id: id, origins: [origin])
    } catch { throw .usage("\(error)") }
  }

  static func credential(_ path: UTF8Text) throws(Failure) -> RegisteredCredential {
    let bytes = try Input.read(path)
    do throws(WebAuthnError) {
      return try RegisteredCredential(decoding: bytes.span)
    } catch { throw .refused("\(CeremonyFile.shown(path)): \(error)") }
  }

  static func write(_ record: [UInt8], to path: UTF8Text, _ arguments: Arguments) throws(Failure) {
    try Output.writeSecretFile(
      SecretBytes(copying: record.span), to: path.string, replacing: arguments.has("--force"))
  }

  /// What an operator is told of a refusal.
  static func judging<T>(_ body: () throws(WebAuthnError) -> T) throws(Failure) -> T {
    do throws(WebAuthnError) {
      return try body()
    } catch {
      guard let step = error.step else { throw .refused("\(error)") }
      let advice = AttestationArguments.advice(on: error).map { ": \($0)" } ?? ""
      throw .refused(
        "at \(error)\(advice)",
        [
          "step": .string(UTF8Text(step.description)), "stepNumber": .number(JSONNumber(Int64(step.number))),
          "field": .string(UTF8Text(error.field.description)),
        ])
    }
  }
}
