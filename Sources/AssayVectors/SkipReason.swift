package import AssayCodec

/// Why a case cannot be judged. The words are those by which `scope.json` names what is outside.
package enum SkipReason: Hashable, Sendable, CustomStringConvertible {
  /// The browser refused the ceremony, so there is nothing to verify.
  case browserRefused
  /// A signature algorithm, by its COSE identifier.
  case coseAlgorithm(Int64)
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
    case .coseAlgorithm(let identifier): "algorithm: \(identifier)"
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
