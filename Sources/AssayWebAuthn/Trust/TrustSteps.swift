internal import AssayCodec
internal import AssayCrypto

// WebAuthn L3, 7.1 steps 22 to 24, once the attestation statement is verified.

extension CeremonyLog {
  /// Writes down what step 22 has shown.
  mutating func noteStatement(_ type: AttestationType) {
    switch type {
    case .none: note(22, "there is no attestation", .verified)
    case .selfAttestation: note(22, "the attestation is the credential's own signature", .verified)
    case .basicOrAttCA, .basic, .attCA, .anonCA:
      note(22, "the attestation is the signature of a certificate's key, and follows its format", .verified)
    case .compound: note(22, "the attestation is several statements, and those of known formats follow them", .verified)
    case .unverified: note(22, "the attestation statement was not looked at, and counts for nothing", .leftToCaller)
    }
  }

  /// Asks those whom the relying party trusts, and holds the answer against its demands.
  mutating func assess(
    _ attestation: inout VerifiedAttestation, of aaguid: [UInt8], by trust: AttestationTrust,
    under policy: AttestationPolicy, at now: UnixTime
  ) throws(WebAuthnError) {
    let model = ModelEntries(trust.metadata, of: attestation, aaguid: aaguid)
    attestation.evaluate(trust, aaguid, of: model, at: now)
    switch attestation.trust {
    case .notApplicable: note(23, "this type of attestation has no trust anchors", .notRequired)
    case .notEvaluated: note(23, "no trust anchors are configured for this format and model", .leftToCaller)
    case .trusted, .untrusted: note(23, "the trust anchors for this format are those of the relying party")
    }
    attestation.requirements =
      policy.requirements(on: attestation, aaguid: aaguid)
      + (trust.metadata?.requirements(on: attestation, of: model, at: now) ?? [])
    if let unmet = attestation.requirements.first(where: { !$0.isMet }) {
      if policy.requirement == .trusted, case .untrusted(let why) = attestation.trust {
        throw fault(24, .attestationNotTrusted, "x5c", .certificatePath(why))
      }
      // These say something of the authenticator whoever vouches for it; the others that nobody does.
      let isOfAuthenticator = ["fmt", "metadata entry", "attestationTypes", MetadataPolicy.statusRequirement]
        .contains(unmet.name)
      let code: WebAuthnError.Code =
        attestation.isTrusted || isOfAuthenticator ? .authenticatorNotAccepted : .attestationNotTrusted
      throw fault(24, code, unmet.name, .requirement(unmet))
    }
    switch attestation.trust {
    case .trusted:
      note(24, "the attestation leads to a trust anchor, and meets what the relying party demands", .verified)
    case .untrusted:
      note(24, "the attestation leads to no trust anchor, which the relying party does not demand", .notRequired)
    case .notEvaluated:
      note(24, "whether the attestation certificate is to be trusted: nobody has looked at that yet", .leftToCaller)
    case .notApplicable:
      note(24, "the relying party accepts credentials for which nobody else vouches", .verified)
    }
  }
}

extension VerifiedAttestation {
  /// Finds out whether whoever vouches is to be trusted: of a compound attestation, in each of its statements.
  fileprivate mutating func evaluate(
    _ authorities: AttestationTrust, _ aaguid: [UInt8], of model: ModelEntries, at now: UnixTime
  ) {
    let results = zip(statements, model.ofStatements).map { statement, entries in
      authorities.result(on: statement, aaguid: aaguid, of: entries, at: now)
    }
    for (index, result) in zip(parts.indices, results) { parts[index].trust = result }
    let untrusted = results.first { if case .untrusted = $0 { true } else { false } }
    let trusted = results.first { if case .trusted = $0 { true } else { false } }
    trust = untrusted ?? trusted ?? results.first { $0 == .notEvaluated } ?? .notApplicable
  }
}
