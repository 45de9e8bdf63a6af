public import AssayCodec

/// A sign-in that has begun: everything that finishing it will demand, and whom it is for.
///
/// Store it on the server (or give it out only encrypted and authenticated), under a key the client cannot choose, and
/// take it out of the store before finishing, so that no ceremony is finished twice.
public struct AuthenticationState: Hashable, Sendable {
  let policy: CeremonyPolicy
  /// The user handle of the account that signs in; nil if the answer is to say who it is.
  public let user: [UInt8]?
  let allowCredentials: [[UInt8]]
  /// The AppID that may stand in for the relying party's id.
  let appid: UTF8Text?
  let payment: PaymentConfirmation?
  let signCountPolicy: SignCountPolicy
  let backupEligibilityPolicy: BackupEligibilityPolicy

  /// The challenge the client was given.
  public var challenge: [UInt8] { policy.challenge }
  /// From when on an answer is refused.
  public var expiresAt: UnixTime { policy.expiresAt }

  private static let kind: UTF8Text = "webauthn authentication"
  private static let version: UInt64 = 1

  init(
    policy: CeremonyPolicy, user: [UInt8]?, allowCredentials: [[UInt8]], appid: UTF8Text?,
    payment: PaymentConfirmation?, signCountPolicy: SignCountPolicy, backupEligibilityPolicy: BackupEligibilityPolicy
  ) {
    self.policy = policy
    self.user = user
    self.allowCredentials = allowCredentials
    self.appid = appid
    self.payment = payment
    self.signCountPolicy = signCountPolicy
    self.backupEligibilityPolicy = backupEligibilityPolicy
  }

  /// Reads a state that `encoded` wrote.
  ///
  /// - Throws: `WebAuthnError` with `malformedRecord`, `unknownRecordVersion` or `wrongRecord`.
  public init(decoding bytes: Span<UInt8>) throws(WebAuthnError) {
    var record = try RecordReader(bytes, kind: Self.kind, version: Self.version)
    policy = try CeremonyPolicy(from: &record)
    user = record.isNull("user") ? nil : try record.bytes("user")
    allowCredentials = try record.list("allowCredentials", of: \.bytes)
    appid = record.isNull("appid") ? nil : try record.text("appid")
    payment =
      record.isNull("payment")
      ? nil : try RecordReader.valid(PaymentConfirmation(record: record.list("payment") { $0 }), "payment")
    signCountPolicy = try record.word("signCountPolicy")
    backupEligibilityPolicy = try record.word("backupEligibilityPolicy")
    try record.end()
  }

  /// The state as bytes to store.
  public func encoded() -> [UInt8] {
    var record = RecordWriter(kind: Self.kind, version: Self.version)
    policy.write(to: &record)
    record.put("user", user.map { .bytes($0) } ?? .null)
    record.put("allowCredentials", .array(allowCredentials.map { .bytes($0) }))
    record.put("appid", appid.map { .text($0) } ?? .null)
    record.put("payment", payment?.record ?? .null)
    record.put("signCountPolicy", .text(signCountPolicy.word))
    record.put("backupEligibilityPolicy", .text(backupEligibilityPolicy.word))
    return record.encoded()
  }
}
