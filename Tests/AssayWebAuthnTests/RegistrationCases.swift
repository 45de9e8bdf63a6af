import AssayCodec
import AssayCrypto
import AssayWebAuthn

extension RegistrationRuleTests {
  private static func options(_ change: (inout RegistrationOptions) -> Void) -> RegistrationOptions {
    var options = RegistrationOptions()
    change(&options)
    return options
  }

  static let accepted: [Case] = [
    Case("as it is") { _ in },
    Case("no attestation") { $0.fmt = "none" },
    Case("Ed25519") { $0.parts.algorithm = .edDSA },
    Case("RS256") { $0.parts.algorithm = .rs256 },
    Case("byte order mark") { $0.parts.clientDataFrame.before = [0xEF, 0xBB, 0xBF] },
    Case("white space around the client data") { $0.parts.clientDataFrame = (Array(" \n".utf8), Array("\t ".utf8)) },
    Case("unknown client data members") { $0.parts.clientData["other_keys_can_be_added_here"] = ["a": [1, .null]] },
    Case("tokenBinding is reserved") { $0.parts.clientData["tokenBinding"] = "anything" },
    Case("crossOrigin absent") { $0.parts.clientData["crossOrigin"] = nil },
    Case("second origin") { $0.parts.clientData["origin"] = "https://login.example.com:8443" },
    Case("reserved flags") { $0.parts.flags |= 0x22 },
    Case("backup eligible") { $0.parts.flags |= 0x08 },
    Case("backed up") { $0.parts.flags |= 0x18 },
    Case("counter zero") { $0.parts.signCount = 0 },
    Case("largest counter") { $0.parts.signCount = .max },
    Case("extensions") {
      $0.parts.flags |= 0x80
      $0.parts.authDataEnd = CBORValue.map([CBORMapEntry("credProtect", .unsigned(2))]).encoded()
    },
    Case("an extension map that is not canonical") {
      $0.parts.flags |= 0x80
      $0.parts.authDataEnd = [0xB8, 0x00]
    },
    Case("credential id of one byte") { $0.credentialID = [1] },
    Case("credential id of 1023 bytes") { $0.credentialID = [UInt8](repeating: 1, count: 1023) },
    Case("aaguid of zeros") { $0.aaguid = [UInt8](repeating: 0, count: 16) },
    Case("unknown member of the attestation object") {
      $0.editObject = { $0.adding("epAtt", .bool(false)) }
    },
    Case("not verified, where that is not required", options: options { $0.userVerification = .preferred }) {
      $0.parts.flags = 0x41
    },
    Case(
      "not present, in a conditional creation",
      options: options {
        $0.isConditional = true
        $0.userVerification = .discouraged
      }
    ) { $0.parts.flags = 0x40 },
    Case("frame, allowed", crossOrigin: .allowed(topOrigins: ["https://top.example"])) {
      $0.parts.clientData["crossOrigin"] = true
      $0.parts.clientData["topOrigin"] = "https://top.example"
    },
    Case("frame, top page not told", crossOrigin: .allowed(topOrigins: [])) {
      $0.parts.clientData["crossOrigin"] = true
    },
    Case("no transports") { $0.parts.editResponse = { $0["transports"] = nil } },
    Case("16 transports of 32 bytes") {
      let longest: JSONValue = "12345678901234567890123456789012"
      $0.parts.editResponse = { $0["transports"] = .array([JSONValue](repeating: longest, count: 16)) }
    },
    Case("transports null") { $0.parts.editResponse = { $0["transports"] = .null } },
    Case("no clientExtensionResults") { $0.parts.edit = { $0["clientExtensionResults"] = nil } },
    Case("unknown members of the answer") {
      $0.parts.edit = { $0["x"] = 1 }
      $0.parts.editResponse = { $0["y"] = [2] }
    },
  ]

  static let refused: [Case] = [
    // Step 3: the envelope. (Wrong types: `everyWrongType`.)
    Case("type", Refusal(.malformedResponse, 3, "type")) { $0.parts.edit = { $0["type"] = "password" } },
    Case("type in capitals", Refusal(.malformedResponse, 3, "type")) {
      $0.parts.edit = { $0["type"] = "Public-Key" }
    },
    Case("id of another credential", Refusal(.credentialIDMismatch, 3, "id")) {
      $0.parts.edit = { $0["id"] = "AAAA" }
    },
    Case("id padded", Refusal(.malformedResponse, 3, "id")) {
      $0.parts.edit = { $0["id"] = .string(UTF8Text(($0["id"]?.string?.string ?? "") + "=")) }
    },
    Case("clientDataJSON in standard base64", Refusal(.malformedResponse, 3, "clientDataJSON")) {
      $0.parts.editResponse = { $0["clientDataJSON"] = "+/==" }
    },
    Case("clientDataJSON empty", Refusal(.malformedResponse, 3, "clientDataJSON")) {
      $0.parts.editResponse = { $0["clientDataJSON"] = "" }
    },
    Case("attestationObject empty", Refusal(.malformedResponse, 3, "attestationObject")) {
      $0.parts.editResponse = { $0["attestationObject"] = "" }
    },
    Case("transports of numbers", Refusal(.malformedResponse, 3, "transports")) {
      $0.parts.editResponse = { $0["transports"] = [1] }
    },
    Case("17 transports", Refusal(.malformedResponse, 3, "transports")) {
      $0.parts.editResponse = { $0["transports"] = .array([JSONValue](repeating: "usb", count: 17)) }
    },
    Case("a transport of 33 bytes", Refusal(.malformedResponse, 3, "transports")) {
      $0.parts.editResponse = { $0["transports"] = ["123456789012345678901234567890123"] }
    },
    // Steps 5 and 6: the client data.
    Case("client data not UTF-8", Refusal(.malformedClientData, 5, "JSON string")) {
      $0.parts.clientDataFrame = (Array(#"{"x":""#.utf8) + [0xFF] + Array(#"","#.utf8), [])
    },
    Case("two byte order marks", Refusal(.malformedClientData, 6, "JSON value")) {
      $0.parts.clientDataFrame.before = [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF]
    },
    Case("text after the client data", Refusal(.malformedClientData, 6, "JSON")) {
      $0.parts.clientDataFrame.after = Array("x".utf8)
    },
    Case("client data an array", Refusal(.malformedClientData, 6, "clientDataJSON")) {
      $0.parts.clientDataFrame = (Array("[".utf8), Array("]".utf8))
    },
    Case("client data too long", Refusal(.malformedClientData, 6, "JSON")) {
      $0.parts.clientDataFrame.after = [UInt8](repeating: 0x20, count: CollectedClientData.maximumBytes)
    },
    // Steps 7 to 11.
    Case("type of a sign-in", Refusal(.typeMismatch, 7, "type")) { $0.parts.clientData["type"] = "webauthn.get" },
    Case("type with a suffix", Refusal(.typeMismatch, 7, "type")) {
      $0.parts.clientData["type"] = "webauthn.create\u{0}"
    },
    Case("challenge with one other byte", Refusal(.challengeMismatch, 8, "challenge")) {
      $0.parts.clientData["challenge"] = TestAuthenticator.base64url([UInt8](0..<31) + [30])
    },
    Case("challenge cut", Refusal(.challengeMismatch, 8, "challenge")) {
      $0.parts.clientData["challenge"] = TestAuthenticator.base64url([UInt8](0..<31))
    },
    Case("challenge padded", Refusal(.challengeMismatch, 8, "challenge")) {
      $0.parts.clientData["challenge"] = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    },
    Case("challenge empty", Refusal(.challengeMismatch, 8, "challenge")) { $0.parts.clientData["challenge"] = "" },
    Case("origin of another site", Refusal(.originNotAllowed, 9, "origin")) {
      $0.parts.clientData["origin"] = "https://evil.example"
    },
    Case("origin with the site as a prefix", Refusal(.originNotAllowed, 9, "origin")) {
      $0.parts.clientData["origin"] = "https://example.com.evil.example"
    },
    Case("origin in capitals", Refusal(.originNotAllowed, 9, "origin")) {
      $0.parts.clientData["origin"] = "https://Example.com"
    },
    Case("origin with a slash", Refusal(.originNotAllowed, 9, "origin")) {
      $0.parts.clientData["origin"] = "https://example.com/"
    },
    Case("origin with the default port", Refusal(.originNotAllowed, 9, "origin")) {
      $0.parts.clientData["origin"] = "https://example.com:443"
    },
    Case("origin over http", Refusal(.originNotAllowed, 9, "origin")) {
      $0.parts.clientData["origin"] = "http://example.com"
    },
    Case("origin below the site that is not listed", Refusal(.originNotAllowed, 9, "origin")) {
      $0.parts.clientData["origin"] = "https://evil.example.com"
    },
    Case("frame of another origin", Refusal(.crossOriginNotAllowed, 10, "crossOrigin")) {
      $0.parts.clientData["crossOrigin"] = true
    },
    Case("topOrigin where frames are refused", Refusal(.topOriginNotAllowed, 11, "topOrigin")) {
      $0.parts.clientData["topOrigin"] = "https://example.com"
    },
    Case(
      "topOrigin without crossOrigin", Refusal(.topOriginNotAllowed, 11, "topOrigin"),
      crossOrigin: .allowed(topOrigins: ["https://top.example"])
    ) { $0.parts.clientData["topOrigin"] = "https://top.example" },
    Case(
      "topOrigin that is not listed", Refusal(.topOriginNotAllowed, 11, "topOrigin"),
      crossOrigin: .allowed(topOrigins: ["https://top.example"])
    ) {
      $0.parts.clientData["crossOrigin"] = true
      $0.parts.clientData["topOrigin"] = "https://evil.example"
    },
    // Step 13: attestation object and authenticator data. (Truncations and flips: below.)
    Case("attestation object with a byte more", Refusal(.malformedAttestationObject, 13, "attestationObject")) {
      $0.spoilObject = { $0.append(0) }
    },
    Case("attestation object an array", Refusal(.malformedAttestationObject, 13, "attestationObject")) {
      $0.editObject = { .array([$0]) }
    },
    Case("fmt a byte string", Refusal(.malformedAttestationObject, 13, "fmt")) {
      $0.fmtValue = .bytes(Array("none".utf8))
    },
    Case("fmt missing", Refusal(.malformedAttestationObject, 13, "fmt")) { $0.editObject = { $0.without("fmt") } },
    Case("attStmt missing", Refusal(.malformedAttestationObject, 13, "attStmt")) {
      $0.editObject = { $0.without("attStmt") }
    },
    Case("authData missing", Refusal(.malformedAttestationObject, 13, "authData")) {
      $0.editObject = { $0.without("authData") }
    },
    Case("AT clear, data there", Refusal(.malformedAuthenticatorData, 13, "authData")) { $0.parts.flags &= ~0x40 },
    Case("AT clear, no data", Refusal(.malformedAuthenticatorData, 13, "attestedCredentialData")) {
      $0.parts.flags &= ~0x40
      $0.hasAttestedData = false
    },
    Case("AT set, no data", Refusal(.malformedAuthenticatorData, 13, "aaguid")) { $0.hasAttestedData = false },
    Case("ED set, no extensions", Refusal(.malformedAuthenticatorData, 13, "extensions")) { $0.parts.flags |= 0x80 },
    Case("ED clear, extensions there", Refusal(.malformedAuthenticatorData, 13, "authData")) {
      $0.parts.authDataEnd = [0xA0]
    },
    Case("extensions an array", Refusal(.malformedAuthenticatorData, 13, "extensions")) {
      $0.parts.flags |= 0x80
      $0.parts.authDataEnd = [0x80]
    },
    Case("two extension maps", Refusal(.malformedAuthenticatorData, 13, "authData")) {
      $0.parts.flags |= 0x80
      $0.parts.authDataEnd = [0xA0, 0xA0]
    },
    Case("credential id longer than what is left", Refusal(.malformedAuthenticatorData, 13, "credentialId")) {
      $0.credentialIDLength = 65_535
    },
    Case("credential id of no bytes", Refusal(.malformedAuthenticatorData, 13, "credentialIdLength")) {
      $0.credentialIDLength = 0
    },
    Case("key not canonical", Refusal(.malformedAuthenticatorData, 13, "credentialPublicKey")) {
      $0.parts.spoilAuthData = { $0[$0.count - 77] = 0xB8 }
    },
    // Steps 14 to 17.
    Case("another relying party", Refusal(.rpIdHashMismatch, 14, "rpIdHash")) {
      $0.parts.rpIdHash = TestAuthenticator.hash(Array("example.org".utf8))
    },
    Case("user not present", Refusal(.userNotPresent, 15, "flags")) { $0.parts.flags &= ~0x01 },
    Case("user not verified", Refusal(.userNotVerified, 16, "flags")) { $0.parts.flags &= ~0x04 },
    Case(
      "user not verified, in a conditional creation that requires it", Refusal(.userNotVerified, 16, "flags"),
      options: options { $0.isConditional = true }
    ) { $0.parts.flags = 0x40 },
    Case("backed up without being eligible", Refusal(.backupStateInconsistent, 17, "flags")) {
      $0.parts.flags |= 0x10
    },
    // Step 20: algorithm and key.
    Case(
      "algorithm not asked for", Refusal(.algorithmNotAllowed, 20, "alg"),
      options: options { $0.algorithms = [.edDSA, .rs256] }
    ) { _ in },
    Case("ML-DSA", Refusal(.algorithmNotSupported, 20, "alg")) {
      $0.fmt = "none"
      $0.coseKey = .map([
        CBORMapEntry(.unsigned(1), .unsigned(7)), CBORMapEntry(.unsigned(3), CBORValue(-48)),
        CBORMapEntry(.negative(0), .bytes([1])),
      ])
    },
    Case("no public key but a number", Refusal(.invalidPublicKey, 20, "credentialPublicKey")) {
      $0.fmt = "none"
      $0.coseKey = .unsigned(0)
    },
    Case("point off the curve, without attestation", Refusal(.invalidPublicKey, 20, "credentialPublicKey")) {
      $0.fmt = "none"
      $0.coseKey = try? TestAuthenticator.coseKey().replacing(-3, .bytes([UInt8](repeating: 1, count: 32)))
    },
    Case("ES256 on P-384", Refusal(.invalidPublicKey, 20, "credentialPublicKey")) {
      $0.fmt = "none"
      $0.coseKey = try? TestAuthenticator.coseKey().replacing(-1, .unsigned(2))
    },
    Case("a private key", Refusal(.invalidPublicKey, 20, "credentialPublicKey")) {
      $0.fmt = "none"
      $0.coseKey = try? TestAuthenticator.coseKey().replacing(-4, .bytes([UInt8](repeating: 1, count: 32)))
    },
    Case("Ed25519 point of small order", Refusal(.invalidPublicKey, 20, "credentialPublicKey")) {
      $0.fmt = "none"
      $0.coseKey = try? TestAuthenticator.coseKey(.edDSA).replacing(
        -2, .bytes([1] + [UInt8](repeating: 0, count: 31)))
    },
    // Steps 21 and 22: attestation.
    Case("unknown format", Refusal(.attestationFormatNotSupported, 21, "fmt")) { $0.fmt = "banana" },
    Case("format in capitals", Refusal(.attestationFormatNotSupported, 21, "fmt")) { $0.fmt = "None" },
    Case("none with a statement", Refusal(.malformedAttestationStatement, 22, "attStmt")) {
      $0.fmt = "none"
      $0.editStatement = { $0.adding("alg", CBORValue(-7)) }
    },
    Case("none with an array", Refusal(.malformedAttestationStatement, 22, "attStmt")) {
      $0.fmt = "none"
      $0.editStatement = { _ in .array([]) }
    },
    Case("packed with ecdaaKeyId", Refusal(.malformedAttestationStatement, 22, "ecdaaKeyId")) {
      $0.editStatement = { $0.adding("ecdaaKeyId", .bytes([1])) }
    },
    Case("packed with more", Refusal(.malformedAttestationStatement, 22, "attStmt")) {
      $0.editStatement = { $0.adding("x", .null) }
    },
    Case("packed without alg", Refusal(.malformedAttestationStatement, 22, "attStmt")) {
      $0.editStatement = { $0.without("alg") }
    },
    Case("packed without sig", Refusal(.malformedAttestationStatement, 22, "attStmt")) {
      $0.editStatement = { $0.without("sig") }
    },
    Case("packed, alg a text", Refusal(.malformedAttestationStatement, 22, "attStmt")) {
      $0.editStatement = { $0.without("alg").adding("alg", .text("ES256")) }
    },
    Case("packed, sig a text", Refusal(.malformedAttestationStatement, 22, "attStmt")) {
      $0.editStatement = { $0.without("sig").adding("sig", .text("sig")) }
    },
    Case("packed, another algorithm", Refusal(.malformedAttestationStatement, 22, "alg")) {
      $0.editStatement = { $0.without("alg").adding("alg", CBORValue(-257)) }
    },
    Case("packed, signature by another key", Refusal(.signatureInvalid, 22, "sig")) {
      $0.parts.spoilSignature = {
        let message: [UInt8] = [1]
        $0 = (try? SigningKey.generate(.es256).sign(message.span, ecdsa: .der)) ?? []
      }
    },
    Case("packed, signature empty", Refusal(.signatureInvalid, 22, "sig")) { $0.parts.spoilSignature = { $0 = [] } },
    // Step 25.
    Case("credential id of 1024 bytes", Refusal(.credentialIDTooLong, 25, "credentialId")) {
      $0.credentialID = [UInt8](repeating: 1, count: 1024)
    },
    Case("the client names another credential", Refusal(.credentialIDMismatch, 25, "credentialId")) {
      $0.parts.edit = {
        $0["id"] = "AAAA"
        $0["rawId"] = "AAAA"
      }
    },
  ]
}
