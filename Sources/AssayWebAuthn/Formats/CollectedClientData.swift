public import AssayCodec

// clientDataJSON is JSON in UTF-8, with one byte order mark at most before it (WebAuthn L3, 5.8.1). Read by a JSON parser,
// not by a template: unknown members, white space and any order are fine. Duplicate members are refused at every level.
// `tokenBinding` is reserved, and ignored unless the ceremony follows FIDO's tests.

/// The client data that an authenticator's signature covers (WebAuthn L3, 5.8.1). Nothing in it is verified.
public struct CollectedClientData: Hashable, Sendable {
  /// The kind of ceremony, such as `webauthn.get`.
  public let type: UTF8Text
  /// The challenge, as base64url text.
  public let challenge: UTF8Text
  /// The origin of the page or app.
  public let origin: UTF8Text
  /// Whether the page was in a frame of another origin; nil if it does not say.
  public let crossOrigin: Bool?
  /// The origin of the top-level page, if that is another.
  public let topOrigin: UTF8Text?
  /// What was shown of a payment, if it is the client data of one; anything otherwise.
  let payment: JSONValue?
  /// What earlier levels of the specification had to say about the connection.
  let tokenBinding: JSONValue?

  /// The longest client data read, in bytes.
  public static let maximumBytes = 1 << 16

  /// Reads client data.
  ///
  /// - Throws: `CodecError`, its field the member that is missing or has the wrong type, or `clientDataJSON`.
  public init(_ bytes: Span<UInt8>) throws(CodecError) {
    let hasMark = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
    let text = bytes.extracting((hasMark ? 3 : 0)..<bytes.count)
    let json = try JSONValue.decode(text, limits: JSONLimits(maximumBytes: Self.maximumBytes))
    guard let object = json.object else { throw CodecError(.wrongType, "clientDataJSON", at: 0) }
    type = try object.required("type", \.string)
    challenge = try object.required("challenge", \.string)
    origin = try object.required("origin", \.string)
    crossOrigin = try object.optional("crossOrigin", \.bool)
    topOrigin = try object.optional("topOrigin", \.string)
    payment = object["payment"]
    tokenBinding = object["tokenBinding"]
  }
}

extension JSONObject {
  /// A member that must be there and of the right type.
  func required<T>(_ field: Field, _ read: (JSONValue) -> T?) throws(CodecError) -> T {
    guard let value = self[field.text] else { throw CodecError(.missing, field, at: 0) }
    guard let result = read(value) else { throw CodecError(.wrongType, field, at: 0) }
    return result
  }

  /// A member that must be of the right type if it is there.
  func optional<T>(_ field: Field, _ read: (JSONValue) -> T?) throws(CodecError) -> T? {
    guard let value = self[field.text] else { return nil }
    guard let result = read(value) else { throw CodecError(.wrongType, field, at: 0) }
    return result
  }
}

extension Field {
  /// The name, for looking a member up.
  var text: UTF8Text { UTF8Text(description) }
}
