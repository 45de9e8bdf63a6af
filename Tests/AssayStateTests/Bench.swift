import AssayCodec
import AssayOTP
import AssayState

/// One account's devices and stores, and what a code gets from them.
struct Bench {
  static let secret = Array("12345678901234567890".utf8)

  let tenant: Tenant
  let account = Array("alice".utf8)
  let steps = InMemoryStepStore()
  let attempts = InMemoryAttemptStore()
  let verifier: CodeVerifier

  init(_ policy: CodePolicy = .standard) throws {
    tenant = try Tenant("example")
    verifier = CodeVerifier(steps: steps, attempts: attempts, policy: policy)
  }

  static func totp(_ secret: [UInt8] = secret, digits: Int = 6) throws -> TOTP {
    try TOTP(secret: SecretBytes(copying: secret.span), digits: digits)
  }

  static func hotp(_ secret: [UInt8] = secret) throws -> HOTP {
    try HOTP(secret: SecretBytes(copying: secret.span))
  }

  /// What a device shows `steps` steps after a time.
  static func code(_ totp: TOTP, at time: UnixTime, plus steps: Int64 = 0) throws -> [UInt8] {
    try totp.code(at: time.adding(seconds: steps * totp.period)).text.utf8
  }

  static func code(_ hotp: HOTP, _ counter: UInt64) throws -> [UInt8] { try hotp.code(counter: counter).text.utf8 }

  func verify(_ code: [UInt8], _ devices: [CodeDevice], at now: UnixTime) async throws -> Verdict {
    try await Verdict { try await verifier.verify(tenant, code, of: account, devices, at: now) }
  }

  func enrol(_ code: [UInt8], _ device: CodeDevice, at now: UnixTime) async throws -> Verdict {
    try await Verdict { try await verifier.enrol(tenant, code, of: account, device, at: now) }
  }
}

/// What came of a code.
enum Verdict: Equatable {
  case accepted(AcceptedCode)
  case refused(CodeRefusal.Code)

  init(_ judge: () async throws -> AcceptedCode) async throws {
    do {
      self = .accepted(try await judge())
    } catch let refusal as CodeRefusal { self = .refused(refusal.code) }
  }

  var accepted: AcceptedCode? {
    if case .accepted(let code) = self { code } else { nil }
  }
}

/// A code for which none of the devices can be wrong by chance in a test: one that no step near by has.
func wrongCode(_ totp: TOTP, at time: UnixTime) throws -> [UInt8] {
  var near: Set<[UInt8]> = []
  for step in -25...25 as ClosedRange<Int64> { near.insert(try Bench.code(totp, at: time, plus: step)) }
  for guess in 0..<100 {
    let digits = "\(guess)".utf8
    let code = [UInt8](repeating: UInt8(ascii: "0"), count: totp.digits - digits.count) + digits
    if !near.contains(code) { return code }
  }
  throw NoSuchCode()
}

struct NoSuchCode: Error {}
