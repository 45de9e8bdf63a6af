internal import AssayCodec

/// The attestation statement formats that are verified (WebAuthn L3, 8).
enum AttestationFormat: SpecificationWord {
  case packed
  case fidoU2F
  case none

  /// The format's identifier, compared byte for byte (WebAuthn L3, 8.1).
  var word: UTF8Text {
    switch self {
    case .packed: "packed"
    case .fidoU2F: "fido-u2f"
    case .none: "none"
    }
  }
}
