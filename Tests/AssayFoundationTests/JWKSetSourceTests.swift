import AssayCodec
import AssayCrypto
import AssayFoundation
import AssayJOSE
import AssayState
import Foundation
import TestSupport
import Testing

/// A server of this machine for as long as the test runs.
private struct LocalServer {
  static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  let port: Int
  private let process: Int32

  init() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "assay-jwks-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let script = TestData.own.appending(path: "jwks/server.py")
    let started = try ChildProcess.run(
      "/bin/sh",
      [
        "-c", "\"$0\" \"$1\" \"$2\" </dev/null >/dev/null 2>&1 & echo $!", Self.python ?? "", script.path, file.path,
      ])
    let text = String(decoding: started.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard let process = Int32(text) else { throw TestData.Missing(path: "process") }
    self.process = process
    for _ in 0..<1000 {
      if let text = try? String(contentsOf: file, encoding: .utf8), let port = Int(text) {
        self.port = port
        return
      }
      usleep(10_000)
    }
    kill(process, SIGKILL)
    throw TestData.Missing(path: "port")
  }

  /// By the one signal that cannot be blocked: what a thread of Dispatch starts has the others blocked.
  func stop() { kill(process, SIGKILL) }

  func source(_ path: String, timeout: Int = 20) throws -> URLSessionJWKSetSource {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw TestData.Missing(path: path) }
    return try URLSessionJWKSetSource(onThisMachine: url, timeout: timeout)
  }
}

@Suite(.timeLimit(.minutes(2))) struct JWKSetSourceTests {
  @Test(arguments: [
    ("http://id.example/jwks", JWKSetFetchError.notHTTPS), ("ftp://id.example/jwks", .notHTTPS),
    ("file:///etc/passwd", .notHTTPS), ("/jwks", .notHTTPS), ("https:///jwks", .noHost),
    ("https://user@id.example/jwks", .holdsPassword), ("https://user:pass@id.example/jwks", .holdsPassword),
  ])
  func addresses(_ text: String, _ error: JWKSetFetchError) throws {
    let url = try #require(URL(string: text))
    #expect(throws: error) { try URLSessionJWKSetSource(url) }
    #expect(throws: (any Error).self) { try URLSessionJWKSetSource(onThisMachine: url, timeout: 1) }
  }

  @Test func httpsIsTaken() throws {
    let url = try #require(URL(string: "HTTPS://id.example/jwks?a=b"))
    for timeout in [Int.min, 0, 10, .max] { _ = try URLSessionJWKSetSource(url, timeout: timeout) }
  }

  private func error(_ source: URLSessionJWKSetSource, maximumBytes: Int = 1000) async -> (any Error)? {
    do {
      _ = try await source.fetch(maximumBytes: maximumBytes)
      return nil
    } catch { return error }
  }

  @Test(.enabled(if: LocalServer.python != nil)) func answers() async throws {
    let server = try LocalServer()
    defer { server.stop() }
    let set = try await server.source("/set").fetch(maximumBytes: 1000)
    #expect(String(decoding: set.json, as: UTF8.self) == #"{"keys":[]}"# && set.maximumAge == 77)
    #expect(try await server.source("/bare").fetch(maximumBytes: 1000).maximumAge == nil)

    #expect(await error(try server.source("/html")) as? JWKSetFetchError == .wrongContentType)
    for status in [201, 204, 206, 301, 302, 303, 307, 308, 400, 401, 403, 404, 500, 503] {
      #expect(await error(try server.source("/status/\(status)")) as? JWKSetFetchError == .status(status))
    }
    #expect(await error(try server.source("/away/")) as? JWKSetFetchError == .status(302))
    #expect(await error(try server.source("/cut")) != nil)
    // Nothing is remembered from one fetch to the next.
    for _ in 0..<2 {
      let names = try await server.source("/headers").fetch(maximumBytes: 1000).json
      let sent = String(decoding: names, as: UTF8.self).split(separator: "\n")
      #expect(sent.contains("accept") && !sent.contains("cookie") && !sent.contains("authorization"))
    }
  }

  @Test(.enabled(if: LocalServer.python != nil)) func sizes() async throws {
    let server = try LocalServer()
    defer { server.stop() }
    #expect(try await server.source("/size/1000").fetch(maximumBytes: 1000).json.count == 1000)
    #expect(await error(try server.source("/size/1001")) as? JWKSetFetchError == .tooLarge(limit: 1000))
    #expect(await error(try server.source("/set"), maximumBytes: 0) as? JWKSetFetchError == .tooLarge(limit: 0))
    #expect(await error(try server.source("/set"), maximumBytes: -1) as? JWKSetFetchError == .tooLarge(limit: -1))
    // Without a length, the answer is stopped while it arrives.
    #expect(
      await error(try server.source("/endless"), maximumBytes: 100_000) as? JWKSetFetchError
        == .tooLarge(limit: 100_000))
  }

  /// Whatever a server says, the fetch ends with an error or an answer.
  @Test(.enabled(if: LocalServer.python != nil)) func badlyFormedAnswers() async throws {
    let server = try LocalServer()
    defer { server.stop() }
    var refused = 0
    for number in 0..<31 where await error(try server.source("/raw/\(number)", timeout: 3)) != nil { refused += 1 }
    #expect(refused >= 25)
  }

  /// Callers that give up at any moment, also while an answer redirects.
  @Test(.enabled(if: LocalServer.python != nil)) func cancellationAtAnyMoment() async throws {
    let server = try LocalServer()
    defer { server.stop() }
    for round in 0..<60 {
      let source = try server.source(["/status/302", "/set", "/endless"][round % 3])
      let task = Task { try await source.fetch(maximumBytes: 1_000_000) }
      try await Task.sleep(for: .microseconds(round * 200))
      task.cancel()
      _ = await task.result
    }
  }

  @Test(.enabled(if: LocalServer.python != nil)) func times() async throws {
    let server = try LocalServer()
    defer { server.stop() }
    #expect(await error(try server.source("/silent", timeout: 1)) != nil)
    #expect(await error(try server.source("/drip", timeout: 1)) as? JWKSetFetchError == .timedOut)
    let source = try server.source("/silent")
    let task = Task { try await source.fetch(maximumBytes: 1000) }
    try await Task.sleep(for: .milliseconds(100))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  /// The cache over the source.
  @Test(.enabled(if: LocalServer.python != nil)) func cache() async throws {
    let server = try LocalServer()
    defer { server.stop() }
    let cache = try JWKSetCache(
      Tenant("t"), issuer: "https://id.example", algorithms: [.es256], audience: "api", source: server.source("/set"))
    let keys = try await cache.keys(at: .now())
    #expect(keys.generation == 1 && keys.issuer.keys.unusable.isEmpty)
    let broken = try JWKSetCache(
      Tenant("t"), issuer: "https://id.example", algorithms: [.es256], audience: "api", source: server.source("/html"))
    await #expect(throws: KeysUnavailable.self) { try await broken.keys(at: .now()) }
    guard case .source(let error) = await broken.lastFailure else { Issue.record("no failure"); return }
    #expect(error as? JWKSetFetchError == .wrongContentType)
  }
}
