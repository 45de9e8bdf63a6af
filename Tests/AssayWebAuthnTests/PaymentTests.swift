import AssayCodec
import AssayCrypto
import AssayWebAuthn
import TestAuthenticator
import Testing

/// Secure Payment Confirmation: client data of the type `payment.get`.
struct PaymentTests {
  typealias Case = AuthenticationRuleTests.Case

  private static let payment = PaymentConfirmation(
    origin: "https://shop.example", topOrigin: "https://top.example", payeeName: "Shop",
    payeeOrigin: "https://shop.example",
    currency: "EUR", value: "12.50", instrumentName: "Card 1234", instrumentIcon: "https://bank.example/card.png")

  private static let shown: JSONObject = [
    "rpId": "example.com", "topOrigin": "https://top.example", "payeeName": "Shop",
    "payeeOrigin": "https://shop.example", "total": ["currency": "EUR", "value": "12.50"],
    "instrument": ["displayName": "Card 1234", "icon": "https://bank.example/card.png"],
  ]

  private static func payment(
    _ name: String, _ expected: Refusal? = nil,
    change: @escaping @Sendable (inout AuthenticationRuleTests.Ceremony, inout JSONObject) -> Void
  ) -> Case {
    Case(name, expected) { ceremony in
      ceremony.options.payment = payment
      ceremony.answer.parts.clientData["type"] = "payment.get"
      ceremony.answer.parts.clientData["origin"] = "https://shop.example"
      var shown = Self.shown
      change(&ceremony, &shown)
      if ceremony.answer.parts.clientData["payment"] == nil {
        ceremony.answer.parts.clientData["payment"] = .object(shown)
      }
    }
  }

  private static func differs(_ field: Field) -> Refusal { Refusal(.paymentMismatch, 12, field) }

  static let cases: [Case] = [
    payment("as it is") { _, _ in },
    payment("further members") { _, shown in shown["instrument"] = shown["instrument"]?.adding("iconMustBeShown", true)
    },
    payment("no payee shown") { ceremony, shown in
      ceremony.options.payment?.payeeName = nil
      ceremony.options.payment?.payeeOrigin = nil
      shown["payeeName"] = nil
      shown["payeeOrigin"] = nil
    },
    payment("top-level page the same") { ceremony, shown in
      ceremony.options.payment?.topOrigin = nil
      shown["topOrigin"] = "https://shop.example"
    },
    payment("client data of a sign-in", Refusal(.typeMismatch, 10, "type")) { ceremony, _ in
      ceremony.answer.parts.clientData["type"] = "webauthn.get"
    },
    payment("no payment asked for", Refusal(.typeMismatch, 10, "type")) { ceremony, _ in ceremony.options.payment = nil
    },
    payment("another page", Refusal(.originNotAllowed, 12, "origin")) { ceremony, _ in
      ceremony.answer.parts.clientData["origin"] = "https://example.com"
    },
    payment("nothing shown", differs("payment.rpId")) { ceremony, _ in
      ceremony.answer.parts.clientData["payment"] = .null
    },
    payment("a text", differs("payment.rpId")) { ceremony, _ in
      ceremony.answer.parts.clientData["payment"] = "EUR 12.50"
    },
    payment("another relying party", differs("payment.rpId")) { $1["rpId"] = "example.org" },
    payment("another top-level page", differs("payment.topOrigin")) { $1["topOrigin"] = "https://shop.example" },
    payment("another payee", differs("payment.payeeName")) { $1["payeeName"] = "shop" },
    payment("payee not shown", differs("payment.payeeName")) { $1["payeeName"] = nil },
    payment("a payee shown", differs("payment.payeeName")) { ceremony, _ in ceremony.options.payment?.payeeName = nil },
    payment("payee null", differs("payment.payeeName")) { ceremony, shown in
      ceremony.options.payment?.payeeName = nil
      shown["payeeName"] = .null
    },
    payment("another payee's origin", differs("payment.payeeOrigin")) { $1["payeeOrigin"] = "https://evil.example" },
    payment("another amount", differs("payment.total.value")) { $1["total"] = ["currency": "EUR", "value": "12.5"] },
    payment("an amount as a number", differs("payment.total.value")) {
      $1["total"] = ["currency": "EUR", "value": 12]
    },
    payment("another currency", differs("payment.total.currency")) {
      $1["total"] = ["currency": "USD", "value": "12.50"]
    },
    payment("another picture", differs("payment.instrument.icon")) {
      $1["instrument"] = ["displayName": "Card 1234", "icon": ""]
    },
    payment("another card", differs("payment.instrument.displayName")) {
      $1["instrument"] = ["displayName": "Card 1235", "icon": "https://bank.example/card.png"]
    },
  ]

  @Test(arguments: cases)
  func rule(_ test: Case) throws {
    var ceremony = AuthenticationRuleTests.Ceremony()
    test.change(&ceremony)
    #expect(try RegistrationRuleTests.refusal { try ceremony.finish() } == test.expected)
  }

  @Test func aPaymentIsNeverASignIn() throws {
    // As it would be replayed to a relying party that asked for nothing of the kind.
    var ceremony = AuthenticationRuleTests.Ceremony()
    ceremony.answer.parts.clientData["type"] = "payment.get"
    #expect(try RegistrationRuleTests.refusal { try ceremony.finish() } == Refusal(.typeMismatch, 10, "type"))
    // What a sign-in's client data says of payments is nobody's concern.
    ceremony.answer.parts.clientData["type"] = "webauthn.get"
    ceremony.answer.parts.clientData["payment"] = 1
    #expect(try RegistrationRuleTests.refusal { try ceremony.finish() } == nil)
  }

  @Test func aStoredPaymentIsReadStrictly() throws {
    var options = AuthenticationOptions()
    options.payment = Self.payment
    let state = try TestAuthenticator.relyingParty().beginAuthentication(user: nil, options, at: TestAuthenticator.now)
      .state
    let bytes = state.encoded()
    var entries = try #require(CBORValue.decode(bytes.span, form: .ctap2Canonical).map)
    let index = try #require(entries.firstIndex { $0.key == .text("payment") })
    let payment = try #require(entries[index].value.array)
    #expect(payment.count == 8)
    for position in payment.indices {
      // What may be absent is null then, and nothing else.
      for other in [.bool(false), .unsigned(0), .bytes([])] as [CBORValue] {
        var changed = payment
        changed[position] = other
        entries[index].value = .array(changed)
        let record = CBORValue.map(entries).encoded()
        #expect(throws: WebAuthnError.self) { try AuthenticationState(decoding: record.span) }
      }
    }
  }
}

extension JSONValue {
  fileprivate func adding(_ name: UTF8Text, _ value: JSONValue) -> JSONValue {
    var object = object ?? [:]
    object[name] = value
    return .object(object)
  }
}
