internal import AssayCodec
internal import AssayCrypto

/// What the header parameters of a token ask for (RFC 7515, 4.1). Parameters that are not known are ignored, as
/// RFC 7515, 4 demands; `jwk`, `jku`, `x5u` and `x5c` are among them: a token cannot bring its own key. (`x5c` is read only
/// where certificates are trusted by configuration, or a format prescribes it.)
struct JWSHeader {
  let algorithm: JWSAlgorithm
  let keyID: UTF8Text?
  let type: UTF8Text?
  let contentType: UTF8Text?
  /// The protected parameters, as they stood.
  let parameters: JSONObject

  /// Whether the payload was signed as base64url, and not as it is (RFC 7797, 3).
  let isPayloadEncoded: Bool

  /// - Parameters:
  ///   - header: The protected header.
  ///   - unprotected: Parameters that nobody signed: `alg` only where it is allowed, `kid`, and what the caller reads.
  ///   - understandsB64: Whether the extension `b64` is understood. No other is.
  init(
    _ header: JSONObject, unprotected: JSONObject = [:], understandsB64: Bool = false,
    allowUnprotectedAlgorithm: Bool = false
  ) throws(JWTError) {
    // Extensions first: they may change what the rest means.
    isPayloadEncoded = try Self.isPayloadEncoded(header, unprotected, understandsB64: understandsB64)
    var parameters = header
    for member in unprotected.members {
      guard header[member.name] == nil else { throw JWTError(.duplicateParameter, .header, "header") }
      parameters[member.name] = member.value
    }
    keyID = try parameters.string(HeaderName.kid, "kid", .header)
    type = try parameters.string(HeaderName.typ, "typ", .header)
    contentType = try parameters.string(HeaderName.cty, "cty", .header)
    guard let name = try parameters.string(HeaderName.alg, "alg", .header) else {
      throw JWTError(.missing, .header, "alg")
    }
    guard allowUnprotectedAlgorithm || unprotected[HeaderName.alg] == nil else {
      throw JWTError(.notProtected, .header, "alg")
    }
    guard let algorithm = JWSAlgorithm(joseName: name) else {
      throw JWTError(Self.refusal(of: name), .algorithm, "alg")
    }
    self.algorithm = algorithm
    self.parameters = header
  }

  /// What `b64` says, which counts only where it is protected and named in `crit` (RFC 7797, 6). Without `crit` it is refused
  /// too: who left that out has signed other bytes.
  ///
  /// `crit` names extensions that must be understood: at least one, none twice, each in the protected header
  /// (RFC 7515, 4.1.11).
  private static func isPayloadEncoded(
    _ header: JSONObject, _ unprotected: JSONObject, understandsB64: Bool
  ) throws(JWTError) -> Bool {
    guard unprotected[HeaderName.crit] == nil else { throw JWTError(.notProtected, .header, "crit") }
    guard unprotected[HeaderName.b64] == nil else { throw JWTError(.notProtected, .header, "b64") }
    let isB64Critical = header[HeaderName.crit] == [.string(HeaderName.b64)]
    guard header[HeaderName.crit] == nil || (understandsB64 && isB64Critical) else {
      throw JWTError(.extensionNotUnderstood, .header, "crit")
    }
    guard let b64 = header[HeaderName.b64] else {
      guard header[HeaderName.crit] == nil else { throw JWTError(.missing, .header, "b64") }
      return true
    }
    guard understandsB64, isB64Critical else { throw JWTError(.extensionNotUnderstood, .header, "b64") }
    guard let isEncoded = b64.bool else { throw JWTError(.wrongType, .header, "b64") }
    return isEncoded
  }

  /// Why an algorithm that is not here is refused.
  private static func refusal(of name: UTF8Text) -> JWTError.Code {
    if name.equalsIgnoringCase("none") { return .unsecured }
    return SignatureAlgorithm.refusal(joseName: name) == nil ? .algorithmUnsupported : .mlDSAUnsupported
  }
}

extension UTF8Text {
  /// Whether both are the same media type: the case of letters does not count, and `application/` may be left out if
  /// nothing else in it is a slash (RFC 7515, 4.1.9; RFC 2045, 5.1).
  func isSameMediaType(as other: UTF8Text) -> Bool {
    mediaSubtype.equalsIgnoringCase(other.mediaSubtype)
  }

  /// What follows `application/`, or the whole text if it does not begin so or has a further slash.
  private var mediaSubtype: ArraySlice<UInt8> {
    let prefix = utf8.prefix(12)
    let rest = utf8.dropFirst(12)
    let isApplication = prefix.equalsIgnoringCase(Array("application/".utf8)[...])
    return isApplication && !rest.contains(UInt8(ascii: "/")) ? rest : utf8[...]
  }
}
