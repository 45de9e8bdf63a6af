public import AssayCodec
public import AssayCrypto

/// Makes recovery codes, and takes each of them once.
///
/// What is stored are MACs under the server's key, bound to tenant, account and selector: whoever reads the store can neither
/// guess codes nor move them to another account.
public struct RecoveryCodes: Sendable {
  /// How many codes may be made at once.
  public static let countsAllowed = 1...32

  /// How many attempts an account bears.
  public let policy: AttemptPolicy
  private let key: MACKey
  private let store: any RecoveryCodeStore
  private let attempts: any AttemptStore

  /// Recovery codes under a server's key.
  ///
  /// - Parameters:
  ///   - key: A key for HS256 that is for nothing else. Codes stored under another key are lost.
  ///   - store: Where they are kept.
  ///   - attempts: Where failed attempts are counted, apart from those for one-time codes, so that who fails at these does not
  ///     shut an owner out.
  ///   - policy: How many attempts an account bears.
  /// - Throws: `keyNotAllowed`.
  public init(
    key: MACKey, store: any RecoveryCodeStore, attempts: any AttemptStore, policy: AttemptPolicy = .standard
  ) throws(StateError) {
    guard key.algorithm == .hs256 else { throw StateError(.keyNotAllowed) }
    self.key = key
    self.store = store
    self.attempts = attempts
    self.policy = policy
  }

  /// Makes new codes for an account, in place of all it has. Show them to their owner once; they cannot be had again.
  ///
  /// - Throws: `StateError` `countNotAllowed`, `full`, `unavailable`; and what the store's own medium throws.
  public func replace(_ tenant: Tenant, of account: [UInt8], count: Int = 10) async throws -> [RecoveryCode] {
    guard Self.countsAllowed.contains(count) else { throw StateError(.countNotAllowed) }
    let codes = try Self.generate(count)
    var stored: [StoredRecoveryCode] = []
    for code in codes {
      stored.append(StoredRecoveryCode(selector: code.selector, mac: try mac(of: code, tenant, account)))
    }
    try await store.replaceAll(tenant, Self.storeKey(of: account), with: stored)
    return codes
  }

  /// Takes a code, which is used up by it.
  ///
  /// Success proves that whoever sent it had a code of this account that nobody used, and that nobody else can. A code with an
  /// unknown selector costs the same as one with a wrong secret: one row is looked for and one MAC compared.
  ///
  /// - Parameters:
  ///   - tenant: Whose account it is.
  ///   - text: What the user typed: in either case, with spaces and hyphens anywhere, O for 0, I and L for 1.
  ///   - account: The account's identifier within the tenant. One that does not exist takes room among the attempts too: limit
  ///     how often a client may name accounts.
  ///   - now: The time to judge at.
  /// - Returns: How many codes are left, to be told to the owner.
  /// - Throws: `CodeRefusal` `malformedCode`, `locked`, `wrongCode`; `StateError` `full`, `unavailable`; and what the stores'
  ///   own media throw. Whatever it is, refuse.
  public func redeem(_ tenant: Tenant, _ text: [UInt8], of account: [UInt8], at now: UnixTime) async throws -> Int {
    guard let code = RecoveryCode(typed: text) else { throw CodeRefusal(.malformedCode) }
    let attempt = try StateKey("assay recovery attempts", account)
    if case .locked(let until) = try await attempts.charge(tenant, attempt, policy, at: now) {
      throw CodeRefusal(.locked(until: until))
    }
    let accountKey = try Self.storeKey(of: account)
    let found = try await store.find(tenant, accountKey, selector: code.selector)
    let stored = found ?? StoredRecoveryCode(selector: code.selector, mac: Self.nobodysMAC)
    let isRight = key.isValid(stored.mac.span, for: message(of: code, tenant, account).span)
    guard isRight, found != nil, try await store.consume(tenant, accountKey, stored) else {
      throw CodeRefusal(.wrongCode)
    }
    try await attempts.clear(tenant, attempt)
    return try await store.remaining(tenant, accountKey)
  }

  /// How many codes an account has left.
  public func remaining(_ tenant: Tenant, of account: [UInt8]) async throws -> Int {
    try await store.remaining(tenant, Self.storeKey(of: account))
  }

  /// Forgets all codes of an account.
  public func removeAll(_ tenant: Tenant, of account: [UInt8]) async throws {
    try await store.replaceAll(tenant, Self.storeKey(of: account), with: [])
  }

  /// What is compared where no code has the selector; no code counts that was not found.
  private static let nobodysMAC = [UInt8](repeating: 0, count: 32)

  private static func storeKey(of account: [UInt8]) throws(StateError) -> StateKey {
    try StateKey("assay recovery codes", account)
  }

  private func message(of code: RecoveryCode, _ tenant: Tenant, _ account: [UInt8]) -> [UInt8] {
    LengthPrefixed.join([Array("assay recovery code".utf8), tenant.id, account, code.selector, code.secret])
  }

  private func mac(of code: RecoveryCode, _ tenant: Tenant, _ account: [UInt8]) throws(StateError) -> [UInt8] {
    do throws(CryptoError) {
      return try key.tag(for: message(of: code, tenant, account).span)
    } catch { throw StateError(.unavailable) }
  }

  /// So many codes whose selectors differ.
  private static func generate(_ count: Int) throws(StateError) -> [RecoveryCode] {
    var codes: [RecoveryCode] = []
    // Two of 2^30 selectors hardly ever meet: that they keep meeting means that the random bytes are none.
    for _ in 0..<(count + 8) where codes.count < count {
      let random: SecretBytes
      do throws(CryptoError) {
        random = try Random.secret(RecoveryCode.selectorLength + RecoveryCode.secretLength)
      } catch { throw StateError(.unavailable) }
      guard let code = random.withSpan({ RecoveryCode(random: $0) }) else { throw StateError(.unavailable) }
      if !codes.contains(where: { $0.selector == code.selector }) { codes.append(code) }
    }
    guard codes.count == count else { throw StateError(.unavailable) }
    return codes
  }
}
