public import AssayCodec

/// A token of which nothing was verified: anyone may have written every word of it.
///
/// For showing a token to a person, and for finding out what it claims before deciding whom to ask. Never act on it.
public struct UnverifiedJWT: Hashable, Sendable {
  /// The header, as someone wrote it.
  public let unverifiedHeader: JSONObject
  /// The claims, as someone wrote them.
  public let unverifiedClaims: JSONObject

  /// Takes a compact token apart without verifying anything: not its signature, not its algorithm, not its claims.
  ///
  /// It must be at most `JWS.maximumTokenBytes` long, have three segments of strict base64url, and JSON objects without
  /// duplicate names as header and claims.
  public static func decodeWithoutVerifying(_ token: Span<UInt8>) throws(JWTError) -> UnverifiedJWT {
    let segments = try CompactSegments(token, maximumBytes: JWS.maximumTokenBytes)
    let claims = try CompactSegments.object(segments.payload, "claims", .claims)
    return UnverifiedJWT(unverifiedHeader: segments.header, unverifiedClaims: claims)
  }
}
