public import AssayCodec

// { "<aaguid as a UUID>": { "name": "…", … }, … }: the shape of the list that the community of passkey developers keeps. A
// name may stand in place of the object. Icons and other members are ignored.

/// What the providers of passkeys are called, by AAGUID, for a person to tell credentials apart.
///
/// The names say nothing about trust: without attestation anyone may use any AAGUID.
public struct PasskeyProviderNames: Sendable {
  private let names: [[UInt8]: UTF8Text]

  /// The largest list read, in bytes: most of it is icons.
  public static let maximumBytes = 1 << 24
  /// The most providers.
  public static let maximumCount = 8192
  /// The longest name, in bytes.
  public static let maximumNameBytes = 256

  /// How many there are.
  public var count: Int { names.count }

  /// Reads a list.
  ///
  /// - Throws: `WebAuthnError` with `malformedProviderNames`.
  public init(json: Span<UInt8>) throws(WebAuthnError) {
    do throws(CodecError) {
      let value = try JSONValue.decode(json, limits: JSONLimits(maximumBytes: Self.maximumBytes))
      guard let members = value.object?.members else { throw CodecError(.wrongType, "providers", at: 0) }
      guard members.count <= Self.maximumCount else { throw CodecError(.tooLarge, "providers", at: 0) }
      var names: [[UInt8]: UTF8Text] = [:]
      for member in members {
        guard let aaguid = MetadataIdentifier.aaguid(uuid: member.name) else {
          throw CodecError(.invalidValue, "aaguid", at: 0)
        }
        guard let name = member.value.string ?? member.value["name"]?.string else {
          throw CodecError(.wrongType, "name", at: 0)
        }
        guard (1...Self.maximumNameBytes).contains(name.utf8.count) else {
          throw CodecError(.invalidLength, "name", at: 0)
        }
        guard names.updateValue(name, forKey: aaguid) == nil else { throw CodecError(.duplicateKey, "aaguid", at: 0) }
      }
      self.names = names
    } catch {
      throw WebAuthnError(.malformedProviderNames, error.field, at: nil, .encoding(error))
    }
  }

  /// What the provider with this AAGUID is called, of 16 bytes; nil if the list does not say.
  public subscript(aaguid: [UInt8]) -> UTF8Text? { names[aaguid] }
}
