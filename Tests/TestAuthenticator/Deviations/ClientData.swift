import AssayCodec
import AssayWebAuthn

/// A change to the client data, of either ceremony.
private struct ClientDataDeviation {
  let name: String
  let expected: Refusal?
  var crossOrigin = CrossOriginUse.refused
  var conformance = CeremonyConformance.level3
  let change: @Sendable (inout AnswerParts) -> Void

  init(
    _ name: String, _ expected: Refusal? = nil, crossOrigin: CrossOriginUse = .refused,
    change: @escaping @Sendable (inout AnswerParts) -> Void
  ) {
    self.name = name
    self.expected = expected
    self.crossOrigin = crossOrigin
    self.change = change
  }

  /// Sets `tokenBinding` in a ceremony that follows FIDO's tests.
  init(tokenBinding value: JSONValue, _ name: String, _ expected: Refusal? = nil) {
    self.init("\(name), in FIDO's mode", expected) { $0.clientData["tokenBinding"] = value }
    conformance = .fido
  }

  /// Sets one member.
  init(
    _ name: String, _ member: UTF8Text, _ value: JSONValue?, _ expected: Refusal? = nil,
    crossOrigin: CrossOriginUse = .refused
  ) {
    self.init(name, expected, crossOrigin: crossOrigin) { $0.clientData[member] = value }
  }

  /// All of them; `first` is the number of the first of the ceremony's steps that look at the client data.
  static func all(first: Int, otherType: JSONValue, payment: JSONValue) -> [Self] {
    accepted + tokenBindings(first + 1) + wrongTypes(first + 1) + malformed(first)
      + values(first, otherType: otherType, payment: payment) + frames(first)
  }

  private static let top = CrossOriginUse.allowed(topOrigins: ["https://top.example"])

  private static let accepted: [Self] = [
    Self("byte order mark") { $0.clientDataFrame.before = [0xEF, 0xBB, 0xBF] },
    Self("white space around the client data") { $0.clientDataFrame = (Array(" \n".utf8), Array("\t ".utf8)) },
    Self("unknown client data members", "other_keys_can_be_added_here", ["a": [1, .null]]),
    Self("tokenBinding not an object", "tokenBinding", "anything"),
    Self("tokenBinding.status missing", "tokenBinding", [:]),
    Self("tokenBinding.status of another word", "tokenBinding", ["status": "bound"]),
    Self("tokenBinding.status not-supported", "tokenBinding", ["status": "not-supported"]),
    Self("crossOrigin absent", "crossOrigin", nil),
    Self("second origin", "origin", "https://login.example.com:8443"),
    Self("frame, allowed", crossOrigin: top) {
      $0.clientData["crossOrigin"] = true
      $0.clientData["topOrigin"] = "https://top.example"
    },
    Self("frame, top page not told", "crossOrigin", true, crossOrigin: .allowed(topOrigins: [])),
  ]

  private static func tokenBindings(_ step: Int) -> [Self] {
    let status = Refusal(.malformedClientData, step, "tokenBinding.status")
    return [
      Self(tokenBinding: ["status": "not-supported"], "tokenBinding.status not-supported"),
      Self(tokenBinding: ["status": "supported"], "tokenBinding.status supported"),
      Self(tokenBinding: ["status": "present", "id": "AA"], "tokenBinding.status present"),
      Self(
        tokenBinding: "anything", "tokenBinding not an object", Refusal(.malformedClientData, step, "tokenBinding")),
      Self(tokenBinding: [:], "tokenBinding.status missing", status),
      Self(tokenBinding: ["status": 1], "tokenBinding.status is 1", status),
      Self(tokenBinding: ["status": "bound"], "tokenBinding.status of another word", status),
    ]
  }

  private static func wrongTypes(_ step: Int) -> [Self] {
    (["type", "challenge", "origin", "crossOrigin", "topOrigin"] as [Field]).flatMap { field in
      let member = UTF8Text(field.description)
      let isOptional = field == "crossOrigin" || field == "topOrigin"
      let values: [JSONValue] = [.null, 1469, [], ["a"], [:], field == "crossOrigin" ? "true" : true]
      let wrong = values.map { value in
        Self("\(field) is \(value.text)", member, value, Refusal(.malformedClientData, step, field))
      }
      return wrong
        + (isOptional ? [] : [Self("\(field) missing", member, nil, Refusal(.malformedClientData, step, field))])
    }
  }

  private static func malformed(_ first: Int) -> [Self] {
    [
      Self("client data not UTF-8", Refusal(.malformedClientData, first, "JSON string")) {
        $0.clientDataFrame = (Array(#"{"x":""#.utf8) + [0xFF] + Array(#"","#.utf8), [])
      },
      Self("two byte order marks", Refusal(.malformedClientData, first + 1, "JSON value")) {
        $0.clientDataFrame.before = [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF]
      },
      Self("text after the client data", Refusal(.malformedClientData, first + 1, "JSON")) {
        $0.clientDataFrame.after = Array("x".utf8)
      },
      Self("client data an array", Refusal(.malformedClientData, first + 1, "clientDataJSON")) {
        $0.clientDataFrame = (Array("[".utf8), Array("]".utf8))
      },
      Self("client data too long", Refusal(.malformedClientData, first + 1, "JSON")) {
        $0.clientDataFrame.after = [UInt8](repeating: 0x20, count: CollectedClientData.maximumBytes)
      },
    ]
  }

  private static func values(_ first: Int, otherType: JSONValue, payment: JSONValue) -> [Self] {
    let type = Refusal(.typeMismatch, first + 2, "type")
    let challenge = Refusal(.challengeMismatch, first + 3, "challenge")
    let origin = Refusal(.originNotAllowed, first + 4, "origin")
    return [
      Self("type of the other ceremony", "type", otherType, type),
      Self("type of a payment", "type", payment, type),
      Self("type empty", "type", "", type),
      Self("type of neither ceremony", "type", "webauthn.authn", type),
      Self("type with a suffix", type) {
        $0.clientData["type"] = .string(UTF8Text(($0.clientData["type"]?.string?.string ?? "") + "\u{0}"))
      },
      Self(
        "challenge with one other byte", "challenge", TestAuthenticator.base64url([UInt8](0..<31) + [30]), challenge),
      Self("challenge cut", "challenge", TestAuthenticator.base64url([UInt8](0..<31)), challenge),
      Self("challenge padded", "challenge", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", challenge),
      Self("challenge empty", "challenge", "", challenge),
      Self("challenge not base64url", "challenge", "not base64url!", challenge),
      Self("origin empty", "origin", "", origin),
      Self("origin of another site", "origin", "https://evil.example", origin),
      Self("origin with the site as a prefix", "origin", "https://example.com.evil.example", origin),
      Self("origin in capitals", "origin", "https://Example.com", origin),
      Self("origin with a slash", "origin", "https://example.com/", origin),
      Self("origin with the default port", "origin", "https://example.com:443", origin),
      Self("origin over http", "origin", "http://example.com", origin),
      Self("origin below the site that is not listed", "origin", "https://evil.example.com", origin),
    ]
  }

  private static func frames(_ first: Int) -> [Self] {
    let refused = Refusal(.topOriginNotAllowed, first + 6, "topOrigin")
    return [
      Self("frame of another origin", "crossOrigin", true, Refusal(.crossOriginNotAllowed, first + 5, "crossOrigin")),
      Self("topOrigin where frames are refused", "topOrigin", "https://example.com", refused),
      Self("topOrigin without crossOrigin", "topOrigin", "https://top.example", refused, crossOrigin: top),
      Self("topOrigin that is not listed", refused, crossOrigin: top) {
        $0.clientData["crossOrigin"] = true
        $0.clientData["topOrigin"] = "https://evil.example"
      },
    ]
  }
}

extension Deviation where Ceremony == RegistrationCeremony {
  static let clientData = ClientDataDeviation.all(
    first: 5, otherType: "webauthn.get", payment: "payment.get"
  ).map { each in
    Self(
      each.name, each.expected, crossOrigin: each.crossOrigin, options: { $0.conformance = each.conformance }
    ) { each.change(&$0.parts) }
  }
}

extension Deviation where Ceremony == AuthenticationCeremony {
  static let clientData = ClientDataDeviation.all(
    first: 8, otherType: "webauthn.create", payment: "payment.get"
  ).map { each in
    Self(each.name, each.expected) {
      $0.crossOrigin = each.crossOrigin
      $0.options.conformance = each.conformance
      each.change(&$0.answer.parts)
    }
  }
}

extension JSONValue {
  /// The value as JSON text, for names of tests.
  var text: String { String(decoding: encoded(), as: UTF8.self) }
}
