internal import AssayCodec
internal import AssayJOSE

// Refusals because of the time.

extension JWTExplainer {
  var dateOutOfRange: JWTExplanation {
    var explanation = found(
      "dateOutOfRange", error.code.explanation, "whoever made the token must write seconds since 1970")
    // From the year 2001 on, in thousandths of a second.
    if let number = member?.number?.floor, number >= 1_000_000_000_000 {
      explanation.what += ", which may be milliseconds"
    }
    return explanation
  }

  /// How far a claimed moment is before (`late`) or after the time of judging.
  func time(_ code: String, _ claim: UTF8Text, _ what: String, late: Bool, _ advice: String) -> JWTExplanation {
    var explanation = JWTExplanation(code, what, advice: advice)
    guard let number = token.claims?[claim]?.number, let claimed = Self.seconds(number) else {
      return plain(code, advice)
    }
    let now = expectation.now.seconds
    let (distance, overflow) =
      late ? now.subtractingReportingOverflow(claimed) : claimed.subtractingReportingOverflow(now)
    guard !overflow else { return plain(code, advice) }
    explanation.found = Shown.value(.number(number))
    explanation.seconds = distance
    explanation.moment = UnixTime(claimed)
    let direction = late ? "before" : "after"
    let leeway = expectation.leeway > 0 ? ", clocks may differ by \(expectation.leeway) s" : ""
    explanation.what +=
      " \(Shown.duration(distance)) \(direction) the time of judging"
      + " (\(Shown.time(UnixTime(claimed))); judged at \(Shown.time(expectation.now))\(leeway))"
    return explanation
  }

  /// As the verifier rounds.
  private static func seconds(_ number: JSONNumber) -> Int64? {
    number.int64 ?? Int64(exactly: number.double.rounded(.up))
  }
}
