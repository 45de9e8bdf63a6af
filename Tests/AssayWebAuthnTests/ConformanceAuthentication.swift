import AssayWebAuthn
import TestAuthenticator

/// FIDO's tests of sign-ins.
enum ConformanceAuthentication {
  typealias Item = ConformanceItem

  /// The options.
  static let request: [Item] = [
    .options("P-1", "every member of the options") { try RelyingPartyTests().requestOptionsAreExactly() },
    .options("P-2", "two challenges differ") { try RelyingPartyTests().defaultsAreThoseOfAPasskey() },
  ]

  private static func envelope(_ id: String, _ what: String) -> Item {
    .refusesSignIn(id, what, .envelope, what, .malformedResponse)
  }

  /// Resp-1.
  static let envelope: [Item] = [
    .acceptsSignIn("P-1", "valid"), envelope("F-1", "id missing"), envelope("F-2", "id is 1469"),
    envelope("F-3", "id not base64url"), envelope("F-4", "type missing"), envelope("F-5", "type is 1469"),
    envelope("F-6", "type of a password"), envelope("F-7", "response missing"), envelope("F-8", "response is 1469"),
    envelope("F-9", "clientDataJSON missing"), envelope("F-10", "clientDataJSON is 1469"),
    envelope("F-11", "clientDataJSON empty"), envelope("F-12", "authenticatorData missing"),
    envelope("F-13", "authenticatorData is 1469"), envelope("F-14", "authenticatorData not base64url"),
    envelope("F-15", "authenticatorData empty"), envelope("F-16", "signature missing"),
    envelope("F-17", "signature is 1469"), envelope("F-18", "signature not base64url"),
    envelope("F-19", "signature empty"),
    .refusesSignIn("F-20", "signature wrong", .signedBytes, "signature altered", .signatureInvalid),
    envelope("F-21", "userHandle is 1469"),
  ]

  private static func tokenBinding(_ id: String, _ what: String) -> Item {
    .refusesSignIn(
      id, what, .clientData, "\(what), in FIDO's mode", .malformedClientData,
      contradiction: .bySwitch("AuthenticationOptions.conformance", .signIn(.clientData, what), nil))
  }

  /// Resp-2.
  static let clientData: [Item] = ConformanceClientData.table.map { id, what, code in
    code.map { .refusesSignIn(id, what, .clientData, what, $0) } ?? tokenBinding(id, what)
  }

  private static func absent(_ id: String, _ requirement: String) -> Item {
    .refusesSignIn(
      id, "UV and UP clear, \(requirement)", .authenticatorData,
      "neither present nor verified, where that is \(requirement)", .userNotPresent,
      contradiction: .declined("WebAuthn L3, 7.2 step 16 always demands the user; the tool gave the test up"))
  }

  /// Resp-3.
  static let authenticatorData: [Item] = [
    .acceptsSignIn("P-1", "counter always 0", .record, "no counter"), .acceptsSignIn("P-2", "UV set, required"),
    .acceptsSignIn("P-3 [21]", "UV and UP set, required"), absent("P-4 [21]", "preferred"),
    .acceptsSignIn(
      "P-3 [26]", "UV clear, preferred", .authenticatorData, "not verified, where that is preferred"),
    .acceptsSignIn("P-4 [26]", "UV set, preferred", .authenticatorData, "verified, where that is preferred"),
    .acceptsSignIn("P-5", "UV clear, discouraged", .authenticatorData, "not verified, where that is discouraged"),
    .acceptsSignIn("P-6", "UV set, discouraged", .authenticatorData, "verified, where that is discouraged"),
    absent("P-7 [21]", "discouraged"),
    .acceptsSignIn("P-8 [21], P-7 [26]", "ED with extension data", .authenticatorData, "extensions"),
    .refusesSignIn(
      "F-1", "leftover bytes", .authenticatorData, "bytes after the authenticator data", .malformedAuthenticatorData),
    .refusesSignIn("F-2", "rpIdHash", .authenticatorData, "another relying party", .rpIdHashMismatch),
    .refusesSignIn(
      "F-3", "clientDataHash", .signedBytes, "client data changed after it was signed", .signatureInvalid),
    .refusesSignIn(
      "F-4", "counter did not increase", .record, "counter equal", .signCountNotIncreased,
      contradiction: .bySwitch(
        "AuthenticationOptions.signCountPolicy", .signIn(.record, "counter equal, reported"), nil)),
    .refusesSignIn("F-5", "only UP set, required", .authenticatorData, "user not verified", .userNotVerified),
  ]
}
