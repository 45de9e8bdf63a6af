internal import AssayCodec

// What metadata says of an authenticator's model, found by its AAGUID where the statement's signature covers that; otherwise,
// and for those that have none, by the one in their certificate or by the certificate's key.

/// The entries of the models that the statements of an attestation are about.
struct ModelEntries {
  /// Those of each of `VerifiedAttestation.statements`; none where metadata does not know the model.
  let ofStatements: [[MetadataEntry]]
  /// Whether there is none that cannot be read.
  let areReadable: Bool

  init(_ metadata: AttestationTrust.Metadata?, of attestation: VerifiedAttestation, aaguid: [UInt8]) {
    let statements = attestation.statements
    do throws(MetadataError) {
      var found: [[MetadataEntry]] = []
      for statement in statements { found.append(try metadata?.blob.payload.entries(of: statement, aaguid) ?? []) }
      ofStatements = found
      areReadable = true
    } catch {
      ofStatements = statements.map { _ in [] }
      areReadable = false
    }
  }

  /// All of them, each once.
  var entries: [MetadataEntry] {
    var seen: Set<Int> = []
    return ofStatements.joined().filter { seen.insert($0.index).inserted }
  }

  /// Whether one of the statements about the model leads to a certificate that the model's entry names. That of another
  /// model, or of whomever else the relying party trusts, does not say that the authenticator is of this model.
  func isVouchedFor(_ entry: MetadataEntry, by attestation: VerifiedAttestation) -> Bool {
    let roots = entry.metadataStatement?.attestationRootCertificates ?? []
    return attestation.isTrusted
      && zip(attestation.statements, ofStatements).contains { statement, entries in
        guard case .trusted(_, let anchor) = statement.trust else { return false }
        return entries.contains { $0.index == entry.index } && roots.contains(anchor)
      }
  }
}

extension MetadataPayload {
  /// The entries of the model that one statement is about.
  fileprivate func entries(
    of statement: VerifiedAttestation, _ aaguid: [UInt8]
  ) throws(MetadataError) -> [MetadataEntry] {
    var found = statement.coversAAGUID ? try entries(for: .aaguid(aaguid)) : []
    if found.isEmpty, let named = statement.certificateAAGUID { found = try entries(for: .aaguid(named)) }
    if found.isEmpty, let leaf = statement.trustPath.first,
      let identifier = try? MetadataIdentifier(ofAttestationCertificate: leaf.span)
    {
      found = try entries(for: identifier)
    }
    return found
  }
}

extension AttestationTrust.Metadata {
  /// Every demand on the model of an authenticator, and whether it is met at `time`.
  func requirements(
    on attestation: VerifiedAttestation, of model: ModelEntries, at time: UnixTime
  ) -> [CheckedRequirement] {
    guard model.areReadable else {
      return [CheckedRequirement(name: "metadata entry", required: ["readable"], found: ["not readable"], isMet: false)]
    }
    var requirements: [CheckedRequirement] = []
    let entries = model.entries
    let isDemanded = requiresEntry || policy.demandsMore
    if isDemanded || !entries.isEmpty {
      requirements.append(
        CheckedRequirement(
          name: "metadata entry", required: isDemanded ? ["there"] : [], found: entries.isEmpty ? [] : ["there"],
          isMet: !entries.isEmpty || !isDemanded))
    }
    for entry in entries {
      let isVouchedFor = model.isVouchedFor(entry, by: attestation)
      // What speaks against a model counts in any case. What speaks for it counts only if the authenticator is of it.
      requirements += policy.verdict(on: entry, at: time).requirements.map { requirement in
        requirement.name == MetadataPolicy.statusRequirement || isVouchedFor ? requirement : requirement.unmet
      }
      if let statement = entry.metadataStatement, let types = attestation.types(under: statement) {
        requirements.append(types)
      }
      if requiresEntry {
        // Models that vouch by the credential's own key have no roots, and `attestationTypes` says whether this is one.
        requirements.append(
          CheckedRequirement(
            name: "attestationRootCertificates", required: ["trusted by the entry"], found: [attestation.trust.word],
            isMet: isVouchedFor || attestation.type == .selfAttestation))
      }
    }
    return requirements
  }
}

extension VerifiedAttestation {
  /// That the model vouches in this way, if it vouches at all.
  fileprivate func types(under statement: MetadataStatement) -> CheckedRequirement? {
    let judged = statements.map(\.type).filter { $0 != .none && $0 != .unverified }
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
