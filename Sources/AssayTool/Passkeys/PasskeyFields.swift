internal import AssayCodec
internal import AssayWebAuthn

/// The fields of a client's answer, read without verifying anything. What cannot be read is nil.
struct PasskeyFields {
  let clientData: CollectedClientData?
  let authenticatorData: AuthenticatorData?
  let attestation: AttestationObject?
  let signature: [UInt8]?
  let userHandle: [UInt8]?

  init(answer: [UInt8]) { self.init(answer: (try? JSONValue.decode(answer.span)) ?? .null) }

  init(answer: JSONValue) {
    let response = answer["response"] ?? .null
    func bytes(_ name: UTF8Text) -> [UInt8]? {
      response[name]?.string.flatMap { try? Base64URL.decode($0.utf8.span) }
    }
    clientData = bytes("clientDataJSON").flatMap { try? CollectedClientData($0.span) }
    attestation = bytes("attestationObject").flatMap { try? AttestationObject($0.span) }
    let authData = attestation?.authData ?? bytes("authenticatorData")
    authenticatorData = authData.flatMap { try? AuthenticatorData($0.span, allowsFirefox117Key: true) }
    signature = bytes("signature")
    userHandle = bytes("userHandle")
  }

  /// What an authenticator says, as facts.
  static func add(_ data: AuthenticatorData, to report: inout Report) {
    report.fact("userPresent", "user present (UP)", .bool(data.flags.userPresent), shown: yes(data.flags.userPresent))
    report.fact(
      "userVerified", "user verified (UV)", .bool(data.flags.userVerified), shown: yes(data.flags.userVerified))
    report.fact(
      "backupEligible", "may be copied (BE)", .bool(data.flags.backupEligible), shown: yes(data.flags.backupEligible))
    report.fact("backupState", "is backed up (BS)", .bool(data.flags.backupState), shown: yes(data.flags.backupState))
    report.fact("signCount", "signature counter", .number(JSONNumber(Int64(data.signCount))))
    if let extensions = data.extensions {
      report.fact("extensions", "extensions", .string(UTF8Text(extensions.diagnostic)))
    }
    guard let made = data.attestedCredentialData else { return }
    report.fact("credentialId", "credential id", .string(Base64URL.encode(made.credentialId.span)))
    report.fact("aaguid", "authenticator model", .string(Base16.encode(made.aaguid.span)))
    let key = try? COSEKey(made.credentialPublicKey.span)
    report.fact(
      "publicKey", "public key", .string(Base64URL.encode(made.credentialPublicKey.span)),
      shown: key.map { "\($0.numbers.kind), algorithm \($0.alg)" })
  }

  private static func yes(_ value: Bool) -> String { value ? "yes" : "no" }
}
