public import AssayCodec
public import AssayJOSE

/// The issuers of all tenants whose keys are fetched: a closed list, in which a token chooses among its tenant's issuers only.
public struct JWKSetCaches: Sendable {
  private struct Key: Hashable {
    let tenant: Tenant
    let issuer: UTF8Text
  }

  private let caches: [Key: JWKSetCache]

  /// The caches of all issuers there are.
  ///
  /// - Throws: if there is none, or a tenant has two of the same name.
  public init(_ caches: [JWKSetCache]) throws(TrustedIssuerError) {
    guard !caches.isEmpty else { throw TrustedIssuerError(.noIssuers) }
    var table: [Key: JWKSetCache] = [:]
    for (index, cache) in caches.enumerated() {
      guard table.updateValue(cache, forKey: Key(tenant: cache.tenant, issuer: cache.issuer)) == nil else {
        throw TrustedIssuerError(.duplicateIssuer(index: index))
      }
    }
    self.caches = table
  }

  /// The keys of one of a tenant's issuers; nil if it has none of this name.
  public func cache(_ tenant: Tenant, issuer: UTF8Text) -> JWKSetCache? {
    caches[Key(tenant: tenant, issuer: issuer)]
  }

  /// Verifies a compact token of one of a tenant's issuers, with the keys it publishes at the time.
  ///
  /// Before the signature is verified `iss` alone is read, to choose whose keys and rules count. An issuer that the tenant
  /// does not have is refused without any fetch.
  /// - Throws: `JWTError`; `KeysUnavailable`; `CancellationError`.
  public func verify(_ tenant: Tenant, _ token: [UInt8], at now: UnixTime = .now()) async throws -> VerifiedJWT {
    let unverified = try UnverifiedJWT.decodeWithoutVerifying(token.span)
    guard let name = unverified.unverifiedClaims["iss"] else { throw JWTError(.missing, .claims, "iss") }
    guard let issuer = name.string else { throw JWTError(.wrongType, .claims, "iss") }
    guard let cache = cache(tenant, issuer: issuer) else { throw JWTError(.wrongIssuer, .claims, "iss") }
    return try await cache.verify(token, at: now)
  }
}
