public import AssayCodec
public import AssayCrypto

/// A token that a `JWTVerifier` accepted: its signature, type and claims passed the rules of one trusted issuer at one
/// moment.
///
/// It does not prove that the token was not used before, nor that it is still valid later.
public struct VerifiedJWT: Hashable, Sendable {
  /// The name of the trusted issuer whose key signed the token, as configured.
  public let issuer: UTF8Text
  /// The header, all of it signed.
  public let header: JSONObject
  /// The claims, all of them signed; those that are not registered are as the issuer wrote them.
  public let claims: JSONObject
  /// Whom the token is about (`sub`).
  public let subject: UTF8Text?
  /// Whom the token is for (`aud`): one of them is the audience expected. Empty if the token names none and none was
  /// expected.
  public let audience: [UTF8Text]
  /// The first whole second at which the token is no longer valid (`exp`); nil only if the policy allows it to be
  /// missing.
  public let expiresAt: UnixTime?
  /// The first whole second at which the token is valid (`nbf`).
  public let notBefore: UnixTime?
  /// When the token was issued (`iat`), fractions of a second rounded up.
  public let issuedAt: UnixTime?
  /// The token's own name (`jti`).
  public let id: UTF8Text?
  /// The algorithm of the signature.
  public let algorithm: JWSAlgorithm
  /// The `kid` of the key that signed, as configured; nil if that key has none.
  public let keyID: UTF8Text?
  /// How the signer's certificate is vouched for, if certificates are trusted and not keys.
  public let certificatePath: ValidatedPath?

  init(_ jws: VerifiedJWS, from issuer: UTF8Text, _ object: JSONObject, _ claims: RegisteredClaims) {
    self.issuer = issuer
    header = jws.header
    self.claims = object
    subject = claims.subject
    audience = claims.audience
    expiresAt = claims.expiresAt
    notBefore = claims.notBefore
    issuedAt = claims.issuedAt
    id = claims.id
    algorithm = jws.algorithm
    keyID = jws.keyID
    certificatePath = jws.certificatePath
  }
}
