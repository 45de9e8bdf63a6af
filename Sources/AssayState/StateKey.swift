public import AssayCodec
internal import AssayCrypto

/// Under what a tenant's state is stored: 32 bytes, whatever it was made of.
///
/// It is the SHA-256 digest of a purpose and its parts, each after its length, so that neither can run into the other and a
/// key from a client's text is no longer than any other. Whoever reads a store learns only what can be guessed.
public struct StateKey: Hashable, Sendable {
  /// The digest, to be a column of a table.
  public let bytes: [UInt8]

  /// A key for one purpose.
  ///
  /// - Parameters:
  ///   - purpose: What it is for, in the program's own words: the same parts for another purpose are another key.
  ///   - parts: What is told apart: the issuer and `jti` of a token, the identifier of a user. An issuer's tokens need the
  ///     issuer among the parts, for a `jti` is unique to its issuer only (RFC 7519, 4.1.7).
  /// - Throws: `unavailable`.
  public init(_ purpose: UTF8Text, _ parts: [UInt8]...) throws(StateError) {
    try self.init(purpose, parts)
  }

  init(_ purpose: UTF8Text, _ parts: [[UInt8]]) throws(StateError) {
    let message = LengthPrefixed.join([purpose.utf8] + parts)
    do {
      bytes = try Digest.sha256.hash(message.span)
    } catch { throw StateError(.unavailable) }
  }
}

/// Byte strings one after the other, each after its length in eight bytes: no two lists give the same bytes.
enum LengthPrefixed {
  static func join(_ parts: [[UInt8]]) -> [UInt8] {
    var joined: [UInt8] = []
    for part in parts {
      let length = UInt64(part.count)
      for shift in stride(from: 56 as UInt64, through: 0, by: -8) {
        joined.append(UInt8(truncatingIfNeeded: length >> shift))
      }
      joined += part
    }
    return joined
  }
}
