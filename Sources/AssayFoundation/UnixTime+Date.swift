public import AssayCodec

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension UnixTime {
  /// The whole second in which `date` lies; nil if the date is not a number or too far away for `Int64`.
  public init?(_ date: Date) {
    guard let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) else { return nil }
    self.init(seconds)
  }
}

extension Date {
  /// The moment as a `Date`: exact within 71 million years of 1970 (a `Date` counts in `Double`), the nearest one beyond.
  public init(_ time: UnixTime) { self.init(timeIntervalSince1970: Double(time.seconds)) }
}
