internal import AssayCodec
internal import AssayCrypto

/// The shared secret under HMAC, in the one place that all copies of a value share, and what codes are made with.
final class CodeKey: Sendable {
  private let key: HMACKey

  /// Throws `emptySecret`, `shortSecret`, `longSecret`, `unavailable`.
  init(_ secret: borrowing SecretBytes, _ algorithm: OTPAlgorithm, allowShortSecret: Bool) throws(OTPError) {
    guard secret.count > 0 else { throw OTPError(.emptySecret) }
    guard secret.count >= HOTP.minimumSecretBytes || allowShortSecret else { throw OTPError(.shortSecret) }
    guard secret.count <= HOTP.maximumSecretBytes else { throw OTPError(.longSecret) }
    do {
      key = try HMACKey(secret, algorithm.digest)
    } catch { throw OTPError(.unavailable) }
  }

  /// The whole MAC, which the caller wipes.
  func mac(_ message: Span<UInt8>) throws(OTPError) -> [UInt8] {
    do {
      return try key.authenticate(message)
    } catch { throw OTPError(.unavailable) }
  }

  /// Dynamic truncation (RFC 4226, 5.3): 31 bits of the MAC.
  func truncated(_ message: Span<UInt8>) throws(OTPError) -> UInt32 {
    var mac = try mac(message)
    defer { wipe(&mac) }
    // The low four bits of the last byte say where the value begins. Every digest has the 20 bytes this needs. The index
    // is derived from a secret but stays within the 20 to 64 bytes of one MAC.
    guard let last = mac.last, mac.count >= 20 else { throw OTPError(.unavailable) }
    let offset = Int(last & 0x0F)
    return mac[offset..<(offset + 4)].reduce(0 as UInt32) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
  }

  /// The same of a counter in eight bytes, the most significant first.
  func truncated(counter: UInt64) throws(OTPError) -> UInt32 { try truncated(Self.bytes(counter).span) }

  static func bytes(_ counter: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: counter >> UInt64(56 - 8 * $0)) }
  }

  /// The last decimal digits of a value, leading zeros kept.
  static func decimal(_ value: UInt32, count: Int) -> [UInt8] {
    var value = value
    var text = [UInt8](repeating: 0, count: count)
    for index in text.indices.reversed() {
      text[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10)
      value /= 10
    }
    return text
  }

  /// Which of at most 64 candidates have this code: bit n stands for `candidates[n]`.
  ///
  /// Every code is computed and compared in constant time, so how long this takes tells nothing about where or whether
  /// one matched.
  static func matches<Candidate>(
    _ code: Span<UInt8>, _ candidates: [Candidate], _ text: (Candidate) throws(OTPError) -> [UInt8]
  ) throws(OTPError) -> UInt64 {
    var matches: UInt64 = 0
    for (index, candidate) in candidates.enumerated() {
      var right = try text(candidate)
      matches |= (constantTimeEqual(right.span, code) ? 1 : 0) << UInt64(index)
      wipe(&right)
    }
    return matches
  }
}
