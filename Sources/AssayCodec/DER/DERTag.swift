/// The tags of the few types that key formats use (X.690, 8.1.2).
package enum DERTag: UInt8, Sendable {
  case integer = 0x02
  case bitString = 0x03
  case octetString = 0x04
  case null = 0x05
  case objectIdentifier = 0x06
  case sequence = 0x30
  /// `[0]` around another type, or around the elements of a set.
  case context0 = 0xA0
  /// `[1]` around another type.
  case context1 = 0xA1
  /// `[1]` in place of a string's own tag.
  case context1String = 0x81
}
