public import AssayJOSE

/// No key of an issuer can be used: none was ever fetched, or the last fetch that succeeded is too long ago.
///
/// This is the server's trouble, not the token's: answer as for a fault of one's own, not as for a bad token.
public struct KeysUnavailable: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line for a person: what is wrong and what to do.
  public var description: String {
    "the issuer's keys could not be fetched; see the cache's lastFailure, and the policy's staleLimit and coolDown"
  }
}

/// Why fetched keys did not replace the ones there are.
@nonexhaustive
public enum RefreshFailure: Error, Sendable {
  /// The source threw this.
  case source(any Error)
  /// The source did not answer in time.
  case timedOut
  /// The set is longer than the policy allows.
  case tooLarge(limit: Int)
  /// The set has more keys than the policy allows.
  case tooManyKeys(limit: Int)
  /// What was fetched is not a JWK Set.
  case notASet(JWKSetError)
  /// The keys cannot be held.
  case notUsable(TrustedIssuerError)
}

extension RefreshFailure: CustomStringConvertible {
  /// One line for a person: what is wrong. What the source threw is not repeated.
  public var description: String {
    switch self {
    case .source: "the source failed"
    case .timedOut: "the source did not answer in time"
    case .tooLarge(let limit): "the set is longer than \(limit) bytes"
    case .tooManyKeys(let limit): "the set has more than \(limit) keys"
    case .notASet(let error): "\(error)"
    case .notUsable(let error): "\(error)"
    }
  }
}
