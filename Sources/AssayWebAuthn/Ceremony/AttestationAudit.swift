public import AssayCodec
internal import AssayCrypto

// What a server may want to keep of an attestation: who vouched, whether it was trusted, and what was vouched for. Bytes are
// in hexadecimal, as the tools for certificates show them; times are in seconds since 1970.

extension VerifiedAttestation {
  /// The attestation as JSON, for a log.
  public var auditRecord: JSONValue {
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
    if let certificate { object["certificate"] = certificate.auditRecord }
    if let androidKey { object["androidKey"] = androidKey.auditRecord }
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
  package var word: UTF8Text {
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

extension AttestationCertificateFacts {
  fileprivate var auditRecord: JSONValue {
    var object: JSONObject = [
      "sha256": .string(Base16.encode(sha256.span)), "serialNumber": .string(Base16.encode(serialNumber.span)),
      "subjectKeyIdentifier": .string(Base16.encode(subjectKeyIdentifier.span)),
    ]
    if let validity {
      object["notBefore"] = .number(JSONNumber(validity.notBefore.seconds))
      object["notAfter"] = .number(JSONNumber(validity.notAfter.seconds))
    }
    if let aaguid { object["aaguid"] = .string(Base16.encode(aaguid.span)) }
    return .object(object)
  }
}

extension AndroidKeyDescription {
  /// Without the challenge, which is the ceremony's.
  fileprivate var auditRecord: JSONValue {
    [
      "attestationVersion": .number(JSONNumber(unsigned: attestationVersion)),
      "attestationSecurityLevel": .string(attestationSecurityLevel.word),
      "keymasterVersion": .number(JSONNumber(unsigned: keymasterVersion)),
      "keymasterSecurityLevel": .string(keymasterSecurityLevel.word),
      "softwareEnforced": softwareEnforced.auditRecord, "teeEnforced": teeEnforced.auditRecord,
    ]
  }
}

extension AndroidKeyDescription.Authorizations {
  fileprivate var auditRecord: JSONValue {
    var object: JSONObject = [:]
    if let purpose { object["purpose"] = .array(purpose.map { .number(JSONNumber(unsigned: $0)) }) }
    let numbers: [(UTF8Text, UInt64?)] = [
      ("origin", origin), ("osVersion", osVersion), ("osPatchLevel", osPatchLevel),
      ("vendorPatchLevel", vendorPatchLevel), ("bootPatchLevel", bootPatchLevel),
    ]
    for (name, number) in numbers {
      if let number { object[name] = .number(JSONNumber(unsigned: number)) }
    }
    if let rootOfTrust {
      object["rootOfTrust"] = [
        "verifiedBootKey": .string(Base16.encode(rootOfTrust.verifiedBootKey.span)),
        "deviceLocked": .bool(rootOfTrust.deviceLocked),
        "verifiedBootState": .string(rootOfTrust.verifiedBootState.word),
        "verifiedBootHash": rootOfTrust.verifiedBootHash.map { .string(Base16.encode($0.span)) } ?? .null,
      ]
    }
    return .object(object)
  }
}

extension AndroidKeyDescription.SecurityLevel {
  /// Android's word.
  package var word: UTF8Text {
    switch self {
    case .software: "Software"
    case .trustedEnvironment: "TrustedEnvironment"
    case .strongBox: "StrongBox"
    }
  }
}

extension AndroidKeyDescription.RootOfTrust.BootState {
  /// Android's word.
  package var word: UTF8Text {
    switch self {
    case .verified: "Verified"
    case .selfSigned: "SelfSigned"
    case .unverified: "Unverified"
    case .failed: "Failed"
    }
  }
}
