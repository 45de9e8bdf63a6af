public import AssayCodec
internal import AssayCrypto

/// The hash function under HMAC (RFC 4226, 5.2; RFC 6238, 1.2). There is no other: RFC 4226's truncation needs at least 20 bytes.
public enum OTPAlgorithm: Hashable, Sendable, CaseIterable {
  /// HMAC-SHA-1: the only one every authenticator app understands.
  case sha1
  /// HMAC-SHA-256.
  case sha256
  /// HMAC-SHA-512.
  case sha512

  /// The name in an `otpauth` URI: `SHA1`, `SHA256`, `SHA512`.
  public var name: UTF8Text {
    switch self {
    case .sha1: "SHA1"
    case .sha256: "SHA256"
    case .sha512: "SHA512"
    }
  }

  /// The algorithm of exactly this name, or nil. An unknown name never stands for SHA1.
  public init?(name: UTF8Text) {
    guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = match
  }

  var digest: Digest {
    switch self {
    case .sha1: .sha1
    case .sha256: .sha256
    case .sha512: .sha512
    }
  }
}
