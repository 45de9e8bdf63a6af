import AssayCodec
import AssayCrypto
import AssayState
import Testing

@Suite struct RecoveryCodesTests {
  private let tenant: Tenant
  private let account = Array("alice".utf8)
  private let now = UnixTime(1_700_000_000)
  private let store = InMemoryRecoveryCodeStore()
  private let codes: RecoveryCodes

  init() throws {
    tenant = try Tenant("example")
    codes = try RecoveryCodes(key: Self.key(1), store: store, attempts: InMemoryAttemptStore())
  }

  static func key(_ byte: UInt8, _ algorithm: MACAlgorithm = .hs256) throws -> MACKey {
    try MACKey(SecretBytes(copying: [UInt8](repeating: byte, count: 64).span), for: algorithm)
  }

  /// How many codes are left, or why the text was refused.
  private func redeem(_ text: [UInt8], of account: [UInt8]? = nil) async throws -> Result<Int, CodeRefusal> {
    do {
      return .success(try await codes.redeem(tenant, text, of: account ?? self.account, at: now))
    } catch let refusal as CodeRefusal { return .failure(refusal) }
  }

  private func isWrong(_ result: Result<Int, CodeRefusal>) -> Bool {
    if case .failure(let refusal) = result { refusal.code == .wrongCode } else { false }
  }

  @Test func eachCodeIsGoodOnce() async throws {
    let made = try await codes.replace(tenant, of: account)
    #expect(made.count == 10)
    #expect(Set(made.map(\.text)).count == 10)
    for (index, code) in made.enumerated() {
      #expect(try await redeem(code.text.utf8).get() == 9 - index)
      #expect(isWrong(try await redeem(code.text.utf8)))
    }
    #expect(try await codes.remaining(tenant, of: account) == 0)
  }

  @Test func codesAreReadable() async throws {
    let made = try await codes.replace(tenant, of: account, count: 32)
    let allowed = Set("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    var seen: Set<UInt8> = []
    for code in made {
      let groups = code.text.utf8.split(separator: UInt8(ascii: "-"))
      #expect(groups.map(\.count) == [6, 6, 6, 6])
      #expect(groups.joined().allSatisfy { allowed.contains($0) })
      seen.formUnion(groups.joined())
      #expect("\(code)" == "recovery code")
    }
    #expect(seen == allowed)
  }

  @Test func peopleTypeThemAsTheyLike() async throws {
    let made = try await codes.replace(tenant, of: account, count: 5)
    let texts = made.map(\.text.string)
    let typed = [
      texts[0].lowercased(), texts[1].filter { $0 != "-" }, texts[2].map { "\($0) " }.joined(),
      texts[3].map { $0 == "0" ? "o" : $0 == "1" ? "l" : "\($0)" }.joined(),
      " " + texts[4].map { $0 == "0" ? "O" : $0 == "1" ? "I" : "\($0)" }.joined() + "- ",
    ]
    for (index, text) in typed.enumerated() { #expect(try await redeem(Array(text.utf8)).get() == 4 - index) }
  }

  @Test func whatCannotBeACodeIsNotAnAttempt() async throws {
    let text = try #require(try await codes.replace(tenant, of: account, count: 1).first?.text.utf8)
    let plain = text.filter { $0 != UInt8(ascii: "-") }
    var malformed = (0..<plain.count).map { Array(plain.prefix($0)) }
    malformed += [plain + plain.prefix(1), plain.dropLast() + Array("U".utf8), plain.dropLast() + Array("é".utf8)]
    malformed += [plain + [UInt8](repeating: 0x20, count: 41), plain + [0], plain + [0x0A]]
    for text in malformed {
      let result = try await redeem(text)
      guard case .failure(let refusal) = result else {
        Issue.record("accepted")
        return
      }
      #expect(refusal.code == .malformedCode)
    }
    #expect(try await redeem(plain + [UInt8](repeating: 0x20, count: 40)).get() == 0)
  }

  @Test func everyCharacterCounts() async throws {
    let text = try #require(try await codes.replace(tenant, of: account, count: 1).first?.text.utf8)
    for index in text.indices where text[index] != UInt8(ascii: "-") {
      // Attempts are another test's.
      let patient = try RecoveryCodes(key: Self.key(1), store: store, attempts: InMemoryAttemptStore())
      var altered = text
      altered[index] = text[index] == UInt8(ascii: "7") ? UInt8(ascii: "8") : UInt8(ascii: "7")
      await #expect(throws: CodeRefusal.self) { try await patient.redeem(tenant, altered, of: account, at: now) }
    }
    #expect(try await redeem(text).get() == 0)
  }

  /// What is stored is of use with the same key, tenant and account only.
  @Test func codesAreBound() async throws {
    let text = try #require(try await codes.replace(tenant, of: account, count: 1).first?.text.utf8)
    let selector = Array(text.prefix(6))
    let key = try StateKey("assay recovery codes", account)
    let stored = try #require(await store.find(tenant, key, selector: selector))
    #expect(stored.mac.count == 32)

    let bob = Array("bob".utf8)
    try await store.replaceAll(tenant, try StateKey("assay recovery codes", bob), with: [stored])
    #expect(isWrong(try await redeem(text, of: bob)))
    let other = try Tenant("other")
    try await store.replaceAll(other, key, with: [stored])
    await #expect(throws: CodeRefusal.self) { try await codes.redeem(other, text, of: account, at: now) }
    let foreign = try RecoveryCodes(key: Self.key(2), store: store, attempts: InMemoryAttemptStore())
    await #expect(throws: CodeRefusal.self) { try await foreign.redeem(tenant, text, of: account, at: now) }
    // Another code's MAC under this selector, and that of no code.
    for mac in [[UInt8](repeating: 0, count: 32), []] {
      try await store.replaceAll(tenant, key, with: [StoredRecoveryCode(selector: selector, mac: mac)])
      #expect(isWrong(try await redeem(text)))
    }
    try await store.replaceAll(tenant, key, with: [stored])
    #expect(try await redeem(text).get() == 0)
  }

  @Test func newCodesReplaceTheOldOnes() async throws {
    let old = try await codes.replace(tenant, of: account, count: 3)
    let new = try await codes.replace(tenant, of: account, count: 2)
    for code in old { #expect(isWrong(try await redeem(code.text.utf8))) }
    let first = try #require(new.first)
    #expect(try await redeem(first.text.utf8).get() == 1)
    try await codes.removeAll(tenant, of: account)
    #expect(try await codes.remaining(tenant, of: account) == 0)
  }

  @Test func attemptsAreBounded() async throws {
    let right = try #require(try await codes.replace(tenant, of: account, count: 1).first?.text.utf8)
    // Half with a selector that exists.
    let wrong = [Array("000000".utf8), Array(right.prefix(6))].map { $0 + Array("000000000000000000".utf8) }
    for attempt in 0..<10 { #expect(isWrong(try await redeem(wrong[attempt % 2]))) }
    await #expect(throws: CodeRefusal.self) { try await codes.redeem(tenant, right, of: account, at: now) }
    let later = now.adding(seconds: 60)
    #expect(try await codes.redeem(tenant, right, of: account, at: later) == 0)
  }

  @Test func misuseIsRefused() async throws {
    for algorithm in [MACAlgorithm.hs384, .hs512] {
      #expect(throws: StateError(.keyNotAllowed)) {
        try RecoveryCodes(key: Self.key(1, algorithm), store: store, attempts: InMemoryAttemptStore())
      }
    }
    for count in [0, -1, 33] {
      await #expect(throws: StateError(.countNotAllowed)) {
        try await codes.replace(tenant, of: account, count: count)
      }
    }
  }
}
