import AssayCodec
import AssayWebAuthn
import Testing

/// The document of related origins, as clients read it (WebAuthn L3, 5.11.1).
struct RelatedOriginsTests {
  private static func read(_ json: String) throws -> [UTF8Text] {
    let bytes = Array(json.utf8)
    return try RelatedOrigins(json: bytes.span).origins
  }

  /// All but the first label of a host of three; the host itself of two; `co.uk` and `com` are public suffixes.
  private static func registrable(_ host: UTF8Text) -> UTF8Text? {
    let labels = host.string.split(separator: ".")
    let suffix = host.string.hasSuffix("co.uk") ? 2 : 1
    return labels.count > suffix ? UTF8Text(labels.suffix(suffix + 1).joined(separator: ".")) : nil
  }

  private static func allows(_ origin: UTF8Text, _ listed: [UTF8Text]) throws -> Bool {
    let value: JSONValue = ["origins": .array(listed.map { .string($0) })]
    let bytes = value.encoded()
    return try RelatedOrigins(json: bytes.span).allows(origin, registrableDomain: registrable)
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    let related = ["https://example.org", "https://www.example.net:8443"]
    let rp = try RelyingParty(id: "example.com", origins: ["https://example.com"], relatedOrigins: related)
    let bytes = rp.relatedOriginsDocument.encoded()
    #expect(try RelatedOrigins(json: bytes.span).origins == rp.relatedOrigins)
  }

  @Test func whatIsNoOriginIsPassedOver() throws {
    #expect(try Self.read(#"{"origins":[]}"#) == [])
    #expect(
      try Self.read(
        #"{"x":1,"origins":["https://a.com","http://b.com","https://c.com/","","https://D.com","https://e.com:444"]}"#)
        == ["https://a.com", "https://e.com:444"])
  }

  @Test(arguments: [
    ("", "JSON"), ("[]", "webauthn"), ("{}", "origins"), (#"{"origins":{}}"#, "origins"),
    (#"{"origins":null}"#, "origins"),
    (#"{"origins":["https://a.com",1]}"#, "origins"), (#"{"origins":[]"#, nil), (#"{"origins":[],"origins":[]}"#, nil),
  ])
  func formIsExact(_ json: String, _ field: String?) throws {
    let error = #expect(throws: WebAuthnError.self) { try Self.read(json) }
    #expect(error?.code == .malformedRelatedOrigins)
    if let field, field != "JSON" { #expect(error?.field.description == field) }
  }

  @Test func sizeIsBounded() throws {
    let most = RelatedOrigins.maximumBytes - #"{"origins":[]}"#.utf8.count
    #expect(try Self.read(#"{"origins":[]}"# + String(repeating: " ", count: most)) == [])
    #expect(throws: WebAuthnError.self) { try Self.read(#"{"origins":[]}"# + String(repeating: " ", count: most + 1)) }
  }

  @Test func fiveLabelsCount() throws {
    let five: [UTF8Text] = ["https://a.com", "https://b.com", "https://c.com", "https://d.com", "https://e.com"]
    for origin in five { #expect(try Self.allows(origin, five)) }
    #expect(try !Self.allows("https://f.com", five))
    #expect(try !Self.allows("https://f.com", five + ["https://f.com"]))
    // A label that was seen counts once, whatever the suffix and the host.
    for origin in ["https://e.co.uk", "https://www.a.com", "https://x.y.b.co.uk:8443"] as [UTF8Text] {
      #expect(try Self.allows(origin, five + ["https://f.com", origin]))
      #expect(try !Self.allows(origin, five))
    }
    // A host without a registrable domain counts for nothing.
    #expect(try Self.allows("https://a.com", ["https://co.uk", "https://com", "https://a.com"]))
    #expect(try !Self.allows("https://co.uk", ["https://co.uk"]))
    #expect(try !Self.allows("https://a.com:8443", five))
    #expect(try !Self.allows("http://a.com", five))
  }
}
