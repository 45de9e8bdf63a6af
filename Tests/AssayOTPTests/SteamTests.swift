import AssayCodec
import AssayOTP
import TestSupport
import Testing

/// Steam Guard's codes.
@Suite struct SteamTests {
  static let vectors = OTPVector.carried("otp/steam.json")
  private static let secret = Array("12345678901234567890".utf8)

  @Test func nothingIsMissing() { #expect(Self.vectors.count == 8) }

  @Test(arguments: vectors) func makesAndAcceptsItsCode(_ vector: OTPVector) throws {
    let time = UnixTime(try #require(vector.int64("time")))
    let steam = try SteamGuard(secret: vector.secret())
    let code = try steam.code(at: time).text
    #expect(code.string == vector.string("expected"))
    let step = try steam.verify(code.utf8.span, at: time, after: nil, window: TOTP.Window(back: 0, ahead: 0))
    #expect(step == UInt64(time.seconds / 30))
    // Neither backwards nor as digits.
    #expect(Self.fault(steam, code.utf8.reversed(), at: time) == .wrongCode)
    let digits = try TOTP(secret: vector.secret()).code(at: time).text
    #expect(Self.fault(steam, digits.utf8, at: time) == .malformedCode)
    #expect(try TOTP(secret: vector.secret()).fault(code.utf8, at: time, after: nil) == .malformedCode)
  }

  @Test(.enabled(if: TestData.hasExtra)) func noCommonMistakeIsMade() throws {
    let vectors = OTPVector.extra("otp/steam.json")
    #expect(vectors.count == 8)
    for vector in vectors {
      let steam = try SteamGuard(secret: vector.secret())
      let code = try steam.code(at: UnixTime(try #require(vector.int64("time")))).text
      #expect(code.string == vector.string("code"), "\(vector.testDescription)")
      for mistake in vector.json["known_wrong"]?.object?.members ?? [] {
        #expect(code != mistake.value.string, "\(vector.testDescription)")
      }
    }
  }

  private static func fault(
    _ steam: SteamGuard, _ code: [UInt8], at now: UnixTime, after last: UInt64? = nil,
    window: TOTP.Window = TOTP.Window(back: 0, ahead: 0)
  ) -> OTPError.Code? {
    do throws(OTPError) {
      _ = try steam.verify(code.span, at: now, after: last, window: window)
      return nil
    } catch { return error.code }
  }

  /// Step 1 has the code PV9M4.
  @Test func aWindowIsSearchedAndAUsedStepIsNot() throws {
    let steam = try SteamGuard(secret: SecretBytes(copying: Self.secret.span))
    let code = Array("PV9M4".utf8)
    #expect(try steam.verify(code.span, at: UnixTime(0), after: nil) == 1)
    #expect(try steam.verify(code.span, at: UnixTime(89), after: 0) == 1)
    for (now, last, window, expected) in [
      (30, 1, TOTP.Window.standard, OTPError.Code.wrongCode), (30, 2, .standard, .wrongCode),
      (90, nil, .standard, .wrongCode), (90, nil, TOTP.Window(back: 2, ahead: 0), nil),
      (0, nil, TOTP.Window(back: 1, ahead: 0), .wrongCode), (-1, nil, .standard, .timeBeforeStart),
      (30, nil, TOTP.Window(back: 11, ahead: 0), .windowNotAllowed),
      (30, nil, TOTP.Window(back: 0, ahead: -1), .windowNotAllowed),
    ] as [(Int64, UInt64?, TOTP.Window, OTPError.Code?)] {
      #expect(Self.fault(steam, code, at: UnixTime(now), after: last, window: window) == expected, "\(now)")
    }
  }

  @Test func everyByteAtEveryPlace() throws {
    let steam = try SteamGuard(secret: SecretBytes(copying: Self.secret.span))
    let good = Array("PV9M4".utf8)
    let alphabet = Set(SteamGuard.alphabet.utf8)
    #expect(alphabet.count == 26)
    for place in good.indices {
      for byte in UInt8.min...UInt8.max where byte != good[place] {
        var code = good
        code[place] = byte
        #expect(Self.fault(steam, code, at: UnixTime(30)) == (alphabet.contains(byte) ? .wrongCode : .malformedCode))
      }
    }
    for code in ["", "PV9M", "PV9M4P", "pv9m4", "PV9M4 "] {
      #expect(Self.fault(steam, Array(code.utf8), at: UnixTime(30)) == .malformedCode)
    }
  }

  @Test func secretsHaveALeastLengthHereToo() throws {
    for (count, allowed, expected) in [
      (0, true, OTPError.Code.emptySecret), (15, false, .shortSecret), (15, true, nil), (16, false, nil),
      (1024, false, nil), (1025, true, .longSecret),
    ] as [(Int, Bool, OTPError.Code?)] {
      let bytes = [UInt8](repeating: 7, count: count)
      #expect(
        OTPTestFault.of { () throws(OTPError) in
          _ = try SteamGuard(secret: SecretBytes(copying: bytes.span), allowShortSecret: allowed)
        } == expected)
    }
  }

  /// A key is for one kind of code.
  @Test func onlySteamsKeysMakeThem() throws {
    let text = "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    let steam = try OTPAuthURI(Array("\(text)&encoder=steam".utf8).span, .lenient)
    #expect(try SteamGuard(steam.key).code(at: UnixTime(30)).text == "PV9M4")
    for other in ["", "&encoder=steam&period=60", "&encoder=steam&algorithm=SHA256"] {
      let key = try OTPAuthURI(Array((text + other).utf8).span, .lenient)
      #expect(OTPTestFault.of { () throws(OTPError) in _ = try SteamGuard(key.key) } == .otherKind)
    }
  }

  /// Neither a code nor what makes codes shows anything of itself.
  @Test func nothingPrintsItself() throws {
    let secret = SecretBytes(copying: Self.secret.span)
    let steam = try SteamGuard(secret: secret)
    let code = try steam.code(at: UnixTime(30))
    var shown = "\(code) \(steam)"
    dump(code, to: &shown)
    dump(steam, to: &shown)
    dump(try HOTP(secret: secret), to: &shown)
    dump(try TOTP(secret: secret), to: &shown)
    #expect(shown.contains("Steam Guard code (5 characters)"))
    #expect(!shown.contains("PV9M4") && !shown.contains("1234567890") && !shown.contains("49, 50, 51"))
  }
}
