public import AssayCodec

/// How a new credential was vouched for (WebAuthn L3, 6.5.3).
@nonexhaustive
public enum AttestationType: Hashable, Sendable {
  /// Not at all.
  case none
  /// By its own key: that proves possession of the key, and nothing about the authenticator.
  case selfAttestation
  /// By the key of an attestation certificate: the authenticator's own or its model's (Basic), or one that an attestation
  /// CA made for it (AttCA). Which of them cannot be told from the statement.
  case basicOrAttCA
  /// By the key of the authenticator's own certificate, which it shares with the others of its model.
  case basic
  /// By a key that an attestation CA has certified for this one authenticator.
  case attCA
  /// By a key that an anonymization CA has certified for this one credential.
  case anonCA
  /// By several statements, each of its own type: see `VerifiedAttestation.parts`.
  case compound
  /// By a statement of a format that is not known here, which nobody has looked at: it counts for nothing.
  case unverified
}

/// An attestation statement whose signature and form were verified, unless its type is `unverified`.
public struct VerifiedAttestation: Hashable, Sendable {
  /// The attestation statement format, in the authenticator's word.
  public let format: UTF8Text
  /// The attestation type.
  public let type: AttestationType
  /// Whether whoever vouches is to be trusted. Until it is, what the certificates say may be anyone's invention.
  public internal(set) var trust: AttestationTrustResult
  /// What the relying party demands of attestation, each demand with what was found.
  public internal(set) var requirements: [CheckedRequirement] = []
  /// The attestation certificate, whose key made the signature, then the further ones the authenticator sent, each in DER,
  /// byte for byte. Empty without certificates.
  public let trustPath: [[UInt8]]
  /// What to store of the attestation certificate, if there is one.
  public let certificate: AttestationCertificateFacts?
  /// The statements that a compound one is made of, at least two, each verified unless its type is `unverified`;
  /// empty for every other format. The whole is trusted if one of them is and none is untrusted.
  public internal(set) var parts: [VerifiedAttestation]
  /// What Android's key store says of the credential's key, in the certificate of an `android-key` attestation.
  public internal(set) var androidKey: AndroidKeyDescription?
  /// What the attestation certificate says of the TPM, if the statement is a TPM's.
  public let tpm: TPMFacts?

  /// An attestation without certificates.
  init(_ format: UTF8Text, _ type: AttestationType) {
    self.format = format
    self.type = type
    trust = .notApplicable
    trustPath = []
    certificate = nil
    parts = []
    tpm = nil
  }

  /// An attestation by the key of a certificate.
  init(
    _ format: UTF8Text, _ type: AttestationType, by certificates: AttestationCertificates, tpm: TPMFacts? = nil
  ) throws(WebAuthnError) {
    self.format = format
    self.type = type
    trust = .notEvaluated
    trustPath = certificates.trustPath
    certificate = try AttestationCertificateFacts(of: certificates)
    self.tpm = tpm
    parts = []
  }

  /// An attestation by several statements.
  init(_ format: UTF8Text, of parts: [VerifiedAttestation]) {
    self.format = format
    type = .compound
    trust = parts.contains { $0.trust == .notEvaluated } ? .notEvaluated : .notApplicable
    trustPath = []
    certificate = nil
    tpm = nil
    self.parts = parts
  }

  /// The AAGUID that the attestation certificate names, if it does. With U2F authenticators, whose authenticator data
  /// names none, it is the only one.
  public var certificateAAGUID: [UInt8]? { certificate?.aaguid }

  /// Whether someone whom the relying party trusts vouches for the authenticator.
  public var isTrusted: Bool {
    if case .trusted = trust { true } else { false }
  }

  /// The statements that vouch: the parts of a compound attestation, or this one.
  var statements: [VerifiedAttestation] { parts.isEmpty ? [self] : parts }

  /// Whether what was verified covers the AAGUID of the authenticator data. The signature of U2F does not: the client can
  /// write there what it likes.
  var coversAAGUID: Bool { AttestationFormat(word: format) != .fidoU2F }

  /// The model that a statement is about, `aaguid` being that of the authenticator data: where the signature does not cover
  /// that, the one in the certificate, or that of zeros, which names none.
  func statedAAGUID(_ aaguid: [UInt8]) -> [UInt8] {
    guard !coversAAGUID else { return aaguid }
    return certificateAAGUID ?? [UInt8](repeating: 0, count: AttestedCredentialData.aaguidBytes)
  }

  /// Whether someone trusted vouches for the authenticator in a statement that covers its AAGUID. U2F authenticators have
  /// that of zeros, or the one in their certificate.
  func vouches(forAAGUID aaguid: [UInt8]) -> Bool {
    isTrusted
      && statements.contains { statement in
        statement.isTrusted
          && (statement.coversAAGUID || statement.certificateAAGUID == aaguid || aaguid.allSatisfy { $0 == 0 })
      }
  }
}
