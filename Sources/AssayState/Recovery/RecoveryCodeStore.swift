/// What is stored of a recovery code. Without the server's key it says nothing about the code.
public struct StoredRecoveryCode: Hashable, Sendable {
  /// What finds it among an account's codes; not secret.
  public let selector: [UInt8]
  /// HMAC-SHA-256 of tenant, account, selector and secret, under the server's key.
  public let mac: [UInt8]

  /// A code to store, or read from where it was stored.
  public init(selector: [UInt8], mac: [UInt8]) {
    self.selector = selector
    self.mac = mac
  }
}

/// Keeps what recovery codes are recognised by.
///
/// An implementer guarantees:
/// - `replaceAll` is one atomic step: no reader finds old and new codes together, or none at all. In SQL it is one transaction.
/// - `consume` is one atomic step, durable before the answer: of any number of calls at once, in any number of processes, one gets
///   true. In SQL it is one statement, `DELETE … WHERE tenant = :tenant AND account = :account AND selector = :selector AND mac
///   = :mac`, that deleted one row or none.
/// - `find` uses an index over tenant, account and selector.
/// - Codes of one tenant or account are never given to another.
public protocol RecoveryCodeStore: Sendable {
  /// Forgets all codes of an account, and keeps these, whose selectors differ.
  func replaceAll(_ tenant: Tenant, _ account: StateKey, with codes: [StoredRecoveryCode]) async throws

  /// The code with a selector.
  func find(_ tenant: Tenant, _ account: StateKey, selector: [UInt8]) async throws -> StoredRecoveryCode?

  /// Deletes exactly this code. Returns whether it was there.
  func consume(_ tenant: Tenant, _ account: StateKey, _ code: StoredRecoveryCode) async throws -> Bool

  /// How many codes an account has left.
  func remaining(_ tenant: Tenant, _ account: StateKey) async throws -> Int
}
