internal import AssayCodec

// What metadata says of an authenticator's model, found by its AAGUID; for those that have none, by the one in their
// certificate or by the certificate's key.

/// The entries of a model.
enum ModelEntries {
  /// These; none if metadata does not know it.
  case known([MetadataEntry])
  /// There is one that cannot be read.
  case unreadable

  init(_ metadata: AttestationTrust.Metadata?, aaguid: [UInt8], certificateAAGUID: [UInt8]?, trustPath: [[UInt8]]) {
    guard let payload = metadata?.blob.payload else {
      self = .known([])
      return
    }
    do throws(MetadataError) {
      var entries = try payload.entries(for: .aaguid(aaguid))
      if entries.isEmpty, let certificateAAGUID { entries = try payload.entries(for: .aaguid(certificateAAGUID)) }
      if entries.isEmpty, let leaf = trustPath.first,
        let identifier = try? MetadataIdentifier(ofAttestationCertificate: leaf.span)
      {
        entries = try payload.entries(for: identifier)
      }
      self = .known(entries)
    } catch {
      self = .unreadable
    }
  }

  var entries: [MetadataEntry] {
    switch self {
    case .known(let entries): entries
    case .unreadable: []
    }
  }
}

extension AttestationTrust.Metadata {
  /// Every demand on the model of an authenticator, and whether it is met at `time`.
  func requirements(
    on attestation: VerifiedAttestation, of model: ModelEntries, at time: UnixTime
  ) -> [CheckedRequirement] {
    var requirements: [CheckedRequirement] = []
    switch model {
    case .unreadable:
      requirements.append(
        CheckedRequirement(name: "metadata entry", required: ["readable"], found: ["not readable"], isMet: false))
    case .known(let entries):
      let isDemanded = requiresEntry || policy.demandsMore
      if isDemanded || !entries.isEmpty {
        requirements.append(
          CheckedRequirement(
            name: "metadata entry", required: isDemanded ? ["there"] : [], found: entries.isEmpty ? [] : ["there"],
            isMet: !entries.isEmpty || !isDemanded))
      }
      for entry in entries {
        let found = policy.verdict(on: entry, at: time).requirements
        // What speaks against a model counts in any case. What speaks for it counts only if the authenticator is of it.
        requirements += found.map { requirement in
          requirement.name == MetadataPolicy.statusRequirement || attestation.isTrusted
            ? requirement : requirement.unmet
        }
        if let statement = entry.metadataStatement, let types = attestation.types(under: statement) {
          requirements.append(types)
        }
      }
    }
    return requirements
  }
}

extension VerifiedAttestation {
  /// That the model vouches in this way, if it vouches at all.
  fileprivate func types(under statement: MetadataStatement) -> CheckedRequirement? {
    let given = parts.isEmpty ? [type] : parts.map(\.type)
    let judged = given.filter { $0 != .none && $0 != .unverified }
    guard !judged.isEmpty, !statement.attestationTypes.isEmpty else { return nil }
    return CheckedRequirement(
      name: "attestationTypes", required: statement.attestationTypes.map(\.word), found: judged.map(\.word),
      isMet: judged.allSatisfy { statement.attestationType($0) != nil })
  }
}

extension CheckedRequirement {
  /// The same, not met.
  fileprivate var unmet: CheckedRequirement {
    CheckedRequirement(name: name, required: required, found: found, isMet: false)
  }
}
