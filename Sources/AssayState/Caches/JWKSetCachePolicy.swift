/// How long fetched keys are used, and how often and how much is fetched. Values out of range are moved to the nearer end.
public struct JWKSetCachePolicy: Hashable, Sendable {
  /// The shortest time for which a set is used before it is fetched again, in seconds, whatever the source says.
  public var minimumAge: Int64 = 60
  /// The longest such time, in seconds: how long a key that was taken back can go on being trusted while the source answers.
  public var maximumAge: Int64 = 86_400
  /// Such a time where the source says nothing, in seconds.
  public var standardAge: Int64 = 600
  /// The least time between the beginnings of two fetches, in seconds, at least 1: whatever tokens ask for and however fetches
  /// end.
  public var coolDown: Int64 = 30
  /// For how long keys are used after they were fetched if none can be fetched since, in seconds; then every token is refused.
  /// At least as long as the set is fresh.
  public var staleLimit: Int64 = 86_400
  /// How long a fetch may take, in seconds, 1 to 300.
  public var timeout: Int64 = 10
  /// The longest set, in bytes, at most `JWKSet.maximumBytes`.
  public var maximumBytes = 128 << 10
  /// The most keys in a set, usable or not, at most `TrustedKeys.maximumKeys`.
  public var maximumKeys = 64

  /// What suits an issuer that announces new keys some hours before it signs with them.
  public init() {}

  /// For how long a set is fresh, if its source says so.
  func age(_ stated: Int64?) -> Int64 {
    let least = max(0, minimumAge)
    return min(max(stated ?? standardAge, least), max(least, maximumAge))
  }
}
