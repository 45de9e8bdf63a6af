/// Where an issuer's JWK Set comes from, such as the document at its `jwks_uri`.
///
/// An implementer guarantees that the answer is the issuer's (over HTTPS with a checked certificate, from an address that was
/// configured and never taken from a token), that it does not read more than it is asked for, and that it ends when its task is
/// cancelled: the cache gives up waiting and asks again, whether or not the last fetch came to an end.
public protocol JWKSetSource: Sendable {
  /// Fetches the set.
  ///
  /// - Parameter maximumBytes: The longest text that will be looked at; a longer one is to be refused, not cut.
  /// - Throws: Whatever kept it from being fetched. It is not shown to whoever sent a token.
  func fetch(maximumBytes: Int) async throws -> FetchedJWKSet
}

/// What a source fetched.
public struct FetchedJWKSet: Sendable {
  /// The JSON text of the set.
  public let json: [UInt8]
  /// For how many seconds it may be used without asking again; nil if the source does not say.
  public let maximumAge: Int64?

  /// A set that may be used for `maximumAge` seconds.
  public init(json: [UInt8], maximumAge: Int64?) {
    self.json = json
    self.maximumAge = maximumAge
  }

  /// A set with the value of the header `Cache-Control` that came with it.
  public init(json: [UInt8], cacheControl: String?) {
    self.init(json: json, maximumAge: cacheControl.flatMap { CacheControl.maximumAge(Array($0.utf8)) })
  }
}

/// The header field `Cache-Control` (RFC 9111, 5.2): directives between commas, names in any case, values as tokens or quoted.
///
/// Whatever is not understood is passed over: the policy of the cache bounds what comes of it.
enum CacheControl {
  /// The seconds of `max-age`, the smallest if it occurs twice; 0 where `no-store` or `no-cache` does. More than `Int64` holds is
  /// `Int64.max` (RFC 9111, 1.2.2).
  static func maximumAge(_ field: [UInt8]) -> Int64? {
    var age: Int64?
    for directive in directives(of: field) {
      let name = directive.prefix { $0 != UInt8(ascii: "=") }.map(\.lowercased)
      if name.elementsEqual("no-store".utf8) || name.elementsEqual("no-cache".utf8) { return 0 }
      guard name.elementsEqual("max-age".utf8) else { continue }
      let value = directive.dropFirst(name.count + 1)
      guard let seconds = seconds(value) else { continue }
      age = min(age ?? seconds, seconds)
    }
    return age
  }

  /// What stands between commas that are not quoted, without white space around.
  private static func directives(of field: [UInt8]) -> [ArraySlice<UInt8>] {
    var directives: [ArraySlice<UInt8>] = []
    var start = 0
    var isQuoted = false
    var isEscaped = false
    for (index, byte) in field.enumerated() {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isQuoted: isEscaped = true
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted:
        directives.append(field[start..<index].trimmed)
        start = index + 1
      default: break
      }
    }
    directives.append(field[start...].trimmed)
    return directives
  }

  /// Digits, alone or quoted.
  private static func seconds(_ value: ArraySlice<UInt8>) -> Int64? {
    var digits = value
    if digits.count >= 2, digits.first == UInt8(ascii: "\""), digits.last == UInt8(ascii: "\"") {
      digits = digits.dropFirst().dropLast()
    }
    guard !digits.isEmpty else { return nil }
    var seconds: Int64 = 0
    for byte in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      let (product, overflow) = seconds.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Int64(byte & 0x0F))
      seconds = overflow || carry ? .max : sum
    }
    return seconds
  }
}

extension UInt8 {
  fileprivate var lowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}

extension ArraySlice<UInt8> {
  fileprivate var trimmed: ArraySlice<UInt8> {
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    var slice = drop(while: isSpace)
    while let last = slice.last, isSpace(last) { slice = slice.dropLast() }
    return slice
  }
}
