internal import AssayCodec
internal import AssayOTP

extension VectorKind {
  /// A response to a challenge, made and verified.
  static let ocra = VectorKind(name: "ocra") { (one, _) throws(VectorFileError) in
    let text = try one.text("suite").utf8
    let secret = try one.hex("secret")
    let questions = try one.texts("questions")
    let counter = try one.optionalUnsigned("counter")
    let time = try one.optionalInteger("time").map { UnixTime($0) }
    let pin = try one.optionalText("pin")?.utf8
    let session = try one.optionalHex("session")
    let expected = try one.text("expected")
    do {
      let suite = try OCRASuite(text.span)
      let ocra = try OCRA(suite, secret: SecretBytes(copying: secret.span), allowShortSecret: true)
      let inputs =
        if let pin {
          try OCRAInputs(
            suite, questions: questions, passwordHash: OCRAInputs.hash(password: pin.span, for: suite), session: session
          )
        } else {
          try OCRAInputs(suite, questions: questions, session: session)
        }
      let response = try ocra.response(inputs, counter: counter, time: time).text
      _ = try ocra.verify(response.utf8.span, inputs, counter: counter, at: time)
      return .compare(expected: expected.string, actual: response.string)
    } catch {
      return .failed(expected: expected.string, actual: "\(error)")
    }
  }
}
