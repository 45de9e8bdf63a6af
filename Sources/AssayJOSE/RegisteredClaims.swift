internal import AssayCodec

/// The registered claims of a token, each of the type RFC 7519, 4.1 gives it. A claim that is present with another type
/// is an error, never the same as absent.
struct RegisteredClaims {
  let issuer: UTF8Text?
  let subject: UTF8Text?
  let audience: [UTF8Text]
  let expiresAt: UnixTime?
  let notBefore: UnixTime?
  let issuedAt: UnixTime?
  let id: UTF8Text?

  init(_ claims: JSONObject) throws(JWTError) {
    issuer = try claims.string(ClaimName.iss, "iss", .claims)
    subject = try claims.string(ClaimName.sub, "sub", .claims)
    audience = try Self.audience(claims[ClaimName.aud])
    expiresAt = try NumericDate.time(claims[ClaimName.exp], "exp")
    notBefore = try NumericDate.time(claims[ClaimName.nbf], "nbf")
    issuedAt = try NumericDate.time(claims[ClaimName.iat], "iat")
    id = try claims.string(ClaimName.jti, "jti", .claims)
  }

  /// One string, or an array of strings with at least one (RFC 7519, 4.1.3). Empty means that there is no such claim.
  private static func audience(_ value: JSONValue?) throws(JWTError) -> [UTF8Text] {
    guard let value else { return [] }
    if let one = value.string { return [one] }
    let elements = value.array ?? []
    let audience = elements.compactMap(\.string)
    guard !audience.isEmpty, audience.count == elements.count else { throw JWTError(.wrongType, .claims, "aud") }
    return audience
  }
}

/// A moment as a JSON number (RFC 7519, 2).
enum NumericDate {
  static let latest = UnixTime.latestNumericDate

  static func time(_ value: JSONValue?, _ field: Field) throws(JWTError) -> UnixTime? {
    guard let value else { return nil }
    guard let number = value.number else { throw JWTError(.wrongType, .claims, field) }
    guard let time = UnixTime(numericDate: number) else { throw JWTError(.dateOutOfRange, .claims, field) }
    return time
  }
}
