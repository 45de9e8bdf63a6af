package import AssayCodec

/// The attestation statement formats that are verified (WebAuthn L3, 8).
package enum AttestationFormat: SpecificationWord {
  case packed
  case tpm
  case fidoU2F
  case androidKey
  case androidSafetyNet
  case apple
  case compound
  case none

  /// The format's identifier, compared byte for byte (WebAuthn L3, 8.1).
  package var word: UTF8Text {
    switch self {
    case .packed: "packed"
    case .tpm: "tpm"
    case .fidoU2F: "fido-u2f"
    case .androidKey: "android-key"
    case .androidSafetyNet: "android-safetynet"
    case .apple: "apple"
    case .compound: "compound"
    case .none: "none"
    }
  }

  /// All of them, for messages.
  static var names: String { allCases.map(\.word.string).joined(separator: ", ") }
}
