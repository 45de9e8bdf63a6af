public import AssayCodec
private import Synchronization

/// Remembers verdicts on reusable tokens, so that a token that is shown with every request is verified once.
///
/// A hit needs the same bytes, all of them, the same scope and the same circumstances. The time is checked at every hit, without any
/// leeway: before `nbf` and `iat`, at or after `exp`, and before the moment at which the token was verified, nothing is
/// remembered, and the token is verified anew. Only tokens that were verified take up room, and none whose key was vouched for by
/// certificates.
///
/// What a cache cannot know is that a token was revoked, or a key taken back: a new scope forgets all that the old one
/// remembered.
public final class VerifiedTokenCache<Token: ReusableToken>: Sendable {
  /// What a hit must be equal in. The hash, SipHash under a key that is random for each process, only finds where to look.
  private struct Key: Hashable, Sendable {
    let scope: VerificationScope
    let circumstances: Token.Circumstances
    let bytes: [UInt8]
  }

  private struct Entry: Sendable {
    let token: Token
    let validFrom: UnixTime
    let validBefore: UnixTime
  }

  /// Entries in two halves: what is used moves to the young one, and when that is full, the old one is dropped.
  private struct Halves: Sendable {
    var young: [Key: Entry] = [:]
    var old: [Key: Entry] = [:]
    var youngBytes = 0
    var oldBytes = 0
  }

  private let maximumTokens: Int
  private let maximumBytes: Int
  private let halves = Mutex(Halves())

  /// An empty cache.
  ///
  /// - Parameters:
  ///   - maximumTokens: The most tokens that are remembered, at least 2. The least recently used are forgotten first.
  ///   - maximumBytes: The most bytes their compact forms have together. What is kept of each with its claims takes up to
  ///     ten times as much.
  public init(maximumTokens: Int = 10_000, maximumBytes: Int = 16 << 20) {
    self.maximumTokens = max(2, maximumTokens)
    self.maximumBytes = max(0, maximumBytes)
  }

  /// How many tokens are remembered.
  public var count: Int { halves.withLock { $0.young.count + $0.old.count } }

  /// How many bytes their compact forms have together.
  public var byteCount: Int { halves.withLock { $0.youngBytes + $0.oldBytes } }

  /// Forgets all.
  public func removeAll() { halves.withLock { $0 = Halves() } }

  /// The verdict on a token: the one remembered, or that of `verify`, which is then remembered.
  ///
  /// A refusal is never remembered.
  /// - Parameters:
  ///   - token: The token's compact form, compared byte for byte.
  ///   - scope: That of the verifier in `verify`, with its keys.
  ///   - circumstances: All else that the verdict depends on.
  ///   - maximumAge: How long ago a token may have been issued, in seconds, if the verifier limits that.
  ///   - now: The time to judge at, also in `verify`.
  ///   - verify: Verifies the token.
  /// - Throws: What `verify` throws.
  public func verified<Failure: Error>(
    _ token: [UInt8], scope: VerificationScope, circumstances: Token.Circumstances, maximumAge: Int64? = nil,
    at now: UnixTime, verify: () throws(Failure) -> Token
  ) throws(Failure) -> Token {
    // What will not be remembered need not be looked for: hashing it costs in proportion to its length.
    guard token.count <= maximumBytes / 2 else { return try verify() }
    let key = Key(scope: scope, circumstances: circumstances, bytes: token)
    if let remembered = remembered(key, at: now) { return remembered }
    let verified = try verify()
    if let entry = Self.entry(verified, maximumAge: maximumAge, at: now) {
      halves.withLock { put(entry, key, in: &$0) }
    }
    return verified
  }

  private func remembered(_ key: Key, at now: UnixTime) -> Token? {
    halves.withLock { halves in
      let isOld = halves.young[key] == nil
      guard let entry = isOld ? halves.old[key] : halves.young[key] else { return nil }
      guard entry.validFrom <= now, now < entry.validBefore else { return nil }
      if isOld { put(entry, key, in: &halves) }
      return entry.token
    }
  }

  /// What is to be remembered of a token that was verified at `now`; nil if it never ends or has already, or if certificates
  /// vouched for its key: they have ends of their own.
  private static func entry(_ token: Token, maximumAge: Int64?, at now: UnixTime) -> Entry? {
    guard var end = token.expiresAt, token.certificatePath == nil else { return nil }
    if let maximumAge {
      guard let issuedAt = token.issuedAt else { return nil }
      end = min(end, issuedAt.adding(seconds: maximumAge))
    }
    let start = max(now, token.notBefore ?? now, token.issuedAt ?? now)
    return start < end ? Entry(token: token, validFrom: start, validBefore: end) : nil
  }

  private func put(_ entry: Entry, _ key: Key, in halves: inout Halves) {
    let size = key.bytes.count
    if halves.old.removeValue(forKey: key) != nil { halves.oldBytes -= size }
    if halves.young.updateValue(entry, forKey: key) == nil { halves.youngBytes += size }
    guard halves.young.count > maximumTokens / 2 || halves.youngBytes > maximumBytes / 2 else { return }
    // The newest alone begins the next half, so that none is ever over its limit.
    halves.young[key] = nil
    halves.old = halves.young
    halves.oldBytes = halves.youngBytes - size
    halves.young = [key: entry]
    halves.youngBytes = size
  }
}

extension VerifiedTokenCache where Token.Circumstances == NoCircumstances {
  /// The verdict on a token that depends on nothing else of a request.
  public func verified<Failure: Error>(
    _ token: [UInt8], scope: VerificationScope, maximumAge: Int64? = nil, at now: UnixTime,
    verify: () throws(Failure) -> Token
  ) throws(Failure) -> Token {
    try verified(
      token, scope: scope, circumstances: NoCircumstances(), maximumAge: maximumAge, at: now, verify: verify)
  }
}
