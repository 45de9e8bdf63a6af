internal import AssayCodec
internal import AssayCrypto

/// The rules for configured origins. Origins on the wire are never judged by them: they are compared byte for byte.
enum Origin {
  /// What an origin is configured for.
  enum Role {
    /// The relying party's own pages and apps, on this domain or below it.
    case own(domain: [UInt8])
    /// Pages of another domain that share the relying party's credentials (WebAuthn L3, 5.11).
    case related
    /// Pages in which the relying party's may be framed.
    case top
  }

  static let androidPrefix = "android:apk-key-hash:"
  /// At the end of an origin: any port, or none.
  private static let anyPort = Array(":*".utf8)

  /// Checks that `origin` can be one that a browser or Android reports.
  static func check(_ origin: [UInt8], as role: Role, insecure: Bool) throws(OriginFault) {
    if case .own = role, let hash = origin[...].droppingPrefix(androidPrefix) {
      let digest = try? Base64URL.decode(Array(hash).span)
      guard digest?.count == Digest.sha256.byteCount else { throw .keyHash }
      return
    }
    let secure = origin[...].droppingPrefix("https://")
    guard let authority = secure ?? origin[...].droppingPrefix("http://") else { throw .scheme }
    let host = authority.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") }
    guard isDomain(host) else { throw .host }
    let rest = authority.dropFirst(host.count)
    guard !rest.contains(UInt8(ascii: "/")) else { throw .path }
    let isLocal = isLocalhost(host)
    if rest.elementsEqual(anyPort) {
      guard isLocal else { throw .anyPort }
    } else if !rest.isEmpty {
      guard let port = port(rest.dropFirst()) else { throw .port }
      guard port != (secure == nil ? 80 : 443) else { throw .defaultPort }
    }
    switch role {
    case .own(let domain):
      guard secure != nil || isLocal || insecure else { throw .insecure }
      guard isSame(host, orBelow: domain) else { throw .otherDomain }
    case .related: guard secure != nil else { throw .insecure }
    case .top: guard secure != nil || isLocal || insecure else { throw .insecure }
    }
  }

  /// Whether `origin`, of the wire, is `configured`.
  static func matches(_ origin: UTF8Text, _ configured: UTF8Text) -> Bool {
    guard configured.utf8.last == anyPort.last else { return origin == configured }
    let withoutPort = configured.utf8.dropLast(anyPort.count)
    guard origin.utf8.starts(with: withoutPort) else { return false }
    let rest = origin.utf8.dropFirst(withoutPort.count)
    return rest.isEmpty || (rest.first == UInt8(ascii: ":") && port(rest.dropFirst()) != nil)
  }

  /// Whether `name` is a domain name in lower case: letters, digits and inner hyphens (RFC 1034, 3.5), the last label not
  /// a number, so that no IPv4 address passes.
  static func isDomain(_ name: ArraySlice<UInt8>) -> Bool {
    let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let areLabels = labels.allSatisfy { label in
      (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
        && label.allSatisfy { isLower($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
    }
    return name.count <= 253 && areLabels && labels.last?.allSatisfy(isDigit) == false
  }

  private static func isLocalhost(_ host: ArraySlice<UInt8>) -> Bool { isSame(host, orBelow: Array("localhost".utf8)) }

  private static func isSame(_ host: ArraySlice<UInt8>, orBelow domain: [UInt8]) -> Bool {
    guard host.suffix(domain.count).elementsEqual(domain) else { return false }
    return host.count == domain.count || host.dropLast(domain.count).last == UInt8(ascii: ".")
  }

  private static func port(_ text: ArraySlice<UInt8>) -> Int? {
    guard (1...5).contains(text.count), text.allSatisfy(isDigit), text.first != UInt8(ascii: "0") else { return nil }
    let number = text.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    return number <= 65_535 ? number : nil
  }

  private static func isLower(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension ArraySlice where Element == UInt8 {
  fileprivate func droppingPrefix(_ prefix: String) -> ArraySlice<UInt8>? {
    starts(with: prefix.utf8) ? dropFirst(prefix.utf8.count) : nil
  }
}
