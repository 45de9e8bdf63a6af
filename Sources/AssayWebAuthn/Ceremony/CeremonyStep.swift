internal import AssayCodec

/// A step of one of the two relying-party ceremonies, by the number WebAuthn Level 3 gives it in 7.1 or 7.2.
public struct CeremonyStep: Hashable, Sendable {
  /// Which of the two ceremonies.
  public enum Ceremony: Hashable, Sendable {
    /// "Registering a New Credential" (WebAuthn L3, 7.1).
    case registration
    /// "Verifying an Authentication Assertion" (WebAuthn L3, 7.2).
    case authentication
  }

  /// The ceremony.
  public let ceremony: Ceremony
  /// The step's number in the ceremony's section, from 1.
  public let number: Int

  package init(_ ceremony: Ceremony, _ number: Int) {
    self.ceremony = ceremony
    self.number = number
  }
}

extension CeremonyStep: CustomStringConvertible {
  /// Section and step: `7.2 step 12`.
  public var description: String { "\(ceremony == .registration ? "7.1" : "7.2") step \(number)" }
}

/// What became of one step of a ceremony that succeeded.
public struct CheckedStep: Hashable, Sendable {
  /// How a step ended.
  @nonexhaustive
  public enum Outcome: Hashable, Sendable {
    /// Something was demanded here, and it held.
    case verified
    /// Nothing is demanded here: a value was read or computed.
    case done
    /// The ceremony's policy does not ask for it.
    case notRequired
    /// It is for the caller to do; the words say what.
    case leftToCaller
  }

  /// The step.
  public let step: CeremonyStep
  /// How it ended.
  public let outcome: Outcome
  private let words: Field

  init(_ step: CeremonyStep, _ outcome: Outcome, _ words: Field) {
    self.step = step
    self.outcome = outcome
    self.words = words
  }

  /// What holds now that the step is done, in words for a person.
  public var what: String { words.description }
}

/// Walks through a ceremony: each demand is checked and written down in one place, so that what is listed is what was done.
struct CeremonyLog {
  let ceremony: CeremonyStep.Ceremony
  private(set) var steps: [CheckedStep] = []

  init(_ ceremony: CeremonyStep.Ceremony) {
    self.ceremony = ceremony
    steps.reserveCapacity(32)
  }

  /// Goes on only if `condition` holds.
  mutating func require(
    _ number: Int, _ what: Field, _ condition: Bool, else code: WebAuthnError.Code, _ field: Field
  ) throws(WebAuthnError) {
    guard condition else { throw fault(number, code, field) }
    note(number, what, .verified)
  }

  /// Writes down a step that demands nothing.
  mutating func note(_ number: Int, _ what: Field, _ outcome: CheckedStep.Outcome = .done) {
    steps.append(CheckedStep(CeremonyStep(ceremony, number), outcome, what))
  }

  /// The error that ends the ceremony at a step.
  func fault(_ number: Int, _ code: WebAuthnError.Code, _ field: Field, _ cause: WebAuthnError.Cause? = nil)
    -> WebAuthnError
  {
    WebAuthnError(code, field, at: CeremonyStep(ceremony, number), cause)
  }
}
