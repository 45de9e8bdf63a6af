internal import AssayCodec

extension VerifiedJWT {
  /// The claims as a `Decodable` type, read from the JSON value that was verified and by the rules of
  /// `JSONValue.decoded(as:)`.
  ///
  /// What the type does not ask for is ignored; the registered claims were checked already, whether it asks or not.
  /// - Throws: `DecodingError`, without any of the token's words.
  public func claims<Claims: Decodable>(as type: Claims.Type) throws -> Claims {
    try JSONValue.object(claims).decoded(as: type)
  }
}
