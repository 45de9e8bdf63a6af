package import AssayCodec
package import AssayCrypto
import AssayWebAuthn

/// The ways in which the test authenticator vouches for a credential: one for each format and each kind of attestation in it.
package enum TestAttestation: Hashable, Sendable, CaseIterable {
  case none
  case packedSelf
  case packed
  case fidoU2F
  case tpm
  case androidKey
  case safetyNet
  case apple
  case compound

  /// The attestation statement format identifier.
  package var fmt: UTF8Text {
    switch self {
    case .none: "none"
    case .packedSelf, .packed: "packed"
    case .fidoU2F: "fido-u2f"
    case .tpm: "tpm"
    case .androidKey: "android-key"
    case .safetyNet: "android-safetynet"
    case .apple: "apple"
    case .compound: "compound"
    }
  }

  /// Whether a signature covers the authenticator data and the client data.
  package var isSigned: Bool { self != .none }

  /// Whether the statement has a signature of its own in `sig`.
  var hasSignature: Bool {
    switch self {
    case .none, .safetyNet, .apple, .compound: false
    case .packedSelf, .packed, .fidoU2F, .tpm, .androidKey: true
    }
  }

  /// How a registration ends whose authenticator data or client data are not those that were vouched for.
  var mismatch: Refusal {
    switch self {
    case .tpm: Refusal(.attestationMismatch, 22, "certInfo.extraData")
    case .safetyNet, .apple: Refusal(.attestationMismatch, 22, "nonce")
    case .none, .packedSelf, .packed, .fidoU2F, .androidKey, .compound: Refusal(.signatureInvalid, 22, "sig")
    }
  }

  /// Which credentials can be vouched for in this way.
  package var algorithms: [SignatureAlgorithm] {
    switch self {
    case .none, .packedSelf, .packed, .androidKey, .safetyNet, .apple, .compound: SignatureAlgorithm.allCases
    case .fidoU2F: [.es256]
    case .tpm:
      [.es256, .es384, .es512, .esp256, .esp384, .esp512, .rs256, .rs384, .rs512, .ps256, .ps384, .ps512]
    }
  }

  /// One whose key is of another kind, for a statement that must not name it.
  static func otherKind(_ algorithm: SignatureAlgorithm) -> SignatureAlgorithm {
    [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512].contains(algorithm) ? .es256 : .rs256
  }

  /// Turns a registration into one that is vouched for in this way.
  package func prepare(_ ceremony: inout RegistrationCeremony) {
    ceremony.answer.fmt = fmt
    let algorithm = ceremony.answer.parts.algorithm
    switch self {
    case .none, .packedSelf: break
    case .packed:
      var certificate = TestCertificate()
      certificate.issuer = .intermediate
      ceremony.answer.certificate = certificate
      if let intermediate = try? TestAuthority.intermediate.certificate(by: .root).der() {
        ceremony.answer.chain = [intermediate]
      }
    case .fidoU2F:
      ceremony.answer.aaguid = [UInt8](repeating: 0, count: 16)
      var certificate = TestCertificate()
      certificate.subject = [(TestCertificate.OID.commonName, .printableString, Array("U2F 1".utf8))]
      certificate.extensions = [(TestCertificate.OID.transports, nil, [0x03, 0x02, 0x05, 0x20])]
      ceremony.answer.certificate = certificate
    case .tpm: ceremony.answer.tpm = TestTPM()
    case .androidKey:
      var statement = AndroidKeyStatement()
      statement.algorithm = algorithm
      ceremony.answer.makeStatement = { [statement] in try statement.made($0, $1) }
    case .safetyNet:
      ceremony.options.attestationPolicy.safetyNet = SafetyNetPolicy()
      let statement = SafetyNetStatement()
      ceremony.answer.makeStatement = { try statement.made($0, $1) }
    case .apple:
      let statement = AppleStatement(algorithm: algorithm)
      ceremony.answer.makeStatement = { try statement.made($0, $1) }
    case .compound:
      let statement = CompoundStatement(algorithm: algorithm)
      ceremony.answer.makeStatement = { try statement.made($0, $1) }
    }
  }
}
