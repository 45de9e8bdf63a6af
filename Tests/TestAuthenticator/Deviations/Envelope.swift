import AssayCodec
import AssayWebAuthn

/// A change to the members of the client's answer, of either ceremony.
private struct EnvelopeDeviation {
  let name: String
  let expected: Refusal?
  let change: @Sendable (inout AnswerParts) -> Void

  init(_ name: String, _ expected: Refusal? = nil, change: @escaping @Sendable (inout AnswerParts) -> Void) {
    self.name = name
    self.expected = expected
    self.change = change
  }

  private static func malformed(_ field: Field) -> Refusal { Refusal(.malformedResponse, 3, field) }

  /// Sets a member of the credential.
  static func outer(_ name: String, _ member: UTF8Text, _ value: JSONValue?, _ expected: Refusal? = nil) -> Self {
    Self(name, expected) { $0.edit = { $0[member] = value } }
  }

  /// Sets a member of its response.
  static func inner(_ name: String, _ member: UTF8Text, _ value: JSONValue?, _ expected: Refusal? = nil) -> Self {
    Self(name, expected) { $0.editResponse = { $0[member] = value } }
  }

  private static let wrong: [JSONValue?] = [nil, .null, true, 1469, [], ["a"], [:]]

  private static func wrongTypes(_ fields: [Field], _ make: (String, UTF8Text, JSONValue?, Refusal?) -> Self) -> [Self]
  {
    fields.flatMap { field in
      wrong.filter { field != "response" || $0?.object == nil }.map { value in
        let what = value.map { "is \($0.text)" } ?? "missing"
        return make("\(field) \(what)", UTF8Text(field.description), value, malformed(field))
      }
    }
  }

  /// Each member, missing and of every other type, and with a value that is no good; `binary` are those in the response.
  static func all(binary: [Field]) -> [Self] {
    wrongTypes(["id", "rawId", "type", "response"], outer) + wrongTypes(binary, inner)
      + binary.flatMap { field in
        let member = UTF8Text(field.description)
        return [
          inner("\(field) empty", member, "", malformed(field)),
          inner("\(field) in standard base64", member, "+/==", malformed(field)),
          inner("\(field) not base64url", member, "not base64url!", malformed(field)),
        ]
      } + [
        outer("unknown member of the credential", "x", 1), inner("unknown member of the response", "y", [2]),
        outer("no clientExtensionResults", "clientExtensionResults", nil),
        outer("type of a password", "type", "password", malformed("type")),
        outer("type in capitals", "type", "Public-Key", malformed("type")),
        outer("id empty", "id", "", malformed("id")),
        outer("id not base64url", "id", "not base64url!", malformed("id")),
        outer("id of another credential", "id", "AAAA", Refusal(.credentialIDMismatch, 3, "id")),
        Self("id padded", malformed("id")) {
          $0.edit = { $0["id"] = .string(UTF8Text(($0["id"]?.string?.string ?? "") + "=")) }
        },
      ]
  }
}

extension Deviation where Ceremony == RegistrationCeremony {
  static let envelope =
    EnvelopeDeviation.all(binary: ["clientDataJSON", "attestationObject"]).map { each in
      Self(each.name, each.expected) { each.change(&$0.parts) }
    }
    + [
      Self("no transports") { $0.parts.editResponse = { $0["transports"] = nil } },
      Self("transports null") { $0.parts.editResponse = { $0["transports"] = .null } },
      Self("16 transports of 32 bytes") {
        let longest: JSONValue = "12345678901234567890123456789012"
        $0.parts.editResponse = { $0["transports"] = .array([JSONValue](repeating: longest, count: 16)) }
      },
      Self("transports of numbers", Refusal(.malformedResponse, 3, "transports")) {
        $0.parts.editResponse = { $0["transports"] = [1] }
      },
      Self("17 transports", Refusal(.malformedResponse, 3, "transports")) {
        $0.parts.editResponse = { $0["transports"] = .array([JSONValue](repeating: "usb", count: 17)) }
      },
      Self("a transport of 33 bytes", Refusal(.malformedResponse, 3, "transports")) {
        $0.parts.editResponse = { $0["transports"] = ["123456789012345678901234567890123"] }
      },
      Self("the client names another credential", Refusal(.credentialIDMismatch, 25, "credentialId")) {
        $0.parts.edit = {
          $0["id"] = "AAAA"
          $0["rawId"] = "AAAA"
        }
      },
    ]
}

extension Deviation where Ceremony == AuthenticationCeremony {
  private static func userHandle(_ name: String, _ value: JSONValue?, _ isRefused: Bool) -> Self {
    Self(name, isRefused ? Refusal(.malformedResponse, 3, "userHandle") : nil) { $0.answer.userHandle = value }
  }

  static let envelope =
    EnvelopeDeviation.all(binary: ["clientDataJSON", "authenticatorData", "signature"]).map { each in
      Self(each.name, each.expected) { each.change(&$0.answer.parts) }
    }
    + [
      userHandle("userHandle absent", nil, false), userHandle("userHandle null", .null, false),
      userHandle("userHandle empty, which is absent", "", false),
      userHandle("userHandle not base64url", "user@example.com", true),
    ]
    + ([true, 1469, [], ["a"], [:]] as [JSONValue]).map { userHandle("userHandle is \($0.text)", $0, true) }
}
