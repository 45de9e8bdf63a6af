internal import AssayCodec

/// The URI of a request without query and fragment, in the one form in which two of them are compared (RFC 9449, 4.3;
/// RFC 3986, 6.2.2 and 6.2.3).
///
///     scheme "://" host [":" port] path
///
/// Scheme (`http` or `https`) and host are in lower case, the default or an empty port is left out, an empty path is `/`, escapes
/// of unreserved characters are decoded and others in upper case, dot segments are removed.
/// Refused are user information, escapes in the host, malformed escapes, and bytes that no URI has. Kept apart are a slash at
/// the end, doubled and encoded slashes, a host with a dot at the end, and spellings of an IPv6 address.
struct DPoPTargetURI: Equatable {
  let text: [UInt8]

  init?(_ uri: UTF8Text) {
    // Printable ASCII but the backslash, which some take for a slash.
    guard uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }) else { return nil }
    let end = uri.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    var rest = uri.utf8[..<(end ?? uri.utf8.endIndex)]
    guard let colon = rest.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = rest[..<colon].map(Self.lowercase)
    let isSecure = scheme == Array("https".utf8)
    guard isSecure || scheme == Array("http".utf8) else { return nil }
    rest = rest[(colon + 1)...]
    guard rest.starts(with: Array("//".utf8)) else { return nil }
    rest = rest.dropFirst(2)
    let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
    guard let authority = Self.authority(rest[..<slash], defaultPort: isSecure ? 443 : 80),
      let path = Self.path(rest[slash...])
    else { return nil }
    text = scheme + Array("://".utf8) + authority + path
  }

  /// The host, and the port unless it is the default.
  private static func authority(_ text: ArraySlice<UInt8>, defaultPort: Int) -> [UInt8]? {
    var host = text
    var port: ArraySlice<UInt8> = []
    if text.first == UInt8(ascii: "[") {
      guard let close = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      host = text[...close]
      let rest = text[(close + 1)...]
      guard rest.isEmpty || rest.first == UInt8(ascii: ":") else { return nil }
      port = rest.dropFirst()
      guard host.count > 2, host.dropFirst().dropLast().allSatisfy({ isHex($0) || $0 == 0x3A || $0 == 0x2E }) else {
        return nil
      }
    } else {
      if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
        host = text[..<colon]
        port = text[(colon + 1)...]
      }
      // Names and addresses: no escapes, no user information.
      guard !host.isEmpty, host.allSatisfy({ isUnreserved($0) || subDelimiters.contains($0) }) else { return nil }
    }
    let lowered = host.map(lowercase)
    guard !port.isEmpty else { return lowered }
    guard port.count <= 5, port.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let number = port.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    guard (1...65_535).contains(number) else { return nil }
    return number == defaultPort ? lowered : lowered + Array(":\(number)".utf8)
  }

  /// The path with its escapes in one form and without dot segments; `/` if it is empty.
  private static func path(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var plain: [UInt8] = []
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      if byte == UInt8(ascii: "%") {
        guard text.endIndex - index > 2, let high = hexValue(text[index + 1]), let low = hexValue(text[index + 2])
        else {
          return nil
        }
        let value = high << 4 | low
        plain += isUnreserved(value) ? [value] : [byte, hexDigit(high), hexDigit(low)]
        index += 3
      } else {
        guard isUnreserved(byte) || subDelimiters.contains(byte) || pathBytes.contains(byte) else { return nil }
        plain.append(byte)
        index += 1
      }
    }
    guard !plain.isEmpty else { return [UInt8(ascii: "/")] }
    let segments = plain.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    var kept: [ArraySlice<UInt8>] = []
    for (position, segment) in segments.enumerated() {
      let isUp = segment.elementsEqual("..".utf8)
      if isUp, !kept.isEmpty { kept.removeLast() }
      if !isUp, !segment.elementsEqual(".".utf8) {
        kept.append(segment)
      } else if position == segments.count - 1 {
        kept.append([])
      }
    }
    return [UInt8(ascii: "/")] + kept.joined(separator: [UInt8(ascii: "/")])
  }

  private static let subDelimiters = Array("!$&'()*+,;=".utf8)
  private static let pathBytes = Array(":@/".utf8)

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39: true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func isHex(_ byte: UInt8) -> Bool { hexValue(byte) != nil }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch lowercase(byte) {
    case 0x30...0x39: byte & 0x0F
    case 0x61...0x66: (byte & 0x0F) + 9
    default: nil
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}
