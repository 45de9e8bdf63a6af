/// The tags of the types that key formats and certificates use (X.690, 8.1.2).
package enum DERTag: UInt8, Sendable {
  case boolean = 0x01
  case integer = 0x02
  case bitString = 0x03
  case octetString = 0x04
  case null = 0x05
  case objectIdentifier = 0x06
  case enumerated = 0x0A
  case utf8String = 0x0C
  case printableString = 0x13
  case utcTime = 0x17
  case generalizedTime = 0x18
  case sequence = 0x30
  case set = 0x31
  /// `[0]` around another type, or around the elements of a set.
  case context0 = 0xA0
  /// `[1]` around another type.
  case context1 = 0xA1
  /// `[3]` around another type.
  case context3 = 0xA3
  /// `[4]` around another type.
  case context4 = 0xA4
  /// `[1]` in place of a string's own tag.
  case context1String = 0x81
  /// `[2]` in place of a string's own tag.
  case context2String = 0x82
}
