internal import AssayCodec

/// What pseudo-random values are made of, or those values themselves (WebAuthn L3, 10.1.4).
public struct PRFValues: Hashable, Sendable {
  /// The first.
  public var first: [UInt8]
  /// The second, if there is one.
  public var second: [UInt8]?

  /// Joins one or two.
  public init(first: [UInt8], second: [UInt8]? = nil) {
    self.first = first
    self.second = second
  }

  var json: JSONValue {
    var object: JSONObject = ["first": .string(Base64URL.encode(first.span))]
    if let second { object["second"] = .string(Base64URL.encode(second.span)) }
    return .object(object)
  }

  /// Reads values that a client made; nil if they are not what the specification says.
  init?(_ json: JSONValue?) {
    guard let first = json?["first"]?.string.flatMap({ try? Base64URL.decode($0.utf8.span) }) else { return nil }
    let second = json?["second"]?.string.flatMap { try? Base64URL.decode($0.utf8.span) }
    guard second != nil || json?["second"] == nil else { return nil }
    self.init(first: first, second: second)
  }
}

/// Which pseudo-random values a credential is to make (WebAuthn L3, 10.1.4).
public struct PRFInput: Hashable, Sendable {
  /// What to make them of, for a credential that has nothing of its own below; nil for none.
  public var eval: PRFValues?
  /// What to make them of, by credential id. For sign-ins only, and for credentials of `allowCredentials` only.
  public var evalByCredential: [[UInt8]: PRFValues]

  /// Asks for values; for none, in a registration, to learn whether the credential can make them.
  public init(eval: PRFValues? = nil, evalByCredential: [[UInt8]: PRFValues] = [:]) {
    self.eval = eval
    self.evalByCredential = evalByCredential
  }

  func json(allowCredentials: [CredentialDescriptor]) throws(WebAuthnError) -> JSONValue {
    var object: JSONObject = [:]
    if let eval { object["eval"] = eval.json }
    if !evalByCredential.isEmpty {
      guard evalByCredential.keys.allSatisfy({ id in allowCredentials.contains { $0.id == id } }) else {
        throw WebAuthnError(.invalidOption, "extensions.prf.evalByCredential")
      }
      var byCredential: JSONObject = [:]
      for credential in allowCredentials {
        guard let values = evalByCredential[credential.id] else { continue }
        byCredential[Base64URL.encode(credential.id.span)] = values.json
      }
      object["evalByCredential"] = .object(byCredential)
    }
    return .object(object)
  }

  /// The salt that the `hmac-secret` extension of CTAP gets for `input`: SHA-256 of `WebAuthn PRF`, a zero byte and the
  /// input (WebAuthn L3, 10.1.4). For who talks to authenticators without a client between.
  ///
  /// - Throws: `WebAuthnError` with `unavailable`.
  public static func hmacSecretSalt(for input: [UInt8]) throws(WebAuthnError) -> [UInt8] {
    try SHA256.hash((Array("WebAuthn PRF".utf8) + [0] + input).span)
  }
}
