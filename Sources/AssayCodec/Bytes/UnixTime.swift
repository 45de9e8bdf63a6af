#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A moment, in whole seconds since 1970-01-01T00:00:00Z without leap seconds (RFC 7519, 2 "NumericDate").
public struct UnixTime: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z; negative before it.
  public let seconds: Int64

  /// A moment so many seconds after 1970-01-01T00:00:00Z.
  public init(_ seconds: Int64) { self.seconds = seconds }

  /// What the system's clock says.
  public static func now() -> UnixTime { UnixTime(Int64(time(nil))) }

  /// This moment and `duration` seconds more, or the last (first) moment that can be expressed.
  public func adding(seconds duration: Int64) -> UnixTime {
    let (sum, overflow) = seconds.addingReportingOverflow(duration)
    return UnixTime(overflow ? (duration > 0 ? .max : .min) : sum)
  }

  /// Whether `a` is earlier than `b`.
  public static func < (a: UnixTime, b: UnixTime) -> Bool { a.seconds < b.seconds }
}
