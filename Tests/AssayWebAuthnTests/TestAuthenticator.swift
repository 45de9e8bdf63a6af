import AssayCodec
import AssayCrypto
import AssayWebAuthn

/// Makes valid answers, of which a test changes one part before it is signed and written.
enum TestAuthenticator {
  static let rpId = "example.com"
  static let origin: JSONValue = "https://example.com"
  static let now = UnixTime(1_790_000_000)
  static let user: [UInt8] = Array("user-0001".utf8)
  static let challenge = [UInt8](0..<32)
  static let credentialID = [UInt8](100..<132)

  static let keys: [SignatureAlgorithm: SigningKey] = {
    var keys: [SignatureAlgorithm: SigningKey] = [:]
    for algorithm in SignatureAlgorithm.allCases {
      // One modulus for all of RSA: it takes long to find.
      let rsa = keys[.rs256].flatMap { try? SigningKey(try $0.privateNumbers(), for: algorithm) }
      keys[algorithm] = try? rsa ?? SigningKey.generate(algorithm)
    }
    return keys
  }()

  static func key(_ algorithm: SignatureAlgorithm = .es256) throws -> SigningKey {
    guard let key = keys[algorithm] else { throw CryptoError(.failed) }
    return key
  }

  static func coseKey(_ algorithm: SignatureAlgorithm = .es256) throws -> COSEKey {
    try COSEKey(key(algorithm).verificationKey.numbers, alg: algorithm.coseIdentifier)
  }

  static func relyingParty(crossOrigin: CrossOriginUse = .refused) throws -> RelyingParty {
    try RelyingParty(
      id: rpId, origins: ["https://example.com", "https://login.example.com:8443"], crossOrigin: crossOrigin)
  }

  static func hash(_ bytes: [UInt8]) -> [UInt8] { (try? Digest.sha256.hash(bytes.span)) ?? [] }

  static func base64url(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes.span)) }
}

/// The parts that both kinds of answer share.
struct AnswerParts {
  var clientData: JSONObject
  /// Written before and after the client data's JSON.
  var clientDataFrame: (before: [UInt8], after: [UInt8]) = ([], [])
  var rpIdHash = TestAuthenticator.hash(Array(TestAuthenticator.rpId.utf8))
  var flags: UInt8
  var signCount: UInt32 = 7
  /// Written after everything else in the authenticator data: extensions, or what does not belong there.
  var authDataEnd: [UInt8] = []
  var algorithm = SignatureAlgorithm.es256
  /// What is done to the bytes just before they are encoded, after they were signed.
  var spoilAuthData: @Sendable (inout [UInt8]) -> Void = { _ in }
  var spoilClientData: @Sendable (inout [UInt8]) -> Void = { _ in }
  var spoilSignature: @Sendable (inout [UInt8]) -> Void = { _ in }
  /// What is done to the finished credential.
  var edit: @Sendable (inout JSONObject) -> Void = { _ in }
  var editResponse: @Sendable (inout JSONObject) -> Void = { _ in }

  init(type: JSONValue, flags: UInt8) {
    clientData = [
      "type": type, "challenge": TestAuthenticator.base64url(TestAuthenticator.challenge),
      "origin": TestAuthenticator.origin, "crossOrigin": false,
    ]
    self.flags = flags
  }

  var clientDataJSON: [UInt8] {
    clientDataFrame.before + JSONValue.object(clientData).encoded() + clientDataFrame.after
  }

  /// Up to the attested credential data.
  var authDataStart: [UInt8] {
    rpIdHash + [flags] + (0..<4).map { UInt8(truncatingIfNeeded: signCount >> (24 - 8 * $0)) }
  }

  func signature(over authData: [UInt8]) throws -> [UInt8] {
    let message = authData + TestAuthenticator.hash(clientDataJSON)
    return try TestAuthenticator.key(algorithm).sign(message.span, ecdsa: .der)
  }

  func credential(id: [UInt8], _ response: JSONObject) -> [UInt8] {
    var response = response
    editResponse(&response)
    var credential: JSONObject = [
      "id": TestAuthenticator.base64url(id), "rawId": TestAuthenticator.base64url(id), "type": "public-key",
      "authenticatorAttachment": "platform", "clientExtensionResults": ["credProps": ["rk": true]],
      "response": .object(response),
    ]
    edit(&credential)
    return JSONValue.object(credential).encoded()
  }
}

/// An answer to a registration: packed self attestation, unless changed.
struct RegistrationAnswer {
  var parts = AnswerParts(type: "webauthn.create", flags: 0x45)
  var aaguid = [UInt8](200..<216)
  var credentialID = TestAuthenticator.credentialID
  /// What the authenticator data says the length of the id is; the true one if nil.
  var credentialIDLength: Int?
  var coseKey: CBORValue?
  /// Instead of `coseKey`, as bytes.
  var coseKeyBytes: [UInt8]?
  var fmt: UTF8Text = "packed"
  /// Whose key vouches; the credential's own if nil.
  var certificate: TestCertificate?
  /// Makes the statement, if it is a TPM's.
  var tpm: TestTPM?
  /// Further certificates, as bytes.
  var chain: [[UInt8]] = []
  /// What is done to the certificate's bytes.
  var spoilCertificate: @Sendable (inout [UInt8]) -> Void = { _ in }
  /// Instead of `fmt`.
  var fmtValue: CBORValue?
  /// Makes the statement, instead of what is made of the above; the hash is that of the client data.
  var makeStatement: (@Sendable (_ authData: [UInt8], _ hash: [UInt8]) throws -> CBORValue)?
  /// Changes the statement that was made.
  var editStatement: @Sendable (CBORValue) -> CBORValue = { $0 }
  var editObject: @Sendable (CBORValue) -> CBORValue = { $0 }
  var spoilObject: @Sendable (inout [UInt8]) -> Void = { _ in }
  var hasAttestedData = true

  func authData() throws -> [UInt8] {
    let length = credentialIDLength ?? credentialID.count
    let key = try coseKeyBytes ?? coseKey?.encoded() ?? TestAuthenticator.coseKey(parts.algorithm).encoded()
    let attested = aaguid + [UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)] + credentialID
    return parts.authDataStart + (hasAttestedData ? attested + key : []) + parts.authDataEnd
  }

  private func signature(over authData: [UInt8]) throws -> [UInt8] {
    guard let certificate else { return try parts.signature(over: authData) }
    let clientDataHash = TestAuthenticator.hash(parts.clientDataJSON)
    var message = authData + clientDataHash
    if fmt == "fido-u2f", case .ec(_, let x, let y) = try TestAuthenticator.coseKey(parts.algorithm).numbers {
      message = [0x00] + parts.rpIdHash + clientDataHash + credentialID + [0x04] + x + y
    }
    return try TestCertificate.key(certificate.algorithm).sign(message.span, ecdsa: .der)
  }

  func json() throws -> [UInt8] {
    var authData = try authData()
    var signature = try signature(over: authData)
    let made = try makeStatement?(authData, TestAuthenticator.hash(parts.clientDataJSON))
    var clientData = parts.clientDataJSON
    parts.spoilAuthData(&authData)
    parts.spoilSignature(&signature)
    parts.spoilClientData(&clientData)
    var statement: [CBORMapEntry] = []
    if fmt == "packed" {
      statement.append(CBORMapEntry("alg", CBORValue((certificate?.algorithm ?? parts.algorithm).coseIdentifier)))
    }
    if fmt != "none" { statement.append(CBORMapEntry("sig", .bytes(signature))) }
    if var leaf = try certificate?.der() {
      spoilCertificate(&leaf)
      statement.append(CBORMapEntry("x5c", .array(([leaf] + chain).map { .bytes($0) })))
    }
    if let tpm {
      let key = try TestAuthenticator.key(parts.algorithm).verificationKey.numbers
      statement = try tpm.statement(self.authData(), TestAuthenticator.hash(parts.clientDataJSON), key: key)
    }
    let object = CBORValue.map([
      CBORMapEntry("fmt", fmtValue ?? .text(fmt)), CBORMapEntry("attStmt", editStatement(made ?? .map(statement))),
      CBORMapEntry("authData", .bytes(authData)),
    ])
    var objectBytes = editObject(object).encoded()
    spoilObject(&objectBytes)
    return parts.credential(
      id: credentialID,
      [
        "clientDataJSON": TestAuthenticator.base64url(clientData),
        "attestationObject": TestAuthenticator.base64url(objectBytes),
        "transports": ["internal", "hybrid"],
        // What toJSON() repeats, wrong on purpose: it must never be looked at.
        "publicKey": "AAAA", "publicKeyAlgorithm": -65535, "authenticatorData": "AAAA",
      ])
  }
}

/// An answer to a sign-in.
struct SignInAnswer {
  var parts = AnswerParts(type: "webauthn.get", flags: 0x05)
  var credentialID = TestAuthenticator.credentialID
  var userHandle: JSONValue? = TestAuthenticator.base64url(TestAuthenticator.user)

  var authData: [UInt8] { parts.authDataStart + parts.authDataEnd }

  func json() throws -> [UInt8] {
    var authData = authData
    var signature = try parts.signature(over: authData)
    var clientData = parts.clientDataJSON
    parts.spoilAuthData(&authData)
    parts.spoilSignature(&signature)
    parts.spoilClientData(&clientData)
    var response: JSONObject = [
      "clientDataJSON": TestAuthenticator.base64url(clientData),
      "authenticatorData": TestAuthenticator.base64url(authData),
      "signature": TestAuthenticator.base64url(signature),
    ]
    response["userHandle"] = userHandle
    return parts.credential(id: credentialID, response)
  }
}

extension CBORMapEntry {
  init(_ name: UTF8Text, _ value: CBORValue) { self.init(.text(name), value) }
}

/// Where and why a ceremony must end; nil in `expected` where it must not.
struct Refusal: Equatable, CustomStringConvertible {
  let code: WebAuthnError.Code
  let step: Int?
  let field: Field

  init(_ code: WebAuthnError.Code, _ step: Int?, _ field: Field) {
    self.code = code
    self.step = step
    self.field = field
  }

  init(_ error: WebAuthnError) { self.init(error.code, error.step?.number, error.field) }

  var description: String { "\(code) at step \(step ?? 0) (\(field))" }
}
