/// Why a cryptographic operation gave no result. A signature that does not fit is not an error but an answer.
public struct CryptoError: Error, Hashable, Sendable {
  /// The kind of fault.
  @nonexhaustive
  public enum Code: Hashable, Sendable {
    /// The cryptographic libraries could not be set up, are too old, or failed their known-answer tests.
    case unavailable
    /// The libraries refused the operation, or memory ran out.
    case failed
    /// So many random bytes are not made: the count is negative or above the limit.
    case countNotAllowed(maximum: Int)
  }

  /// The kind of fault.
  public let code: Code

  package init(_ code: Code) { self.code = code }
}

extension CryptoError: CustomStringConvertible {
  /// One line for a person: what is wrong and what to do.
  public var description: String {
    switch code {
    case .unavailable:
      "OpenSSL or libsodium cannot be used: check that OpenSSL is 3.0 or newer, but not 3.0.4, and that both are intact"
    case .failed: "the cryptographic library could not carry out the operation"
    case .countNotAllowed(let maximum): "the count of random bytes must be from 0 to \(maximum)"
    }
  }
}
