public import AssayCodec
public import AssayCrypto
public import AssayJOSE

/// A verified token that may be shown again and again while it is valid, so that remembering the verdict is sound.
///
/// A token that counts once (`SingleUseToken`: DPoP proofs, client assertions, request objects, authentication requests, logout
/// tokens) never is one, and neither is an identity answer: a `VerifiedTokenCache` of those does not compile. Conform a type of
/// your own only if its verdict depends on nothing but the token's bytes, the verifier, the time and `Circumstances`.
public protocol ReusableToken: Sendable {
  /// What else of a request the verdict depends on, such as the key of a proof that came with the token.
  associatedtype Circumstances: Hashable & Sendable

  /// The first second at which it is no longer valid; one without is not cached.
  var expiresAt: UnixTime? { get }
  /// The first second at which it is valid.
  var notBefore: UnixTime? { get }
  /// When it was issued.
  var issuedAt: UnixTime? { get }
  /// The certificates that vouched for its key; one that has any is not cached: they end and are revoked apart from it.
  var certificatePath: ValidatedPath? { get }
}

/// A verdict depends on nothing else of a request.
public struct NoCircumstances: Hashable, Sendable {
  /// Nothing.
  public init() {}
}

extension VerifiedJWT: ReusableToken {
  /// Nothing else.
  public typealias Circumstances = NoCircumstances
}

extension VerifiedAccessToken: ReusableToken {
  /// What the request showed and needed.
  public typealias Circumstances = AccessTokenVerifier.Expectation

  /// The `exp` of the token.
  public var expiresAt: UnixTime? { token.expiresAt }
  /// The `nbf` of the token.
  public var notBefore: UnixTime? { token.notBefore }
  /// The `iat` of the token.
  public var issuedAt: UnixTime? { token.issuedAt }
  /// The path that vouched for the key of the token.
  public var certificatePath: ValidatedPath? { token.certificatePath }
}
