internal import AssayCodec

/// One signature of a JWS in JSON form, taken apart, and nothing of it verified.
///
///     signature = { ["protected": base64url of a JSON object], ["header": object], "signature": base64url }
///
/// A header that is there has members (RFC 7515, 7.2.1). Members beside these are ignored, as RFC 7515, 7.2.1 demands.
struct JSONSignature {
  let protected: JSONObject
  let unprotected: JSONObject
  let signature: [UInt8]
  /// What the signature covers, up to the payload: the protected header as it stood, and a dot.
  let signingInputStart: [UInt8]

  init(_ members: JSONObject) throws(JWTError) {
    var text: [UInt8] = []
    if let encoded = try members.string("protected", "protected", .shape) {
      text = encoded.utf8
      protected = try CompactSegments.object(
        try Self.decoded(encoded, "protected"), "protected", .header)
      guard !protected.members.isEmpty else { throw JWTError(.missing, .header, "alg") }
    } else {
      protected = [:]
    }
    signingInputStart = text + [UInt8(ascii: ".")]
    if let header = members["header"] {
      guard let object = header.object else { throw JWTError(.notAnObject, .header, "header") }
      guard !object.members.isEmpty else { throw JWTError(.missing, .header, "alg") }
      unprotected = object
    } else {
      unprotected = [:]
    }
    guard let encoded = try members.string("signature", "signature", .shape) else {
      throw JWTError(.missing, .shape, "signature")
    }
    signature = try Self.decoded(encoded, "signature")
  }

  static func decoded(_ text: UTF8Text, _ field: Field) throws(JWTError) -> [UInt8] {
    do throws(CodecError) {
      return try Base64URL.decode(text.utf8.span, field: field)
    } catch {
      throw JWTError(.malformed(error), .shape, field)
    }
  }
}

/// A JWS in JSON form, taken apart: the flattened form is the general one with one signature.
struct JSONForm {
  /// The text of the payload, unescaped; nil if it is detached.
  let payload: UTF8Text?
  let signatures: [JSONSignature]

  init(_ text: Span<UInt8>, maximumBytes: Int) throws(JWTError) {
    guard text.count <= maximumBytes else { throw JWTError(.tooLarge(limit: maximumBytes), .size) }
    // `maximumDepth` is for a header, which stands in an object in an array in an object.
    let limits = JSONLimits(maximumBytes: maximumBytes, maximumDepth: CompactSegments.maximumDepth + 3)
    let value: JSONValue
    do throws(CodecError) {
      value = try JSONValue.decode(text, limits: limits)
    } catch {
      throw JWTError(.malformed(error), .shape, "JWS")
    }
    guard let object = value.object else { throw JWTError(.notAnObject, .shape, "JWS") }
    payload = try object.string("payload", "payload", .shape)
    if let general = object["signatures"] {
      guard object["signature"] == nil, object["protected"] == nil, object["header"] == nil else {
        throw JWTError(.notJSONForm, .shape)
      }
      guard let elements = general.array else { throw JWTError(.wrongType, .shape, "signatures") }
      guard !elements.isEmpty else { throw JWTError(.noSignatures, .shape, "signatures") }
      guard elements.count <= JWSPolicy.maximumSignatures else {
        throw JWTError(.tooManySignatures(limit: JWSPolicy.maximumSignatures), .shape, "signatures")
      }
      var signatures: [JSONSignature] = []
      for element in elements {
        guard let members = element.object else { throw JWTError(.notAnObject, .shape, "signatures") }
        signatures.append(try JSONSignature(members))
      }
      self.signatures = signatures
    } else {
      guard object["signature"] != nil else { throw JWTError(.notJSONForm, .shape) }
      signatures = [try JSONSignature(object)]
    }
  }
}
