import AssayCodec
import AssayOTP
import Testing

/// Rules of reading `otpauth` URIs that the collection has no case for; one change each to what is accepted.
@Suite struct KeyURITests {
  private static let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
  private static let good = "otpauth://totp/Example:alice?secret=\(secret)&issuer=Example&digits=6"

  private static func fault(_ uri: [UInt8], _ mode: OTPAuthURI.Mode) -> OTPKeyError? {
    do throws(OTPKeyError) {
      _ = try OTPAuthURI(uri.span, mode)
      return nil
    } catch { return error }
  }

  private static func fault(_ uri: String, _ mode: OTPAuthURI.Mode = .lenient) -> OTPKeyError.Code? {
    fault(Array(uri.utf8), mode)?.code
  }

  @Test func theGoodOneIsGood() {
    #expect(Self.fault(Self.good) == nil)
    #expect(Self.fault(Self.good, .strict) == nil)
  }

  static let changes: [(from: String, to: String, code: OTPKeyError.Code)] = [
    ("otpauth://", "otpauth:/", .invalidURI),
    ("otpauth", "otpauths", .unsupportedScheme), ("otpauth:", "otpauth", .unsupportedScheme),
    ("totp", "totp.", .unsupportedType), ("totp", "%74otp", .unsupportedType),
    ("digits=6", "digits=٦", .invalidDigits), ("digits=6", "digits=06.", .invalidDigits),
    ("digits=6", "digits&digits=6", .duplicateParameter),
    ("digits=6", "period=0", .invalidPeriod), ("digits=6", "period=86401", .invalidPeriod),
    ("digits=6", "algorithm=HMACSHA", .unsupportedAlgorithm), ("digits=6", "algorithm=SHA25-6", .unsupportedAlgorithm),
    ("digits=6", "algorithm=%53HA1%00", .controlCharacter), ("digits=6", "x=%", .invalidPercentEncoding),
    ("digits=6", "%=x", .invalidPercentEncoding), ("digits=6", "x=%4", .invalidPercentEncoding),
    ("digits=6", "x=%g0", .invalidPercentEncoding), ("digits=6", "x=%C3", .invalidPercentEncoding),
    ("alice", "al\nice", .controlCharacter), ("alice", "al%C2%9Bice", .controlCharacter),
    ("secret=", "secret=%C3", .invalidSecret), ("secret=", "secret=%00", .invalidSecret),
    ("secret=", "secret&x=", .missingSecret), ("secret=", "secret=&x=", .emptySecret),
  ]

  @Test(arguments: changes) func oneChangeIsRefused(_ change: (from: String, to: String, code: OTPKeyError.Code)) {
    let changed = Self.good.replacing(change.from, with: change.to, maxReplacements: 1)
    #expect(changed != Self.good)
    let lenient = Self.fault(changed)
    let strict = Self.fault(changed, .strict)
    #expect(lenient == change.code)
    #expect(strict != nil)
  }

  /// What only one of the modes refuses: a word that strict mode does not know has no meaning there.
  static let differences: [(from: String, to: String, lenient: OTPKeyError.Code?, strict: OTPKeyError.Code?)] = [
    ("totp", "hotp", nil, .missingCounter), ("totp", "steam", nil, .unsupportedType),
    ("digits=6", "digits=9", nil, .invalidDigits), ("digits=6", "encoder=base64", .unsupportedEncoder, nil),
    ("digits=6", "Digits=6&digits=6", .duplicateParameter, nil), ("digits=6", "Digits=5", .invalidDigits, nil),
    ("digits=6", "note=a b", nil, .invalidURI), ("digits=6", "digits=6#a", nil, .invalidURI),
  ]

  @Test(arguments: differences) func onlyOneModeRefuses(
    _ change: (from: String, to: String, lenient: OTPKeyError.Code?, strict: OTPKeyError.Code?)
  ) {
    let changed = Self.good.replacing(change.from, with: change.to)
    #expect(Self.fault(changed) == change.lenient)
    #expect(Self.fault(changed, .strict) == change.strict)
  }

  /// No prefix and no changed byte traps, and an error says a place within.
  @Test func everyTruncationAndEveryByte() {
    let uri = Array(Self.good.utf8)
    for mode in [OTPAuthURI.Mode.lenient, .strict] {
      for count in 0...uri.count {
        let part = Array(uri[..<count])
        if let error = Self.fault(part, mode) { #expect((0...count).contains(error.offset)) }
      }
      for place in uri.indices {
        for byte in UInt8.min...UInt8.max {
          var changed = uri
          changed[place] = byte
          if let error = Self.fault(changed, mode) { #expect((0...changed.count).contains(error.offset)) }
        }
      }
    }
  }

  @Test func lengthIsBounded() {
    let room = OTPAuthURI.maximumBytes - Self.good.utf8.count
    let longest = Self.good + "&x=" + String(repeating: "y", count: room - 3)
    #expect(Self.fault(longest) == nil && Self.fault(longest, .strict) == nil)
    #expect(Self.fault(longest + "y") == .tooLong && Self.fault(longest + "y", .strict) == .tooLong)
    let long = String(repeating: "A", count: 1648)
    #expect(Self.fault("otpauth://totp/a?secret=" + long) == .longSecret)
  }

  static let warned: [(from: String, to: String, warnings: [OTPAuthURI.Warning])] = [
    ("digits=6", "digits=6#fragment", [.fragment]), ("digits=6", "note=a b", [.rawReserved]),
    ("digits=6", "digits=&period=", [.emptyParameter]), ("issuer=Example", "issuer=%20", [.emptyParameter]),
    ("digits=6", "counter=nonsense", [.irrelevantParameter]), ("totp", "steam", [.irrelevantParameter]),
    ("issuer=Example", "issuer=Other", [.issuerMismatch]), ("issuer=Example", "issuer=+", [.issuerMismatch]),
    ("&digits=6", "&&digits=6&", []),
  ]

  @Test(arguments: warned) func oneChangeIsWarnedOf(
    _ change: (from: String, to: String, warnings: [OTPAuthURI.Warning])
  ) throws {
    let changed = Self.good.replacing(change.from, with: change.to)
    let read = try OTPAuthURI(Array(changed.utf8).span, .lenient)
    let warnings = read.warnings
    #expect(warnings == change.warnings, "\(changed)")
  }

  @Test func allWordsAreDistinctAndSaySomething() {
    let names = OTPAuthURI.Warning.allCases.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Set(OTPAuthURI.Warning.allCases.map(\.description)).count == names.count)
    for code in OTPKeyError.Code.allCases { #expect(!"\(code)".isEmpty) }
  }
}
