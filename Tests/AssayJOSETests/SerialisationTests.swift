import AssayCodec
import AssayCrypto
import AssayJOSE
import Testing

/// JWS in JSON form, detached and unencoded: what is made is accepted, and each change of one thing is refused.
struct SerialisationTests {
  private let payload = Array("{\"a\":1} — no dots, not ASCII".utf8)
  private let ascii = Array("plain text, no dot".utf8)

  private func signer(_ algorithm: SignatureAlgorithm = .edDSA, kid: UTF8Text? = "1") throws -> JWSSigner {
    JWSSigner(key: try Keys.key(algorithm), kid: kid)
  }

  private func keys() throws -> TrustedKeys {
    try TrustedKeys([jwk(.edDSA, kid: "1"), jwk(.es256, kid: "2")], algorithms: [.edDSA, .es256])
  }

  private var unencoded: JWSPolicy {
    var policy = JWSPolicy()
    policy.allowUnencodedPayload = true
    return policy
  }

  private var any: JWSPolicy {
    var policy = JWSPolicy()
    policy.signatures = .any
    return policy
  }

  private func verify(
    _ object: JSONObject, detached: [UInt8]? = nil, _ policy: JWSPolicy = JWSPolicy()
  ) throws -> VerifiedJSONJWS {
    try JWS.verifyJSON(
      JSONValue.object(object).encoded().span, detachedPayload: detached, keys: try keys(), policy: policy)
  }

  private func refusal(
    _ object: JSONObject, detached: [UInt8]? = nil, _ policy: JWSPolicy = JWSPolicy()
  ) throws -> JWTError? {
    let keys = try keys()
    let text = JSONValue.object(object).encoded()
    do throws(JWTError) {
      _ = try JWS.verifyJSON(text.span, detachedPayload: detached, keys: keys, policy: policy)
      return nil
    } catch {
      return error
    }
  }

  private func general(detached: Bool = false, unencoded: Bool = false) throws -> JSONObject {
    try JWS.signGeneral(
      payload,
      by: [
        JWS.JSONSigner(try signer(), header: ["typ": "x"], unprotectedHeader: ["note": "not signed"]),
        JWS.JSONSigner(try signer(.es256, kid: "2")),
      ], detached: detached, unencoded: unencoded)
  }

  @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
  func everyFormIsReadBack(_ detached: Bool, _ unencoded: Bool) throws {
    let policy = unencoded ? self.unencoded : JWSPolicy()
    let apart = detached ? payload : nil
    let both = try verify(general(detached: detached, unencoded: unencoded), detached: apart, policy)
    #expect(both.payload == payload)
    #expect(both.signatures.map(\.position) == [0, 1])
    #expect(both.signatures.map(\.keyID) == ["1", "2"])
    #expect(both.signatures[0].unprotectedHeader == ["note": "not signed"])
    #expect(both.signatures[0].protectedHeader["typ"] == "x")
    let flattened = try JWS.signFlattened(
      payload, by: JWS.JSONSigner(try signer()), detached: detached, unencoded: unencoded)
    #expect(try verify(flattened, detached: apart, policy).payload == payload)
    let compact = try signer().signCompact(ascii, detached: detached, unencoded: unencoded)
    let read =
      detached
      ? try JWS.verifyCompact(compact.utf8.span, detachedPayload: ascii, keys: keys(), policy: policy)
      : try JWS.verifyCompact(compact.utf8.span, keys: keys(), policy: policy)
    #expect(read.payload == ascii)
    // A verifier that does not understand b64 refuses what has it.
    guard unencoded else { return }
    expectCode(try refusal(flattened, detached: apart), .extensionNotUnderstood, "crit")
    #expect(throws: JWTError.self) { try JWS.verifyCompact(compact.utf8.span, keys: keys()) }
  }

  @Test func changesAreRefused() throws {
    let good = try general()
    let signatures = try #require(good["signatures"]?.array)
    let first = try #require(signatures[0].object)
    func changed(_ change: (inout JSONObject) -> Void) -> JSONObject {
      var object = good
      change(&object)
      return object
    }
    func firstChanged(_ change: (inout JSONObject) -> Void) -> JSONObject {
      var signature = first
      change(&signature)
      return changed { $0["signatures"] = .array([.object(signature), signatures[1]]) }
    }
    func protected(_ header: JSONValue) -> JSONValue { .string(Base64URL.encode(header.encoded().span)) }

    #expect(try refusal(good) == nil)
    expectCode(try refusal(changed { $0["signatures"] = [] }), .noSignatures, "signatures")
    expectCode(try refusal(changed { $0["signatures"] = nil }), .notJSONForm)
    expectCode(try refusal(changed { $0["signatures"] = "x" }), .wrongType, "signatures")
    expectCode(try refusal(changed { $0["signature"] = first["signature"] }), .notJSONForm)
    expectCode(try refusal(changed { $0["header"] = ["a": "b"] }), .notJSONForm)
    expectCode(
      try refusal(changed { $0["signatures"] = .array(Array(repeating: signatures[0], count: 9)) }),
      .tooManySignatures(limit: 8), "signatures")
    #expect(
      try verify(changed { $0["signatures"] = .array(Array(repeating: signatures[0], count: 8)) }).payload == payload)
    expectCode(try refusal(changed { $0["payload"] = nil }), .payloadNotAsExpected, "payload")
    expectCode(try refusal(changed { $0["payload"] = 1 }), .wrongType, "payload")
    expectCode(try refusal(changed { $0["payload"] = "AA" }), .invalidSignature)
    expectCode(try refusal(good, detached: payload), .payloadNotAsExpected, "payload")
    #expect(try refusal(changed { $0["more"] = "ignored" }) == nil)
    #expect(try refusal(firstChanged { $0["more"] = "ignored" }) == nil)
    #expect(try refusal(firstChanged { $0["header"] = ["other": "words"] }) == nil)
    expectCode(try refusal(firstChanged { $0["header"] = ["typ": "x"] }), .duplicateParameter, "header")
    expectCode(try refusal(firstChanged { $0["header"] = ["alg": "EdDSA"] }), .duplicateParameter, "header")
    expectCode(try refusal(firstChanged { $0["header"] = ["crit": ["b64"]] }), .notProtected, "crit")
    expectCode(try refusal(firstChanged { $0["header"] = ["b64": true] }), .notProtected, "b64")
    expectCode(try refusal(firstChanged { $0["header"] = [:] }), .missing, "alg")
    expectCode(try refusal(firstChanged { $0["header"] = "x" }), .notAnObject, "header")
    expectCode(try refusal(firstChanged { $0["protected"] = nil }), .missing, "alg")
    expectCode(try refusal(firstChanged { $0["protected"] = protected([:]) }), .missing, "alg")
    #expect(try refusal(firstChanged { $0["protected"] = "" })?.malformation != nil)
    expectCode(try refusal(firstChanged { $0["protected"] = protected(["alg": "none"]) }), .unsecured, "alg")
    expectCode(
      try refusal(firstChanged { $0["protected"] = protected(["alg": "EdDSA"]) }), .invalidSignature)
    expectCode(try refusal(firstChanged { $0["signature"] = nil }), .missing, "signature")
    expectCode(try refusal(firstChanged { $0["signature"] = "AA" }), .invalidSignature)
    expectCode(
      try refusal(
        firstChanged {
          $0["protected"] = nil; $0["header"] = ["alg": "EdDSA"]
        }), .notProtected, "alg")
  }

  /// With `any`, the result says which verified and why the others did not.
  @Test func oneOfSeveral() throws {
    let stranger = JWSSigner(key: try SigningKey.generate(.edDSA), kid: "3")
    let object = try JWS.signGeneral(
      payload, by: [JWS.JSONSigner(stranger), JWS.JSONSigner(try signer(.es256, kid: "2"))])
    expectCode(try refusal(object), .unknownKeyID, "kid")
    let jws = try verify(object, any)
    #expect(jws.signatures.map(\.position) == [1])
    #expect(jws.refused.map(\.position) == [0])
    #expect(jws.refused[0].reason.code == .unknownKeyID)
    expectCode(try refusal(JWS.signGeneral(payload, by: [JWS.JSONSigner(stranger)]), any), .unknownKeyID, "kid")
  }

  /// RFC 7797, 3: all signatures say the same of `b64`.
  @Test func encodingsAreNotMixed() throws {
    let plain = try JWS.signFlattened(ascii, by: JWS.JSONSigner(try signer()))
    let bare = try JWS.signFlattened(ascii, by: JWS.JSONSigner(try signer()), unencoded: true)
    let parts: [JSONValue] = [plain, bare].map {
      ["protected": $0["protected"] ?? .null, "signature": $0["signature"] ?? .null]
    }
    var policy = unencoded
    policy.signatures = .any
    let mixed: JSONObject = ["payload": plain["payload"] ?? .null, "signatures": .array(parts)]
    expectCode(try refusal(mixed, policy), .mixedPayloadEncodings, "b64")
  }

  private static let critical: [(JSONObject, JWTError.Code)] = [
    (["alg": "EdDSA", "b64": false], .extensionNotUnderstood),
    (["alg": "EdDSA", "b64": true], .extensionNotUnderstood),
    (["alg": "EdDSA", "b64": false, "crit": []], .extensionNotUnderstood),
    (["alg": "EdDSA", "b64": false, "crit": ["b64", "b64"]], .extensionNotUnderstood),
    (["alg": "EdDSA", "b64": false, "crit": ["b64", "exp"]], .extensionNotUnderstood),
    (["alg": "EdDSA", "b64": false, "crit": "b64"], .extensionNotUnderstood),
    (["alg": "EdDSA", "crit": ["b64"]], .missing),
    (["alg": "EdDSA", "b64": "false", "crit": ["b64"]], .wrongType),
    (["alg": "EdDSA", "b64": 0, "crit": ["b64"]], .wrongType),
  ]

  /// `b64` counts only when `crit` names it, and it alone.
  @Test(arguments: critical) func critNamesB64(_ header: JSONObject, _ code: JWTError.Code) throws {
    let token = try signed(
      header: JSONValue.object(header).encoded(), payload: Array("AA".utf8), with: Keys.key(.edDSA))
    let keys = try keys()
    let policy = unencoded
    // The payload in the token would read in either way.
    let error = #expect(throws: JWTError.self) { try JWS.verifyCompact(token.span, keys: keys, policy: policy) }
    #expect(error?.code == code)
    let encoded: JSONObject = ["alg": "EdDSA", "b64": true, "crit": ["b64"]]
    let good = try signed(
      header: JSONValue.object(encoded).encoded(), payload: payload, with: Keys.key(.edDSA))
    #expect(try JWS.verifyCompact(good.span, keys: keys, policy: policy).payload == payload)
  }

  /// RFC 7797, 5.2: what may stand in a compact token.
  @Test func compactFormCarriesPrintableASCII() throws {
    let signer = try signer()
    let keys = try keys()
    for byte in UInt8.min...UInt8.max {
      let isCarried = (0x20...0x7E).contains(byte) && byte != UInt8(ascii: ".")
      #expect(((try? signer.signCompact([byte], unencoded: true)) != nil) == isCarried)
      let token = try signer.signCompact([byte], detached: true, unencoded: true)
      let policy = unencoded
      #expect(
        try JWS.verifyCompact(token.utf8.span, detachedPayload: [byte], keys: keys, policy: policy).payload == [byte])
      var attached = token.utf8
      attached.insert(byte, at: try #require(attached.firstIndex(of: UInt8(ascii: "."))) + 1)
      #expect(((try? JWS.verifyCompact(attached.span, keys: keys, policy: policy)) != nil) == isCarried)
    }
  }

  @Test func detachedTokensHaveNoPayload() throws {
    let keys = try keys()
    let token = try signer().signCompact(ascii)
    let error = #expect(throws: JWTError.self) {
      try JWS.verifyCompact(token.utf8.span, detachedPayload: ascii, keys: keys)
    }
    #expect(error?.code == .payloadNotAsExpected)
    let detached = try signer().signCompact(ascii, detached: true)
    let changed = #expect(throws: JWTError.self) {
      try JWS.verifyCompact(detached.utf8.span, detachedPayload: payload, keys: keys)
    }
    #expect(changed?.code == .invalidSignature)
  }

  @Test func signersRefuseTheirOwnParameters() throws {
    let signer = try signer()
    for name: UTF8Text in ["alg", "kid", "b64", "crit"] {
      var header: JSONObject = [:]
      header[name] = "x"
      #expect(throws: JWTError.self) { try signer.signCompact(ascii, header: header) }
      #expect(throws: JWTError.self) {
        try JWS.signFlattened(ascii, by: JWS.JSONSigner(signer, unprotectedHeader: header))
      }
    }
    #expect(throws: JWTError.self) {
      try JWS.signFlattened(ascii, by: JWS.JSONSigner(signer, header: ["a": 1], unprotectedHeader: ["a": 2]))
    }
    #expect(throws: JWTError.self) { try JWS.signGeneral(ascii, by: []) }
    #expect(throws: JWTError.self) { try JWS.signFlattened([0xFF], by: JWS.JSONSigner(signer), unencoded: true) }
  }

  @Test func everyTruncationIsRefused() throws {
    let text = JSONValue.object(try general()).encoded()
    let keys = try keys()
    for count in 0..<text.count {
      #expect(throws: JWTError.self) { try JWS.verifyJSON(text.span.extracting(0..<count), keys: keys) }
    }
    var policy = JWSPolicy()
    policy.maximumBytes = text.count - 1
    let error = #expect(throws: JWTError.self) { try JWS.verifyJSON(text.span, keys: keys, policy: policy) }
    #expect(error?.code == .tooLarge(limit: text.count - 1))
  }
}
