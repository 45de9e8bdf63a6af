internal import AssayCodec
internal import AssayCrypto
internal import AssayWebAuthn

/// A ceremony that states the relying party's inputs and the verdict.
struct StatedCeremony {
  let id: UTF8Text
  let isRegistration: Bool
  private enum Expectation { case verdict(Verdict), policy }
  private let expected: Expectation
  private let inputs: CeremonyInputs
  private let stored: StoredCredential?
  private let credential: JSONValue
  private let alg: Int64?
  private let usesAppID: Bool

  init(_ value: JSONValue) throws(VectorFileError) {
    var file = try MemberReader(value, "the ceremony")
    file.ignore(
      "source", "why", "checkedWith", "signCount", "flags", "fmt", "aaguid", "trust", "derivedFrom", "conformanceTest",
      "license", "context", "alsoIn", "attType", "attStmtAlg", "credIdLen", "cborNotes", "generated",
      "clientDataExtraKeys", "registrationId", "title", "vectorFields", "derivation", "notes", "refverifyReason",
      "upstreamUse", "appid", "trustRootPem", "policyDependent")
    id = try file.text("id")
    switch try file.text("kind") {
    case "registration": isRegistration = true
    case "assertion": isRegistration = false
    default: throw file.fault("kind must be registration or assertion")
    }
    switch try file.text("expected") {
    case "valid": expected = .verdict(.valid)
    case "invalid": expected = .verdict(.invalid)
    case "policy": expected = .policy
    default: throw file.fault("expected must be valid, invalid or policy")
    }
    let publicKey = file.optional("publicKeyCose")?.string
    let signCount = file.optional("storedSignCount")?.number?.int64 ?? 0
    let asked = file.optional("pubKeyAlgs")?.array?.compactMap { $0.number?.int64 }
    usesAppID = file.optional("usesAppid")?.bool == true
    alg = file.optional("alg")?.number?.int64
    credential = try file.value("credential")
    var inputs = CeremonyInputs(
      rpId: try file.text("rpId"), origin: try file.text("origin"), challenge: try file.base64URL("challenge"),
      requiresUserVerification: file.optional("requireUV")?.bool == true, answer: credential.encoded())
    inputs.isConditional = file.optional("conditionalCreate")?.bool == true
    inputs.algorithms = asked?.compactMap { SignatureAlgorithm(coseIdentifier: $0) }
    let topOrigins = (file.optional("expectedTopOrigin")?.string).map { [$0] } ?? []
    if file.optional("allowCrossOrigin")?.bool == true { inputs.crossOrigin = .allowed(topOrigins: topOrigins) }
    self.inputs = inputs
    stored =
      isRegistration
      ? nil
      : StoredCredential(
        publicKey: publicKey.flatMap { try? Base64URL.decode($0.utf8.span) } ?? [],
        signCount: UInt32(exactly: signCount) ?? .max,
        backupEligible: file.optional("storedBackupEligible")?.bool)
    try file.finish()
  }

  func judge() -> CaseOutcome {
    guard case .verdict(let verdict) = expected else { return .skipped(.policyVerdict) }
    // The AppID of U2F keys that were registered before WebAuthn has no place in the interface.
    if usesAppID { return .skipped(.appID) }
    var session = CeremonySession()
    do throws(WebAuthnError) {
      if isRegistration { try session.register(inputs) } else { try session.signIn(inputs, stored: stored) }
      return .compare(expected: verdict, actual: .valid)
    } catch {
      // What is not supported is refused, which is not yet the answer the file asks for.
      switch error.code {
      case .attestationFormatNotSupported:
        if let format = Attestation.registeredFormat(of: credential) { return .skipped(.attestation(format)) }
      case .algorithmNotSupported, .algorithmNotAllowed, .invalidPublicKey:
        if verdict == .valid, let alg, !SkipReason.supports(alg) { return .skipped(.coseAlgorithm(alg)) }
      case .invalidOrigin: return .skipped(.origin)
      default: break
      }
      return .compare(expected: verdict, actual: .invalid, because: error.description)
    }
  }
}
