public import AssayCodec
public import AssayJOSE

extension ReplayStore {
  /// Remembers a verified token that counts once: `fresh` is the one time it does.
  ///
  /// - Parameters:
  ///   - tenant: The tenant it was verified for.
  ///   - token: What a verifier gave. Its `id` is one among all those of its `issuer`, whatever kinds of token they name
  ///     (RFC 7519, 4.1.7).
  ///   - now: The time it was verified at.
  /// - Throws: As `remember(_:_:until:at:)`. Whatever it is, refuse.
  public func remember(_ tenant: Tenant, _ token: some SingleUseToken, at now: UnixTime) async throws -> Freshness {
    let key = try StateKey("assay token", token.issuer.utf8, token.id.utf8)
    return try await remember(tenant, key, until: token.replayableUntil, at: now)
  }
}
