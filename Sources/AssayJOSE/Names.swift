internal import AssayCodec

/// The names of header parameters (RFC 7515, 4.1; RFC 7797, 3), made once: a literal would be copied at every use.
enum HeaderName {
  static let alg: UTF8Text = "alg"
  static let b64: UTF8Text = "b64"
  static let crit: UTF8Text = "crit"
  static let cty: UTF8Text = "cty"
  static let kid: UTF8Text = "kid"
  static let typ: UTF8Text = "typ"
  static let x5c: UTF8Text = "x5c"
  static let x5t: UTF8Text = "x5t"
  static let x5tS256: UTF8Text = "x5t#S256"
}

/// The names of the registered claims (RFC 7519, 4.1).
enum ClaimName {
  static let aud: UTF8Text = "aud"
  static let exp: UTF8Text = "exp"
  static let iat: UTF8Text = "iat"
  static let iss: UTF8Text = "iss"
  static let jti: UTF8Text = "jti"
  static let nbf: UTF8Text = "nbf"
  static let sub: UTF8Text = "sub"
}

extension JSONObject {
  /// The string in the member `name`; nil if there is no such member, an error if it is anything but a string.
  func string(_ name: UTF8Text, _ field: Field, _ step: JWTError.Step) throws(JWTError) -> UTF8Text? {
    guard let value = self[name] else { return nil }
    guard let text = value.string else { throw JWTError(.wrongType, step, field) }
    return text
  }
}
