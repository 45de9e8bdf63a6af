package import AssayCodec

/// What a run over one file of vectors found.
package struct VectorReport: Sendable {
  /// One case whose outcome was not the expected one.
  package struct Failure: Sendable {
    /// The case's `id`, or what stands for it.
    package let id: UTF8Text
    /// The outcome the file asks for.
    package let expected: String
    /// The outcome there was, with its reason.
    package let actual: String
  }

  /// What kind of file it is: a schema kind, `registration` or `sign-in`, or a schema of Wycheproof's.
  package let kind: String
  /// How many cases came out as expected.
  package internal(set) var passed = 0
  /// The cases that did not.
  package internal(set) var failures: [Failure] = []
  /// Why cases were not judged, one entry for each case.
  package internal(set) var skips: [SkipReason] = []

  mutating func add(_ outcome: CaseOutcome, id: UTF8Text) {
    switch outcome {
    case .passed: passed += 1
    case .failed(let expected, let actual): failures.append(Failure(id: id, expected: expected, actual: actual))
    case .skipped(let reason): skips.append(reason)
    }
  }

  /// How many cases the file holds.
  package var total: Int { passed + failures.count + skips.count }
}
