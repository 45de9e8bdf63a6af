internal import AssayCodec

/// The AppIDs of U2F (FIDO AppID and Facet Specification v1.2, 3.1.1).
enum AppID {
  /// The longest, in bytes.
  static let maximumBytes = 512

  /// Whether an AppID can be one of `rp`: an `https` URL, of printable ASCII, whose host is the relying party's id or below
  /// it. Clients take every host of the same registrable domain; which that is cannot be known here.
  static func isValid(_ text: UTF8Text, for rp: RelyingParty) -> Bool {
    let bytes = text.utf8
    guard bytes.count <= maximumBytes, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return false }
    let path = bytes.dropFirst(8).firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
    do throws(OriginFault) {
      try Origin.check(Array(bytes[..<path]), as: .own(domain: rp.id.utf8), insecure: false)
    } catch { return false }
    return bytes.starts(with: "https://".utf8)
  }
}
