package import AssayCodec
internal import AssayCrypto
package import AssayWebAuthn

/// A ceremony that states the relying party's inputs and the verdict.
package struct StatedCeremony {
  let id: UTF8Text
  /// Whether it is a registration, and not a sign-in.
  package let isRegistration: Bool
  /// Nil: the sources disagree, and it is not decided here.
  private let expected: Verdict?
  private let inputs: CeremonyInputs
  private let stored: StoredCredential?
  private let credential: JSONValue
  private let alg: Int64?

  private static let verdicts: [UTF8Text: Verdict] = ["valid": .valid, "invalid": .invalid]

  /// Reads a ceremony; throws if it does not have the form of one. Where its sources disagree, `scope` decides.
  package init(_ value: JSONValue, _ scope: VectorScope) throws(VectorFileError) {
    var file = try MemberReader(value, "the ceremony")
    file.ignore(
      "source", "why", "checkedWith", "signCount", "flags", "fmt", "aaguid", "trust", "derivedFrom", "conformanceTest",
      "license", "context", "alsoIn", "attType", "attStmtAlg", "credIdLen", "cborNotes", "generated",
      "clientDataExtraKeys", "registrationId", "title", "vectorFields", "derivation", "notes", "refverifyReason",
      "upstreamUse", "trustRootPem", "rootPem", "policyDependent")
    let id = try file.text("id")
    self.id = id
    switch try file.text("kind") {
    case "registration": isRegistration = true
    case "assertion": isRegistration = false
    default: throw file.fault("kind must be registration or assertion")
    }
    let stated = try file.text("expected")
    expected = Self.verdicts[stated == "policy" ? scope.decision(on: id) ?? stated : stated]
    guard expected != nil || stated == "policy" else { throw file.fault("expected must be valid, invalid or policy") }
    let publicKey = file.optionalOrNull("publicKeyCose") == nil ? nil : try file.base64URL("publicKeyCose")
    let signCount = try file.optionalInteger("storedSignCount") ?? 0
    let asked = try file.optionalIntegers("pubKeyAlgs")
    let appid = file.optionalOrNull("appid") == nil ? nil : try file.text("appid")
    alg = file.optionalOrNull("alg") == nil ? nil : try file.integer("alg")
    credential = try file.value("credential")
    var inputs = CeremonyInputs(
      rpId: try file.text("rpId"), origin: try file.text("origin"), challenge: try file.base64URL("challenge"),
      requiresUserVerification: try file.optionalBool("requireUV") ?? false, answer: credential.encoded())
    inputs.isConditional = try file.optionalBool("conditionalCreate") ?? false
    inputs.appid = (try file.optionalBool("usesAppid") ?? false) ? appid : nil
    // The verdicts are those of a relying party that puts up with RS1 where a statement is signed with it.
    inputs.attestationPolicy.allowsSHA1 = Attestation.alg(of: credential) == -65535
    inputs.algorithms = asked?.compactMap { SignatureAlgorithm(coseIdentifier: $0) }
    // A SafetyNet response is judged just after it was made.
    if let milliseconds = value["trust"]?["safetynet"]?["timestampMs"]?.number?.int64 {
      inputs.time = UnixTime(milliseconds / 1000).adding(seconds: 1)
      inputs.attestationPolicy.safetyNet = SafetyNetPolicy()
    }
    // The published test vector says nothing of the key's origin and purpose.
    inputs.attestationPolicy.androidKey.allowsMissingAuthorizations = id == "w3c-android-key-es256-registration"
    let topOrigins = file.optionalOrNull("expectedTopOrigin") == nil ? [] : [try file.text("expectedTopOrigin")]
    if try file.optionalBool("allowCrossOrigin") ?? false { inputs.crossOrigin = .allowed(topOrigins: topOrigins) }
    self.inputs = inputs
    let backupEligible = try file.optionalBool("storedBackupEligible")
    guard let signCount = UInt32(exactly: signCount) else { throw file.fault("storedSignCount is out of range") }
    stored =
      isRegistration
      ? nil : StoredCredential(publicKey: publicKey ?? [], signCount: signCount, backupEligible: backupEligible)
    try file.finish()
  }

  /// Verifies the ceremony, whatever verdict it states.
  package func verify() throws(WebAuthnError) {
    var session = CeremonySession()
    if isRegistration { try session.register(inputs) } else { try session.signIn(inputs, stored: stored) }
  }

  /// Holds the ceremony against its verdict, and a valid one's certificates against what is stated of them.
  func judge(_ trust: StatedTrust? = nil) -> CaseOutcome {
    guard let verdict = expected else { return .skipped(.policyVerdict) }
    do throws(WebAuthnError) {
      guard verdict == .valid, isRegistration, let trust else {
        try verify()
        return .compare(expected: verdict, actual: .valid)
      }
      guard let isTrusted = trust.isTrusted else { return .skipped(.policyVerdict) }
      var inputs = inputs
      inputs.trust = trust.attestationTrust
      inputs.time = inputs.time ?? trust.time
      var session = CeremonySession()
      let attestation = try session.register(inputs).attestation
      let (stated, found) = ("valid, trusted: \(isTrusted)", "valid, trusted: \(attestation.isTrusted)")
      return .compare(expected: stated, actual: found, because: "\(attestation.trust)")
    } catch {
      // What is not supported is refused, which is not yet the answer the file asks for.
      switch error.code {
      case .algorithmNotSupported, .algorithmNotAllowed, .invalidPublicKey:
        if verdict == .valid, let alg, SkipReason.waits(for: alg) { return .skipped(.coseAlgorithm(alg)) }
      case .invalidOrigin: return .skipped(.origin)
      default: break
      }
      return .compare(expected: verdict, actual: .invalid, because: error.description)
    }
  }
}
