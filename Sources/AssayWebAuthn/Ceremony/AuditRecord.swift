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

extension VerifiedAuthentication.SignCountOutcome {
  fileprivate var word: UTF8Text {
    switch self {
    case .notUsed: "not used"
    case .increased: "increased"
    case .notIncreased: "not increased"
    }
  }
}
