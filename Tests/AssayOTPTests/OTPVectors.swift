import AssayCodec
import AssayOTP
import Foundation
import TestSupport
import Testing

/// A case of a vector file, read with exact numbers.
struct OTPVector: CustomTestStringConvertible {
  let json: JSONValue
  let file: String

  var testDescription: String { "\(file) \(string("id"))" }

  /// The cases of one of the repository's own files, which states how many there are.
  static func carried(_ path: String) -> [OTPVector] {
    guard let json = read(TestData.vectors.appending(path: path)), let cases = json["cases"]?.array,
      json["count"]?.number?.int64 == Int64(cases.count)
    else { return [] }
    return cases.map { OTPVector(json: $0, file: path) }
  }

  /// The cases of a file that is an array.
  static func extra(_ path: String) -> [OTPVector] {
    guard let extra = TestData.extra, let cases = read(extra.appending(path: path))?.array else { return [] }
    return cases.map { OTPVector(json: $0, file: path) }
  }

  private static func read(_ url: URL) -> JSONValue? {
    guard let data = try? Data(contentsOf: url) else { return nil }
    return try? JSONValue.decode(Array(data).span)
  }

  func has(_ name: UTF8Text) -> Bool { json[name] != nil && json[name] != .null }
  func string(_ name: UTF8Text) -> String { json[name]?.string?.string ?? "" }
  /// An integer, written as a JSON number or as decimal digits in a string.
  func int64(_ name: UTF8Text) -> Int64? { json[name]?.number?.int64 ?? Int64(string(name)) }
  func uint64(_ name: UTF8Text) -> UInt64? { json[name]?.number?.uint64 ?? UInt64(string(name)) }

  func secret() throws -> SecretBytes {
    let hex = Array(string(has("secret") ? "secret" : "secret_hex").utf8)
    let bytes = try Base16.decode(hex.span)
    return SecretBytes(copying: bytes.span)
  }
  var algorithm: OTPAlgorithm {
    get throws { try #require(OTPAlgorithm(name: UTF8Text(string("algorithm")))) }
  }
  var digits: Int { get throws { Int(try #require(int64("digits"))) } }

  func hotp(allowShortSecret: Bool = false) throws -> HOTP {
    try HOTP(secret: secret(), digits: digits, algorithm: algorithm, allowShortSecret: allowShortSecret)
  }

  func totp(allowShortSecret: Bool = false) throws -> TOTP {
    try TOTP(
      secret: secret(), digits: digits, period: try #require(int64("period")), algorithm: algorithm,
      start: UnixTime(int64("start") ?? int64("t0") ?? 0), allowShortSecret: allowShortSecret)
  }
}

/// The code of an error, or nil if `body` succeeds.
func fault<T>(_ body: () throws(OTPError) -> T) -> OTPError.Code? {
  do throws(OTPError) {
    _ = try body()
    return nil
  } catch { return error.code }
}

extension HOTP {
  /// Why a code is refused, or nil.
  func fault(_ code: [UInt8], counter: UInt64, lookAhead: Int = 0) -> OTPError.Code? {
    do throws(OTPError) {
      _ = try verify(code.span, counter: counter, lookAhead: lookAhead)
      return nil
    } catch { return error.code }
  }
}

extension TOTP {
  /// Why a code is refused, or nil.
  func fault(_ code: [UInt8], at now: UnixTime, after last: UInt64?, window: Window = .standard) -> OTPError.Code? {
    do throws(OTPError) {
      _ = try verify(code.span, at: now, after: last, window: window)
      return nil
    } catch { return error.code }
  }

  /// Why a secret is refused, or nil.
  static func fault(base32: [UInt8]) -> OTPError.Code? {
    do throws(OTPError) {
      _ = try TOTP(base32: base32.span)
      return nil
    } catch { return error.code }
  }
}
