import AssayCodec
import AssayOTP
import TestSupport
import Testing

/// Keys and the URIs written for them.
@Suite struct KeyTests {
  private static func key(
    issuer: UTF8Text? = "ACME Co", account: UTF8Text = "john@example.com", algorithm: OTPAlgorithm = .sha1,
    digits: Int = 6, factor: OTPKey.Factor = .time(period: 30)
  ) throws(OTPKeyError) -> OTPKey {
    try OTPKey(
      issuer: issuer, account: account, secret: rfcSecret(), algorithm: algorithm, digits: digits, factor: factor)
  }

  private static func text(_ key: borrowing OTPKey) throws -> String {
    let uri = try key.uri()
    return uri.withSpan { String(decoding: Array(copying: $0), as: UTF8.self) }
  }

  private static func fault(_ make: () throws(OTPKeyError) -> OTPKey) -> OTPKeyError.Code? {
    do throws(OTPKeyError) {
      let key = try make()
      _ = try key.uri()
      return nil
    } catch { return error.code }
  }

  @Test func isWrittenInOneWay() throws {
    #expect(
      try Self.text(Self.key())
        == "otpauth://totp/ACME%20Co:john%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        + "&issuer=ACME%20Co&algorithm=SHA1&digits=6&period=30")
    #expect(
      try Self.text(Self.key(issuer: nil, account: "a+b", algorithm: .sha512, digits: 8, factor: .counter(.max)))
        == "otpauth://hotp/a%2Bb?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        + "&algorithm=SHA512&digits=8&counter=18446744073709551615")
  }

  /// Names that broke other writers and readers (2fas-android#198, keycloak#52296, otp#8, Hummingbird).
  static let names: [UTF8Text] = [
    "a", "This & that", "100%", "100%25", "A+B", "a/b", "?x=1", "#1", "喵 と Nyaa", "Zoë", "😀", "\"<>\\^`{|}",
    "=;,'()*!$",
    "%3A", "../..", "e\u{301}", "\u{E9}",
  ]

  @Test(arguments: names) func readsBackAsTheSame(_ name: UTF8Text) throws {
    for other in Self.names + ["x"] {
      for issuer in [name, nil] as [UTF8Text?] {
        for factor in [OTPKey.Factor.time(period: 86400), .counter(1 << 53 + 1)] {
          let written = try Self.text(Self.key(issuer: issuer, account: other, digits: 8, factor: factor))
          for mode in [OTPAuthURI.Mode.strict, .lenient] {
            let read = try OTPAuthURI(Array(written.utf8).span, mode)
            let (readIssuer, readAccount) = (read.key.issuer, read.key.account)
            #expect(readIssuer == issuer && readAccount == other, "\(written)")
            #expect(read.warnings.isEmpty && read.otherParameters.isEmpty && read.labelIssuer == nil)
            let readFactor = read.key.factor
            #expect(readFactor == factor)
            let again = try Self.text(read.key)
            #expect(again == written)
          }
        }
      }
    }
  }

  /// Whatever the lenient reader makes of the collection, Steam's apart, is written so that it reads back as the same.
  @Test(.enabled(if: TestData.hasExtra)) func whatWasReadIsWrittenSoThatItReadsBack() throws {
    var count = 0
    for vector in OTPVector.extra("otp/uri.json") {
      let uri = vector.uri
      guard let read = try? OTPAuthURI(uri.span, .lenient), read.key.encoder == .decimal else { continue }
      let written = try Self.text(read.key)
      let again = try OTPAuthURI(Array(written.utf8).span, .lenient)
      let (before, after) = (Facts(read.key), Facts(again.key))
      #expect(before == after, "\(vector.testDescription)")
      let second = try Self.text(again.key)
      #expect(second == written)
      count += 1
    }
    #expect(count == 72 - 3)
  }

  private struct Facts: Equatable {
    let issuer: UTF8Text?
    let account: UTF8Text
    let secret: [UInt8]
    let algorithm: OTPAlgorithm
    let digits: Int
    let factor: OTPKey.Factor

    init(_ key: borrowing OTPKey) {
      issuer = key.issuer
      account = key.account
      secret = key.secret.withSpan { Array(copying: $0) }
      algorithm = key.algorithm
      digits = key.digits
      factor = key.factor
    }
  }

  @Test func newKeysHaveRules() throws {
    let trimmed = try Self.key(issuer: "  ", account: "  a  ")
    let (issuer, account) = (trimmed.issuer, trimmed.account)
    #expect(issuer == nil && account == "a")
    for empty in ["", "   "] as [UTF8Text] {
      #expect(Self.fault { () throws(OTPKeyError) in try Self.key(account: empty) } == .missingLabel)
    }
    for colon in [":", "a:b", "a:", ":a"] as [UTF8Text] {
      #expect(Self.fault { () throws(OTPKeyError) in try Self.key(account: colon) } == .colonInLabel)
      #expect(Self.fault { () throws(OTPKeyError) in try Self.key(issuer: colon) } == .colonInLabel)
    }
    for control in ["a\nb", "a\u{0}", "\u{7F}", "a\u{9B}31m"] as [UTF8Text] {
      #expect(Self.fault { () throws(OTPKeyError) in try Self.key(account: control) } == .controlCharacter)
      #expect(Self.fault { () throws(OTPKeyError) in try Self.key(issuer: control) } == .controlCharacter)
    }
    for digits in [Int.min, 0, 5, 11, .max] {
      #expect(Self.fault { () throws(OTPKeyError) in try Self.key(digits: digits) } == .invalidDigits)
    }
    for period in [Int64.min, 0, 86401, .max] {
      #expect(Self.fault { () throws(OTPKeyError) in try Self.key(factor: .time(period: period)) } == .invalidPeriod)
    }
    let long = UTF8Text(String(repeating: "a", count: OTPAuthURI.maximumBytes))
    #expect(Self.fault { () throws(OTPKeyError) in try Self.key(account: long) } == .tooLong)
    let expected: [(Int, OTPKeyError.Code?)] = [
      (0, .emptySecret), (1, .weakSecret), (15, .weakSecret), (16, nil), (1024, nil), (1025, .longSecret),
    ]
    for (count, code) in expected { #expect(Self.secretFault(count) == code) }
    // By name only, and never without any.
    for (count, code) in [(0, OTPKeyError.Code.emptySecret), (1, nil), (15, nil), (1025, .longSecret)] {
      #expect(Self.secretFault(count, allowShort: true) == code)
    }
  }

  private static func secretFault(_ count: Int, allowShort: Bool = false) -> OTPKeyError.Code? {
    let bytes = [UInt8](repeating: 7, count: count)
    do throws(OTPKeyError) {
      _ = try OTPKey(
        issuer: nil, account: "a", secret: SecretBytes(copying: bytes.span), allowShortSecret: allowShort)
      return nil
    } catch { return error.code }
  }

  /// google-authenticator-android#29: apps that ignore what they cannot do never show a right code.
  @Test func whatAppsIgnoreIsSaid() throws {
    let plain = try Self.key().cautions
    #expect(plain == [])
    let odd = try Self.key(algorithm: .sha256, digits: 8, factor: .time(period: 60)).cautions
    #expect(odd == [.algorithm, .digits, .period])
    let counting = try Self.key(factor: .counter(0)).cautions
    #expect(counting == [.counter])
  }

  @Test func makesItsCodesAndNoOthers() throws {
    let time = try Self.key(algorithm: .sha256, digits: 8, factor: .time(period: 30))
    #expect(try TOTP(time).code(at: UnixTime(59)).text == "32247374")
    #expect(OTPTestFault.of { () throws(OTPError) in _ = try HOTP(time) } == .otherKind)
    let counting = try Self.key(factor: .counter(5))
    #expect(try HOTP(counting).code(counter: 4).text == "338314")
    #expect(OTPTestFault.of { () throws(OTPError) in _ = try TOTP(counting) } == .otherKind)

    let short = try OTPAuthURI(Array("otpauth://totp/a?secret=JBSWY3DPEHPK3PXP".utf8).span, .lenient)
    #expect(OTPTestFault.of { () throws(OTPError) in _ = try TOTP(short.key) } == .shortSecret)
    #expect(try TOTP(short.key, allowShortSecret: true).code(at: UnixTime(1_700_000_010)).text == "367665")
  }

  /// Steam Guard is recognised by each of its signs, and no other code is made of it.
  @Test(arguments: [
    "otpauth://steam/a?secret=S", "otpauth://steam/a?secret=S&digits=5", "otpauth://totp/a?secret=S&encoder=steam",
    "otpauth://totp/a?secret=S&steam", "otpauth://totp/Steam:a?secret=S", "otpauth://totp/a?secret=S&issuer=Steam",
  ]) func steamIsRecognised(_ uri: String) throws {
    let text = Array(uri.replacing("secret=S", with: "secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ").utf8)
    let read = try OTPAuthURI(text.span, .lenient)
    let (encoder, digits) = (read.key.encoder, read.key.digits)
    #expect(encoder == .steam && digits == 5)
    #expect(OTPTestFault.of { () throws(OTPError) in _ = try TOTP(read.key) } == .encoderNotSupported)
    #expect(OTPTestFault.of { () throws(OTPError) in _ = try HOTP(read.key) } == .encoderNotSupported)
    do throws(OTPKeyError) {
      _ = try read.key.uri()
      Issue.record("written")
    } catch { #expect(error.code == .unsupportedEncoder) }
  }
}

/// The code of an error, for calls whose result is of no interest.
enum OTPTestFault {
  static func of(_ body: () throws(OTPError) -> Void) -> OTPError.Code? {
    do throws(OTPError) {
      try body()
      return nil
    } catch { return error.code }
  }
}
