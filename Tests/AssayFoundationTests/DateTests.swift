import AssayCodec
import AssayFoundation
import Foundation
import Testing

@Suite struct DateTests {
  @Test(arguments: [Int64.min, -1, 0, 1, 1_700_000_000, 253_402_300_799, 1 << 53, .max])
  func everyTimeIsADate(_ seconds: Int64) {
    let date = Date(UnixTime(seconds))
    #expect(date.timeIntervalSince1970 == Double(seconds))
    if abs(seconds == .min ? .max : seconds) < 1 << 51 { #expect(UnixTime(date) == UnixTime(seconds)) }
  }

  @Test(
    arguments: [
      (0.0, 0), (0.999, 0), (-0.001, -1), (-1.0, -1), (1_700_000_000.5, 1_700_000_000),
      (-1_700_000_000.5, -1_700_000_001),
    ] as [(Double, Int64)])
  func aDateIsTheSecondItLiesIn(_ interval: Double, _ seconds: Int64) {
    #expect(UnixTime(Date(timeIntervalSince1970: interval)) == UnixTime(seconds))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e19, -1e19, .greatestFiniteMagnitude, 9.3e18])
  func whatDoesNotFitIsNil(_ interval: Double) {
    #expect(UnixTime(Date(timeIntervalSince1970: interval)) == nil)
    #expect(UnixTime(Date(timeIntervalSinceReferenceDate: interval)) == nil)
  }

  @Test func distantDates() {
    #expect(UnixTime(Date.distantPast)?.seconds == -62_135_769_600)
    #expect(UnixTime(Date.distantFuture)?.seconds == 64_092_211_200)
  }
}
