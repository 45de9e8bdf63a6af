internal import AssayCodec
internal import AssayVectors
internal import AssayWebAuthn

/// Tells an operator why a ceremony was refused: the library's error, and what the answer says in the place where it
/// happened, read again, escaped and cut.
struct PasskeyRefusal {
  private let error: WebAuthnError
  private let path: UTF8Text
  private let inputs: CeremonyInputs

  init(_ error: WebAuthnError, _ path: UTF8Text, _ inputs: CeremonyInputs) {
    self.error = error
    self.path = path
    self.inputs = inputs
  }

  var failure: Failure {
    let place = error.step == nil ? "" : "at "
    let message = "\(CeremonyFile.shown(path)): \(place)\(error)\(detail.map { ": \($0)" } ?? "")"
    guard let step = error.step else { return .refused(message) }
    return .refused(
      message,
      [
        "step": .string(UTF8Text(step.description)), "stepNumber": number(step.number),
        "field": .string(UTF8Text(error.field.description)),
      ])
  }

  /// What was expected and what the answer says.
  private var detail: String? {
    switch error.code {
    case .originNotAllowed: expected(Shown.text(inputs.origin), clientData?.origin)
    case .typeMismatch: "it says \(clientData.map { Shown.text($0.type) } ?? "nothing")"
    case .challengeMismatch: expected(Shown.bytes(inputs.challenge), clientData?.challenge)
    case .topOriginNotAllowed: "it says \(clientData?.topOrigin.map { Shown.text($0) } ?? "nothing")"
    default: AttestationArguments.advice(on: error)
    }
  }

  private func expected(_ expected: String, _ actual: UTF8Text?) -> String {
    "expected \(expected), it says \(actual.map { Shown.text($0) } ?? "nothing")"
  }

  private var clientData: CollectedClientData? { PasskeyFields(answer: inputs.answer).clientData }
}
