internal import AssayCodec
internal import AssayJOSE

// Refusals before the signature: what the bytes are, and what the header asks for.

extension JWTExplainer {
  func tooLarge(_ limit: Int) -> JWTExplanation {
    var explanation = JWTExplanation(
      "tooLarge", "the token has \(token.byteCount) bytes, and at most \(limit) are read",
      advice: "look whether this is the right file")
    explanation.expected = ["at most \(limit) bytes"]
    explanation.found = "\(token.byteCount) bytes"
    return explanation
  }

  var notCompact: JWTExplanation {
    let count = max(token.parts.count - 1, 0)
    let dots = count == 1 ? "1 dot" : "\(count) dots"
    var explanation = JWTExplanation(
      "notCompact", "this is not a compact token, which is three parts between two dots: it has \(dots)",
      advice: "give the whole token, and nothing else")
    explanation.expected = ["2 dots"]
    explanation.found = dots
    if token.byteCount == 0 {
      explanation.what = "there is no token: the input is empty"
    } else if token.begins(with: "{") {
      explanation.what = "this is JSON, not a compact token"
      explanation.advice = "give the compact form: three parts between two dots"
    } else if token.begins(with: "bearer ") {
      explanation.what = "a token does not begin with the word Bearer"
      explanation.advice = "leave that word out"
    }
    return explanation
  }

  /// In the shape an offset counts in the token, else in what the part encodes.
  func malformed(_ fault: CodecError) -> JWTExplanation {
    var explanation = JWTExplanation(
      "malformed", error.code.explanation, advice: "whoever made the token must write it as the standard says")
    if error.step == .shape {
      explanation.found = token.character(at: fault.offset)
      explanation.what += " (base64url, byte \(fault.offset) of the token"
      explanation.advice = "copy the whole token again; it has no padding (=), no line breaks, - and _ for + and /"
      if token.begins(with: "bearer ") { explanation.advice = "leave the word Bearer out" }
    } else {
      let isJSON = error.field == "header" || error.field == "claims"
      explanation.found =
        isJSON
        ? token.text(inPart: error.step == .claims ? 1 : 0, around: fault.offset)
        : error.field.flatMap { token.member(UTF8Text($0.description), error.step) }.map(Shown.value)
      explanation.what += " (\(fault.field), byte \(fault.offset)"
    }
    explanation.what += explanation.found.map { ", at: \($0))" } ?? ")"
    return explanation
  }

  var notAnObject: JWTExplanation {
    var explanation = plain("notAnObject", "this may be signed text, but it is no JWT; ask for one")
    explanation.expected = ["a JSON object"]
    explanation.found = token.text(inPart: error.step == .claims ? 1 : 0, around: 0)
    explanation.what += explanation.found.map { ", and begins so: \($0)" } ?? ""
    return explanation
  }

  var missing: JWTExplanation {
    let advice =
      switch error.field {
      case "exp": "have the issuer set it: a token that never ends cannot be taken back"
      case "iat": "have the issuer set it, or demand no age"
      case "typ": "have the issuer write the type that --type demands, or leave --type out if any token will do"
      case "aud": "have the issuer name the audience, or leave --audience out if it does not name any"
      case "iss": "have the issuer name itself; without that nobody can tell whose token it is"
      case "x5c": "have the issuer write its certificates, or give its key with --key"
      default: "have the issuer write it"
      }
    var explanation = plain("missing", advice)
    switch error.field {
    case "typ": explanation.expected = expectation.type.map { [Shown.text($0)] } ?? []
    case "aud": explanation.expected = expectation.audience.map(Shown.text)
    case "iss": explanation.expected = expectation.issuer.map { [Shown.text($0)] } ?? []
    default: break
    }
    if let expected = explanation.expected.first { explanation.what += ": expected \(expected)" }
    return explanation
  }

  var wrongType: JWTExplanation {
    let expected =
      switch error.field {
      case "exp", "nbf", "iat", "auth_time": "a number of seconds since 1970, without quotation marks"
      case "aud": "a string, or where several are allowed an array of strings"
      case "cnf", "identity", "claims": "an object with the right members"
      case "subscriptions": "an array of objects, each with type and token"
      case "max_age": "a number"
      case "requested_expiry": "a number, or its digits"
      case "x5c": "an array of strings"
      case "b64": "true or false"
      default: "a string"
      }
    var explanation = JWTExplanation(
      "wrongType", "it must be \(expected)", advice: "whoever made the token must correct that")
    explanation.expected = [expected]
    // With its quotation marks, if it has some.
    explanation.found = member.map { Shown.text(UTF8Text(unchecked: $0.encoded())) }
    explanation.what += explanation.found.map { ", and the token says \($0)" } ?? ""
    return explanation
  }

  var wrongTokenType: JWTExplanation {
    compared(
      "wrongTokenType", "this is another kind of token", [expectation.type ?? "JWT"],
      "ask for the expected kind, or verify this one as the kind it is")
  }

  var unknownKeyID: JWTExplanation {
    let what = "the issuer has no key of this name"
    if let kid = member?.string, let unusable = expectation.unusable.first(where: { $0.kid == kid }) {
      var explanation = found("unknownKeyID", what, "replace that key")
      explanation.what += ": it is there, but not used: \(TrustedKeyFile.words(unusable))"
      return explanation
    }
    return compared(
      "unknownKeyID", what, expectation.keyIDs, absent: "no name",
      "load the issuer's keys again, they may have changed; if not, another issuer made the token")
  }

  var noKeyForAlgorithm: JWTExplanation {
    compared(
      "noKeyForAlgorithm", "the issuer has no such key for this algorithm", expectation.algorithms.map(\.joseName),
      "load the issuer's keys again; if they are right, someone else made the token")
  }

  /// The length of a signature tells what mistake made it, and is no secret.
  var invalidSignature: JWTExplanation {
    var explanation = JWTExplanation(
      "invalidSignature", "the signature is not valid: the token was changed, or another key signed it",
      advice: "check that this is the issuer's key, and that the token is whole")
    if let kid = token.header?["kid"] { explanation.what += " (the token names the key \(Shown.value(kid)))" }
    guard let name = token.header?["alg"]?.string, let expected = Self.signatureBytes[name],
      let count = token.signatureCount, count != expected
    else { return explanation }
    explanation.expected = ["\(expected) bytes"]
    explanation.found = "\(count) bytes"
    explanation.what = "the signature is not valid: it has \(count) bytes, and \(Shown.text(name)) makes \(expected)"
    explanation.advice =
      count == 0
      ? "the token is not signed: never accept it"
      : "check that the token is whole, and that its maker writes signatures as RFC 7518, 3 says (r and s, not DER)"
    return explanation
  }

  private static let signatureBytes: [UTF8Text: Int] = [
    "HS256": 32, "HS384": 48, "HS512": 64, "ES256": 64, "ES384": 96, "ES512": 132, "ES256K": 64, "Ed25519": 64,
    "Ed448": 114,
  ]
}
