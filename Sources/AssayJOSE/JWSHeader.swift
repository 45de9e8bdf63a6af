internal import AssayCodec
internal import AssayCrypto

/// What the header parameters of a token ask for (RFC 7515, 4.1). Parameters that are not known are ignored, as
/// RFC 7515, 4 demands; `jwk`, `jku`, `x5u` and `x5c` are among them: a token cannot bring its own key. (`x5c` is read only
/// where a format prescribes it, by `verifyCompactByOwnCertificate`.)
struct JWSHeader {
  let algorithm: JWSAlgorithm
  let keyID: UTF8Text?
  let type: UTF8Text?
  let contentType: UTF8Text?
  /// All parameters, as they stood.
  let parameters: JSONObject

  init(_ header: JSONObject) throws(JWTError) {
    // Extensions first: they may change what the rest means. None is understood, so whatever `crit` holds is refused
    // (RFC 7515, 4.1.11), and `b64` also without `crit`: who left that out has signed other bytes (RFC 7797, 6).
    guard header[HeaderName.crit] == nil else { throw JWTError(.extensionNotUnderstood, .header, "crit") }
    guard header[HeaderName.b64] == nil else { throw JWTError(.extensionNotUnderstood, .header, "b64") }
    keyID = try header.string(HeaderName.kid, "kid", .header)
    type = try header.string(HeaderName.typ, "typ", .header)
    contentType = try header.string(HeaderName.cty, "cty", .header)
    guard let name = try header.string(HeaderName.alg, "alg", .header) else {
      throw JWTError(.missing, .header, "alg")
    }
    guard let algorithm = JWSAlgorithm(joseName: name) else {
      throw JWTError(Self.refusal(of: name), .algorithm, "alg")
    }
    self.algorithm = algorithm
    parameters = header
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

  /// Whether the texts differ in nothing but the case of ASCII letters.
  func equalsIgnoringCase(_ other: UTF8Text) -> Bool { utf8[...].equalsIgnoringCase(other.utf8[...]) }
}

extension ArraySlice<UInt8> {
  fileprivate func equalsIgnoringCase(_ other: ArraySlice<UInt8>) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.lowercaseASCII == $1.lowercaseASCII }
  }
}

extension UInt8 {
  fileprivate var lowercaseASCII: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}
