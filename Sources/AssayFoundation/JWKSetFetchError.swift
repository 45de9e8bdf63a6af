/// Why a JWK Set could not be fetched.
@nonexhaustive
public enum JWKSetFetchError: Error, Hashable, Sendable {
  /// The address is not an HTTPS one.
  case notHTTPS
  /// The address has no host.
  case noHost
  /// The address holds a user's name or password.
  case holdsPassword
  /// The answer's status is not 200: redirections are not followed.
  case status(Int)
  /// The answer says that it is something else than JSON.
  case wrongContentType
  /// The answer is longer than allowed.
  case tooLarge(limit: Int)
  /// The answer did not come in time.
  case timedOut
}

extension JWKSetFetchError: CustomStringConvertible {
  /// One line for a person: what is wrong and what to do.
  public var description: String {
    switch self {
    case .notHTTPS: "a JWK Set is fetched over https only: give such an address"
    case .noHost: "the address of the JWK Set has no host"
    case .holdsPassword: "the address of the JWK Set holds a user's name or password: leave them out"
    case .status(let status):
      "the server answered with status \(status) in place of 200; redirections are not followed: give the final address"
    case .wrongContentType: "the server answered with something else than JSON: check the address"
    case .tooLarge(let limit): "the server's answer is longer than \(limit) bytes"
    case .timedOut: "the server did not answer in time"
    }
  }
}
