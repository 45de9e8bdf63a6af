package import AssayCodec

/// One DER element, by hand, so that nothing of the reader's own module is needed to test it.
package func element(_ tag: DERTag, _ contents: [UInt8]) -> [UInt8] { element(tag.rawValue, contents) }

/// One DER element of any tag of one byte.
package func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
  let count = contents.count
  let length: [UInt8] =
    switch count {
    case ..<0x80: [UInt8(count)]
    case ..<0x100: [0x81, UInt8(count)]
    default: [0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
    }
  return [tag] + length + contents
}
