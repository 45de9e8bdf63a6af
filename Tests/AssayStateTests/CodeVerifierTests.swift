import AssayCodec
import AssayOTP
import AssayState
import Testing

/// Codes are verified and used up in one step.
@Suite struct CodeVerifierTests {
  private let now = UnixTime(1_700_000_010)
  private let totp: TOTP
  private let phone: CodeDevice

  init() throws {
    totp = try Bench.totp()
    phone = CodeDevice(id: [1], totp)
  }

  private func code(_ steps: Int64 = 0, at time: UnixTime? = nil) throws -> [UInt8] {
    try Bench.code(totp, at: time ?? now, plus: steps)
  }

  @Test func aCodeIsGoodOnce() async throws {
    let bench = try Bench()
    let accepted = try await bench.verify(code(), [phone], at: now).accepted
    #expect(accepted?.device == [1])
    #expect(accepted?.step == 56_666_667 && accepted?.clockOffset == 0 && accepted?.otherDevices == [])
    for seconds in [0, 1, 29, 30, 59] as [Int64] {
      #expect(try await bench.verify(code(), [phone], at: now.adding(seconds: seconds)) == .refused(.wrongCode))
    }
    #expect(try await bench.verify(code(-1), [phone], at: now) == .refused(.wrongCode))
    #expect(try await bench.verify(code(1), [phone], at: now).accepted?.step == 56_666_668)
  }

  @Test func tenantsAndAccountsAreApart() async throws {
    let bench = try Bench()
    let verifier = bench.verifier
    _ = try await verifier.verify(bench.tenant, code(), of: [1], [phone], at: now)
    _ = try await verifier.verify(bench.tenant, code(), of: [2], [phone], at: now)
    _ = try await verifier.verify(Tenant("other"), code(), of: [1], [phone], at: now)
    await #expect(throws: CodeRefusal.self) {
      try await verifier.verify(bench.tenant, code(), of: [1], [phone], at: now)
    }
  }

  @Test func enrolmentUsesItsCodeUp() async throws {
    let bench = try Bench()
    #expect(try await bench.enrol(code(), phone, at: now).accepted?.step == 56_666_667)
    #expect(try await bench.enrol(code(), phone, at: now) == .refused(.wrongCode))
    #expect(try await bench.verify(code(), [phone], at: now) == .refused(.wrongCode))
    #expect(try await bench.verify(code(1), [phone], at: now.adding(seconds: 30)).accepted != nil)
  }

  @Test func enrolmentTellsAWrongClockFromAWrongCode() async throws {
    for steps in -12...12 as ClosedRange<Int64> {
      let bench = try Bench()
      let expected: Verdict? =
        switch abs(steps) {
        case 0...1: nil
        case 2...10: .refused(.clockOff(seconds: steps * 30))
        default: .refused(.wrongCode)
        }
      let verdict = try await bench.enrol(code(steps), phone, at: now)
      #expect(expected == nil ? verdict.accepted?.clockOffset == steps * 30 : verdict == expected)
    }
    let bench = try Bench()
    #expect(try await bench.enrol(wrongCode(totp, at: now), phone, at: now) == .refused(.wrongCode))
    // Nobody is locked out by a failing enrolment.
    for _ in 0..<20 { _ = try await bench.enrol(wrongCode(totp, at: now), phone, at: now) }
    #expect(try await bench.verify(code(), [phone], at: now).accepted != nil)
  }

  /// A sign-in does not say that a code would be right at another time: a guesser could wait for it.
  @Test func signingInDoesNotSearchFurther() async throws {
    for steps in [-10, -3, -2, 2, 3, 10] as [Int64] {
      #expect(try await Bench().verify(code(steps), [phone], at: now) == .refused(.wrongCode))
    }
  }

  @Test func driftIsLearnedStepByStepAndBounded() async throws {
    let bench = try Bench()
    // A clock that gains one step a day, up to four.
    for gained in 0...3 as ClosedRange<Int64> {
      let time = now.adding(seconds: gained * 86_400)
      let verdict = try await bench.verify(code(gained, at: time), [phone], at: time)
      #expect(verdict.accepted?.clockOffset == gained * 30)
    }
    // Two are the most that are learned: the window then ends at three.
    let late = now.adding(seconds: 5 * 86_400)
    #expect(try await bench.verify(code(4, at: late), [phone], at: late) == .refused(.wrongCode))
    // The clock was put right: the plain window is searched too, and the drift is unlearned.
    #expect(try await bench.verify(code(-1, at: late), [phone], at: late).accepted?.clockOffset == -30)
    let later = late.adding(seconds: 86_400)
    #expect(try await bench.verify(code(3, at: later), [phone], at: later) == .refused(.wrongCode))
    #expect(try await bench.verify(code(-2, at: later), [phone], at: later).accepted?.clockOffset == -60)
  }

  @Test func nothingIsLearnedFromRefusedCodes() async throws {
    let bench = try Bench(
      try CodePolicy(attempts: AttemptPolicy(budget: 100, firstLock: 1, longestLock: 1, forgetAfter: 1)))
    for steps in [2, 3, 4] as [Int64] {
      #expect(try await bench.verify(code(steps), [phone], at: now) == .refused(.wrongCode))
    }
    let key = try StateKey("assay code device", bench.account, phone.id)
    #expect(await bench.steps.lastUsed(bench.tenant, [key]).isEmpty)
    #expect(try await bench.verify(code(2), [phone], at: now) == .refused(.wrongCode))
    let none = try Bench(try CodePolicy(maximumDrift: 0))
    #expect(try await none.verify(code(1), [phone], at: now).accepted != nil)
    let later = now.adding(seconds: 3600)
    #expect(try await none.verify(code(2, at: later), [phone], at: later) == .refused(.wrongCode))
  }

  @Test func malformedCodesAreNotAttempts() async throws {
    let bench = try Bench()
    let malformed = ["", "12345", "1234567", "12345 ", "12345a", "１２３４５６", "-12345", "12345\0"]
    for text in malformed {
      for _ in 0..<3 {
        #expect(try await bench.verify(Array(text.utf8), [phone], at: now) == .refused(.malformedCode))
        #expect(try await bench.enrol(Array(text.utf8), phone, at: now) == .refused(.malformedCode))
      }
    }
    #expect(try await bench.verify(code(), [phone], at: now).accepted != nil)
  }

  @Test func anAccountIsLockedAndTheLockGrows() async throws {
    let bench = try Bench()
    let wrong = try wrongCode(totp, at: now)
    for _ in 0..<10 { #expect(try await bench.verify(wrong, [phone], at: now) == .refused(.wrongCode)) }
    let unlocked = now.adding(seconds: 60)
    // The right code is not looked at either, so that nobody learns that it is right.
    #expect(try await bench.verify(code(), [phone], at: now) == .refused(.locked(until: unlocked)))
    let wrongThen = try wrongCode(totp, at: unlocked)
    #expect(try await bench.verify(wrongThen, [phone], at: unlocked) == .refused(.wrongCode))
    let after = unlocked.adding(seconds: 120)
    #expect(try await bench.verify(wrongThen, [phone], at: unlocked) == .refused(.locked(until: after)))
    #expect(try await bench.verify(code(at: after), [phone], at: after).accepted != nil)
    // Success forgets the failures.
    for _ in 0..<10 {
      #expect(try await bench.verify(wrongCode(totp, at: after), [phone], at: after) == .refused(.wrongCode))
    }
  }

  /// A store that cannot write the failure: the code is not judged.
  @Test func withoutTheCountNothingIsJudged() async throws {
    struct Broken: AttemptStore {
      func charge(_: Tenant, _: StateKey, _: AttemptPolicy, at _: UnixTime) async throws -> AttemptAnswer {
        throw StateError(.full)
      }
      func clear(_: Tenant, _: StateKey) async throws {}
    }
    let steps = InMemoryStepStore()
    let verifier = CodeVerifier(steps: steps, attempts: Broken())
    let tenant = try Tenant("t")
    await #expect(throws: StateError(.full)) {
      try await verifier.verify(tenant, code(), of: [1], [phone], at: now)
    }
    _ = try await CodeVerifier(steps: steps, attempts: InMemoryAttemptStore())
      .verify(tenant, code(), of: [1], [phone], at: now)
  }
}
