import AssayCodec
import AssayOTP
import Testing

/// What went wrong in other implementations, by its public report.
@Suite struct PitfallTests {
  /// One published code, with what the mistaken implementation gave.
  struct Report: CustomTestStringConvertible {
    let name: String
    let base32: String
    var algorithm: OTPAlgorithm = .sha1
    var digits = 6
    var counter: UInt64 = 0
    var time: Int64?
    let right: String
    var wrong: String?

    var testDescription: String { name }
  }

  private static let rfcKey = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

  static let reports: [Report] = [
    Report(
      name: "aerogear-otp-java#7", base32: "R5MB5FAQNX5UIPWL", counter: 45_187_109, right: "002941", wrong: "2941"),
    Report(
      name: "SecurityDriven.Inferno#36", base32: "WEX4MILJJVROFSYRDG2YTRR2OBTHIM2K", time: 1_599_065_010,
      right: "073358", wrong: "73358"),
    Report(
      name: "speakeasy#76 SHA256", base32: rfcKey, algorithm: .sha256, digits: 8, time: 59, right: "32247374",
      wrong: "46119246"),
    Report(
      name: "speakeasy#76 SHA512", base32: rfcKey, algorithm: .sha512, digits: 8, time: 59, right: "69342147",
      wrong: "90693936"),
    Report(name: "seed repeated", base32: "GEZDGNBV", time: 1_700_000_010, right: "003653", wrong: "424846"),
    Report(name: "JS-OTP#3 below", base32: rfcKey, counter: 127, right: "307470"),
    Report(name: "JS-OTP#3", base32: rfcKey, counter: 128, right: "425216"),
    Report(name: "mod-authn-otp#28", base32: rfcKey, counter: 1 << 32 + 5, right: "250721", wrong: "254676"),
    Report(name: "counter as a double", base32: rfcKey, counter: 1 << 53 + 1, right: "354518", wrong: "860690"),
    Report(
      name: "bitwarden/sdk-internal#1474", base32: rfcKey, digits: 10, counter: 102, right: "1900629694",
      wrong: "0490564286"),
    Report(name: "totp-generator#45", base32: "3IS523AYRNFUE", digits: 9, time: 1_634_193_300, right: "097859470"),
    Report(
      name: "google-authenticator-android#29", base32: "46PABKV2HL2BYL5P", algorithm: .sha256, time: 1_438_300_800,
      right: "182561", wrong: "234922"),
    Report(
      name: "keepassxc#1022", base32: "jzls hdx6 fvhm yzpu c6o3 rybg 4ytt uuap", time: 1_506_902_400, right: "124087"),
    Report(
      name: "Authenticator-Extension#1546", base32: "J3WWIV3PTGJPQV5QAICM", time: 1_750_000_000, right: "165022"),
    Report(name: "padding decoded as data", base32: "VPGRENCWPA======", right: "032982", wrong: "010721"),
    Report(name: "devise-two-factor#80", base32: "2Z6HXKDWI3UVRNPN", time: 48_679_200 * 30, right: "089111"),
  ]

  @Test(arguments: reports) func givesTheRightCode(_ report: Report) throws {
    let text = Array(report.base32.utf8)
    let code: OneTimeCode
    if let time = report.time {
      let totp = try TOTP(
        base32: text.span, digits: report.digits, algorithm: report.algorithm, allowShortSecret: true)
      code = try totp.code(at: UnixTime(time))
    } else {
      let hotp = try HOTP(
        base32: text.span, digits: report.digits, algorithm: report.algorithm, allowShortSecret: true)
      code = try hotp.code(counter: report.counter)
    }
    #expect(code.text.string == report.right)
    #expect(code.text.string != report.wrong)
  }

  /// CVE-2021-43177: with only the current step remembered, a code was good again one interval later.
  @Test func cve2021_43177() throws {
    let totp = try TOTP(base32: Array("2Z6HXKDWI3UVRNPN".utf8).span, allowShortSecret: true)
    let code = Array("089111".utf8)
    let time: Int64 = 48_679_200 * 30
    let step = try totp.verify(code.span, at: UnixTime(time), after: nil)
    #expect(step == 48_679_200)
    for later in [0, 30, 60] as [Int64] {
      let outcome = totp.fault(code, at: UnixTime(time + later), after: step, window: TOTP.Window(back: 2, ahead: 1))
      #expect(outcome == .wrongCode)
    }
  }

  /// notp#21: a counter behind the expected one was used already.
  @Test func theLookAheadNeverLooksBehind() throws {
    let hotp = try HOTP(secret: rfcSecret())
    let used = Array("338314".utf8)
    #expect(hotp.fault(used, counter: 5, lookAhead: 50) == .wrongCode)
    #expect(try hotp.verify(used.span, counter: 4).next == 5)
  }

  /// speakeasy#75, CVE-2024-8796: an empty secret is everyone's, a short one can be searched.
  @Test func secretsHaveALeastLength() throws {
    for count in 0...HOTP.maximumSecretBytes + 1 {
      let secret = SecretBytes(copying: [UInt8](repeating: 7, count: count).span)
      let strict = make(secret, allowShortSecret: false)
      let lenient = make(secret, allowShortSecret: true)
      switch count {
      case 0: #expect(strict == .emptySecret && lenient == .emptySecret)
      case 1..<16: #expect(strict == .shortSecret && lenient == nil)
      case 16...1024: #expect(strict == nil && lenient == nil)
      default: #expect(strict == .longSecret && lenient == .longSecret)
      }
    }
  }

  private func make(_ secret: borrowing SecretBytes, allowShortSecret: Bool) -> OTPError.Code? {
    do throws(OTPError) {
      _ = try HOTP(secret: secret, allowShortSecret: allowShortSecret)
      return nil
    } catch { return error.code }
  }

  /// Aegis#1823, keepassxc#5106, OneTimePassword: numbers that divided by zero, overflowed or trapped.
  @Test func numbersOutOfRangeAreRefused() {
    for digits in [Int.min, -6, 0, 1, 5, 11, 12, .max] {
      #expect(
        fault { () throws(OTPError) in try TOTP(secret: rfcSecret(), digits: digits) }
          == .digitsNotAllowed)
    }
    for period in [Int64.min, -30, 0, 86401, .max] {
      #expect(
        fault { () throws(OTPError) in try TOTP(secret: rfcSecret(), period: period) }
          == .periodNotAllowed)
    }
  }

  /// oathtool, pquerna: an unknown algorithm must never be SHA1.
  @Test func unknownAlgorithmsHaveNoValue() {
    for name in ["", "sha1", "SHA-1", "SHA3", "MD5", "SHA1 ", "HMACSHA1", "SHA224"] {
      #expect(OTPAlgorithm(name: UTF8Text(name)) == nil)
    }
    for algorithm in OTPAlgorithm.allCases { #expect(OTPAlgorithm(name: algorithm.name) == algorithm) }
  }

  /// OneTimePassword#220: look-alikes are refused, and the error holds nothing of the secret.
  @Test func lookAlikesAreRefused() {
    for text in ["GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJ0", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJ1", "GEZDGNBVGY3TQOJQÄ", "A"] {
      #expect(TOTP.fault(base32: Array(text.utf8)) == .malformedSecret)
    }
  }

  /// Whoever submits a used code learns no more than whoever guesses.
  @Test func aUsedCodeAndAWrongOneLookTheSame() throws {
    let totp = try TOTP(secret: rfcSecret())
    let now = UnixTime(1_700_000_010)
    var messages: Set<String> = []
    for code in ["732303", "732304"] {
      do {
        _ = try totp.verify(Array(code.utf8).span, at: now, after: 56_666_667)
        Issue.record("accepted")
      } catch { messages.insert("\(error)") }
    }
    #expect(messages.count == 1)
  }
}
