import AssayCodec
import AssayVectors
import AssayWebAuthn

/// Runs the ceremonies captured from Chromium under the options the browser was given, in the order of their numbers, with
/// each credential's record kept between them as a server would.
struct ChromiumRun {
  enum Outcome: Equatable {
    case verified
    case refused(WebAuthnError.Code, step: Int?)
    case browserRefused(String)
  }

  private var session = CeremonySession()
  /// The registrations, for sign-ins with credentials whose registration is refused here.
  private var registrations: [[UInt8]: ChromiumCapture] = [:]
  /// Where frames of other origins are allowed, if anywhere.
  var crossOrigin = CrossOriginUse.refused

  mutating func outcome(of file: CeremonyFile) throws -> Outcome {
    let capture = try ChromiumCapture(file.json)
    guard var inputs = capture.inputs, let id = capture.credentialID else {
      return .browserRefused(file.json["result"]?["name"]?.string?.string ?? "")
    }
    inputs.crossOrigin = crossOrigin
    do throws(WebAuthnError) {
      if capture.isRegistration {
        registrations[id] = capture
        try session.register(inputs)
      } else {
        try session.signIn(inputs, stored: capture.stored(session, registrations[id]))
      }
      return .verified
    } catch {
      return .refused(error.code, step: error.step?.number)
    }
  }
}
