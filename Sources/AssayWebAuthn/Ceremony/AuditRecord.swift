public import AssayCodec
internal import AssayCrypto

// What a server may want to keep of a ceremony that succeeded: who, what, where, and every check with its outcome. No
// challenge, no signature, no public key.

extension VerifiedRegistration {
  /// The registration as JSON, for a log: every check with its outcome.
  public var auditRecord: JSONValue {
    var record = AuditRecord(ceremony: "registration", credential, origin, authenticatorData, steps)
    record.object["attestation"] = attestation.auditRecord
    return record.value
  }
}

extension VerifiedAuthentication {
  /// The sign-in as JSON, for a log: every check with its outcome.
  public var auditRecord: JSONValue {
    var record = AuditRecord(ceremony: "authentication", credential, origin, authenticatorData, steps)
    record.object["signCountOutcome"] = .string(signCountOutcome.word)
    record.object["backupEligibilityChanged"] = .bool(backupEligibilityChanged)
    return record.value
  }
}

/// What the records of both ceremonies have in common.
private struct AuditRecord {
  var object: JSONObject
  private let checks: JSONValue

  init(
    ceremony: JSONValue, _ credential: RegisteredCredential, _ origin: UTF8Text, _ data: AuthenticatorData,
    _ steps: [CheckedStep]
  ) {
    object = [
      "ceremony": ceremony, "rpId": .string(credential.rpId), "origin": .string(origin),
      "user": .string(Base64URL.encode(credential.user.span)),
      "credentialId": .string(Base64URL.encode(credential.id.span)),
      "aaguid": .string(Base16.encode(credential.aaguid.span)),
      "userPresent": .bool(data.flags.userPresent), "userVerified": .bool(data.flags.userVerified),
      "backupEligible": .bool(data.flags.backupEligible), "backupState": .bool(data.flags.backupState),
      "signCount": .number(JSONNumber(Int64(data.signCount))),
    ]
    checks = .array(
      steps.map {
        [
          "step": .string(UTF8Text($0.step.description)), "outcome": .string($0.outcome.word),
          "what": .string(UTF8Text($0.what)),
        ]
      })
  }

  var value: JSONValue {
    var object = object
    object["checks"] = checks
    return .object(object)
  }
}

extension CheckedStep.Outcome {
  fileprivate var word: UTF8Text {
    switch self {
    case .verified: "verified"
    case .done: "done"
    case .notRequired: "not required"
    case .leftToCaller: "left to caller"
    }
  }
}

extension VerifiedAttestation {
  fileprivate var auditRecord: JSONValue {
    var object: JSONObject = [
      "fmt": .string(format), "type": .string(type.word), "trust": .string(trust.word),
    ]
    switch trust {
    case .trusted(let authority, let anchor):
      object["trustedBy"] = .string(authority)
      object["anchorSHA256"] = (try? SHA256.hash(anchor.span)).map { .string(Base16.encode($0.span)) } ?? .null
    case .untrusted(let error): object["whyUntrusted"] = .string(UTF8Text(error.description))
    case .notApplicable, .notEvaluated: break
    }
    if !requirements.isEmpty { object["requirements"] = .array(requirements.map(\.auditRecord)) }
    if let tpm {
      object["tpm"] = [
        "manufacturer": .string(tpm.manufacturer), "model": .string(tpm.model), "version": .string(tpm.version),
      ]
    }
    if !parts.isEmpty { object["parts"] = .array(parts.map(\.auditRecord)) }
    return .object(object)
  }
}

extension AttestationType {
  var word: UTF8Text {
    switch self {
    case .none: "none"
    case .selfAttestation: "self"
    case .basicOrAttCA: "basic or attCA"
    case .basic: "basic"
    case .attCA: "attCA"
    case .anonCA: "anonCA"
    case .compound: "compound"
    case .unverified: "unverified"
    }
  }
}

extension AttestationTrustResult {
  var word: UTF8Text {
    switch self {
    case .notApplicable: "not applicable"
    case .notEvaluated: "not evaluated"
    case .trusted: "trusted"
    case .untrusted: "untrusted"
    }
  }
}

extension VerifiedAuthentication.SignCountOutcome {
  fileprivate var word: UTF8Text {
    switch self {
    case .notUsed: "not used"
    case .increased: "increased"
    case .notIncreased: "not increased"
    }
  }
}
