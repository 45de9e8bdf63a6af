public import AssayCodec
internal import AssayCrypto

/// A key of an app's instance, made by App Attest: what a server stores of it.
public struct AppAttestKey: Hashable, Sendable {
  /// The key identifier: the SHA-256 of the public key.
  public let id: [UInt8]
  /// The App ID of the app.
  public let appID: UTF8Text
  /// In which of Apple's environments it was made.
  public let environment: AppAttest.Environment
  /// The public key on P-256 as an uncompressed point: 65 bytes (SEC 1, 2.3.3).
  public let publicKey: [UInt8]
  /// The counter of the last assertion; 0 before the first.
  public let signCount: UInt32

  private static let kind: UTF8Text = "app attest key"
  private static let version: UInt64 = 1

  init(
    id: [UInt8], appID: UTF8Text, environment: AppAttest.Environment, publicKey: [UInt8], signCount: UInt32
  ) {
    self.id = id
    self.appID = appID
    self.environment = environment
    self.publicKey = publicKey
    self.signCount = signCount
  }

  /// Reads a key that `encoded` wrote.
  ///
  /// - Throws: `WebAuthnError` with `malformedRecord`, `unknownRecordVersion` or `wrongRecord`.
  public init(decoding bytes: Span<UInt8>) throws(WebAuthnError) {
    var record = try RecordReader(bytes, kind: Self.kind, version: Self.version)
    id = try record.bytes("id")
    appID = try record.text("appID")
    environment = try record.word("environment")
    publicKey = try record.bytes("publicKey")
    signCount = try RecordReader.valid(UInt32(exactly: record.integer("signCount")), "signCount")
    try record.end()
  }

  /// The key as bytes to store.
  public func encoded() -> [UInt8] {
    var record = RecordWriter(kind: Self.kind, version: Self.version)
    record.put("id", .bytes(id))
    record.put("appID", .text(appID))
    record.put("environment", .text(environment.word))
    record.put("publicKey", .bytes(publicKey))
    record.put("signCount", .unsigned(UInt64(signCount)))
    return record.encoded()
  }

  func verificationKey() throws(WebAuthnError) -> VerificationKey {
    guard publicKey.count == 65, publicKey.first == 0x04 else {
      throw WebAuthnError(.invalidPublicKey, "key.publicKey")
    }
    do throws(KeyError) {
      let (x, y) = (Array(publicKey[1..<33]), Array(publicKey[33...]))
      return try VerificationKey(.ec(.p256, x: x, y: y), for: .es256)
    } catch {
      throw WebAuthnError(.invalidPublicKey, "key.publicKey", at: nil, .key(error))
    }
  }
}
