/// The outcome of one case.
enum CaseOutcome {
  case passed
  case failed(expected: String, actual: String)
  case skipped(SkipReason)

  /// Passed if the two are the same in words, byte for byte.
  static func compare<T: CustomStringConvertible>(expected: T, actual: T, because reason: String? = nil)
    -> CaseOutcome
  {
    expected.description.utf8.elementsEqual(actual.description.utf8)
      ? .passed
      : .failed(expected: expected.description, actual: actual.description + (reason.map { " (\($0))" } ?? ""))
  }
}

/// Whether an input is to be accepted.
enum Verdict: String, CustomStringConvertible {
  case valid, invalid
  var description: String { rawValue }
}
