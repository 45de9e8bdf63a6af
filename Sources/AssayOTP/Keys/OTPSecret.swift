public import AssayCodec
internal import AssayCrypto

/// Secrets of one-time codes: new ones, and those that people and other programs hand over as base32.
public enum OTPSecret {
  /// How long a new secret is unless the caller says otherwise: 160 bits, as RFC 4226, 4 R6 recommends.
  public static let generatedBytes = 20

  /// Makes a secret from the operating system's randomness.
  ///
  /// - Parameter byteCount: Its length, `HOTP.minimumSecretBytes` to `HOTP.maximumSecretBytes`.
  /// - Throws: `shortSecret`, `longSecret`, `unavailable`.
  public static func generate(byteCount: Int = generatedBytes) throws(OTPError) -> SecretBytes {
    guard byteCount >= HOTP.minimumSecretBytes else { throw OTPError(.shortSecret) }
    guard byteCount <= HOTP.maximumSecretBytes else { throw OTPError(.longSecret) }
    do {
      return try Random.secret(byteCount)
    } catch { throw OTPError(.unavailable) }
  }

  /// A departure from base32 in upper case without padding (RFC 4648, 6), the one form a secret should have.
  public enum Departure: Hashable, Sendable, CaseIterable {
    /// Letters in lower case.
    case lowerCase
    /// Spaces, tabs, ends of line or hyphens.
    case separators
    /// Padding, of whatever length.
    case padding
    /// A last character that has more bits than its byte needs: its spare bits are set, or it is not needed at all. Some
    /// issuers make such secrets; where a person typed one, a character may be missing.
    case nonCanonical

    /// The name in our vectors and in the tool's output.
    package var name: UTF8Text {
      switch self {
      case .lowerCase: "lowercase"
      case .separators: "separators"
      case .padding: "padding"
      case .nonCanonical: "non_canonical"
      }
    }
  }

  /// A secret that was read, and how its text departed from the one form.
  public struct Reading: ~Copyable, Sendable {
    /// The secret; it may be empty or short, which `HOTP` and `TOTP` refuse.
    public let secret: SecretBytes
    /// The departures there were.
    public let departures: Set<Departure>
  }

  /// Reads base32 as issuers really write it and people really type it: with every `Departure`.
  ///
  /// It takes more than `Base32.Profile.typedIn`: also wrong amounts of padding, and lengths that no bytes have, whose last
  /// character is dropped. So do the authenticator apps, and a key that works there should work here. Look-alikes
  /// (0, 1, 8, 9) and all other characters are errors: to guess them, or to drop them, would make another key.
  ///
  /// - Parameter text: The text. The caller wipes it.
  /// - Throws: The place of the first wrong character, never what stands there.
  public static func read(_ text: Span<UInt8>) throws(CodecError) -> Reading {
    var symbols = SecretBuffer()
    var departures: Set<Departure> = []
    for index in text.indices {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "-"):
        departures.insert(.separators)
      case UInt8(ascii: "="):
        departures.insert(.padding)
      case _ where departures.contains(.padding):
        throw CodecError(.invalidPadding, "secret", at: index)
      case UInt8(ascii: "a")...UInt8(ascii: "z"):
        departures.insert(.lowerCase)
        symbols.append(byte & 0xDF)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "2")...UInt8(ascii: "7"):
        symbols.append(byte)
      default:
        throw CodecError(.invalidCharacter, "secret", at: index)
      }
    }
    // A symbol has five bits. If five or more are left over after the last whole byte, it begins none.
    let isNeeded = symbols.count * 5 % 8 < 5
    let count = isNeeded ? symbols.count : symbols.count - 1
    if !isNeeded || symbols.withSpan({ hasSpareBits($0.extracting(0..<count)) }) { departures.insert(.nonCanonical) }
    let secret = try symbols.withSpan { span throws(CodecError) in
      try Base32.decode(span.extracting(0..<count), .typedIn)
    }
    return Reading(secret: secret, departures: departures)
  }

  private static func hasSpareBits(_ symbols: Span<UInt8>) -> Bool {
    do throws(CodecError) {
      _ = try Base32.decode(symbols, .unpadded)
      return false
    } catch { return true }
  }
}
