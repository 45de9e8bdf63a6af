public import AssayCodec
internal import AssayCrypto

/// A relying party: the domain whose credentials these are, and the origins at which its pages and apps run.
///
/// It begins ceremonies and finishes them. What finishing demands is fixed when the ceremony begins, in its state record.
public struct RelyingParty: Sendable {
  /// The domain, such as `example.com` (WebAuthn L3, 5.4.2 "rp.id").
  public let id: UTF8Text
  /// What browsers may show of the relying party.
  public let name: UTF8Text
  /// The origins at which ceremonies may happen, compared byte for byte.
  public let origins: [UTF8Text]
  /// Whether ceremonies may happen in a frame of another origin.
  public let crossOrigin: CrossOriginUse

  /// Sets a relying party up.
  ///
  /// - Parameters:
  ///   - id: a lower-case domain name; international names in their `xn--` form. Not an address.
  ///   - name: shown by some browsers; the id if nil.
  ///   - origins: at least one. Each is `https://host` or `https://host:port`, in lower case, without path or default
  ///     port, its host the id or below it; or an Android app's `android:apk-key-hash:` with the base64url SHA-256 of its
  ///     certificate.
  ///   - crossOrigin: refused unless said otherwise.
  ///   - allowInsecureOrigins: also takes `http` origins other than `localhost`, which browsers treat as secure only when
  ///     told to. For test set-ups.
  /// - Throws: `WebAuthnError` with `invalidRelyingPartyID` or `invalidOrigin`.
  public init(
    id: String, name: String? = nil, origins: [String], crossOrigin: CrossOriginUse = .refused,
    allowInsecureOrigins: Bool = false
  ) throws(WebAuthnError) {
    let host = UTF8Text(id)
    guard Origin.isDomain(host.utf8[...]) else { throw WebAuthnError(.invalidRelyingPartyID, "rp.id") }
    guard !origins.isEmpty else { throw WebAuthnError(.invalidOrigin, "origins") }
    for origin in origins {
      guard Origin.isAllowed(UTF8Text(origin).utf8, below: host.utf8, insecure: allowInsecureOrigins) else {
        throw WebAuthnError(.invalidOrigin, "origins")
      }
    }
    if case .allowed(let topOrigins) = crossOrigin {
      for origin in topOrigins {
        guard Origin.isAllowed(origin.utf8, below: nil, insecure: allowInsecureOrigins) else {
          throw WebAuthnError(.invalidOrigin, "topOrigins")
        }
      }
    }
    self.id = host
    self.name = UTF8Text(name ?? id)
    self.origins = origins.map { UTF8Text($0) }
    self.crossOrigin = crossOrigin
  }
}

/// Whether a ceremony may happen in a frame whose ancestors are of another origin (WebAuthn L3, 7.1 steps 10 and 11).
public enum CrossOriginUse: Hashable, Sendable {
  /// Never.
  case refused
  /// In pages of these origins, and wherever the browser does not say which page it is.
  case allowed(topOrigins: [UTF8Text])
}

/// The rules for configured origins. Origins on the wire are never judged by them: they are compared byte for byte.
enum Origin {
  /// Whether `origin` can be one that a browser or Android reports, on a host that is `domain` or below it.
  static func isAllowed(_ origin: [UInt8], below domain: [UInt8]?, insecure: Bool) -> Bool {
    if let hash = origin[...].droppingPrefix("android:apk-key-hash:") {
      return (try? Base64URL.decode(Array(hash).span))?.count == Digest.sha256.byteCount
    }
    let secure = origin[...].droppingPrefix("https://")
    guard let authority = secure ?? origin[...].droppingPrefix("http://") else { return false }
    let host = authority.prefix { $0 != UInt8(ascii: ":") }
    guard isDomain(host) else { return false }
    let isLocal = isSame(host, orBelow: Array("localhost".utf8))
    guard secure != nil || isLocal || insecure else { return false }
    if host.count < authority.count {
      let port = authority.dropFirst(host.count + 1)
      guard isPort(port, notDefault: secure == nil ? 80 : 443) else { return false }
    }
    return domain.map { isSame(host, orBelow: $0) } ?? true
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

  private static func isSame(_ host: ArraySlice<UInt8>, orBelow domain: [UInt8]) -> Bool {
    guard host.suffix(domain.count).elementsEqual(domain) else { return false }
    return host.count == domain.count || host.dropLast(domain.count).last == UInt8(ascii: ".")
  }

  private static func isPort(_ text: ArraySlice<UInt8>, notDefault port: Int) -> Bool {
    guard (1...5).contains(text.count), text.allSatisfy(isDigit), text.first != UInt8(ascii: "0") else { return false }
    let number = text.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    return number <= 65_535 && number != port
  }

  private static func isLower(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension ArraySlice where Element == UInt8 {
  fileprivate func droppingPrefix(_ prefix: StaticString) -> ArraySlice<UInt8>? {
    let prefix = prefix.description.utf8
    return starts(with: prefix) ? dropFirst(prefix.count) : nil
  }
}
