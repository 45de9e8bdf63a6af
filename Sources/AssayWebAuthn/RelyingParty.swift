public import AssayCodec

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
  /// Origins of other domains at which ceremonies may happen too (WebAuthn L3, 5.11), compared byte for byte.
  public let relatedOrigins: [UTF8Text]
  /// Whether ceremonies may happen in a frame of another origin.
  public let crossOrigin: CrossOriginUse

  /// The most origins of each kind: all of them stand in the state of every ceremony.
  public static let maximumOrigins = 256

  /// Sets a relying party up.
  ///
  /// - Parameters:
  ///   - id: a lower-case domain name; international names in their `xn--` form. Not an address.
  ///   - name: shown by some browsers; the id if nil.
  ///   - origins: at least one, and at most `maximumOrigins`. Each is `https://host` or `https://host:port`, in lower case, without path or default
  ///     port, its host the id or below it; or an Android app's `android:apk-key-hash:`, as `androidOrigin` makes it.
  ///     For development `http://localhost:*` stands for any port.
  ///   - relatedOrigins: `https` origins of other domains, which `relatedOriginsDocument` tells browsers.
  ///   - crossOrigin: refused unless said otherwise.
  ///   - allowInsecureOrigins: also takes `http` origins other than `localhost`, which browsers treat as secure only when
  ///     told to. For test set-ups.
  /// - Throws: `WebAuthnError` with `invalidRelyingPartyID`, or with `invalidOrigin`, which says in `index` which of the
  ///   field's values is meant and in `cause` what is wrong with it.
  public init(
    id: String, name: String? = nil, origins: [String], relatedOrigins: [String] = [],
    crossOrigin: CrossOriginUse = .refused, allowInsecureOrigins: Bool = false
  ) throws(WebAuthnError) {
    let host = UTF8Text(id)
    guard Origin.isDomain(host.utf8[...]) else { throw WebAuthnError(.invalidRelyingPartyID, "rp.id") }
    guard !origins.isEmpty else { throw WebAuthnError(.invalidOrigin, "origins", .origin(.missing)) }
    self.id = host
    self.name = UTF8Text(name ?? id)
    self.origins = origins.map { UTF8Text($0) }
    self.relatedOrigins = relatedOrigins.map { UTF8Text($0) }
    self.crossOrigin = crossOrigin
    let insecure = allowInsecureOrigins
    try Self.check(self.origins, "origins", as: .own(domain: host.utf8), insecure: insecure)
    try Self.check(self.relatedOrigins, "relatedOrigins", as: .related, insecure: insecure)
    if case .allowed(let topOrigins) = crossOrigin {
      try Self.check(topOrigins, "topOrigins", as: .top, insecure: insecure)
    }
  }

  private static func check(
    _ origins: [UTF8Text], _ field: Field, as role: Origin.Role, insecure: Bool
  ) throws(WebAuthnError) {
    guard origins.count <= maximumOrigins else { throw WebAuthnError(.invalidOrigin, field, .origin(.tooMany)) }
    for (index, origin) in origins.enumerated() {
      do throws(OriginFault) {
        try Origin.check(origin.utf8, as: role, insecure: insecure)
      } catch {
        throw WebAuthnError(.invalidOrigin, field, index: index, .origin(error))
      }
    }
  }
}

/// Whether a ceremony may happen in a frame whose ancestors are of another origin (WebAuthn L3, 7.1 steps 10 and 11).
public enum CrossOriginUse: Hashable, Sendable {
  /// Never.
  case refused
  /// In pages of these origins, and wherever the browser does not say which page it is.
  case allowed(topOrigins: [UTF8Text])
}
