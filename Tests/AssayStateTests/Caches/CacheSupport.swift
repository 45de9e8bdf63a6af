import AssayCodec
import AssayCrypto
import AssayJOSE
import AssayState
import Synchronization

/// A source that says what it is told to, counts, and can be held back.
final class TestSource: JWKSetSource {
  struct Broken: Error {}

  private struct State {
    var answer: Result<FetchedJWKSet, Broken> = .failure(Broken())
    var fetches = 0
    var held: [CheckedContinuation<Void, Never>] = []
    var isHeldBack = false
    var sawCancellation = false
  }
  private let state = Mutex(State())

  var fetches: Int { state.withLock { $0.fetches } }
  var waiting: Int { state.withLock { $0.held.count } }
  var sawCancellation: Bool { state.withLock { $0.sawCancellation } }

  func answer(_ keys: [JSONValue], maximumAge: Int64? = nil) {
    answer(text: JSONValue.object(["keys": .array(keys)]).encoded(), maximumAge: maximumAge)
  }

  func answer(text json: [UInt8], maximumAge: Int64? = nil) {
    state.withLock { $0.answer = .success(FetchedJWKSet(json: json, maximumAge: maximumAge)) }
  }

  func fail() { state.withLock { $0.answer = .failure(Broken()) } }

  func holdBack() { state.withLock { $0.isHeldBack = true } }

  func letGo() {
    let held = state.withLock { state in
      state.isHeldBack = false
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }

  func fetch(maximumBytes: Int) async throws -> FetchedJWKSet {
    state.withLock { $0.fetches += 1 }
    await withCheckedContinuation { continuation in
      let goesOn = state.withLock { state in
        if state.isHeldBack { state.held.append(continuation) }
        return !state.isHeldBack
      }
      if goesOn { continuation.resume() }
    }
    return try state.withLock { state in
      state.sawCancellation = state.sawCancellation || Task.isCancelled
      return try state.answer.get()
    }
  }
}

/// A key of the issuer with its name.
struct IssuerKey {
  let key: SigningKey
  let kid: UTF8Text

  init(_ kid: UTF8Text) throws {
    key = try SigningKey.generate(.edDSA)
    self.kid = kid
  }

  var jwk: JSONValue {
    guard case .edwards(_, let x) = key.verificationKey.numbers else { return .null }
    return ["kty": "OKP", "crv": "Ed25519", "x": .string(Base64URL.encode(x.span)), "kid": .string(kid)]
  }

  /// A token of alice's, with changes.
  func token(
    exp: Int64 = CacheTime.now.seconds + 300, _ change: (inout JSONObject) -> Void = { _ in }
  ) throws -> [UInt8] {
    var claims: JSONObject = [
      "iss": "https://id.example", "aud": "api", "sub": "alice", "exp": .number(JSONNumber(exp)),
    ]
    change(&claims)
    return try JWTSigner(key: key, kid: kid).sign(claims).utf8
  }
}

enum CacheTime {
  static let now = UnixTime(1_700_000_000)
}

func makeCache(
  _ source: TestSource, rules: JWTPolicy = JWTPolicy(), remembering tokens: VerifiedTokenCache<VerifiedJWT>? = nil,
  _ change: (inout JWKSetCachePolicy) -> Void = { _ in }
) throws -> JWKSetCache {
  var policy = JWKSetCachePolicy()
  change(&policy)
  return try JWKSetCache(
    Tenant("t"), issuer: "https://id.example", algorithms: [.edDSA], audience: "api", rules: rules, source: source,
    policy: policy, remembering: tokens)
}

/// What is thrown, or nil.
func refusal(_ body: () async throws -> some Sendable) async -> (any Error)? {
  do {
    _ = try await body()
    return nil
  } catch { return error }
}

/// Waits until something is so, for at most ten seconds.
func eventually(_ condition: () -> Bool) async throws -> Bool {
  for _ in 0..<2000 {
    if condition() { return true }
    try await Task.sleep(for: .milliseconds(5))
  }
  return condition()
}
