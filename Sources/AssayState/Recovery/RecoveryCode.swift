public import AssayCodec

/// A recovery code, to show to its owner once: four groups of six characters.
///
/// The first group is the selector, by which the code is found; it is not secret. The others hold 90 random bits. The
/// characters are Crockford's base32: no I, L, O or U. It does not print itself and cannot be compared with `==`.
public struct RecoveryCode: Sendable, CustomStringConvertible, CustomReflectable {
  /// How many characters find the code.
  static let selectorLength = 6
  /// How many characters are secret, of five bits each.
  static let secretLength = 18
  static let groupLength = 6

  /// The first group, in capitals.
  let selector: [UInt8]
  /// The other groups, in capitals, without hyphens.
  let secret: [UInt8]

  /// The code as it is shown: capitals, with a hyphen between the groups. Its memory is not wiped.
  public var text: UTF8Text {
    let all = selector + secret
    var shown: [UInt8] = []
    for (index, character) in all.enumerated() {
      if index > 0, index % Self.groupLength == 0 { shown.append(UInt8(ascii: "-")) }
      shown.append(character)
    }
    return UTF8Text(unchecked: shown)
  }

  /// That it is a recovery code, never which.
  public var description: String { "recovery code" }

  /// Nothing, so that `dump` does not show the code either.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension RecoveryCode {
  /// The longest text that is read: a code with a separator after each character, and some around it.
  static let maximumTextBytes = 64

  /// The 32 characters: digits and capitals without I, L, O and U (Crockford).
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// The code of random bytes, one for each character: five bits of each are taken.
  init?(random: Span<UInt8>) {
    guard random.count == Self.selectorLength + Self.secretLength else { return nil }
    self.init(characters: random.indices.map { Self.alphabet[Int(random[$0] & 31)] })
  }

  /// The code as a person typed it: in either case, with spaces and hyphens anywhere, O for 0, I and L for 1.
  init?(typed text: [UInt8]) {
    guard text.count <= Self.maximumTextBytes else { return nil }
    var characters: [UInt8] = []
    for byte in text {
      let capital = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 32 : byte
      switch capital {
      case UInt8(ascii: " "), UInt8(ascii: "-"): continue
      case UInt8(ascii: "O"): characters.append(UInt8(ascii: "0"))
      case UInt8(ascii: "I"), UInt8(ascii: "L"): characters.append(UInt8(ascii: "1"))
      default:
        guard Self.alphabet.contains(capital) else { return nil }
        characters.append(capital)
      }
    }
    self.init(characters: characters)
  }

  private init?(characters: [UInt8]) {
    guard characters.count == Self.selectorLength + Self.secretLength else { return nil }
    selector = Array(characters.prefix(Self.selectorLength))
    secret = Array(characters.dropFirst(Self.selectorLength))
  }
}
