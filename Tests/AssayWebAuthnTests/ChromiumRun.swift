import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestSupport

/// Runs the ceremonies captured from Chromium under the options the browser was given, in the order of their numbers, with
/// each credential's record kept between them as a server would.
struct ChromiumRun {
  enum Outcome: Equatable {
    case verified
    case refused(WebAuthnError.Code, step: Int?)
    case browserRefused(String)
  }

  private var credentials: [[UInt8]: RegisteredCredential] = [:]
  /// What the authenticators said when they made them, for sign-ins with credentials whose registration is refused here.
  private var made: [[UInt8]: AuthenticatorData] = [:]
  /// Where frames of other origins are allowed, if anywhere.
  var crossOrigin = CrossOriginUse.refused

  mutating func outcome(of file: CeremonyFile) throws -> Outcome {
    guard let result = file.json["result"], let options = file.json["options"] else {
      throw TestData.Missing(path: "result")
    }
    guard result["ok"]?.bool == true else { return .browserRefused(result["name"]?.string?.string ?? "") }
    let answer = result["json"]?.encoded() ?? []
    do throws(WebAuthnError) {
      let rp = try RelyingParty(
        id: file.json["rpId"]?.string?.string ?? "", origins: [file.json["origin"]?.string?.string ?? ""],
        crossOrigin: crossOrigin, allowInsecureOrigins: file.name == "76-plain-http-treated-secure-create")
      if file.json["type"]?.string == "create" {
        try register(rp, options, answer, result)
      } else {
        try signIn(rp, options, answer, file)
      }
      return .verified
    } catch {
      return .refused(error.code, step: error.step?.number)
    }
  }

  private mutating func register(
    _ rp: RelyingParty, _ json: JSONValue, _ answer: [UInt8], _ result: JSONValue
  ) throws(WebAuthnError) {
    if let said = Self.authenticatorData(result), let id = said.attestedCredentialData?.credentialId { made[id] = said }
    let user = (try? CeremonyFile.decoded(json["user"]?["id"])) ?? []
    var options = RegistrationOptions()
    let asked = json["pubKeyCredParams"]?.array?.compactMap { $0["alg"]?.number?.int64 } ?? []
    // WebAuthn L3, 5.1.3: without any, the client asks for ES256 and RS256.
    options.algorithms = (asked.isEmpty ? [-7, -257] : asked).compactMap { SignatureAlgorithm(coseIdentifier: $0) }
    if options.algorithms.isEmpty { options.algorithms = SignatureAlgorithm.allCases }
    options.userVerification =
      json["authenticatorSelection"]?["userVerification"]?.string == "required" ? .required : .discouraged
    options.challenge = try? CeremonyFile.decoded(json["challenge"])
    let start = try rp.beginRegistration(
      user: PasskeyUser(id: user, name: "someone", displayName: "Someone"), options, at: CeremonyFile.now)
    let verified = try rp.finishRegistration(answer.span, state: start.state, at: CeremonyFile.now)
    credentials[verified.credential.id] = verified.credential
  }

  private mutating func signIn(
    _ rp: RelyingParty, _ json: JSONValue, _ answer: [UInt8], _ file: CeremonyFile
  ) throws(WebAuthnError) {
    let response = try AuthenticationResponse(json: answer.span)
    let known = credentials[response.credentialID]
    let stored = if let known { known } else { try vouchedFor(file, rp, response) }
    var options = AuthenticationOptions()
    options.challenge = try? CeremonyFile.decoded(json["challenge"])
    options.userVerification = json["userVerification"]?.string == "required" ? .required : .discouraged
    for allowed in json["allowCredentials"]?.array ?? [] {
      options.allowCredentials.append(CredentialDescriptor(id: (try? CeremonyFile.decoded(allowed["id"])) ?? []))
    }
    let user = options.allowCredentials.isEmpty ? nil : stored.user
    let start = try rp.beginAuthentication(user: user, options, at: CeremonyFile.now)
    let verified = try rp.finishAuthentication(
      response, state: start.state, credential: stored, at: CeremonyFile.now)
    credentials[stored.id] = verified.credential
  }

  /// The record of a credential that was injected into the authenticator, or whose registration is refused here.
  private func vouchedFor(
    _ file: CeremonyFile, _ rp: RelyingParty, _ response: AuthenticationResponse
  ) throws(WebAuthnError) -> RegisteredCredential {
    let numbers = (try? file.bytes("spki")).flatMap { try? PublicKeyNumbers(spki: $0.span) }
    let injected = numbers.flatMap { numbers in
      if case .rsa = numbers { try? COSEKey(numbers, alg: -257) } else { try? COSEKey(numbers, alg: -7) }
    }
    let said = made[response.credentialID]
    let flags = response.authenticatorData.dropFirst(32).first ?? 0
    return try RegisteredCredential(
      vouchedFor: response.credentialID, user: response.userHandle ?? CeremonyFile.someUser, rpId: rp.id.string,
      publicKey: said?.attestedCredentialData?.credentialPublicKey ?? injected?.encoded() ?? [],
      signCount: said?.signCount ?? 0, uvInitialized: true,
      backupEligible: said?.flags.backupEligible ?? (flags & 0x08 != 0), backupState: false,
      aaguid: [UInt8](repeating: 0, count: 16))
  }

  private static func authenticatorData(_ result: JSONValue) -> AuthenticatorData? {
    let bytes = try? CeremonyFile.decoded(result["json"]?["response"]?["authenticatorData"])
    return bytes.flatMap { try? AuthenticatorData($0.span) }
  }
}
