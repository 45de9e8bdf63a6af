package import AssayCodec
package import AssayCrypto
package import AssayWebAuthn

/// Makes valid answers, of which a test changes one part before it is signed and written.
package enum TestAuthenticator {
  package static let rpId = "example.com"
  package static let origin: JSONValue = "https://example.com"
  package static let now = UnixTime(1_790_000_000)
  package static let user: [UInt8] = Array("user-0001".utf8)
  package static let challenge = [UInt8](0..<32)
  package static let credentialID = [UInt8](100..<132)

  /// Of credentials.
  private static let keys = freshKeys()

  /// A key for each algorithm, all of RSA with one modulus: it takes long to find.
  static func freshKeys() -> [SignatureAlgorithm: SigningKey] {
    var keys: [SignatureAlgorithm: SigningKey] = [:]
    var rsa: SigningKey?
    for algorithm in SignatureAlgorithm.allCases {
      let shared = rsa.flatMap { try? SigningKey(try $0.privateNumbers(), for: algorithm) }
      keys[algorithm] = try? shared ?? SigningKey.generate(algorithm)
      if algorithm == .rs256 { rsa = keys[algorithm] }
    }
    return keys
  }

  package static func key(_ algorithm: SignatureAlgorithm = .es256) throws -> SigningKey {
    guard let key = keys[algorithm] else { throw CryptoError(.failed) }
    return key
  }

  package static func coseKey(_ algorithm: SignatureAlgorithm = .es256) throws -> COSEKey {
    try COSEKey(key(algorithm).verificationKey.numbers, alg: algorithm.coseIdentifier)
  }

  package static func relyingParty(crossOrigin: CrossOriginUse = .refused) throws -> RelyingParty {
    try RelyingParty(
      id: rpId, origins: ["https://example.com", "https://login.example.com:8443"], crossOrigin: crossOrigin)
  }

  package static func hash(_ bytes: [UInt8]) -> [UInt8] { (try? Digest.sha256.hash(bytes.span)) ?? [] }

  package static func base16(_ bytes: [UInt8]) -> JSONValue { .string(Base16.encode(bytes.span)) }

  package static func base64url(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes.span)) }
}

/// The parts that both kinds of answer share.
package struct AnswerParts: Sendable {
  package var clientData: JSONObject
  /// Written before and after the client data's JSON.
  package var clientDataFrame: (before: [UInt8], after: [UInt8]) = ([], [])
  package var rpIdHash = TestAuthenticator.hash(Array(TestAuthenticator.rpId.utf8))
  package var flags: UInt8
  package var signCount: UInt32 = 7
  /// Written after everything else in the authenticator data: extensions, or what does not belong there.
  package var authDataEnd: [UInt8] = []
  package var algorithm = SignatureAlgorithm.es256
  /// What is done to the bytes just before they are encoded, after they were signed.
  package var spoilAuthData: @Sendable (inout [UInt8]) -> Void = { _ in }
  package var spoilClientData: @Sendable (inout [UInt8]) -> Void = { _ in }
  package var spoilSignature: @Sendable (inout [UInt8]) -> Void = { _ in }
  /// What is done to the finished credential.
  package var edit: @Sendable (inout JSONObject) -> Void = { _ in }
  package var editResponse: @Sendable (inout JSONObject) -> Void = { _ in }

  package init(type: JSONValue, flags: UInt8) {
    clientData = [
      "type": type, "challenge": TestAuthenticator.base64url(TestAuthenticator.challenge),
      "origin": TestAuthenticator.origin, "crossOrigin": false,
    ]
    self.flags = flags
  }

  package var clientDataJSON: [UInt8] {
    clientDataFrame.before + JSONValue.object(clientData).encoded() + clientDataFrame.after
  }

  /// Up to the attested credential data.
  package var authDataStart: [UInt8] {
    rpIdHash + [flags] + (0..<4).map { UInt8(truncatingIfNeeded: signCount >> (24 - 8 * $0)) }
  }

  package func signature(over authData: [UInt8]) throws -> [UInt8] {
    try signature(over: authData, TestAuthenticator.hash(clientDataJSON))
  }

  package func signature(over authData: [UInt8], _ hash: [UInt8]) throws -> [UInt8] {
    let message = authData + hash
    return try TestAuthenticator.key(algorithm).sign(message.span, ecdsa: .der)
  }

  package func credential(id: [UInt8], _ response: JSONObject) -> [UInt8] {
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
package struct RegistrationAnswer: Sendable {
  package var parts = AnswerParts(type: "webauthn.create", flags: 0x45)
  package var aaguid = [UInt8](200..<216)
  package var credentialID = TestAuthenticator.credentialID
  /// What the authenticator data says the length of the id is; the true one if nil.
  package var credentialIDLength: Int?
  package var coseKey: CBORValue?
  /// Instead of `coseKey`, as bytes.
  package var coseKeyBytes: [UInt8]?
  package var fmt: UTF8Text = "packed"
  /// Whose key vouches; the credential's own if nil.
  package var certificate: TestCertificate?
  /// Makes the statement, if it is a TPM's.
  package var tpm: TestTPM?
  /// Further certificates, as bytes.
  package var chain: [[UInt8]] = []
  /// What is done to the certificate's bytes.
  package var spoilCertificate: @Sendable (inout [UInt8]) -> Void = { _ in }
  /// Instead of `fmt`.
  package var fmtValue: CBORValue?
  /// Makes the statement, instead of what is made of the above; the hash is that of the client data.
  package var makeStatement: (@Sendable (_ authData: [UInt8], _ hash: [UInt8]) throws -> CBORValue)?
  /// Changes the statement that was made.
  package var editStatement: @Sendable (CBORValue) -> CBORValue = { $0 }
  package var editObject: @Sendable (CBORValue) -> CBORValue = { $0 }
  package var spoilObject: @Sendable (inout [UInt8]) -> Void = { _ in }
  package var hasAttestedData = true

  package init() {}

  package func authData() throws -> [UInt8] {
    let length = credentialIDLength ?? credentialID.count
    let key = try coseKeyBytes ?? coseKey?.encoded() ?? TestAuthenticator.coseKey(parts.algorithm).encoded()
    let attested = aaguid + [UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)] + credentialID
    return parts.authDataStart + (hasAttestedData ? attested + key : []) + parts.authDataEnd
  }

  private func signature(over authData: [UInt8], _ hash: [UInt8]) throws -> [UInt8] {
    guard let certificate else { return try parts.signature(over: authData, hash) }
    var message = authData + hash
    if fmt == "fido-u2f", case .ec(_, let x, let y) = try TestAuthenticator.coseKey(parts.algorithm).numbers {
      message = [0x00] + parts.rpIdHash + hash + credentialID + [0x04] + x + y
    }
    return try TestCertificate.key(certificate.algorithm).sign(message.span, ecdsa: .der)
  }

  /// The attestation statement about this authenticator data and client data.
  func statement(_ authData: [UInt8], _ hash: [UInt8]) throws -> CBORValue {
    if let makeStatement { return try makeStatement(authData, hash) }
    if let tpm {
      return .map(
        try tpm.statement(authData, hash, key: TestAuthenticator.key(parts.algorithm).verificationKey.numbers))
    }
    var statement: [CBORMapEntry] = []
    if fmt == "packed" {
      statement.append(CBORMapEntry("alg", CBORValue((certificate?.algorithm ?? parts.algorithm).coseIdentifier)))
    }
    if fmt != "none" { statement.append(CBORMapEntry("sig", .bytes(try signature(over: authData, hash)))) }
    if var leaf = try certificate?.der() {
      spoilCertificate(&leaf)
      statement.append(CBORMapEntry("x5c", .array(([leaf] + chain).map { .bytes($0) })))
    }
    return .map(statement)
  }

  package func json() throws -> [UInt8] {
    var authData = try authData()
    var clientData = parts.clientDataJSON
    var statement = try statement(authData, TestAuthenticator.hash(clientData))
    if var signature = statement["sig"]?.bytes {
      parts.spoilSignature(&signature)
      statement = statement.setting("sig", .bytes(signature))
    }
    parts.spoilAuthData(&authData)
    parts.spoilClientData(&clientData)
    let object = CBORValue.map([
      CBORMapEntry("fmt", fmtValue ?? .text(fmt)), CBORMapEntry("attStmt", editStatement(statement)),
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
package struct SignInAnswer: Sendable {
  package var parts = AnswerParts(type: "webauthn.get", flags: 0x05)
  package var credentialID = TestAuthenticator.credentialID
  package var userHandle: JSONValue? = TestAuthenticator.base64url(TestAuthenticator.user)

  package init() {}

  package var authData: [UInt8] { parts.authDataStart + parts.authDataEnd }

  package func json() throws -> [UInt8] {
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
  package init(_ name: UTF8Text, _ value: CBORValue) { self.init(.text(name), value) }
}

/// Where and why a ceremony must end; nil in `expected` where it must not.
package struct Refusal: Equatable, CustomStringConvertible {
  package let code: WebAuthnError.Code
  package let step: Int?
  package let field: Field
  /// What is wrong with a certificate path, if that is it.
  package let path: CertificatePathError.Code?

  package init(_ code: WebAuthnError.Code, _ step: Int?, _ field: Field, path: CertificatePathError.Code? = nil) {
    self.code = code
    self.step = step
    self.field = field
    self.path = path
  }

  package init(_ error: WebAuthnError) {
    var path: CertificatePathError.Code?
    if case .certificatePath(let fault)? = error.cause { path = fault.code }
    self.init(error.code, error.step?.number, error.field, path: path)
  }

  package var description: String {
    "\(code) at step \(step ?? 0) (\(field))" + (path.map { ", \($0)" } ?? "")
  }
}
