public import AssayCodec

/// A verified token that must count once: a copy of it is as good as the token, until it is remembered.
///
/// Whoever accepts one looks for its `id` among those of its `issuer` and remembers it, in one step, until
/// `replayableUntil`. A result of this kind is never kept to spare verifying the token again.
public protocol SingleUseToken: Sendable {
  /// Who made it: the same `id` by another is another token. Of a DPoP proof, the thumbprint of its key.
  var issuer: UTF8Text { get }
  /// Its own name (`jti`).
  var id: UTF8Text { get }
  /// The last second at which it would be accepted again.
  var replayableUntil: UnixTime { get }
}
