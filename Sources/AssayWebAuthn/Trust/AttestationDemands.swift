internal import AssayCodec

// What a relying party demands of attestation, demand by demand (WebAuthn L3, 7.1 step 24 "assess the attestation
// trustworthiness").

extension AttestationPolicy {
  /// Every demand of the policy, and whether the attestation meets it.
  func requirements(
    on attestation: VerifiedAttestation, aaguid: [UInt8]
  ) -> [CheckedRequirement] {
    var requirements: [CheckedRequirement] = []
    if requirement == .trusted {
      requirements.append(
        CheckedRequirement(
          name: "attestation trust", required: ["trusted"], found: [attestation.trust.word],
          isMet: attestation.isTrusted))
    }
    if let acceptedFormats {
      let formats = [attestation.format] + attestation.parts.map(\.format)
      requirements.append(
        CheckedRequirement(
          name: "fmt", required: acceptedFormats, found: formats,
          isMet: formats.allSatisfy { acceptedFormats.contains($0) }))
    }
    if let acceptedAAGUIDs {
      // Where nobody trusted signs it, anyone may write any AAGUID.
      requirements.append(
        CheckedRequirement(
          name: "aaguid", required: acceptedAAGUIDs.map { Base16.encode($0.span) }, found: [Base16.encode(aaguid.span)],
          isMet: attestation.vouches(forAAGUID: aaguid) && acceptedAAGUIDs.contains(aaguid)))
    }
    return requirements
  }
}
