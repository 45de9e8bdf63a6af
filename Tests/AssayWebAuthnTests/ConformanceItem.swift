import AssayCrypto
import AssayWebAuthn
import TestAuthenticator

/// One test of FIDO's conformance tool for servers, as far as public sources tell, and what shows its outcome here.
struct ConformanceItem: CustomStringConvertible {
  /// A ceremony of the test authenticator: as it is, or with one deviation.
  enum Ceremony {
    case registration(TestAttestation, SignatureAlgorithm, DeviationLayer?, String?)
    /// An attestation of the kind, where a metadata BLOB says who is trusted.
    case model(ConformanceMetadata, TestAttestation, DeviationLayer?, String?)
    case signIn(DeviationLayer?, String?)
  }

  enum Shown {
    /// A ceremony that is accepted if the code is nil.
    case ceremony(Ceremony, WebAuthnError.Code?)
    /// Several, which all end in this way.
    case ceremonies([Ceremony], WebAuthnError.Code)
    /// The verification of a metadata BLOB, which is refused for this reason.
    case blob(ConformanceMetadata.Fault, BLOBRefusal)
    /// A test of the options that a ceremony begins with.
    case options(@Sendable () throws -> Void)
    /// Published registrations, and how each ends.
    case vectors([(path: String, code: WebAuthnError.Code?)])
  }

  enum BLOBRefusal: Equatable {
    case signature
    case path(CertificatePathError)
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

  /// The registration is accepted, and the metadata vouches.
  static func trusts(
    _ id: String, _ what: String, _ attestation: TestAttestation,
    _ metadata: ConformanceMetadata = ConformanceMetadata(),
    _ layer: DeviationLayer? = nil, _ deviation: String? = nil
  ) -> Self {
    Self(id: id, what: what, shown: .ceremony(.model(metadata, attestation, layer, deviation), nil))
  }

  /// The registration, which the metadata would vouch for, is refused for this reason.
  static func distrusts(
    _ id: String, _ what: String, _ attestation: TestAttestation, _ layer: DeviationLayer?, _ deviation: String?,
    _ code: WebAuthnError.Code, _ metadata: ConformanceMetadata = ConformanceMetadata()
  ) -> Self {
    Self(id: id, what: what, shown: .ceremony(.model(metadata, attestation, layer, deviation), code))
  }

  /// The metadata BLOB is refused for this reason.
  static func refusesBLOB(_ id: String, _ what: String, _ fault: ConformanceMetadata.Fault, _ refusal: BLOBRefusal)
    -> Self
  {
    Self(id: id, what: what, shown: .blob(fault, refusal))
  }

  /// The options are as they must be.
  static func options(_ id: String, _ what: String, _ test: @escaping @Sendable () throws -> Void) -> Self {
    Self(id: id, what: what, shown: .options(test))
  }
}

extension ConformanceItem.Ceremony {
  struct NotFound: Error {}

  private static func only<C>(_ matches: [Deviation<C>]) throws -> Deviation<C> {
    guard let first = matches.first, matches.count == 1 else { throw NotFound() }
    return first
  }

  private static func begun(
    _ attestation: TestAttestation, _ algorithm: SignatureAlgorithm, _ layer: DeviationLayer?, _ name: String?
  ) throws -> RegistrationCeremony {
    var ceremony = RegistrationCeremony(attestation, algorithm)
    if let layer, let name {
      try only(RegistrationDeviation.of(layer, attestation).filter { $0.name == name }).change(&ceremony)
    }
    return ceremony
  }

  /// Runs the ceremony, under this side of the switch instead of its own.
  func refusal(_ conformance: CeremonyConformance?) throws -> Refusal? {
    switch self {
    case .registration(let attestation, let algorithm, let layer, let name):
      var ceremony = try Self.begun(attestation, algorithm, layer, name)
      if let conformance { ceremony.options.conformance = conformance }
      return try RegistrationRuleTests.refusal { try ceremony.finish() }
    case .model(let metadata, let attestation, let layer, let name):
      var ceremony = try Self.begun(attestation, .es256, layer, name)
      try metadata.apply(to: &ceremony)
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
