public import AssayCodec
public import AssayJOSE

/// The keys of an issuer as they were fetched at some time.
public struct PublishedKeys: Sendable {
  /// The issuer with these keys. Keys that cannot be used are in `issuer.keys.unusable`, with the reason.
  public let issuer: TrustedIssuer
  /// The same as long as the issuer publishes the same keys, and larger after each change.
  public let generation: UInt64
  /// What a `VerifiedTokenCache` remembers under, with these keys and this issuer's rules.
  public let scope: VerificationScope
  /// When the fetch began that brought them, or found them unchanged.
  public let fetchedAt: UnixTime

  let set: JWKSet
  let freshFor: Int64

  func isFresh(at now: UnixTime) -> Bool { now.distance(from: fetchedAt) < UInt64(clamping: freshFor) }

  func isUsable(at now: UnixTime, staleLimit: Int64) -> Bool {
    now.distance(from: fetchedAt) < UInt64(clamping: max(staleLimit, freshFor))
  }
}

extension UnixTime {
  /// Seconds between, whichever is earlier: a clock that went back far makes things as old as one that went ahead.
  func distance(from other: UnixTime) -> UInt64 {
    let (difference, overflow) = seconds.subtractingReportingOverflow(other.seconds)
    return overflow ? .max : difference.magnitude
  }
}
