import AssayCodec
import AssayOTP
import TestSupport
import Testing

/// Two codes in a row (RFC 4226, 7.4).
@Suite struct ResynchronizationTests {
  private let hotp: HOTP

  init() throws { hotp = try HOTP(secret: rfcSecret(), digits: 8) }

  private func code(_ counter: UInt64) throws -> [UInt8] { try hotp.code(counter: counter).text.utf8 }

  @Test func everyDistanceIsFoundAndNoFurther() throws {
    for distance in 0...12 as ClosedRange<UInt64> {
      let (first, second) = (try code(100 + distance), try code(101 + distance))
      for window in 0...12 {
        let result = hotp.resynchronized(first, second, counter: 100, window: window)
        guard distance <= window else {
          #expect(result == .failure(.wrongCode))
          continue
        }
        #expect(result == .success(101 + distance))
      }
    }
    let widest = HOTP.maximumResynchronizationWindow
    let far = UInt64(widest)
    #expect(hotp.resynchronized(try code(far), try code(far + 1), counter: 0, window: widest) == .success(far + 1))
    #expect(
      hotp.resynchronized(try code(far + 1), try code(far + 2), counter: 0, window: widest) == .failure(.wrongCode))
  }

  @Test func nothingBehindTheCounterIsFound() throws {
    for counter in 0..<20 as Range<UInt64> {
      let result = hotp.resynchronized(try code(counter), try code(counter + 1), counter: 20, window: 1000)
      #expect(result == .failure(.wrongCode))
    }
    // The second at the counter is not enough: the first was used.
    #expect(hotp.resynchronized(try code(19), try code(20), counter: 20, window: 1000) == .failure(.wrongCode))
  }

  @Test func bothCodesMustBeRightAndInOrder() throws {
    let pairs: [(UInt64, UInt64)] = [(6, 5), (5, 5), (5, 7), (5, 4), (6, 6)]
    for (first, second) in pairs {
      #expect(hotp.resynchronized(try code(first), try code(second), counter: 0, window: 100) == .failure(.wrongCode))
    }
    #expect(hotp.resynchronized(try code(5), try code(6), counter: 0, window: 100) == .success(6))
    for (first, second) in [
      ("1234567", "12345678"), ("12345678", ""), ("12345678", "1234567８"), ("-2345678", "12345678"),
    ] {
      #expect(
        hotp.resynchronized(Array(first.utf8), Array(second.utf8), counter: 0, window: 9) == .failure(.malformedCode))
    }
    for window in [-1, 1001, .max, .min] {
      #expect(
        hotp.resynchronized(try code(0), try code(1), counter: 0, window: window) == .failure(.windowNotAllowed))
    }
  }

  @Test func theLastCountersDoNotWrap() throws {
    let (first, second) = (try code(.max - 1), try code(.max))
    let match = try hotp.resynchronize(first.span, second.span, counter: .max - 5, window: 1000)
    #expect(match.counter == .max && match.next == nil)
    #expect(hotp.resynchronized(try code(.max), try code(0), counter: .max - 5, window: 1000) == .failure(.wrongCode))
    #expect(hotp.resynchronized(try code(.max), try code(0), counter: .max, window: 1000) == .failure(.wrongCode))
  }

  /// A pair is used up by its match: the same two codes are not found again.
  @Test func aPairIsGoodOnce() throws {
    let (first, second) = (try code(3), try code(4))
    let match = try hotp.resynchronize(first.span, second.span, counter: 0, window: 100)
    let next = try #require(match.next)
    #expect(hotp.resynchronized(first, second, counter: next, window: 1000) == .failure(.wrongCode))
  }
}

extension HOTP {
  /// The counter of the second code, or why they are refused.
  func resynchronized(
    _ first: [UInt8], _ second: [UInt8], counter: UInt64, window: Int
  ) -> Result<UInt64, Fault> {
    do throws(OTPError) {
      return .success(try resynchronize(first.span, second.span, counter: counter, window: window).counter)
    } catch { return .failure(Fault(code: error.code)) }
  }

  /// An error's code alone.
  struct Fault: Error, Equatable {
    let code: OTPError.Code
    static let wrongCode = Fault(code: .wrongCode)
    static let malformedCode = Fault(code: .malformedCode)
    static let windowNotAllowed = Fault(code: .windowNotAllowed)
  }
}
