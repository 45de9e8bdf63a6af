public import AssayCodec
internal import AssayCrypto

/// A registration that has begun: everything that finishing it will demand, and whom it is for.
///
/// Store it on the server (or give it out only encrypted and authenticated), under a key the client cannot choose, and
/// take it out of the store before finishing, so that no ceremony is finished twice.
public struct RegistrationState: Hashable, Sendable {
  let policy: CeremonyPolicy
  /// The user handle of the account that gets the credential.
  public let user: [UInt8]
  let algorithms: [SignatureAlgorithm]
  /// How much the authenticator was asked to tell about itself.
  public let attestation: AttestationConveyance
  let attestationPolicy: AttestationPolicy
  let isConditional: Bool

  /// The challenge the client was given.
  public var challenge: [UInt8] { policy.challenge }
  /// From when on an answer is refused.
  public var expiresAt: UnixTime { policy.expiresAt }

  private static let kind: UTF8Text = "webauthn registration"
  private static let version: UInt64 = 1

  init(
    policy: CeremonyPolicy, user: [UInt8], algorithms: [SignatureAlgorithm], attestation: AttestationConveyance,
    attestationPolicy: AttestationPolicy, isConditional: Bool
  ) {
    self.policy = policy
    self.user = user
    self.algorithms = algorithms
    self.attestation = attestation
    self.attestationPolicy = attestationPolicy
    self.isConditional = isConditional
  }

  /// Reads a state that `encoded` wrote.
  ///
  /// - Throws: `WebAuthnError` with `malformedRecord`, `unknownRecordVersion` or `wrongRecord`.
  public init(decoding bytes: Span<UInt8>) throws(WebAuthnError) {
    var record = try RecordReader(bytes, kind: Self.kind, version: Self.version)
    policy = try CeremonyPolicy(from: &record)
    user = try record.bytes("user")
    algorithms = try record.list("algorithms") { $0.int64.flatMap { SignatureAlgorithm(coseIdentifier: $0) } }
    attestation = try record.word("attestation")
    attestationPolicy = try AttestationPolicy(from: &record)
    isConditional = try record.bool("isConditional")
    try record.end()
  }

  /// The state as bytes to store.
  public func encoded() -> [UInt8] {
    var record = RecordWriter(kind: Self.kind, version: Self.version)
    policy.write(to: &record)
    record.put("user", .bytes(user))
    record.put("algorithms", .array(algorithms.map { CBORValue($0.coseIdentifier) }))
    record.put("attestation", .text(attestation.word))
    attestationPolicy.write(to: &record)
    record.put("isConditional", .bool(isConditional))
    return record.encoded()
  }
}
