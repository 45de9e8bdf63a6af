import AssayCodec
import AssayOTP
import Foundation
import TestSupport
import Testing

/// Against oathtool of OATH Toolkit, another implementation.
@Suite struct OathtoolTests {
  static let path = "/usr/bin/oathtool"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: path), "oathtool is not installed: not compared"))
  func codesAreEqual() throws {
    for (index, algorithm) in OTPAlgorithm.allCases.enumerated() {
      for digits in 6...8 {
        let secret = (0..<(16 + 7 * index + digits)).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ digits) }
        let hex = Base16.encode(secret.span).string
        let time: Int64 = 1_700_000_000 + Int64(digits) * 12_345_678
        let totp = try TOTP(secret: SecretBytes(copying: secret.span), digits: digits, period: 45, algorithm: algorithm)
        #expect(
          try totp.code(at: UnixTime(time)).text.string
            == oathtool("--totp=\(algorithm.name.string)", "-d", "\(digits)", "-s", "45s", "-N", "@\(time)", hex))
        guard algorithm == .sha1 else { continue }
        let hotp = try HOTP(secret: SecretBytes(copying: secret.span), digits: digits)
        for counter in [0, 255, 1 << 31, 1 << 40] as [UInt64] {
          #expect(
            try hotp.code(counter: counter).text.string == oathtool("-c", "\(counter)", "-d", "\(digits)", hex))
        }
      }
    }
  }

  private func oathtool(_ arguments: String...) throws -> String {
    let done = try ChildProcess.run(Self.path, arguments)
    return String(decoding: done.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
