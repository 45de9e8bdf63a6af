package import AssayCodec
internal import AssayCrypto

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

/// Why a case cannot be judged. The words are those by which `scope.json` names what is outside.
package enum SkipReason: Hashable, Sendable, CustomStringConvertible {
  /// The browser refused the ceremony, so there is nothing to verify.
  case browserRefused
  /// An attestation statement format.
  case attestation(UTF8Text)
  /// A signature algorithm, by its COSE identifier.
  case coseAlgorithm(Int64)
  /// The sign-in is under the AppID of a U2F key.
  case appID
  /// The relying party's origin is not one that a browser reports, and cannot be configured.
  case origin
  /// The sources disagree on the verdict.
  case policyVerdict
  /// What the words say.
  case named(UTF8Text)

  /// A reason in words.
  static func words(_ words: String) -> SkipReason { .named(UTF8Text(words)) }

  /// The words of `scope.json`.
  package var description: String {
    switch self {
    case .browserRefused: "ceremony: refused by the browser"
    case .attestation(let format): "attestation: \(format.string)"
    case .coseAlgorithm(let identifier): "algorithm: \(identifier)"
    case .appID: "extension: appid"
    case .origin: "origin: not one that a browser reports"
    case .policyVerdict: "verdict: policy"
    case .named(let words): words.string
    }
  }
}

extension SkipReason {
  /// Whether a COSE algorithm is a registered signature algorithm that is not supported (ML-DSA, RS1); a case with it proves
  /// nothing.
  static func waits(for coseAlgorithm: Int64) -> Bool { [-48, -49, -50, -65535].contains(coseAlgorithm) }
}

/// Why a file of vectors cannot be used at all: it does not follow its schema.
package struct VectorFileError: Error, Sendable, CustomStringConvertible {
  /// What is wrong and, if it is in a case, in which.
  package let description: String

  /// Says what is wrong.
  package init(_ description: String) { self.description = description }
}

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
