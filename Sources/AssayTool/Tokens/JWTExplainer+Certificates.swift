internal import AssayCodec
internal import AssayCrypto
internal import AssayJOSE

// Refusals of the certificate that a token brings.

extension JWTExplainer {
  func certificateRefused(_ fault: CertificatePathError) -> JWTExplanation {
    let advice =
      switch fault.code {
      case .expired: "have the issuer sign with a certificate that is valid"
      case .notYetValid: "compare the clocks"
      case .unknownIssuer, .selfSignedNotTrusted:
        "have the issuer write every certificate between its own and the root; or give the right --roots"
      case .wrongOrder: "have the issuer write its certificate first, then each one's issuer, and no others"
      case .tooManyCertificates: "have the issuer write only those that are needed"
      default: "have the issuer get a certificate that is fit for this"
      }
    var explanation = plain("certificateRefused", advice)
    guard let certificate = certificate(fault.depth ?? 0), let validity = try? certificate.validity() else {
      return explanation
    }
    switch fault.code {
    case .expired: tell(&explanation, validity.notAfter, from: validity.notAfter, to: expectation.now)
    case .notYetValid: tell(&explanation, validity.notBefore, from: expectation.now, to: validity.notBefore)
    default: break
    }
    return explanation
  }

  private func tell(_ explanation: inout JWTExplanation, _ moment: UnixTime, from start: UnixTime, to end: UnixTime) {
    let (seconds, overflow) = end.seconds.subtractingReportingOverflow(start.seconds)
    // An issuer's certificate may be an anchor, which is not in the token: then this one is not at fault.
    guard !overflow, seconds >= 0 else { return }
    explanation.seconds = seconds
    explanation.moment = moment
    explanation.what +=
      ", by \(Shown.duration(seconds)) (\(Shown.time(moment)); judged at \(Shown.time(expectation.now)))"
  }

  var certificateNotForSigning: JWTExplanation {
    let (what, advice) =
      switch error.field {
      case "basicConstraints":
        ("the certificate is an authority's, which issues others", "have the issuer write its own certificate first")
      case "keyUsage":
        ("the certificate's key may not make signatures", "have the issuer get one with digitalSignature")
      default:
        (
          "the certificate was issued for other purposes",
          "if it should count, say for which purpose with --purpose; if not, have the issuer get another"
        )
      }
    return JWTExplanation("certificateNotForSigning", what, advice: advice)
  }

  /// Which name was looked for, and which are there.
  var wrongSigner: JWTExplanation {
    var explanation = JWTExplanation(
      "wrongSigner", "the certificate is good, but not the issuer's",
      advice: "if it is the issuer's, name it so; if not, someone else made the token")
    let leaf = certificate(0)
    let names = try? leaf?.alternativeNames()
    switch expectation.signer {
    case .dnsName(let name):
      explanation.expected = [Shown.text(name)]
      explanation.found = Self.few((names?.dnsNames ?? []).map(Shown.text), "no host name")
    case .uri(let uri):
      explanation.expected = [Shown.text(uri)]
      explanation.found = Self.few((names?.uris ?? []).map(Shown.text), "no URI")
    case .commonName(let name):
      explanation.expected = [Shown.text(name)]
      explanation.found = leaf?.commonName.map(Shown.text) ?? "no single common name"
    case .certificates: explanation.expected = ["the certificate that was given"]
    case .anyUnderPrivateAuthority, nil: break
    }
    if let expected = explanation.expected.first {
      explanation.what += ": expected \(expected)" + (explanation.found.map { ", it says \($0)" } ?? "")
    }
    return explanation
  }

  /// A certificate of `x5c`, counted from the leaf.
  private func certificate(_ depth: Int) -> X509Certificate? {
    guard let texts = token.header?["x5c"]?.array, texts.indices.contains(depth), let text = texts[depth].string,
      let der = try? Base64.decode(text.utf8.span)
    else { return nil }
    return try? X509Certificate(der.span)
  }
}
