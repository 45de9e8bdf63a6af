import AssayCrypto
import AssayWebAuthn
import TestAuthenticator

/// One test of FIDO's conformance tool for servers, as far as public sources tell, and what shows its outcome here.
struct ConformanceItem: CustomStringConvertible {
  /// A ceremony of the test authenticator: as it is, or with one deviation.
  enum Ceremony {
    case registration(TestAttestation, SignatureAlgorithm, DeviationLayer?, String?)
    case signIn(DeviationLayer?, String?)
  }

  enum Shown {
    /// A ceremony that is accepted if the code is nil.
    case ceremony(Ceremony, WebAuthnError.Code?)
    /// A file of this folder and a name in it: of a test, or of a case of one.
    case test(String, String)
    /// A published ceremony whose verdict `CorpusTests` checks.
    case vector(String)
  }

  /// What WebAuthn Level 3 says where the tool says otherwise.
  enum Contradiction {
    /// A switch serves both; this ceremony is judged as Level 3 has it.
    case bySwitch(String, Ceremony, WebAuthnError.Code?)
    /// The tool's side is not served, and why.
    case declined(String)
  }

  /// Such as `P-1`; with the year if only the list of that year has it.
  let id: String
  let what: String
  let shown: Shown
  var contradiction: Contradiction?

  var description: String { "\(id) \(what)" }

  /// The registration is accepted.
  static func accepts(
    _ id: String, _ what: String, _ attestation: TestAttestation, _ algorithm: SignatureAlgorithm = .es256,
    _ layer: DeviationLayer? = nil, _ deviation: String? = nil
  ) -> Self {
    Self(id: id, what: what, shown: .ceremony(.registration(attestation, algorithm, layer, deviation), nil))
  }

  /// The registration is refused for this reason.
  static func refuses(
    _ id: String, _ what: String, _ attestation: TestAttestation, _ layer: DeviationLayer, _ deviation: String,
    _ code: WebAuthnError.Code, contradiction: Contradiction? = nil
  ) -> Self {
    Self(
      id: id, what: what, shown: .ceremony(.registration(attestation, .es256, layer, deviation), code),
      contradiction: contradiction)
  }

  /// The sign-in is accepted.
  static func acceptsSignIn(
    _ id: String, _ what: String, _ layer: DeviationLayer? = nil, _ deviation: String? = nil
  ) -> Self {
    Self(id: id, what: what, shown: .ceremony(.signIn(layer, deviation), nil))
  }

  /// The sign-in is refused for this reason.
  static func refusesSignIn(
    _ id: String, _ what: String, _ layer: DeviationLayer, _ deviation: String, _ code: WebAuthnError.Code,
    contradiction: Contradiction? = nil
  ) -> Self {
    Self(id: id, what: what, shown: .ceremony(.signIn(layer, deviation), code), contradiction: contradiction)
  }

  /// Another test shows it.
  static func test(_ id: String, _ what: String, _ file: String, _ name: String) -> Self {
    Self(id: id, what: what, shown: .test(file, name))
  }
}

extension ConformanceItem.Ceremony {
  struct NotFound: Error {}

  private static func only<C>(_ matches: [Deviation<C>]) throws -> Deviation<C> {
    guard let first = matches.first, matches.count == 1 else { throw NotFound() }
    return first
  }

  /// Runs the ceremony, under this side of the switch instead of its own.
  func refusal(_ conformance: CeremonyConformance?) throws -> Refusal? {
    switch self {
    case .registration(let attestation, let algorithm, let layer, let name):
      var ceremony = RegistrationCeremony(attestation, algorithm)
      if let layer, let name {
        try Self.only(RegistrationDeviation.of(layer, attestation).filter { $0.name == name }).change(&ceremony)
      }
      if let conformance { ceremony.options.conformance = conformance }
      return try RegistrationRuleTests.refusal { try ceremony.finish() }
    case .signIn(let layer, let name):
      var ceremony = AuthenticationCeremony()
      if let layer, let name {
        try Self.only(AuthenticationDeviation.of(layer).filter { $0.name == name }).change(&ceremony)
      }
      if let conformance { ceremony.options.conformance = conformance }
      return try RegistrationRuleTests.refusal { try ceremony.finish() }
    }
  }
}
