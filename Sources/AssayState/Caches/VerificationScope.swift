private import Synchronization

/// Which rules and keys a verdict was reached by: one for each verifier and each set of keys, equal to no other in the process.
///
/// Make it together with the verifier, and a new one whenever its keys or rules change.
public struct VerificationScope: Hashable, Sendable {
  private static let made = Atomic<UInt64>(0)
  private let number: UInt64

  /// A scope that is equal to no other.
  public init() { number = Self.made.wrappingAdd(1, ordering: .relaxed).newValue }
}
