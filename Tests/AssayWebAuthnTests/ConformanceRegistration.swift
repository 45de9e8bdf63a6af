import AssayCrypto
import AssayWebAuthn
import TestAuthenticator

/// FIDO's tests of registrations.
enum ConformanceRegistration {
  typealias Item = ConformanceItem

  /// The options.
  static let request: [Item] = [
    .options("P-1", "every member of the options") { try RelyingPartyTests().creationOptionsAreExactly() },
    .options("P-2", "attestation none is echoed") { try RelyingPartyTests().defaultsAreThoseOfAPasskey() },
    .options("P-3", "two challenges differ") { try RelyingPartyTests().defaultsAreThoseOfAPasskey() },
    .options("P-4 [26]", "userVerification required is echoed") {
      try RelyingPartyTests().defaultsAreThoseOfAPasskey()
    },
  ]

  private static func envelope(_ id: String, _ what: String) -> Item {
    .refuses(id, what, .packed, .envelope, what, .malformedResponse)
  }

  /// Resp-1.
  static let envelope: [Item] = [
    .accepts("P-1", "valid packed", .packed),
    envelope("F-1", "id missing"), envelope("F-2", "id is 1469"), envelope("F-3", "id not base64url"),
    envelope("F-4", "type missing"), envelope("F-5", "type is 1469"), envelope("F-6", "type of a password"),
    envelope("F-7", "response missing"), envelope("F-8", "response is 1469"),
    envelope("F-9", "clientDataJSON missing"), envelope("F-10", "clientDataJSON is 1469"),
    envelope("F-11", "clientDataJSON empty"), envelope("F-12", "attestationObject missing"),
    envelope("F-13", "attestationObject is 1469"), envelope("F-14", "attestationObject empty"),
    .refuses(
      "F-15 [26]", "UV clear while it is required", .packed, .authenticatorData, "user not verified", .userNotVerified),
  ]

  /// What Level 3 says of `tokenBinding`: nothing.
  private static func tokenBinding(_ id: String, _ what: String) -> Item {
    .refuses(
      id, what, .packed, .clientData, "\(what), in FIDO's mode", .malformedClientData,
      contradiction: .bySwitch(
        "RegistrationOptions.conformance", .registration(.packed, .es256, .clientData, what), nil))
  }

  /// Resp-2.
  static let clientData: [Item] = ConformanceClientData.table.map { id, what, code in
    code.map { .refuses(id, what, .packed, .clientData, what, $0) } ?? tokenBinding(id, what)
  }

  private static func object(_ id: String, _ what: String) -> Item {
    .refuses(id, what, .packed, .attestationObject, what, .malformedAttestationObject)
  }

  private static func authData(_ id: String, _ what: String) -> Item {
    .refuses(id, what, .packed, .authenticatorData, what, .malformedAuthenticatorData)
  }

  private static func statement(_ id: String, _ what: String) -> Item {
    .refuses(id, what, .packed, .statement, what, .malformedAttestationStatement)
  }

  /// Resp-3.
  static let attestationObject: [Item] = [
    .accepts("P-1", "ED with extension data", .packed, .es256, .authenticatorData, "extensions"),
    object("F-1", "attestation object an array"), object("F-2", "fmt missing"), object("F-3", "fmt a byte string"),
    object("F-4", "attStmt missing"), statement("F-5", "statement an array"), object("F-6", "authData missing"),
    object("F-7", "authData a text"),
    .refuses("F-8", "authData empty", .packed, .attestationObject, "authData empty", .malformedAuthenticatorData),
    authData("F-9", "AT clear, data there"), authData("F-10", "AT clear, no data"),
    authData("F-11", "AT set, no data"), authData("F-12", "ED clear, extensions there"),
    statement("F-13", "statement empty"), statement("F-14", "alg missing"), statement("F-15", "alg a text"),
    .refuses("F-16", "alg -42 on P-256", .packedSelf, .statement, "alg unknown", .malformedAttestationStatement),
    statement("F-17", "sig missing"), statement("F-18", "sig a text"),
    .refuses("F-19", "sig empty", .packed, .signedBytes, "signature empty", .signatureInvalid),
  ]

  /// Resp-4: self attestation by each algorithm.
  static let algorithms: [Item] = [
    .accepts("P-1", "secp256k1", .packedSelf, .es256k), .accepts("P-2", "PS256", .packedSelf, .ps256),
    .accepts("P-3", "PS384", .packedSelf, .ps384), .accepts("P-4", "PS512", .packedSelf, .ps512),
    .accepts("P-5", "RS256", .packedSelf, .rs256), .accepts("P-6", "RS384", .packedSelf, .rs384),
    .accepts("P-7", "RS512", .packedSelf, .rs512), rs1, .accepts("P-9", "ES256", .packedSelf, .es256),
    .accepts("P-10", "ES384", .packedSelf, .es384), .accepts("P-11", "ES512", .packedSelf, .es512),
    .accepts("P-12", "Ed25519", .packedSelf, .edDSA),
  ]

  private static let rs1 = Item(
    id: "P-8", what: "RS1, for which the tool sends ES256",
    shown: .ceremony(.registration(.packedSelf, .es256, nil, nil), nil),
    contradiction: .declined("credentials never sign with SHA-1; attestation may, by AttestationPolicy.allowsSHA1"))

  private static func chain(_ id: String, _ what: String, _ deviation: String? = nil) -> Item {
    .refuses(id, what, .packed, .chain, deviation ?? what, .attestationNotTrusted)
  }

  /// Resp-5: packed with certificates.
  static let packed: [Item] = [
    .accepts("P-1", "valid", .packed),
    .accepts("P-2", "a chain to the root", .packed, .es256, .chain, "leads to the root"),
    .accepts("P-3 [26]", "a batch certificate that is the anchor", .packed, .es256, .chain, "the leaf is the anchor"),
    .accepts("P-4 [26]", "a root with critical Basic Constraints", .packed, .es256, .chain, "leads to the root"),
    .trusts(
      "P-5 [26]", "metadata with numbers of 64 bits", .packed,
      ConformanceMetadata(authenticatorGetInfo: #"{"vendorPrototypeConfigCommands":[18446744073709551615]}"#)),
    .refuses("F-1", "unknown fmt", .packed, .attestationObject, "unknown format", .attestationFormatNotSupported),
    .refuses("F-2", "sig not verifiable", .packed, .signedBytes, "signature altered", .signatureInvalid),
    .refuses("F-3", "x5c missing", .packed, .statement, "certificates removed", .signatureInvalid),
    statement("F-4", "x5c a byte string"), statement("F-5", "x5c empty"), chain("F-6", "leaf expired"),
    chain("F-7", "leaf not yet valid"),
    .refuses(
      "F-8", "a key on secp256k1 beside ES256", .packed, .certificate, "a key on secp256k1, said to be ES256",
      .attestationCertificateNotAllowed),
    chain("F-9", "chain not verifiable", "authority expired"),
    .refuses(
      "F-10", "the root in x5c", .packed, .chain, "the root among the certificates, where that is refused",
      .attestationNotTrusted,
      contradiction: .bySwitch(
        "CertificatePathPolicy.allowsAnchorInPath",
        .registration(.packed, .es256, .chain, "the root among the certificates"), nil)),
    chain("F-11", "wrong order"), chain("F-12", "intermediate expired", "authority expired"),
    .refuses(
      "F-13", "another key than the leaf's", .packed, .signedBytes, "signature by another key", .signatureInvalid),
    .refuses(
      "F-14", "the credential's key", .packed, .statement, "signature by the credential's own key", .signatureInvalid),
  ]

  /// Resp-6: packed by the credential's own key.
  static let packedSelf: [Item] = [
    .accepts("P-1", "valid", .packedSelf),
    .refuses("F-1", "bad sig", .packedSelf, .signedBytes, "signature altered", .signatureInvalid),
    .distrusts(
      "F-2", "certificates where the metadata has self only", .packed, nil, nil, .authenticatorNotAccepted,
      ConformanceMetadata(attestationTypes: "basic_surrogate")),
    .refuses("F-3", "unknown fmt", .packedSelf, .attestationObject, "unknown format", .attestationFormatNotSupported),
  ]

  /// Resp-7.
  static let none: [Item] = [
    .accepts("P-1", "valid", .none), .accepts("P-2", "self although none was asked for", .packedSelf),
    .refuses("F-1", "a packed statement", .none, .statement, "a packed statement", .malformedAttestationStatement),
  ]

  /// Resp-8.
  static let fidoU2F: [Item] = [
    .accepts("P-1", "valid", .fidoU2F),
    .refuses(
      "F-1", "AAGUID not zero", .fidoU2F, .statement, "an aaguid, in FIDO's mode", .malformedAttestationStatement,
      contradiction: .bySwitch(
        "RegistrationOptions.conformance",
        .registration(.fidoU2F, .es256, .statement, "an aaguid, which the procedure does not look at"), nil)),
    .refuses("F-2", "bad sig", .fidoU2F, .signedBytes, "signature altered", .signatureInvalid),
  ]

  /// Resp-9.
  static let tpm: [Item] = [
    .accepts("P-1", "RS256", .tpm, .rs256),
    Item(
      id: "P-2", what: "SHA-1 (RS1), of the statement and of the credential",
      shown: .vectors([
        // Of a real TPM, whose statement alone is signed with RS1.
        ("captured/fido2-helpers-tpm-257-bubba-reg.json", nil),
        (
          "captured/simplewebauthn-tpm-65535-should-validate-tpm-rsa-response-sha1-reg.json", .algorithmNotSupported
        ),
      ]),
      contradiction: .declined("credentials never sign with SHA-1; the statement may, by AttestationPolicy.allowsSHA1")),
    .refuses(
      "P-3 [21]", "nameAlg is not the hash of the name", .tpm, .statement, "the name of another algorithm",
      .attestationMismatch,
      contradiction: .declined("WebAuthn L3, 8.3 has the name made with nameAlg; the tool gave the test up")),
    .accepts("P-4 [26]", "ES256", .tpm),
    .refuses(
      "F-1", "wrong order", .tpm, .statement, "certificates in another order", .attestationCertificateNotAllowed),
    .refuses("F-2", "extraData", .tpm, .statement, "extraData of another message", .attestationMismatch),
    .refuses("F-3", "magic", .tpm, .statement, "magic", .malformedAttestationStatement),
    .refuses("F-4", "unique is another key", .tpm, .statement, "another key", .attestationMismatch),
  ]

  private static func android(
    _ id: String, _ what: String, _ layer: DeviationLayer, _ deviation: String,
    _ code: WebAuthnError.Code
  ) -> Item {
    .distrusts(id, what, .androidKey, layer, deviation, code)
  }

  /// Resp-A.
  static let androidKey: [Item] = [
    .trusts("P-1", "valid", .androidKey),
    android("F-1", "wrong hash in the leaf", .certificate, "challenge altered", .attestationMismatch),
    android("F-2", "wrong key in the leaf", .statement, "another key than the credential's", .attestationMismatch),
    android("F-3", "wrong order", .statement, "certificates in the wrong order", .signatureInvalid),
  ]

  private static func safetyNet(_ id: String, _ deviation: String, _ code: WebAuthnError.Code) -> Item {
    .distrusts(id, deviation, .safetyNet, .statement, deviation, code)
  }

  /// Resp-B, which only the list of 2021 has.
  static let safetyNet: [Item] = [
    .trusts("P-1 [21]", "valid", .safetyNet),
    safetyNet("F-1 [21]", "ver empty", .malformedAttestationStatement),
    safetyNet("F-2 [21]", "response empty", .malformedAttestationStatement),
    safetyNet("F-3 [21]", "nonce of other data", .attestationMismatch),
    safetyNet("F-4 [21]", "x5c empty", .malformedAttestationStatement),
    safetyNet("F-5 [21]", "ctsProfileMatch false", .attestationNotAllowed),
    safetyNet("F-6 [21]", "made later than now", .attestationNotAllowed),
    safetyNet("F-7 [21]", "older than a minute", .attestationNotAllowed),
  ]
}
