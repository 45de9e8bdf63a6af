/// Why a configured origin was refused.
@nonexhaustive
public enum OriginFault: Error, Hashable, Sendable {
  /// There is none at all.
  case missing
  /// There are more than `RelyingParty.maximumOrigins`.
  case tooMany
  /// It starts neither with `https://` nor with another scheme that is allowed here.
  case scheme
  /// It is `http://`, which browsers treat as secure for `localhost` only.
  case insecure
  /// What follows the scheme is no domain name in lower case.
  case host
  /// Something follows host and port.
  case path
  /// The port is no number from 1 to 65535.
  case port
  /// The port is the scheme's own, which browsers leave away.
  case defaultPort
  /// `:*` stands behind another host than `localhost`.
  case anyPort
  /// The host is neither the relying party's id nor below it.
  case otherDomain
  /// What follows `android:apk-key-hash:` is not the base64url of 32 bytes.
  case keyHash
  /// A certificate's fingerprint is not the hexadecimal of 32 bytes.
  case fingerprint
}

extension OriginFault {
  /// What is wrong, in words that read well after a field's name.
  public var explanation: String {
    switch self {
    case .missing: "at least one is needed"
    case .tooMany: "at most \(RelyingParty.maximumOrigins) can be listed"
    case .scheme: "an origin starts with https:// (or, where it is the relying party's own, android:apk-key-hash:)"
    case .insecure: "http:// is allowed for localhost only"
    case .host: "the host must be a domain name in lower case, international names in their xn-- form"
    case .path: "an origin ends after host and port: leave the path and the slash away"
    case .port: "the port must be a number from 1 to 65535"
    case .defaultPort: "browsers leave the scheme's own port away: leave it away here too"
    case .anyPort: "any port (:*) is allowed for localhost only"
    case .otherDomain:
      "the host must be the relying party id or below it: give those of other domains as related origins"
    case .keyHash:
      "what follows android:apk-key-hash: must be the base64url of a certificate's SHA-256, without padding"
    case .fingerprint: "the fingerprint must be a certificate's SHA-256 in hexadecimal, with or without colons"
    }
  }
}
