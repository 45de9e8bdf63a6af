internal import AssayState
internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// One answer while it arrives. Whatever is wrong with it ends it there.
///
/// A transfer is cancelled in these calls only. Foundation on Linux traps if a cancellation meets the end of the transfer; here
/// it cannot, for the end is told in the same queue, after them. So an answer that nobody waits for any more is cancelled when
/// the next of its bytes arrives, and where none arrives, its time runs out.
final class HTTPAnswer: NSObject, URLSessionDataDelegate {
  private struct State {
    var bytes: [UInt8] = []
    var cacheControl: String?
    var continuation: CheckedContinuation<FetchedJWKSet, any Error>?
    var result: Result<FetchedJWKSet, any Error>?
  }

  private let maximumBytes: Int
  private let state = Mutex(State())

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  /// Gives the result to `continuation`, once.
  func wait(_ continuation: CheckedContinuation<FetchedJWKSet, any Error>) {
    let result = state.withLock { state in
      if state.result == nil { state.continuation = continuation }
      return state.result
    }
    if let result { continuation.resume(with: result) }
  }

  /// The first result counts.
  func end(_ result: Result<FetchedJWKSet, any Error>) {
    let continuation = state.withLock { state -> CheckedContinuation<FetchedJWKSet, any Error>? in
      guard state.result == nil else { return nil }
      state.result = result
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(with: result)
  }

  private func refuse(_ error: JWKSetFetchError, _ task: URLSessionTask) {
    end(.failure(error))
    task.cancel()
  }

  /// The handler is left uncalled: Foundation on Linux traps if the task was cancelled before it is.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    refuse(.status(response.statusCode), task)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let response = response as? HTTPURLResponse
    if state.withLock({ $0.result != nil }) {
      dataTask.cancel()
    } else if response?.statusCode != 200 {
      refuse(.status(response?.statusCode ?? 0), dataTask)
    } else if !MediaType.mayBeJSON(response?.value(forHTTPHeaderField: "Content-Type")) {
      refuse(.wrongContentType, dataTask)
    } else if response?.expectedContentLength ?? 0 > Int64(maximumBytes) {
      refuse(.tooLarge(limit: maximumBytes), dataTask)
    } else {
      state.withLock { $0.cacheControl = response?.value(forHTTPHeaderField: "Cache-Control") }
      return completionHandler(.allow)
    }
    completionHandler(.cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let fits = state.withLock { state in
      guard state.result == nil, data.count <= maximumBytes - state.bytes.count else { return false }
      state.bytes += data
      return true
    }
    if !fits { refuse(.tooLarge(limit: maximumBytes), dataTask) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let error { return end(.failure(error)) }
    let (bytes, cacheControl) = state.withLock { ($0.bytes, $0.cacheControl) }
    end(.success(FetchedJWKSet(json: bytes, cacheControl: cacheControl)))
  }
}

/// The header field `Content-Type` (RFC 9110, 8.3).
enum MediaType {
  /// Whether it says JSON, or nothing that says otherwise: many servers send sets as text or as unknown bytes.
  static func mayBeJSON(_ field: String?) -> Bool {
    guard let field else { return true }
    let type = field.utf8.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != 0x20 && $0 != 0x09 }
      .map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    let named = ["application/json", "text/json", "text/plain", "application/octet-stream", ""]
    return named.contains { type.elementsEqual($0.utf8) } || type.suffix(5).elementsEqual("+json".utf8)
  }
}
