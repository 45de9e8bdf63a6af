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

  /// What is done here where sources differ, by the ceremony's id.
  private static let decisions: [(id: UTF8Text, verdict: Verdict)] = [
    // Nothing depends on how the attestation object itself is written: each of its members is checked.
    ("derived-ao-extra-key-other-order", .valid), ("derived-ao-indefinite-map", .valid),
    // A public key must be CTAP2 canonical CBOR (WebAuthn L3, 6.5.1).
    ("derived-cose-noncanonical-order", .invalid), ("derived-cose-nonminimal-int", .invalid),
    // Challenge and origin are compared byte for byte; no browser writes these forms.
    ("derived-none-cdj-challenge-padded", .invalid), ("derived-none-cdj-origin-explicit-default-port", .invalid),
    ("derived-none-cdj-origin-trailing-slash", .invalid),
    // `tokenBinding` is reserved in Level 3, and ignored.
    ("derived-none-cdj-tokenbinding-bogus", .valid), ("derived-none-cdj-tokenbinding-not-object", .valid),
    // A root among the certificates is one more that nobody trusts for being there.
    ("derived-packed-x5c-full-chain", .valid),
    // The procedure of fido-u2f does not look at the AAGUID (WebAuthn L3, 8.6).
    ("derived-u2f-nonzero-aaguid-original", .valid),
    // Every statement of a compound one must verify (WebAuthn L3, 8.9, leaves it to the relying party).
    ("gen-compound-one-bad-reg", .invalid),
    // Whether a country code is assigned is ISO's to change; the published test vectors use one that is not.
    ("gen2-packed-c-unassigned", .valid),
    // Basic Constraints must say that the certificate is no CA (WebAuthn L3, 8.2.1): to say nothing is not enough.
    ("gen2-packed-leaf-no-bc", .invalid),
    // One that says nothing of the key's origin and purpose does not say what it must (WebAuthn L3, 8.4).
    ("gen2-androidkey-both-missing", .invalid),
    // The lists count together, and signing need not be the only purpose.
    ("gen2-androidkey-sw-origin-purpose", .valid), ("gen2-androidkey-purpose-sign-verify", .valid),
    // RSA keys have 2048 bits or more; an exponent of 3 is odd and allowed, with PKCS #1 v1.5 verified strictly.
    ("gen-rs256-1024-reg", .invalid), ("gen-rs256-1024-get", .invalid), ("gen-rs256-e3-reg", .valid),
    ("gen-rs256-e3-get", .valid),
  ]

  /// Reads a ceremony; throws if it does not have the form of one.
  package init(_ value: JSONValue) throws(VectorFileError) {
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
    switch try file.text("expected") {
    case "valid": expected = .valid
    case "invalid": expected = .invalid
    case "policy": expected = Self.decisions.first { $0.id == id }?.verdict
    default: throw file.fault("expected must be valid, invalid or policy")
    }
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
      var inputs = inputs
      inputs.trust = trust.attestationTrust
      inputs.time = inputs.time ?? trust.time
      var session = CeremonySession()
      let attestation = try session.register(inputs).attestation
      let (stated, found) = ("valid, trusted: \(trust.isTrusted)", "valid, trusted: \(attestation.isTrusted)")
      return .compare(expected: stated, actual: found, because: "\(attestation.trust)")
    } catch {
      // What is not supported is refused, which is not yet the answer the file asks for.
      switch error.code {
      case .attestationFormatNotSupported:
        if let format = Attestation.registeredFormat(of: credential) { return .skipped(.attestation(format)) }
      case .algorithmNotSupported, .algorithmNotAllowed, .invalidPublicKey:
        if verdict == .valid, let alg, SkipReason.waits(for: alg) { return .skipped(.coseAlgorithm(alg)) }
      case .invalidOrigin: return .skipped(.origin)
      default: break
      }
      return .compare(expected: verdict, actual: .invalid, because: error.description)
    }
  }
}
