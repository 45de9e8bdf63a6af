import AssayCodec
import AssayCrypto
import AssayWebAuthn

extension Deviation where Ceremony == RegistrationCeremony {
  private static func statement(
    _ name: String, _ expected: Refusal? = nil, policy: SafetyNetPolicy? = SafetyNetPolicy(),
    unknownFormat: UnknownAttestationPolicy = .refuse,
    change: @escaping @Sendable (inout RegistrationAnswer, inout SafetyNetStatement) -> Void = { _, _ in }
  ) -> Self {
    Self(
      name, expected,
      options: {
        $0.attestationPolicy.safetyNet = policy
        $0.attestationPolicy.unknownFormat = unknownFormat
      }
    ) { answer in
      var statement = SafetyNetStatement()
      change(&answer, &statement)
      answer.makeStatement = { [statement] in try statement.made($0, $1) }
    }
  }

  /// The response has this member instead; none if nil.
  private static func payload(
    _ name: UTF8Text, _ value: JSONValue?, _ expected: Refusal? = nil, policy: SafetyNetPolicy = SafetyNetPolicy()
  ) -> Self {
    let text = value.map { String(decoding: $0.encoded(), as: UTF8.self) } ?? "missing"
    let further = policy == SafetyNetPolicy() ? "" : ", by another policy"
    return statement("\(name.string) \(text)\(further)", expected, policy: policy) { answer, statement in
      statement.payload[name] = value
      if name == "nonce", value == nil { statement.payloadBytes = JSONValue.object(statement.payload).encoded() }
    }
  }

  private static func host(_ name: String, _ names: [(tag: UInt8, value: String)], _ expected: Refusal?) -> Self {
    let owned = names
    return statement("issued to \(name)", expected) { _, statement in statement.names = owned }
  }

  private static let anyProfile: SafetyNetPolicy = {
    var policy = SafetyNetPolicy()
    policy.requiresCTSProfileMatch = false
    return policy
  }()
  private static let anHour: SafetyNetPolicy = {
    var policy = SafetyNetPolicy()
    policy.maximumAge = 3600
    return policy
  }()

  private static let otherNonce = Refusal(.attestationMismatch, 22, "nonce")
  private static func malformed(_ field: Field) -> Refusal { Refusal(.malformedAttestationStatement, 22, field) }
  private static func notAllowed(_ field: Field) -> Refusal { Refusal(.attestationNotAllowed, 22, field) }
  private static let otherHost = Refusal(.attestationCertificateNotAllowed, 22, "subjectAltName")
  private static let now: Int64 = 1_790_000_000_000

  private static let accepted: [Self] =
    [
      statement("any version") { _, statement in statement.version = .text("0") },
      statement("further certificates, which are not read") { _, statement in statement.chain = [[0x30, 0x00]] },
      payload("ctsProfileMatch", false, policy: anyProfile),
      payload("advice", "LOCK_BOOTLOADER"),
      payload("timestampMs", .number(JSONNumber(now - 60_000))),
      payload("timestampMs", .number(JSONNumber(now + 10_999))),
      payload("timestampMs", .number(JSONNumber(now - 3_600_000)), policy: anHour),
      host("several names", SafetyNetStatement.hostName + [(0x82, "other.example"), (0x81, "a@b.example")], nil),
    ]
    + [SignatureAlgorithm.es256, .ps256].map { algorithm in
      statement("signed with \(algorithm)") { _, statement in statement.algorithm = algorithm }
    }

  private static let refused: [Self] =
    [
      statement("not allowed by the policy", notAllowed("fmt"), policy: nil),
      statement(
        "not allowed by the policy, and unknown formats are", notAllowed("fmt"), policy: nil, unknownFormat: .ignore),
      // 1. The statement.
      statement("ver missing", malformed("attStmt")) { answer, _ in answer.editStatement = { $0.without("ver") } },
      statement("ver a number", malformed("attStmt")) { _, statement in statement.version = .unsigned(14_366_018) },
      statement("ver empty", malformed("ver")) { _, statement in statement.version = .text("") },
      statement("response missing", malformed("attStmt")) { answer, _ in
        answer.editStatement = { $0.without("response") }
      },
      statement("response a text", malformed("attStmt")) { answer, _ in
        answer.editStatement = { $0.setting("response", .text("a.b.c")) }
      },
      statement("one member more", malformed("attStmt")) { answer, _ in
        answer.editStatement = { $0.adding("x5c", .array([])) }
      },
      // 2. The response.
      statement("response empty", malformed("response")) { _, statement in statement.spoil = { $0 = [] } },
      statement("response too long", malformed("response")) { _, statement in
        statement.spoil = { $0 = [UInt8](repeating: UInt8(ascii: "a"), count: 65_537) }
      },
      statement("response of two segments", malformed("response")) { _, statement in
        statement.spoil = { $0 = Array($0.prefix { $0 != UInt8(ascii: ".") }) + Array(".e30".utf8) }
      },
      statement("a byte after the response", malformed("signature")) { _, statement in
        statement.spoil = { $0.append(UInt8(ascii: "\n")) }
      },
      statement("x5c missing", malformed("x5c")) { _, statement in statement.editHeader = { $0["x5c"] = nil } },
      statement("x5c empty", malformed("x5c")) { _, statement in statement.editHeader = { $0["x5c"] = [] } },
      statement("x5c a string", malformed("x5c")) { _, statement in statement.editHeader = { $0["x5c"] = "MAA=" } },
      statement("x5c not base64", malformed("x5c")) { _, statement in statement.editHeader = { $0["x5c"] = ["M-_="] } },
      statement("x5c no certificate", malformed("x5c")) { _, statement in
        statement.editHeader = { $0["x5c"] = ["MAA="] }
      },
      statement("9 certificates", malformed("x5c")) { _, statement in
        statement.chain = [[UInt8]](repeating: [0x30, 0x00], count: 8)
      },
      statement("an empty certificate in the chain", malformed("x5c")) { _, statement in statement.chain = [[]] },
      statement("alg none", malformed("alg")) { _, statement in statement.alg = "none" },
      statement("alg of a MAC", malformed("alg")) { _, statement in statement.alg = "HS256" },
      statement("alg of another kind of key", malformed("x5c")) { _, statement in statement.alg = "ES256" },
      statement("crit", malformed("crit")) { _, statement in statement.editHeader = { $0["crit"] = ["x"] } },
      statement("alg of the same key, not the signature's", Refusal(.signatureInvalid, 22, "response")) {
        _, statement in
        statement.alg = "RS384"
      },
      statement("signature altered", Refusal(.signatureInvalid, 22, "response")) { _, statement in
        statement.spoil = {
          $0[$0.count - 20] = $0[$0.count - 20] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        }
      },
      statement("signature empty", Refusal(.signatureInvalid, 22, "response")) { _, statement in
        statement.spoil = { token in
          if let dot = token.lastIndex(of: UInt8(ascii: ".")) { token.removeSubrange((dot + 1)...) }
        }
      },
      statement("payload empty", malformed("payload")) { _, statement in statement.payloadBytes = [] },
      statement("payload an array", malformed("payload")) { _, statement in statement.payloadBytes = Array("[]".utf8) },
      statement("payload with a member twice", malformed("payload")) { _, statement in
        statement.payloadBytes = Array(#"{"nonce":"","nonce":""}"#.utf8)
      },
      statement("payload too deep", malformed("payload")) { _, statement in
        statement.payloadBytes = Array(#"{"nonce":[[[[[[[[0]]]]]]]]}"#.utf8)
      },
      // 3. The nonce.
      payload("nonce", nil, malformed("nonce")), payload("nonce", "", otherNonce),
      payload("nonce", 1, malformed("nonce")),
      statement("nonce of other data", otherNonce) { _, statement in
        statement.payload["nonce"] = .string(Base64.encode([UInt8](repeating: 1, count: 32).span))
      },
      statement("nonce in base64url", otherNonce) { answer, statement in
        // 32 bytes have padding in base64, and none in base64url.
        let data = ((try? answer.authData()) ?? []) + TestAuthenticator.hash(answer.parts.clientDataJSON)
        statement.payload["nonce"] = TestAuthenticator.base64url(TestAuthenticator.hash(data))
      },
      // 4. The host, the profile and the time.
      host("nobody", [], otherHost),
      host("another host", [(0x82, "attest.android.com.example")], otherHost),
      host("a pattern", [(0x82, "*.android.com")], otherHost),
      host("that name as a mail address", [(0x81, "attest.android.com")], otherHost),
      host("that name as a URI", [(0x86, "attest.android.com")], otherHost),
      host("a name with a NUL", [(0x82, "attest.android.com\0")], otherHost),
      statement("no subjectAltName, and the name as common name", otherHost) { _, statement in
        statement.subjectAltName = []
      },
      statement("subjectAltName malformed", otherHost) { _, statement in
        statement.subjectAltName = [0x30, 0x02, 0x82, 0x12]
      },
      statement("a byte after subjectAltName", otherHost) { _, statement in
        statement.subjectAltName = [0x30, 0x00, 0x00]
      },
      payload("ctsProfileMatch", false, notAllowed("ctsProfileMatch")),
      payload("ctsProfileMatch", nil, malformed("ctsProfileMatch")),
      payload("ctsProfileMatch", "true", malformed("ctsProfileMatch")),
      payload("ctsProfileMatch", nil, malformed("ctsProfileMatch"), policy: anyProfile),
      payload("timestampMs", nil, malformed("timestampMs")),
      payload("timestampMs", "1790000000000", malformed("timestampMs")),
      payload("timestampMs", -1, malformed("timestampMs")),
      payload("timestampMs", .number(JSONNumber(unsigned: .max)), malformed("timestampMs")),
      payload("timestampMs", 0, notAllowed("timestampMs")),
      payload("timestampMs", .number(JSONNumber(.max)), notAllowed("timestampMs")),
      statement("older than a minute", notAllowed("timestampMs")) { _, statement in
        statement.payload["timestampMs"] = .number(JSONNumber(now - 60_001))
      },
      statement("made later than now", notAllowed("timestampMs")) { _, statement in
        statement.payload["timestampMs"] = .number(JSONNumber(now + 11_000))
      },
      payload("timestampMs", .number(JSONNumber(now - 3_600_001)), notAllowed("timestampMs"), policy: anHour),
    ]
    + ["1.79e12", "1790000000000.0"].map { (number: String) in
      statement("timestampMs \(number)", malformed("timestampMs")) { answer, statement in
        let data = ((try? answer.authData()) ?? []) + TestAuthenticator.hash(answer.parts.clientDataJSON)
        let nonce = Base64.encode(TestAuthenticator.hash(data).span).string
        statement.payloadBytes = Array(
          #"{"nonce":"\#(nonce)","ctsProfileMatch":true,"timestampMs":\#(number)}"#.utf8)
      }
    }

  /// WebAuthn L3, 8.5.
  static let safetyNetStatement = accepted + refused
}
