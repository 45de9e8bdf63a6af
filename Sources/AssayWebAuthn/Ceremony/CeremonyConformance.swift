internal import AssayCodec

/// What a ceremony follows where FIDO's conformance tests for servers contradict WebAuthn Level 3.
///
/// Where they only leave less to the relying party, options of their own serve both: `SignCountPolicy`,
/// `AttestationPolicy.allowsSHA1`, `CertificatePathPolicy.allowsAnchorInPath`.
public enum CeremonyConformance: Hashable, Sendable, CaseIterable {
  /// WebAuthn Level 3.
  case level3
  /// FIDO's tests too. Whatever Level 3 refuses is still refused, and beyond it:
  /// - client data whose `tokenBinding`, which Level 3 ignores, is no object with a `status` of `present`, `supported` or
  ///   `not-supported` (tests Resp-2 F-15, F-16 and F-17 of both ceremonies);
  /// - a `fido-u2f` attestation with an AAGUID that is not zero, which WebAuthn L3, 8.6 does not look at (test Resp-8 F-1).
  case fido
}

extension CeremonyConformance: SpecificationWord {
  var word: UTF8Text {
    switch self {
    case .level3: "level3"
    case .fido: "fido"
    }
  }
}

extension CeremonyConformance {
  /// Refuses client data for its `tokenBinding`, if it is looked at (WebAuthn Level 2, 5.8.1).
  func check(tokenBinding: JSONValue?) throws(CodecError) {
    guard self == .fido, let tokenBinding else { return }
    guard let object = tokenBinding.object else { throw CodecError(.wrongType, "tokenBinding", at: 0) }
    guard let status = object["status"] else { throw CodecError(.missing, "tokenBinding.status", at: 0) }
    guard let word = status.string else { throw CodecError(.wrongType, "tokenBinding.status", at: 0) }
    guard (["present", "supported", "not-supported"] as [UTF8Text]).contains(word) else {
      throw CodecError(.invalidValue, "tokenBinding.status", at: 0)
    }
  }

  /// Whether a verified attestation may come with this AAGUID.
  func allows(aaguid: [UInt8], in attestation: VerifiedAttestation) -> Bool {
    guard self == .fido, aaguid.contains(where: { $0 != 0 }) else { return true }
    return !([attestation] + attestation.parts).contains { $0.format == AttestationFormat.fidoU2F.word }
  }
}
