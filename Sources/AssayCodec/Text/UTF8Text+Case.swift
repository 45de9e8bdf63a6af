extension UTF8Text {
  /// Whether the texts differ in nothing but the case of ASCII letters.
  package func equalsIgnoringCase(_ other: UTF8Text) -> Bool { utf8[...].equalsIgnoringCase(other.utf8[...]) }
}

extension ArraySlice<UInt8> {
  /// Whether the texts differ in nothing but the case of ASCII letters.
  package func equalsIgnoringCase(_ other: ArraySlice<UInt8>) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.lowercaseASCII == $1.lowercaseASCII }
  }
}

extension UInt8 {
  fileprivate var lowercaseASCII: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}
