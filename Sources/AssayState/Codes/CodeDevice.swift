internal import AssayCodec
public import AssayOTP

/// One device of an account that makes codes.
public struct CodeDevice: Sendable {
  /// What kind of codes, with the secret.
  public enum Kind: Sendable {
    /// By time.
    case timeBased(TOTP)
    /// By counter, from `firstCounter` on.
    case counterBased(HOTP, firstCounter: UInt64)
  }

  /// What tells the account's devices apart; the server's own, and not used again for another secret.
  public let id: [UInt8]
  /// What kind of codes it makes.
  public let kind: Kind

  /// A device that makes codes by time (RFC 6238).
  public init(id: [UInt8], _ totp: TOTP) {
    self.id = id
    kind = .timeBased(totp)
  }

  /// A device that makes codes by counter (RFC 4226), from `firstCounter` on.
  public init(id: [UInt8], _ hotp: HOTP, firstCounter: UInt64 = 0) {
    self.id = id
    kind = .counterBased(hotp, firstCounter: firstCounter)
  }

  /// How many digits its codes have.
  public var digits: Int {
    switch kind {
    case .timeBased(let totp): totp.digits
    case .counterBased(let hotp, _): hotp.digits
    }
  }

  /// Whether text has the form of its codes.
  func canMake(_ code: [UInt8]) -> Bool {
    code.count == digits && code.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// Under what its last step is stored.
  func key(of account: [UInt8]) throws(StateError) -> StateKey { try StateKey("assay code device", account, id) }
}
