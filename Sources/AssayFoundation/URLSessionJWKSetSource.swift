public import AssayState
public import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Fetches a JWK Set over HTTPS with `URLSession`.
///
/// It asks the one address it was made with: redirections are not followed, cookies and stored passwords are neither sent nor
/// kept. An answer counts if its status is 200, it says that it is JSON or does not say what it is, and it is no longer than it
/// may be, which is watched while it arrives.
public struct URLSessionJWKSetSource: JWKSetSource {
  private let address: URL
  private let timeout: Double

  /// A source at an HTTPS address.
  ///
  /// - Parameters:
  ///   - address: Where the set is, such as the `jwks_uri` of the issuer's metadata: from configuration, never from a token.
  ///   - timeout: How long a fetch may take in all, in seconds, 1 to 300.
  /// - Throws: `JWKSetFetchError` if the address has another scheme, no host, or holds a user's name or password.
  public init(_ address: URL, timeout: Int = 10) throws {
    guard address.scheme?.lowercased() == "https" else { throw JWKSetFetchError.notHTTPS }
    try self.init(anyScheme: address, timeout: timeout)
  }

  /// A source that needs no certificate, for tests: this machine only.
  package init(onThisMachine address: URL, timeout: Int) throws {
    guard address.host() == "127.0.0.1" else { throw JWKSetFetchError.notHTTPS }
    try self.init(anyScheme: address, timeout: timeout)
  }

  private init(anyScheme address: URL, timeout: Int) throws {
    guard address.host()?.isEmpty == false else { throw JWKSetFetchError.noHost }
    guard address.user() == nil, address.password() == nil else { throw JWKSetFetchError.holdsPassword }
    self.address = address
    self.timeout = Double(min(max(1, timeout), 300))
  }

  /// Fetches the set.
  ///
  /// - Throws: `JWKSetFetchError`, `CancellationError`, or what `URLSession` reports.
  public func fetch(maximumBytes: Int) async throws -> FetchedJWKSet {
    try await withThrowingTaskGroup(of: FetchedJWKSet?.self) { group in
      group.addTask { try await exchange(maximumBytes: maximumBytes) }
      // The session's own limits count from the last byte: a server could go on for ever, byte by byte.
      group.addTask {
        try await Task.sleep(for: .seconds(timeout))
        return nil
      }
      defer { group.cancelAll() }
      guard let set = try await group.next() ?? nil else { throw JWKSetFetchError.timedOut }
      return set
    }
  }

  private func exchange(maximumBytes: Int) async throws -> FetchedJWKSet {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.urlCredentialStorage = nil
    configuration.urlCache = nil
    configuration.timeoutIntervalForRequest = timeout
    configuration.timeoutIntervalForResource = timeout
    var request = URLRequest(url: address, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: timeout)
    request.setValue("application/jwk-set+json, application/json", forHTTPHeaderField: "Accept")

    let answer = HTTPAnswer(maximumBytes: maximumBytes)
    let session = URLSession(configuration: configuration, delegate: answer, delegateQueue: nil)
    defer { session.finishTasksAndInvalidate() }
    let task = session.dataTask(with: request)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        answer.wait(continuation)
        task.resume()
      }
    } onCancel: {
      answer.end(.failure(CancellationError()))
    }
  }
}
