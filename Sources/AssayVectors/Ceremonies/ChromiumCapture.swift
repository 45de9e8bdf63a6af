package import AssayCodec
internal import AssayCrypto
internal import AssayWebAuthn

/// A ceremony captured from a browser: what it was given, and what it answered.
package struct ChromiumCapture {
  /// What the ceremony is called.
  package let name: UTF8Text
  /// Whether it is a registration, and not a sign-in.
  package let isRegistration: Bool
  /// What the relying party put in and got; nil if the browser refused.
  package let inputs: CeremonyInputs?
  /// The file that holds the credential's registration.
  package let registration: UTF8Text?
  /// The public key of a credential that no ceremony made.
  private let spki: [UInt8]?
  private let answer: JSONValue?

  /// Reads a capture; throws if it does not have the form of one.
  package init(_ value: JSONValue) throws(VectorFileError) {
    var file = try MemberReader(value, "the ceremony")
    file.ignore("browser", "authenticator", "appid")
    name = try file.text("name")
    switch try file.text("type") {
    case "create": isRegistration = true
    case "get": isRegistration = false
    default: throw file.fault("type must be create or get")
    }
    let origin = try file.text("origin")
    file.ignore("topOrigin")
    let rpId = try file.text("rpId")
    let challenge = try file.base64URL("challenge")
    let options = try file.value("options")
    registration = file.optionalOrNull("registration") == nil ? nil : Self.file(try file.text("registration"))
    spki = file.optionalOrNull("spki") == nil ? nil : try file.base64URL("spki")
    var result = try MemberReader(file.value("result"), "result")
    try file.finish()

    guard try result.bool("ok") else {
      _ = try result.text("name")
      (inputs, answer) = (nil, nil)
      return
    }
    let answer = try result.value("json")
    self.answer = answer
    let demanded = isRegistration ? options["authenticatorSelection"] : options
    var algorithms: [SignatureAlgorithm]?
    if isRegistration {
      // WebAuthn L3, 5.1.3 step 10: where the page names none, the client asks for ES256 and RS256.
      let asked = options["pubKeyCredParams"]?.array?.compactMap { $0["alg"]?.number?.int64 } ?? []
      algorithms = (asked.isEmpty ? [-7, -257] : asked).compactMap { SignatureAlgorithm(coseIdentifier: $0) }
    }
    inputs = CeremonyInputs(
      rpId: rpId, origin: origin, challenge: challenge,
      requiresUserVerification: demanded?["userVerification"]?.string == "required",
      algorithms: algorithms?.isEmpty == true ? nil : algorithms,
      user: options["user"]?["id"]?.string.flatMap { try? Base64URL.decode($0.utf8.span) },
      allowedCredentials: (options["allowCredentials"]?.array ?? []).compactMap {
        $0["id"]?.string.flatMap { try? Base64URL.decode($0.utf8.span) }
      },
      appid: options["extensions"]?["appid"]?.string, answer: answer.encoded())
  }

  /// `see exclude-first` stands for the registration of that name.
  private static func file(_ registration: UTF8Text) -> UTF8Text {
    registration == "see exclude-first" ? "55-exclude-first.json" : registration
  }

  /// The refusals that are the point of a capture, by its name: an authenticator told to misbehave, or a use that must be
  /// allowed first.
  private static let refusals: [(name: UTF8Text, code: WebAuthnError.Code)] = [
    ("override-isBogusSignature", .signatureInvalid), ("override-isBadUV", .userNotVerified),
    ("override-isBadUP", .userNotPresent), ("counter-rollback", .signCountNotIncreased),
    ("be0-bs1-create", .backupStateInconsistent), ("iframe-crossorigin-get", .crossOriginNotAllowed),
    ("ml-dsa-only-create", .algorithmNotSupported), ("ml-dsa-only-get", .algorithmNotSupported),
  ]

  func judge(
    _ session: inout CeremonySession, sibling: (UTF8Text) -> [UInt8]?
  ) throws(VectorFileError) -> CaseOutcome {
    guard let inputs else { return .skipped(.browserRefused) }
    let expected = Self.refusals.first { $0.name == name }?.code
    do throws(WebAuthnError) {
      if isRegistration {
        try session.register(inputs)
      } else {
        let registration = self.registration.flatMap(sibling)
        let made = registration.flatMap { bytes in try? ChromiumCapture(try JSONValue.decode(bytes.span)) }
        try session.signIn(inputs, stored: stored(session, made))
      }
    } catch {
      guard let expected else { return .failed(expected: "valid", actual: "refused: \(error)") }
      return error.code == expected
        ? .passed : .failed(expected: "refused: \(expected.explanation)", actual: "refused: \(error)")
    }
    guard let expected else { return .passed }
    return .failed(expected: "refused: \(expected.explanation)", actual: "valid")
  }

  /// The credential id of the answer; nil where the browser refused.
  package var credentialID: [UInt8]? {
    answer?["rawId"]?.string.flatMap { try? Base64URL.decode($0.utf8.span) }
  }

  /// The credential of a sign-in, unless the session knows it from its registration.
  package func stored(_ session: CeremonySession, _ registration: ChromiumCapture?) -> StoredCredential? {
    if let spki, let numbers = try? PublicKeyNumbers(spki: spki.span) {
      let alg: Int64 = if case .rsa = numbers { -257 } else { -7 }
      return StoredCredential(publicKey: (try? COSEKey(numbers, alg: alg))?.encoded() ?? [])
    }
    guard !session.knows(credentialID), let made = Attestation.data(of: registration?.answer),
      let credential = made.attestedCredentialData
    else { return nil }
    // Its registration was not run, or is not supported: what the authenticator said then is taken as it is.
    return StoredCredential(
      publicKey: credential.credentialPublicKey, signCount: made.signCount, backupEligible: made.flags.backupEligible)
  }
}

/// What an answer says of its attestation, unverified.
enum Attestation {
  static func object(of answer: JSONValue?) -> AttestationObject? {
    guard let text = answer?["response"]?["attestationObject"]?.string,
      let bytes = try? Base64URL.decode(text.utf8.span)
    else { return nil }
    return try? AttestationObject(bytes.span)
  }

  /// The algorithm of its statement, if it names one.
  static func alg(of answer: JSONValue?) -> Int64? { object(of: answer)?.attStmt["alg"]?.int64 }

  static func data(of answer: JSONValue?) -> AuthenticatorData? {
    guard let object = object(of: answer) else { return nil }
    return try? AuthenticatorData(object.authData.span)
  }
}
