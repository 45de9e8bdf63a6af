public import AssayCodec

// payment = { rpId, topOrigin, ? payeeName, ? payeeOrigin, total { value, currency }, instrument { icon, displayName } },
// in the client data (Secure Payment Confirmation, "CollectedClientAdditionalPaymentData"). Other members are ignored.

/// A payment that a user is to confirm: what the browser must have shown (Secure Payment Confirmation). The page asks for
/// it through `PaymentRequest`, on another site too.
public struct PaymentConfirmation: Hashable, Sendable {
  /// The origin of the page that asks, which takes the place of the relying party's.
  public var origin: UTF8Text
  /// The origin of the top-level page; the same if nil.
  public var topOrigin: UTF8Text?
  /// Who is paid, if that is shown.
  public var payeeName: UTF8Text?
  /// The origin of who is paid, if that is shown.
  public var payeeOrigin: UTF8Text?
  /// The currency, such as `EUR`.
  public var currency: UTF8Text
  /// The amount, such as `12.50`.
  public var value: UTF8Text
  /// What the card or account is called.
  public var instrumentName: UTF8Text
  /// The URL of its picture.
  public var instrumentIcon: UTF8Text

  /// Describes a payment.
  public init(
    origin: String, topOrigin: String? = nil, payeeName: String? = nil, payeeOrigin: String? = nil, currency: String,
    value: String, instrumentName: String, instrumentIcon: String
  ) {
    self.origin = UTF8Text(origin)
    self.topOrigin = topOrigin.map { UTF8Text($0) }
    self.payeeName = payeeName.map { UTF8Text($0) }
    self.payeeOrigin = payeeOrigin.map { UTF8Text($0) }
    self.currency = UTF8Text(currency)
    self.value = UTF8Text(value)
    self.instrumentName = UTF8Text(instrumentName)
    self.instrumentIcon = UTF8Text(instrumentIcon)
  }

  /// The first member of the client data's `payment` that is not what was to be shown; nil if there is none.
  func firstDifference(from payment: JSONValue?, rpId: UTF8Text) -> Field? {
    let demands: [(Field, JSONValue?, UTF8Text?)] = [
      ("payment.rpId", payment?["rpId"], rpId), ("payment.topOrigin", payment?["topOrigin"], topOrigin ?? origin),
      ("payment.payeeName", payment?["payeeName"], payeeName),
      ("payment.payeeOrigin", payment?["payeeOrigin"], payeeOrigin),
      ("payment.total.value", payment?["total"]?["value"], value),
      ("payment.total.currency", payment?["total"]?["currency"], currency),
      ("payment.instrument.icon", payment?["instrument"]?["icon"], instrumentIcon),
      ("payment.instrument.displayName", payment?["instrument"]?["displayName"], instrumentName),
    ]
    return demands.first { _, found, expected in found != expected.map { .string($0) } }?.0
  }

  // MARK: In a ceremony's state

  var record: CBORValue {
    let texts: [UTF8Text?] = [
      origin, topOrigin, payeeName, payeeOrigin, currency, value, instrumentName, instrumentIcon,
    ]
    return .array(texts.map { $0.map { .text($0) } ?? .null })
  }

  init?(record: [CBORValue]) {
    // Each a text, or null.
    guard record.count == 8, record.allSatisfy({ $0.text != nil || $0 == .null }), let origin = record[0].text,
      let currency = record[4].text, let value = record[5].text,
      let instrumentName = record[6].text, let instrumentIcon = record[7].text
    else { return nil }
    self.origin = origin
    (topOrigin, payeeName, payeeOrigin) = (record[1].text, record[2].text, record[3].text)
    (self.currency, self.value) = (currency, value)
    (self.instrumentName, self.instrumentIcon) = (instrumentName, instrumentIcon)
  }
}
