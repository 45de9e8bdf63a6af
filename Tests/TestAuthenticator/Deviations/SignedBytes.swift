import AssayCodec
import AssayCrypto
import AssayWebAuthn

/// A change to the signature, of either ceremony.
private struct SignatureDeviation {
  let name: String
  let change: @Sendable (inout AnswerParts) -> Void

  init(_ name: String, change: @escaping @Sendable (inout AnswerParts) -> Void) {
    self.name = name
    self.change = change
  }

  static let signatures: [Self] = [
    Self("signature altered") { $0.spoilSignature = { $0[$0.count - 1] ^= 1 } },
    Self("signature with a byte more") { $0.spoilSignature = { $0.append(0) } },
    Self("signature with a byte less") { $0.spoilSignature = { $0.removeLast() } },
    Self("signature of fixed width, as JOSE has it") {
      $0.spoilSignature = { $0 = [UInt8](repeating: 1, count: 64) }
    },
    Self("signature by another key") {
      $0.spoilSignature = {
        let message: [UInt8] = [1]
        $0 = (try? TestCertificate.key(.esp256).sign(message.span, ecdsa: .der)) ?? []
      }
    },
  ]
}

extension Deviation where Ceremony == RegistrationCeremony {
  /// What no signature of any format forgives.
  static func signedBytes(_ attestation: TestAttestation) -> [Self] {
    let invalid = Refusal(.signatureInvalid, 22, "sig")
    let signatures =
      SignatureDeviation.signatures.map { each in Self(each.name, invalid) { each.change(&$0.parts) } } + [
        Self("signature empty", invalid) { $0.parts.spoilSignature = { $0 = [] } }
      ]
    return (attestation.hasSignature ? signatures : []) + [
      Self("client data changed after it was signed", attestation.mismatch) {
        $0.parts.spoilClientData = { $0.append(0x20) }
      },
      // The last byte of the id, which every format signs.
      Self("credential id changed after it was signed", attestation.mismatch) {
        $0.parts.spoilAuthData = { $0[37 + 16 + 2 + 31] ^= 1 }
      },
    ]
  }
}

extension Deviation where Ceremony == AuthenticationCeremony {
  private static let invalid = Refusal(.signatureInvalid, 21, "signature")

  static let signedBytes =
    SignatureDeviation.signatures.map { each in Self(each.name, invalid) { each.change(&$0.answer.parts) } }
    + [
      Self("client data changed after it was signed", invalid) {
        $0.answer.parts.spoilClientData = { $0.append(0x20) }
      },
      Self("counter changed after it was signed", invalid) { $0.answer.parts.spoilAuthData = { $0[36] ^= 1 } },
      Self("reserved flag set after it was signed", invalid) { $0.answer.parts.spoilAuthData = { $0[32] ^= 2 } },
      Self("wrong signature and wrong counter: the signature comes first", invalid) {
        $0.answer.parts.spoilSignature = { $0[$0.count - 1] ^= 1 }
        $0.storedSignCount = 7
      },
    ]
}
