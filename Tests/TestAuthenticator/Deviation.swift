import AssayCodec
import AssayWebAuthn

/// A single change to a valid ceremony, by name, and how the ceremony must end then.
package struct Deviation<Ceremony: Sendable>: Sendable, CustomStringConvertible {
  package let name: String
  /// Nil if the ceremony must be accepted all the same.
  package let expected: Refusal?
  package let change: @Sendable (inout Ceremony) -> Void

  package var description: String { name }
}

package typealias RegistrationDeviation = Deviation<RegistrationCeremony>
package typealias AuthenticationDeviation = Deviation<AuthenticationCeremony>

/// What is changed.
package enum DeviationLayer: Hashable, Sendable, CaseIterable {
  /// The members of the client's answer.
  case envelope
  case clientData
  case attestationObject
  case authenticatorData
  case credentialKey
  case statement
  case certificate
  /// The certificates above it, and who is trusted.
  case chain
  /// The stored record, or for whom the ceremony is.
  case record
  /// Bytes, after they were signed.
  case signedBytes
}

extension Deviation where Ceremony == RegistrationCeremony {
  /// A change to the answer and to what the ceremony was begun with.
  init(
    _ name: String, _ expected: Refusal? = nil, crossOrigin: CrossOriginUse = .refused,
    options: @escaping @Sendable (inout RegistrationOptions) -> Void = { _ in },
    change: @escaping @Sendable (inout RegistrationAnswer) -> Void
  ) {
    self.name = name
    self.expected = expected
    self.change = { ceremony in
      ceremony.crossOrigin = crossOrigin
      options(&ceremony.options)
      change(&ceremony.answer)
    }
  }

  /// A change to the certificate, if there is one.
  init(
    _ name: String, _ expected: Refusal? = nil,
    certificate change: @escaping @Sendable (inout TestCertificate, inout RegistrationAnswer) -> Void
  ) {
    self.init(name, expected) { answer in
      guard var certificate = answer.certificate else { return }
      change(&certificate, &answer)
      answer.certificate = certificate
    }
  }

  /// The changes that can be made to a registration of this kind.
  package static func of(_ layer: DeviationLayer, _ attestation: TestAttestation) -> [Self] {
    switch layer {
    case .envelope: envelope
    case .clientData: clientData
    case .attestationObject: attestationObject
    case .authenticatorData: authenticatorData
    case .credentialKey: credentialKey
    case .statement:
      switch attestation {
      case .none: noneStatement
      case .packedSelf: packedSelfStatement
      case .packed: packedStatement
      case .fidoU2F: fidoU2FStatement
      case .tpm: tpmStatement
      case .androidKey: androidKeyStatement
      case .safetyNet: safetyNetStatement
      case .apple: appleStatement
      case .compound: compoundStatement
      }
    case .certificate:
      switch attestation {
      // What a certificate must be like is in their statements' own rules.
      case .none, .packedSelf, .safetyNet, .apple, .compound: []
      case .packed: packedCertificate
      case .fidoU2F: fidoU2FCertificate
      case .tpm: tpmCertificate
      case .androidKey: androidKeyCertificate
      }
    case .chain: attestation == .packed ? chain : []
    case .record: []
    case .signedBytes: attestation.isSigned ? signedBytes(attestation) : []
    }
  }
}

extension Deviation where Ceremony == AuthenticationCeremony {
  package init(
    _ name: String, _ expected: Refusal? = nil, change: @escaping @Sendable (inout AuthenticationCeremony) -> Void
  ) {
    self.name = name
    self.expected = expected
    self.change = change
  }

  /// The changes that can be made to a sign-in.
  package static func of(_ layer: DeviationLayer) -> [Self] {
    switch layer {
    case .envelope: envelope
    case .clientData: clientData
    case .authenticatorData: authenticatorData
    case .record: record
    case .signedBytes: signedBytes
    case .attestationObject, .credentialKey, .statement, .certificate, .chain: []
    }
  }
}
