internal import AssayCodec
internal import AssayCrypto
internal import AssayWebAuthn

/// Tells who vouches for an authenticator, and whether that is to be believed. In JSON it is the library's own record.
enum AttestationReport {
  static func add(_ attestation: VerifiedAttestation, to report: inout Report) {
    report.fact("attestation", "attestation", attestation.auditRecord, shown: words(for: attestation))
    report.shown("trust", trust(in: attestation))
    for requirement in attestation.requirements {
      report.shown("demanded", Shown.words(requirement.description))
    }
    addFacts(of: attestation, to: &report)
    for (index, part) in attestation.parts.enumerated() {
      report.shown("statement \(index)", words(for: part))
      report.shown("trust", trust(in: part))
      addFacts(of: part, to: &report)
    }
  }

  private static func words(for attestation: VerifiedAttestation) -> String {
    let format = Shown.text(attestation.format)
    switch attestation.type {
    case .none: return "\(format): nobody vouches for the authenticator"
    case .selfAttestation: return "\(format): only the credential's own key vouches (self)"
    case .basicOrAttCA, .basic, .attCA, .anonCA:
      return "\(format): a certificate vouches (\(attestation.type.word.string))"
    case .compound: return "\(format): \(attestation.parts.count) statements vouch"
    case .unverified: return "\(format): NOT LOOKED AT, its format is not known"
    }
  }

  private static func trust(in attestation: VerifiedAttestation) -> String {
    switch attestation.trust {
    case .notApplicable: return "nobody to trust: there is no certificate"
    case .notEvaluated: return "NOT LOOKED AT: nobody is trusted for this format, see --trust and --root"
    case .trusted(let authority, _): return "trusted: its certificates lead to \(Shown.text(authority))"
    case .untrusted(let error): return "NOT TRUSTED: \(Shown.words(error.description))"
    }
  }

  private static func addFacts(of attestation: VerifiedAttestation, to report: inout Report) {
    if let facts = attestation.certificate, let leaf = attestation.trustPath.first {
      report.shown("certificate of", subject(of: leaf))
      report.shown("its serial number", Shown.text(Base16.encode(facts.serialNumber.span)))
      if let validity = facts.validity {
        report.shown("it is valid", "\(Shown.time(validity.notBefore)) to \(Shown.time(validity.notAfter))")
      } else {
        report.shown("it is valid", "NEVER: its dates cannot be read")
      }
      report.shown("its SHA-256", Base16.encode(facts.sha256.span).string)
      report.shown("its key identifier", Base16.encode(facts.subjectKeyIdentifier.span).string)
      if let aaguid = facts.aaguid { report.shown("the model it names", Base16.encode(aaguid.span).string) }
    }
    if let tpm = attestation.tpm {
      let (manufacturer, model, version) = (
        Shown.text(tpm.manufacturer), Shown.text(tpm.model), Shown.text(tpm.version)
      )
      report.shown("TPM", "made by \(manufacturer), model \(model), version \(version)")
    }
    if let android = attestation.androidKey { report.shown("Android", words(for: android)) }
  }

  private static func subject(of leaf: [UInt8]) -> String {
    let parts = (try? X509Certificate(leaf.span))?.subject.compactMap(\.text) ?? []
    return parts.isEmpty ? "no name" : Shown.words(parts.map(\.string).joined(separator: ", "))
  }

  private static func words(for android: AndroidKeyDescription) -> String {
    var words = ["key kept in \(android.keymasterSecurityLevel.word.string)"]
    let hardware = android.teeEnforced
    if let version = hardware.osVersion { words.append("Android \(version)") }
    if let level = hardware.osPatchLevel { words.append("patches of \(level)") }
    if let root = hardware.rootOfTrust {
      words.append("boot \(root.verifiedBootState.word.string)\(root.deviceLocked ? "" : ", boot loader UNLOCKED")")
    }
    return words.joined(separator: ", ")
  }
}
