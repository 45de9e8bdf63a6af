internal import AssayCodec

extension CeremonyLog {
  /// The steps that both ceremonies make of the client data, in one place so that they cannot drift apart: WebAuthn L3,
  /// 7.1 steps 5 to 11 and 7.2 steps 8 to 14. `first` is the number of the first of them, `what` says what `type` stands for.
  ///
  /// With a `payment`, its origin takes the place of the relying party's, and the client data must be about it (Secure
  /// Payment Confirmation, "Verifying an Authentication Assertion").
  mutating func readClientData(
    _ bytes: [UInt8], type: UTF8Text, _ what: Field, under policy: CeremonyPolicy, first: Int,
    payment: PaymentConfirmation? = nil
  ) throws(WebAuthnError) -> CollectedClientData {
    // 5, 8. Let JSONtext be the result of UTF-8 decode on the client data.
    // 6, 9. Let C, the client data claimed, be the result of a JSON parser on JSONtext.
    let clientData: CollectedClientData
    do throws(CodecError) {
      clientData = try CollectedClientData(bytes.span)
      try policy.conformance.check(tokenBinding: clientData.tokenBinding)
    } catch {
      throw fault(error.code == .invalidUTF8 ? first : first + 1, .malformedClientData, error.field, .encoding(error))
    }
    note(first, "the client data is UTF-8", .verified)
    note(first + 1, "the client data is one JSON object with the members it must have", .verified)
    // 7, 10. Verify that the value of C.type is webauthn.create, webauthn.get.
    try require(first + 2, what, clientData.type == type, else: .typeMismatch, "type")
    // 8, 11. Verify that the value of C.challenge equals the base64url encoding of pkOptions.challenge.
    try require(
      first + 3, "the challenge is this ceremony's", policy.isChallenge(clientData.challenge), else: .challengeMismatch,
      "challenge")
    // 9, 12. Verify that the value of C.origin is an origin expected by the relying party.
    try require(
      first + 4, payment == nil ? "the origin is one of the relying party's" : "the origin is the payment's",
      payment.map { $0.origin == clientData.origin } ?? policy.allowsOrigin(clientData.origin),
      else: .originNotAllowed, "origin")
    if let payment {
      if let field = payment.firstDifference(from: clientData.payment, rpId: policy.rpId) {
        throw fault(first + 4, .paymentMismatch, field)
      }
      note(first + 4, "the payment that was shown is the one that was to be confirmed", .verified)
    }
    // 10, 13. If C.crossOrigin is present and set to true, verify that the relying party expects this credential to be
    //     created, used within an iframe that is not same-origin with its ancestors.
    try require(
      first + 5, "the page was in no frame of another origin, or that is allowed",
      policy.allowsCrossOrigin(clientData.crossOrigin), else: .crossOriginNotAllowed, "crossOrigin")
    // 11, 14. If C.topOrigin is present, verify that the relying party expects to be in such an iframe, and that its value
    //     is the origin of a page that the relying party expects to be sub-framed within.
    try require(
      first + 6, "the top-level page is the same, or one that is allowed",
      policy.allowsTopOrigin(clientData.topOrigin, crossOrigin: clientData.crossOrigin), else: .topOriginNotAllowed,
      "topOrigin")
    return clientData
  }
}
