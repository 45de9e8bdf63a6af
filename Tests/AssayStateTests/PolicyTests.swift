import AssayCodec
import AssayOTP
import AssayState
import Testing

/// What policies allow, and what they are worth against guessing.
@Suite struct PolicyTests {
  @Test func attemptPoliciesHaveBounds() throws {
    _ = try AttemptPolicy(budget: 1, firstLock: 1, longestLock: 1, forgetAfter: 1)
    _ = try AttemptPolicy(budget: 100, firstLock: 2_678_400, longestLock: 2_678_400, forgetAfter: 2_678_400)
    let refused: [(Int, Int64, Int64, Int64)] = [
      (0, 1, 1, 1), (101, 1, 1, 1), (1, 0, 1, 1), (1, 2, 1, 2), (1, 1, 2, 1), (1, 1, 1, 2_678_401),
    ]
    for (budget, first, longest, forget) in refused {
      #expect(throws: StateError(.policyNotAllowed)) {
        try AttemptPolicy(budget: budget, firstLock: first, longestLock: longest, forgetAfter: forget)
      }
    }
  }

  @Test func locksDoubleUpToTheLongest() throws {
    let policy = AttemptPolicy.standard
    let locks = [0, 1, 9, 10, 11, 12, 13, 14, 15, 16, 17, .max].map { policy.lock(afterFailures: $0) }
    #expect(locks == [0, 0, 0, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
  }

  @Test func codePoliciesHaveBounds() throws {
    _ = try CodePolicy(
      window: .init(back: 10, ahead: 10), maximumDrift: 10, lookAhead: 50, resynchronizationWindow: 1000)
    let refused: [() throws -> CodePolicy] = [
      { try CodePolicy(window: .init(back: 11, ahead: 0)) }, { try CodePolicy(window: .init(back: 0, ahead: -1)) },
      { try CodePolicy(maximumDrift: 11) }, { try CodePolicy(maximumDrift: -1) }, { try CodePolicy(lookAhead: 51) },
      { try CodePolicy(resynchronizationWindow: 1001) },
    ]
    for make in refused {
      #expect(throws: StateError(.policyNotAllowed)) { try make() }
    }
  }

  /// The bound on attempts is never below what a guesser who never pauses gets from the store.
  @Test func noGuesserMakesMoreAttemptsThanStated() async throws {
    let policy = try AttemptPolicy(budget: 3, firstLock: 10, longestLock: 60, forgetAfter: 100)
    let (tenant, key) = (try Tenant("t"), try StateKey("test", [1]))
    for signIn in [nil, 50, 200] as [Int64?] {
      let store = InMemoryAttemptStore()
      var allowed = 0
      for second in 0...600 as ClosedRange<Int64> {
        if second == signIn { await store.clear(tenant, key) }
        while try await store.charge(tenant, key, policy, at: UnixTime(second)) == .allowed { allowed += 1 }
      }
      #expect(Double(allowed) <= policy.attempts(within: 600, ownerSignIns: signIn == nil ? 0 : 1))
      #expect(Double(allowed) >= 3)
    }
    // By hand, without pauses: 3 at once, then after 10, 20, 40 and each further 60 seconds.
    #expect(policy.attempts(within: 0) == 3)
    #expect(policy.attempts(within: 9) == 3)
    #expect(policy.attempts(within: 10) == 4)
    #expect(policy.attempts(within: 69) == 5)
    #expect(policy.attempts(within: 70) == 6)
    #expect(policy.attempts(within: -5) == 3)
    // Each sign-in gives a new budget, and a second first lock.
    #expect(policy.attempts(within: 20, ownerSignIns: 1) == 8)
  }

  @Test func theProbabilityOfAGuessIsStated() throws {
    let secret = SecretBytes(copying: [UInt8](repeating: 7, count: 20).span)
    let six = CodeDevice(id: [1], try TOTP(secret: secret))
    let eight = CodeDevice(id: [2], try TOTP(secret: secret, digits: 8))
    let counter = CodeDevice(id: [3], try HOTP(secret: secret))
    let strict = try CodePolicy(window: .init(back: 0, ahead: 0), maximumDrift: 0, lookAhead: 0)
    // So many of the 2^31 values that are divided by 10^6 leave the most frequent code.
    let guess = 2148 / 2_147_483_648.0
    #expect(strict.guessingProbability([six]) == guess)
    #expect(strict.guessingProbability([eight]) == 22 / 2_147_483_648.0)
    #expect(strict.guessingProbability([six, counter]) == 2 * guess)
    #expect(strict.guessingProbability([six, eight]) == guess)
    for (digits, values) in [(7, 215), (9, 3), (10, 1)] as [(Int, Double)] {
      let device = CodeDevice(id: [1], try TOTP(secret: secret, digits: digits))
      #expect(strict.guessingProbability([device]) == values / 2_147_483_648.0)
    }
    #expect(strict.guessingProbability([]) == 0)
    // Three steps around the clock, two more that a drift adds; eleven counters.
    #expect(CodePolicy.standard.guessingProbability([six]) == 5 * guess)
    #expect(CodePolicy.standard.guessingProbability([counter]) == 11 * guess)
    // A day of guessing against the standard policy.
    let day = CodePolicy.standard.guessingProbability([six], within: 86_399)
    #expect(day > 0.0001 && day < 0.0003)
    #expect(CodePolicy.standard.guessingProbability([six], within: .max, ownerSignIns: .max) == 1)
  }
}
