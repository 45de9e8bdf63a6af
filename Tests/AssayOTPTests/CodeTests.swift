import AssayCodec
import AssayOTP
import TestSupport
import Testing

/// Codes as published, and at the edges.
@Suite struct CodeTests {
  static let hotp = OTPVector.carried("rfc/rfc4226.json") + OTPVector.carried("otp/hotp.json")
  static let totp = OTPVector.carried("rfc/rfc6238.json") + OTPVector.carried("otp/totp.json")

  @Test func nothingIsMissing() {
    #expect(Self.hotp.count == 10 + 83)
    #expect(Self.totp.count == 18 + 69)
  }

  @Test(arguments: hotp) func counterBased(_ vector: OTPVector) throws {
    let counter = try #require(vector.uint64("counter"))
    let hotp = try vector.hotp()
    let code = try hotp.code(counter: counter).text
    #expect(code.string == vector.string("expected"))
    #expect(try hotp.verify(code.utf8.span, counter: counter).counter == counter)
  }

  @Test(arguments: totp) func timeBased(_ vector: OTPVector) throws {
    let time = UnixTime(try #require(vector.int64("time")))
    let totp = try vector.totp()
    let code = try totp.code(at: time).text
    #expect(code.string == vector.string("expected"))
    let nothingElse = TOTP.Window(back: 0, ahead: 0)
    #expect(try totp.verify(code.utf8.span, at: time, after: nil, window: nothingElse) == totp.step(at: time))
  }

  /// The whole collection: three empty secrets are refused, sixteen short ones need the option, and no common mistake
  /// gives the same code.
  @Test(.enabled(if: TestData.hasExtra)) func everyCodeOfTheCollection() throws {
    let vectors = OTPVector.extra("otp/otp.json")
    #expect(vectors.count == 171)
    var empty = 0
    var short = 0
    for vector in vectors {
      let count = try vector.secret().count
      guard count > 0 else {
        #expect(throws: OTPError.self) { try vector.hotp(allowShortSecret: true) }
        empty += 1
        continue
      }
      if count < HOTP.minimumSecretBytes {
        #expect(throws: OTPError.self) { try vector.hotp() }
        short += 1
      }
      let code =
        vector.string("type") == "hotp"
        ? try vector.hotp(allowShortSecret: true).code(counter: try #require(vector.uint64("counter")))
        : try vector.totp(allowShortSecret: true).code(at: UnixTime(try #require(vector.int64("time"))))
      #expect(code.text.string == vector.string("code"), "\(vector.testDescription)")
      for mistake in vector.json["known_wrong"]?.object?.members ?? [] {
        #expect(code.text != mistake.value.string, "\(vector.testDescription) \(mistake.name.string)")
      }
    }
    #expect(empty == 3)
    #expect(short == 16)
  }

  @Test func timeIsExactFromEndToEnd() throws {
    let totp = try TOTP(secret: rfcSecret(), period: 1, start: UnixTime(.min))
    #expect(try totp.step(at: UnixTime(.min)) == 0)
    #expect(try totp.step(at: UnixTime(.max)) == .max)
    let code = try totp.code(at: UnixTime(.max)).text
    #expect(try totp.verify(code.utf8.span, at: UnixTime(.max), after: nil) == .max)
    let late = try TOTP(secret: rfcSecret(), start: UnixTime(.max))
    #expect(fault { () throws(OTPError) in try late.step(at: UnixTime(.max - 1)) } == .timeBeforeStart)
  }

  @Test func aCodeDoesNotPrintItself() throws {
    let code = try HOTP(secret: rfcSecret()).code(counter: 0)
    #expect(code.text == "755224")
    var dumped = ""
    dump(code, to: &dumped)
    for shown in ["\(code)", String(reflecting: code), dumped] { #expect(!shown.contains("755224")) }
    #expect("\(code)" == "one-time code (6 digits)")
  }
}

/// The key of RFC 4226, appendix D.
func rfcSecret() -> SecretBytes {
  let key = Array("12345678901234567890".utf8)
  return SecretBytes(copying: key.span)
}
