import AssayWebAuthn

/// What is wrong with the client data in the tests of Resp-2, which both ceremonies have.
enum ConformanceClientData {
  /// The test, what is done, and why that is refused; nil where only FIDO's mode refuses it.
  static let table: [(id: String, what: String, code: WebAuthnError.Code?)] = [
    ("F-1", "type missing", .malformedClientData), ("F-2", "type is 1469", .malformedClientData),
    ("F-3", "type empty", .typeMismatch), ("F-4", "type of neither ceremony", .typeMismatch),
    ("F-5", "type of the other ceremony", .typeMismatch), ("F-6", "challenge missing", .malformedClientData),
    ("F-7", "challenge is 1469", .malformedClientData), ("F-8", "challenge empty", .challengeMismatch),
    ("F-9", "challenge not base64url", .challengeMismatch),
    ("F-10", "challenge with one other byte", .challengeMismatch),
    ("F-11", "origin missing", .malformedClientData), ("F-12", "origin is 1469", .malformedClientData),
    ("F-13", "origin empty", .originNotAllowed), ("F-14", "origin of another site", .originNotAllowed),
    ("F-15", "tokenBinding not an object", nil), ("F-16", "tokenBinding.status missing", nil),
    ("F-17", "tokenBinding.status of another word", nil),
  ]
}
