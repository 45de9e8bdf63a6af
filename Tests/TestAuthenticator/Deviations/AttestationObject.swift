package import AssayCodec
import AssayCrypto
import AssayWebAuthn

extension Deviation where Ceremony == RegistrationCeremony {
  private static func malformed(_ field: Field) -> Refusal { Refusal(.malformedAttestationObject, 13, field) }

  /// WebAuthn L3, 7.1 steps 13 and 21.
  static let attestationObject: [Self] = [
    Self("unknown member of the attestation object") { $0.editObject = { $0.adding("epAtt", .bool(false)) } },
    Self("attestation object with a byte more", malformed("attestationObject")) { $0.spoilObject = { $0.append(0) } },
    Self("attestation object an array", malformed("attestationObject")) { $0.editObject = { .array([$0]) } },
    Self("fmt missing", malformed("fmt")) { $0.editObject = { $0.without("fmt") } },
    Self("fmt a byte string", malformed("fmt")) { $0.fmtValue = .bytes(Array("none".utf8)) },
    Self("attStmt missing", malformed("attStmt")) { $0.editObject = { $0.without("attStmt") } },
    Self("authData missing", malformed("authData")) { $0.editObject = { $0.without("authData") } },
    Self("authData a text", malformed("authData")) { $0.editObject = { $0.setting("authData", .text("x")) } },
    Self("authData empty", Refusal(.malformedAuthenticatorData, 13, "rpIdHash")) {
      $0.editObject = { $0.setting("authData", .bytes([])) }
    },
    Self("authData wrapped, as CTAP has it", Refusal(.malformedAuthenticatorData, 13, ctapWrapped)) {
      $0.parts.spoilAuthData = { $0 = CBORValue.bytes($0).encoded() }
    },
    Self("unknown format", Refusal(.attestationFormatNotSupported, 21, "fmt")) { $0.fmtValue = .text("banana") },
    Self("format in capitals", Refusal(.attestationFormatNotSupported, 21, "fmt")) { $0.fmtValue = .text("None") },
    Self("unknown format, which is ignored", options: { $0.attestationPolicy.unknownFormat = .ignore }) {
      $0.fmtValue = .text("banana")
    },
  ]

  private static let ctapWrapped: Field = "authData (wrapped in a CBOR byte string, as CTAP has it)"

  private static let badKey = Refusal(.invalidPublicKey, 20, "credentialPublicKey")

  /// A key made by hand, instead of the credential's.
  private static func key(
    _ name: String, _ expected: Refusal = badKey, _ key: @escaping @Sendable () throws -> CBORValue
  ) -> Self {
    Self(name, expected) { $0.coseKey = try? key() }
  }

  /// WebAuthn L3, 7.1 step 20: whatever the attestation, no such key is stored.
  static let credentialKey: [Self] = [
    Self(
      name: "algorithm not asked for", expected: Refusal(.algorithmNotAllowed, 20, "alg"),
      change: { ceremony in ceremony.options.algorithms.removeAll { $0 == ceremony.answer.parts.algorithm } }),
    Self("key not canonical", Refusal(.malformedAuthenticatorData, 13, "credentialPublicKey")) {
      let key = (try? TestAuthenticator.coseKey($0.parts.algorithm).encoded()) ?? []
      // The same count of members, in a byte of its own.
      $0.coseKeyBytes = [0xB8] + key.prefix(1).map { $0 & 0x1F } + key.dropFirst()
    },
    key("ML-DSA", Refusal(.algorithmNotSupported, 20, "alg")) {
      .map([
        CBORMapEntry(.unsigned(1), .unsigned(7)), CBORMapEntry(.unsigned(3), CBORValue(-48)),
        CBORMapEntry(.negative(0), .bytes([1])),
      ])
    },
    key("RS1", Refusal(.algorithmNotSupported, 20, "alg")) {
      try TestAuthenticator.coseKey(.rs256).replacing(3, CBORValue(-65_535))
    },
    key("no public key but a number") { .unsigned(0) },
    key("alg missing") { try TestAuthenticator.coseKey().replacing(3, nil) },
    key("kty missing") { try TestAuthenticator.coseKey().replacing(1, nil) },
    key("kty of another kind") { try TestAuthenticator.coseKey().replacing(1, .unsigned(1)) },
    key("point off the curve") {
      try TestAuthenticator.coseKey().replacing(-3, .bytes([UInt8](repeating: 1, count: 32)))
    },
    key("coordinate of 31 bytes") {
      try TestAuthenticator.coseKey().replacing(-2, .bytes([UInt8](repeating: 1, count: 31)))
    },
    key("compressed point") { try TestAuthenticator.coseKey().replacing(-3, .bool(true)) },
    key("ES256 on P-384") { try TestAuthenticator.coseKey().replacing(-1, .unsigned(2)) },
    key("a private key") {
      try TestAuthenticator.coseKey().replacing(-4, .bytes([UInt8](repeating: 1, count: 32)))
    },
    key("one parameter more") { try TestAuthenticator.coseKey().replacing(4, .array([.unsigned(2)])) },
    key("Ed25519 point of small order") {
      try TestAuthenticator.coseKey(.edDSA).replacing(-2, .bytes([1] + [UInt8](repeating: 0, count: 31)))
    },
    key("modulus of 1024 bits") {
      try TestAuthenticator.coseKey(.rs256).replacing(-1, .bytes([UInt8](repeating: 0xFF, count: 128)))
    },
    key("modulus with a zero before it") {
      let key = try TestAuthenticator.coseKey(.rs256)
      guard case .rsa(let modulus, _) = key.numbers else { throw CryptoError(.failed) }
      return try key.replacing(-1, .bytes([0] + modulus))
    },
    key("exponent 1") { try TestAuthenticator.coseKey(.rs256).replacing(-2, .bytes([1])) },
  ]
}

extension CBORValue {
  package func adding(_ name: UTF8Text, _ value: CBORValue) -> CBORValue {
    .map((map ?? []) + [CBORMapEntry(.text(name), value)])
  }

  package func without(_ name: UTF8Text) -> CBORValue { .map((map ?? []).filter { $0.key.text != name }) }

  package func setting(_ name: UTF8Text, _ value: CBORValue) -> CBORValue { without(name).adding(name, value) }
}

extension COSEKey {
  /// The key as CBOR with one parameter set to something else, or left away.
  package func replacing(_ label: Int64, _ value: CBORValue?) throws -> CBORValue {
    let bytes = encoded()
    let entries = try CBORValue.decode(bytes.span, form: .ctap2Canonical).map ?? []
    return .map(
      entries.filter { $0.key.int64 != label } + (value.map { [CBORMapEntry(CBORValue(label), $0)] } ?? []))
  }
}
