internal import AssayCodec
internal import AssayVectors
internal import AssayWebAuthn

extension PasskeyVerify {
  /// Verifies captured ceremonies one after another, as the server would whose page they are of.
  struct Verifier {
    private var session = CeremonySession()
    private let registration: UTF8Text?
    private let policy: AttestationPolicy
    private let trust: AttestationTrust
    private let time: UnixTime

    init(_ arguments: Arguments) throws(Failure) {
      registration = arguments["--registration"]
      policy = try AttestationArguments.policy(arguments)
      time = try arguments.time("--at")
      trust = try AttestationArguments.trust(arguments, at: time)
      let needsTrust = policy.requirement == .trusted || policy.acceptedAAGUIDs != nil
      guard !needsTrust || !trust.authorities.isEmpty || trust.metadata != nil else {
        throw .usage("--require-trust and --aaguid need someone to trust: see --trust, --root and --metadata")
      }
    }

    mutating func verify(_ path: UTF8Text) throws(Failure) -> Report {
      let capture = try CeremonyFile.read(path)
      guard let inputs = capture.inputs else {
        throw .refused("\(CeremonyFile.shown(path)): the browser refused this ceremony, there is nothing to verify")
      }
      if capture.isRegistration {
        do throws(WebAuthnError) {
          return report(try register(inputs), path)
        } catch { throw PasskeyRefusal(error, path, inputs).failure }
      }
      let (stored, warning) = try credential(of: capture, path)
      do throws(WebAuthnError) {
        return report(try session.signIn(inputs, stored: stored), path, warning)
      } catch { throw PasskeyRefusal(error, path, inputs).failure }
    }

    private mutating func register(_ inputs: CeremonyInputs) throws(WebAuthnError) -> VerifiedRegistration {
      var inputs = inputs
      inputs.attestationPolicy = policy
      inputs.time = time
      inputs.trust = trust
      return try session.register(inputs)
    }

    /// Makes the session know the credential that signs in, by verifying its registration.
    ///
    /// A registration whose attestation cannot be verified here still says which key it made; then a warning comes along.
    private mutating func credential(
      of capture: ChromiumCapture, _ path: UTF8Text
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
        _ = try register(inputs)
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
  }
}
