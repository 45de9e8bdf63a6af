import AssayCodec
import AssayCrypto
import AssayJOSE
import AssayOTP
import AssayState
import Testing

/// What happens once happens once, however many try: 64 tasks use one thing, 200 times.
@Suite struct RaceTests {
  private static let tasks = 64
  private static let rounds = 200
  private let tenant: Tenant
  private let now = UnixTime(1_700_000_010)
  /// So many attempts that all the tasks are judged: it must not be the lock that lets only one win.
  private let patient: AttemptPolicy

  init() throws {
    tenant = try Tenant("example")
    patient = try AttemptPolicy(budget: 100, firstLock: 1, longestLock: 1, forgetAfter: 1)
  }

  /// How many tasks had their way; every other was refused, and nothing else went wrong.
  private func winners(_ use: @escaping @Sendable () async throws -> Void) async throws -> Int {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<Self.tasks {
        group.addTask {
          do {
            try await use()
            return true
          } catch is CodeRefusal {
            return false
          } catch is Lost { return false }
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
  }

  @Test func aTimeBasedCode() async throws {
    let bench = try Bench(CodePolicy(attempts: patient))
    let totp = try Bench.totp()
    let devices = [CodeDevice(id: [1], totp), CodeDevice(id: [2], totp)]
    for round in 0..<Self.rounds {
      let time = now.adding(seconds: Int64(round) * 90)
      let code = try Bench.code(totp, at: time)
      let won = try await winners {
        _ = try await bench.verifier.verify(bench.tenant, code, of: [1], devices, at: time)
      }
      #expect(won == 1)
    }
  }

  @Test func aCounterBasedCode() async throws {
    let bench = try Bench(CodePolicy(attempts: patient))
    let hotp = try Bench.hotp()
    let token = CodeDevice(id: [1], hotp)
    for round in 0..<Self.rounds {
      // Each round has its own account, so that the locks of the last do not decide this one.
      let account = Array("\(round)".utf8)
      let code = try Bench.code(hotp, UInt64(round % 11))
      let won = try await winners {
        _ = try await bench.verifier.verify(bench.tenant, code, of: account, [token], at: now)
      }
      #expect(won == 1)
    }
  }

  @Test func aRecoveryCode() async throws {
    let codes = try RecoveryCodes(
      key: RecoveryCodesTests.key(1), store: InMemoryRecoveryCodeStore(), attempts: InMemoryAttemptStore(),
      policy: patient)
    for round in 0..<Self.rounds {
      let account = Array("\(round)".utf8)
      let text = try #require(try await codes.replace(tenant, of: account, count: 2).first?.text.utf8)
      let won = try await winners { _ = try await codes.redeem(tenant, text, of: account, at: now) }
      #expect(won == 1)
      #expect(try await codes.remaining(tenant, of: account) == 1)
    }
  }

  @Test func aDPoPProof() async throws {
    let store = InMemoryReplayStore()
    let prover = try DPoPProver(key: SigningKey.generate(.es256))
    for _ in 0..<Self.rounds {
      let text = try prover.proof(method: "GET", uri: "https://api.example/", at: now)
      let proof = try DPoPVerifier(algorithms: [.es256])
        .verify([text.utf8], method: "GET", uri: "https://api.example/", at: now)
      let won = try await winners {
        guard try await store.remember(tenant, proof, at: now) == .fresh else { throw Lost() }
      }
      #expect(won == 1)
    }
  }

  @Test func aCeremony() async throws {
    let store = InMemoryCeremonyStore()
    for round in 0..<Self.rounds {
      let key = try StateKey("registration", Array("\(round)".utf8))
      try await store.put(tenant, key, [1, 2, 3], until: now.adding(seconds: 300), at: now)
      let won = try await winners {
        guard await store.take(tenant, key, at: now) == [1, 2, 3] else { throw Lost() }
      }
      #expect(won == 1)
    }
  }
}

private struct Lost: Error {}
