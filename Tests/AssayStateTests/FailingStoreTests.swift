import AssayCodec
import AssayOTP
import AssayState
import Testing

/// Stores that fail at one call or another: the attempt is refused, and nothing is good twice.
@Suite struct FailingStoreTests {
  private struct Broken: Error {}

  /// Counts, and cannot clear.
  private struct Unclearable: AttemptStore {
    let counting = InMemoryAttemptStore()
    func charge(
      _ tenant: Tenant, _ key: StateKey, _ policy: AttemptPolicy, at now: UnixTime
    ) async throws -> AttemptAnswer { try await counting.charge(tenant, key, policy, at: now) }
    func clear(_: Tenant, _: StateKey) async throws { throw Broken() }
  }

  /// Reads, and cannot write; or writes, and its answer is lost.
  private struct Unsure: StepStore {
    let steps: InMemoryStepStore
    let writes: Bool
    func lastUsed(_ tenant: Tenant, _ keys: [StateKey]) async throws -> [StateKey: UsedStep] {
      await steps.lastUsed(tenant, keys)
    }
    func advance(_ tenant: Tenant, to new: [StateKey: UsedStep]) async throws -> Bool {
      if writes { _ = try await steps.advance(tenant, to: new) }
      throw Broken()
    }
    func remove(_: Tenant, _: StateKey) async throws { throw Broken() }
  }

  enum Failure: CaseIterable { case find, consume, remaining }

  /// Finds and deletes codes, and fails at one of the calls.
  private struct UnsureCodes: RecoveryCodeStore {
    let codes: InMemoryRecoveryCodeStore
    let failure: Failure
    func replaceAll(_: Tenant, _: StateKey, with _: [StoredRecoveryCode]) async throws { throw Broken() }
    func find(_ tenant: Tenant, _ account: StateKey, selector: [UInt8]) async throws -> StoredRecoveryCode? {
      if failure == .find { throw Broken() }
      return await codes.find(tenant, account, selector: selector)
    }
    func consume(_ tenant: Tenant, _ account: StateKey, _ code: StoredRecoveryCode) async throws -> Bool {
      let isConsumed = await codes.consume(tenant, account, code)
      if failure == .consume { throw Broken() }
      return isConsumed
    }
    func remaining(_: Tenant, _: StateKey) async throws -> Int { throw Broken() }
  }

  private let now = UnixTime(1_700_000_010)
  private let tenant: Tenant

  init() throws { tenant = try Tenant("example") }

  @Test func aCodeWhoseSuccessCannotBeWrittenIsUsed() async throws {
    let (steps, attempts) = (InMemoryStepStore(), Unclearable())
    let totp = try Bench.totp()
    let phone = CodeDevice(id: [1], totp)
    let verifier = CodeVerifier(steps: steps, attempts: attempts)
    await #expect(throws: Broken.self) {
      try await verifier.verify(tenant, Bench.code(totp, at: now), of: [1], [phone], at: now)
    }
    let sound = CodeVerifier(steps: steps, attempts: attempts.counting)
    await #expect(throws: CodeRefusal.self) {
      try await sound.verify(tenant, Bench.code(totp, at: now), of: [1], [phone], at: now)
    }
  }

  @Test(arguments: [false, true]) func aStepThatMayNotBeWrittenIsRefusedAndCounted(_ writes: Bool) async throws {
    let (steps, attempts) = (InMemoryStepStore(), InMemoryAttemptStore())
    let totp = try Bench.totp()
    let phone = CodeDevice(id: [1], totp)
    let verifier = CodeVerifier(steps: Unsure(steps: steps, writes: writes), attempts: attempts)
    for attempt in 0..<11 {
      do {
        _ = try await verifier.verify(tenant, Bench.code(totp, at: now), of: [1], [phone], at: now)
        Issue.record("accepted")
      } catch let refusal as CodeRefusal {
        #expect(attempt == 10 ? refusal.code == .locked(until: now.adding(seconds: 60)) : writes && attempt > 0)
      } catch { #expect(error is Broken && (attempt == 0 || !writes)) }
    }
  }

  @Test(arguments: Failure.allCases)
  func aRecoveryCodeIsRefused(_ failure: Failure) async throws {
    let (store, attempts) = (InMemoryRecoveryCodeStore(), InMemoryAttemptStore())
    let key = try RecoveryCodesTests.key(1)
    let sound = try RecoveryCodes(key: key, store: store, attempts: attempts)
    let text = try #require(try await sound.replace(tenant, of: [1], count: 1).first?.text.utf8)
    let codes = try RecoveryCodes(key: key, store: UnsureCodes(codes: store, failure: failure), attempts: attempts)
    await #expect(throws: Broken.self) { try await codes.redeem(tenant, text, of: [1], at: now) }
    // It is left only where nothing was deleted.
    #expect(try await sound.remaining(tenant, of: [1]) == (failure == .find ? 1 : 0))
  }

  /// Times at the ends of what can be expressed are answered, not trapped on.
  @Test func extremeTimesAreAnswered() async throws {
    let totp = try Bench.totp()
    let bytes = Array("another secret of 24 byt".utf8)
    let secret = SecretBytes(copying: bytes.span)
    for start in [Int64.min, -1, 0, .max] {
      let early = try TOTP(secret: secret, period: 86_400, start: UnixTime(start))
      let devices = [
        CodeDevice(id: [1], totp), CodeDevice(id: [2], early),
        CodeDevice(id: [3], try Bench.hotp(), firstCounter: .max),
      ]
      for time in [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max] {
        let bench = try Bench(CodePolicy(window: .init(back: 10, ahead: 10), maximumDrift: 10, lookAhead: 50))
        for drift in [Int64.min, -10, 10, .max] {
          let key = try StateKey("assay code device", bench.account, [1])
          await bench.steps.remove(bench.tenant, key)
          #expect(try await bench.steps.advance(bench.tenant, to: [key: UsedStep(step: 0, drift: drift)]))
          #expect(try await bench.verify(Array("000000".utf8), devices, at: UnixTime(time)) == .refused(.wrongCode))
        }
        guard time >= start else { continue }
        let code = try early.code(at: UnixTime(time)).text.utf8
        #expect(try await bench.verify(code, devices, at: UnixTime(time)).accepted?.device == [2])
        #expect(try await bench.verify(code, devices, at: UnixTime(time)) == .refused(.wrongCode))
      }
    }
  }
}
