public import AssayCodec

// { "origins": [ "https://…", … ] }: other members are ignored, and so are texts that are no origin, as clients do.

/// What a domain serves at `/.well-known/webauthn`: the origins of other domains that may use its credentials (WebAuthn L3,
/// 5.11).
public struct RelatedOrigins: Hashable, Sendable {
  /// The origins, in order.
  public let origins: [UTF8Text]

  /// The largest document read, in bytes.
  public static let maximumBytes = 1 << 16
  /// Of how many registrable domains clients read the origins, by their first label; they may read more.
  public static let maximumLabels = 5

  /// Reads a document.
  ///
  /// - Throws: `WebAuthnError` with `malformedRelatedOrigins`.
  public init(json: Span<UInt8>) throws(WebAuthnError) {
    do throws(CodecError) {
      let value = try JSONValue.decode(json, limits: JSONLimits(maximumBytes: Self.maximumBytes))
      guard let object = value.object else { throw CodecError(.wrongType, "webauthn", at: 0) }
      let texts = try object.required("origins", \.array)
      let origins = texts.compactMap(\.string)
      guard origins.count == texts.count else { throw CodecError(.wrongType, "origins", at: 0) }
      self.origins = origins.filter { Self.isOrigin($0) }
    } catch {
      throw WebAuthnError(.malformedRelatedOrigins, error.field, at: nil, .encoding(error))
    }
  }

  /// Whether a client lets a page of `origin` use the domain's credentials (WebAuthn L3, 5.11.1).
  ///
  /// - Parameter registrableDomain: the registrable domain of a host by the Public Suffix List, such as `example.co.uk` of
  ///   `www.example.co.uk`; nil if it has none. The list changes, so it is the caller's to bring.
  public func allows(_ origin: UTF8Text, registrableDomain: (UTF8Text) -> UTF8Text?) -> Bool {
    var labels: [ArraySlice<UInt8>] = []
    for listed in origins {
      let host = listed.utf8.dropFirst(8).prefix { $0 != UInt8(ascii: ":") }
      guard let domain = registrableDomain(UTF8Text(unchecked: Array(host))),
        let label = domain.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).first,
        !label.isEmpty
      else { continue }
      if !labels.contains(label) {
        guard labels.count < Self.maximumLabels else { continue }
        labels.append(label)
      }
      if listed == origin { return true }
    }
    return false
  }

  private static func isOrigin(_ text: UTF8Text) -> Bool {
    do throws(OriginFault) {
      try Origin.check(text.utf8, as: .related, insecure: false)
      return true
    } catch { return false }
  }
}
