/// Whose data a stored thing is. It is the first part of every key and the first argument of every call of a store, so that
/// what one tenant used up, counted or began says nothing about another's.
///
/// Choose it from a closed list, never from something a client sends.
public struct Tenant: Hashable, Sendable {
  /// The longest identifier, in bytes.
  public static let maximumBytes = 64

  /// The tenant's identifier, compared byte for byte.
  public let id: [UInt8]

  /// A tenant of 1 to `maximumBytes` bytes. Throws `tenantNotAllowed`.
  public init(_ id: [UInt8]) throws(StateError) {
    guard (1...Self.maximumBytes).contains(id.count) else { throw StateError(.tenantNotAllowed) }
    self.id = id
  }

  /// A tenant named by text of 1 to `maximumBytes` bytes of UTF-8. Throws `tenantNotAllowed`.
  public init(_ id: String) throws(StateError) { try self.init(Array(id.utf8)) }
}
