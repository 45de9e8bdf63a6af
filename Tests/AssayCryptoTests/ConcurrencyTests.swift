import AssayCodec
import AssayCrypto
import Testing

/// One key used by many tasks at once, valid and invalid signatures mixed. Run with `--sanitize=thread` as well.
@Suite struct ConcurrencyTests {
  private static let tasks = 64
  private static let rounds = 12

  /// How many of all tasks' rounds said what they should.
  private func count(_ check: @escaping @Sendable (_ valid: Bool) -> Bool) async -> Int {
    await withTaskGroup(of: Int.self) { group in
      for task in 0..<Self.tasks {
        group.addTask {
          (0..<Self.rounds).count { round in
            let valid = (task + round) % 3 != 0
            return check(valid) == valid
          }
        }
      }
      return await group.reduce(0, +)
    }
  }

  /// The key is new, so that its first use happens on several threads too.
  @Test(arguments: KnownSignature.all) func verifying(_ known: KnownSignature) async throws {
    let key = try known.key()
    let right = await count { valid in
      key.accepts(valid ? known.signature : known.signature.flippingBit(77), known.message)
    }
    #expect(right == Self.tasks * Self.rounds)
  }

  @Test(arguments: SignatureAlgorithm.allCases) func signing(_ algorithm: SignatureAlgorithm) async throws {
    let key = try FreshKey.make(algorithm)
    let right = await count { valid in
      guard let signature = try? key.sign([1, 2, 3]) else { return !valid }
      return key.verificationKey.accepts(signature, valid ? [1, 2, 3] : [3, 2, 1])
    }
    #expect(right == Self.tasks * Self.rounds)
  }

  private final class SharedKey: Sendable {
    let hmac: HMACKey
    init() throws { hmac = try HMACKey(SecretBytes(Array("Jefe".utf8)), .sha256) }
  }

  @Test func authenticating() async throws {
    let key = try SharedKey()
    let expected = [UInt8](hex: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    let right = await count { valid in
      let message = Array(valid ? "what do ya want for nothing?".utf8 : "what do ya want for something?".utf8)
      guard let code = try? key.hmac.authenticate(message) else { return !valid }
      return code == expected
    }
    #expect(right == Self.tasks * Self.rounds)
  }

  /// Keys made, used and dropped while others are.
  @Test func makingKeys() async throws {
    let right = await count { valid in
      KnownSignature.all.allSatisfy { known in
        guard let key = try? known.key() else { return !valid }
        return key.accepts(known.signature, valid ? known.message : [0]) == valid
      } == true ? valid : !valid
    }
    #expect(right == Self.tasks * Self.rounds)
  }
}
