import AssayCodec
import AssayOTP
import TestSupport
import Testing

/// Verification with windows, used steps and malformed input.
@Suite struct VerifyTests {
  static let carried = OTPVector.carried("otp/totp-verify.json")

  @Test func nothingIsMissing() { #expect(Self.carried.count == 46) }

  @Test(arguments: carried) func timeBased(_ vector: OTPVector) throws {
    let window = TOTP.Window(
      back: Int(try #require(vector.int64("back"))), ahead: Int(try #require(vector.int64("ahead"))))
    let totp = try vector.totp()
    let time = UnixTime(try #require(vector.int64("time")))
    let code = Array(vector.string("code").utf8)
    let last = vector.uint64("after")
    let step = try? totp.verify(code.span, at: time, after: last, window: window)
    #expect(step == vector.uint64("step"))
    #expect((step != nil) == (vector.string("expected") == "valid"))
  }

  /// All 62 cases. A stored drift moves `now` before the call: that is all this API needs for it. To learn a drift from
  /// accepted codes is the caller's so far.
  @Test(.enabled(if: TestData.hasExtra)) func everyVerdictOfTheCollection() throws {
    var judged: [String: Int] = [:]
    for vector in OTPVector.extra("otp/verify.json") {
      let expect = OTPVector(json: vector.json["expect"] ?? .null, file: vector.file)
      judged[vector.string("kind"), default: 0] += 1
      switch vector.string("kind") {
      case "totp": try judgeTimeBased(vector, expect)
      case "hotp":
        let code = Array(vector.string("submitted").utf8)
        let lookAhead = Int(try #require(vector.int64("look_ahead")))
        let counter = try #require(vector.uint64("counter"))
        let match = try? vector.hotp().verify(code.span, counter: counter, lookAhead: lookAhead)
        #expect((match != nil) == (expect.string("result") == "accept"), "\(vector.testDescription)")
        #expect(match?.counter == expect.uint64("counter"), "\(vector.testDescription)")
        #expect(match?.next == expect.uint64("next_counter"), "\(vector.testDescription)")
      default:
        let codes = try #require(vector.json["codes"]?.array?.compactMap { $0.string?.utf8 })
        let (first, second) = (try #require(codes.first), try #require(codes.last))
        let window = Int(try #require(vector.int64("resync_window")))
        let counter = try #require(vector.uint64("counter"))
        let match = try? vector.hotp().resynchronize(first.span, second.span, counter: counter, window: window)
        #expect((match != nil) == (expect.string("result") == "accept"), "\(vector.testDescription)")
        #expect(match?.next == expect.uint64("next_counter"), "\(vector.testDescription)")
      }
    }
    #expect(judged == ["totp": 48, "hotp": 9, "hotp_resync": 5])
  }

  private func judgeTimeBased(_ vector: OTPVector, _ expect: OTPVector) throws {
    let window = TOTP.Window(
      back: Int(try #require(vector.int64("window_back"))), ahead: Int(try #require(vector.int64("window_ahead"))))
    let totp = try vector.totp()
    let code = Array(vector.string("submitted").utf8)
    let now = UnixTime(try #require(vector.int64("now")))
      .adding(seconds: (vector.int64("drift_steps") ?? 0) * totp.period)
    let last = vector.uint64("last_used_step")
    let step = try? totp.verify(code.span, at: now, after: last, window: window)
    #expect(step == expect.uint64("step"), "\(vector.testDescription)")
    if let step, let delta = expect.int64("delta") {
      #expect(Int64(bitPattern: step &- (try totp.step(at: now))) == delta, "\(vector.testDescription)")
    }
    let outcome = totp.fault(code, at: now, after: last, window: window)
    let expected: OTPError.Code? =
      switch expect.string(expect.has("reason") ? "reason" : "result") {
      case "accept": nil
      case "malformed": .malformedCode
      case "time_before_t0": .timeBeforeStart
      default: .wrongCode  // mismatch and replay look the same
      }
    #expect(outcome == expected, "\(vector.testDescription)")
  }

  @Test func aUsedStepIsRefusedForGood() throws {
    let totp = try TOTP(secret: rfcSecret())
    let now = UnixTime(1_700_000_010)
    let code = Array("732303".utf8)
    let step = try totp.verify(code.span, at: now, after: nil)
    #expect(step == 56_666_667)
    for elapsed in -30...60 as ClosedRange<Int64> {
      let later = now.adding(seconds: elapsed)
      #expect(totp.fault(code, at: later, after: step) == .wrongCode)
    }
    // The next code is good at once, and the one before is not good again.
    #expect(try totp.verify(Array("136087".utf8).span, at: now, after: step) == step + 1)
    #expect(
      totp.fault(Array("921300".utf8), at: now, after: step) == .wrongCode
    )
  }

  @Test func everyWidthOfWindowAcceptsExactlyItsSteps() throws {
    let totp = try TOTP(secret: rfcSecret(), digits: 10)
    let now = UnixTime(1_700_000_010)
    let center = try totp.step(at: now)
    for back in 0...TOTP.Window.maximumSteps {
      for ahead in 0...TOTP.Window.maximumSteps {
        for distance in -11...11 {
          let code = try totp.code(at: now.adding(seconds: Int64(distance) * 30)).text
          let step = try? totp.verify(
            code.utf8.span, at: now, after: nil, window: TOTP.Window(back: back, ahead: ahead))
          let expected = (-back...ahead).contains(distance) ? UInt64(Int64(center) + Int64(distance)) : nil
          #expect(step == expected)
        }
      }
    }
  }

  @Test func aWindowHasLimits() throws {
    let totp = try TOTP(secret: rfcSecret())
    let code = Array("732303".utf8)
    for (back, ahead) in [(-1, 0), (0, -1), (11, 0), (0, 11), (.max, .max), (.min, .min)] {
      let window = TOTP.Window(back: back, ahead: ahead)
      let outcome = totp.fault(code, at: UnixTime(1_700_000_010), after: nil, window: window)
      #expect(outcome == .windowNotAllowed)
    }
    let hotp = try HOTP(secret: rfcSecret())
    for lookAhead in [-1, 51, .max, .min] {
      let outcome = hotp.fault(code, counter: 0, lookAhead: lookAhead)
      #expect(outcome == .windowNotAllowed)
    }
    let last = try hotp.code(counter: 50).text
    #expect(try hotp.verify(last.utf8.span, counter: 0, lookAhead: 50).counter == 50)
    #expect(
      hotp.fault(last.utf8, counter: 0, lookAhead: 49) == .wrongCode)
  }

  /// Every byte at every place: only the right digit is accepted, and only digits get as far as a comparison.
  @Test func everyByteAtEveryPlace() throws {
    let hotp = try HOTP(secret: rfcSecret())
    let right = Array("755224".utf8)
    for place in right.indices {
      for byte in UInt8.min...UInt8.max {
        var code = right
        code[place] = byte
        let expected: OTPError.Code? =
          code == right
          ? nil : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? .wrongCode : .malformedCode
        #expect(hotp.fault(code, counter: 0) == expected)
      }
    }
    for count in 0...12 where count != 6 {
      let code = [UInt8](repeating: UInt8(ascii: "7"), count: count)
      #expect(hotp.fault(code, counter: 0) == .malformedCode)
    }
  }
}
